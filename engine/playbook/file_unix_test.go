//go:build unix

package playbook

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/beonauto/auto/engine/patience"
)

func TestReadFileNeverWaitsForAPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	wantNotFile(t, pipe, "a pipe that nothing is written to")
}

func TestReadFileReadsAPipeToItsEnd(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	path := fmt.Sprintf("/dev/fd/%d", reader.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("no ", path)
	}
	whole := strings.Repeat("a line of what a command prints\n", 10_000) // more than a pipe holds
	failed := make(chan error, 1)
	go func() {
		_, err := writer.WriteString(whole)
		writer.Close()
		failed <- err
	}()
	text, err := ReadFile(path, 1<<20)
	if err != nil || string(text) != whole {
		t.Errorf("%d bytes of %d, %v", len(text), len(whole), err)
	}
	if err := patience.Receive(t, failed); err != nil {
		t.Error(err)
	}
}

func TestReadFileRefusesDevicesAndSockets(t *testing.T) {
	t.Parallel()
	wantNotFile(t, "/dev/null", "a device")
	if _, err := os.Stat("/dev/zero"); err == nil {
		wantNotFile(t, "/dev/zero", "a device")
	}
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	wantNotFile(t, socket, "a socket or a device")
}

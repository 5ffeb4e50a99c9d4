package playbook

// This file reads files that a person names or a folder holds, which may be
// anything: a pipe that nobody writes to, a device that never ends.

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// A NotFileError is a path that leads to something that is not read as a file.
type NotFileError struct {
	Found string // what is there, such as a device
}

func (e *NotFileError) Error() string { return "expected a file, found " + e.Found }

// ReadFile gives what a file holds, at most most bytes and one more, by which a
// caller tells that there is more. A pipe is read like a file, since shells hand
// over what a command prints as one; it never waits for somebody to open the
// other end. The error is a *NotFileError for a folder, a device, a socket and a
// pipe that nothing is written to, and an *fs.PathError otherwise.
func ReadFile(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return nil, &NotFileError{Found: "a socket or a device"}
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	found, isPipe := "", info.Mode()&fs.ModeNamedPipe != 0
	switch mode := info.Mode(); {
	case mode.IsDir():
		found = "a folder"
	case mode&fs.ModeSocket != 0:
		found = "a socket"
	case !mode.IsRegular() && !isPipe:
		found = "a device"
	}
	if found != "" {
		return nil, &NotFileError{Found: found}
	}
	text := make([]byte, 0, min(info.Size(), most)+1)
	for {
		read, err := file.Read(text[len(text):min(int64(cap(text)), most+1)])
		text = text[:len(text)+read]
		switch {
		case errors.Is(err, io.EOF):
			if isPipe && len(text) == 0 {
				return nil, &NotFileError{Found: "a pipe that nothing is written to"}
			}
			return text, nil
		case err != nil:
			return nil, err
		case int64(len(text)) > most:
			return text, nil
		case len(text) == cap(text):
			text = append(text, 0)[:len(text)]
		}
	}
}

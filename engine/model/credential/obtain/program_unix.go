//go:build !windows

package obtain

import (
	"context"
	"os/exec"
)

func inShell(ctx context.Context, command string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", command)
}

// isNotFound tells a shell's word that it found no program from a program's own
// failure.
func isNotFound(code int, _ string) bool { return code == 127 }

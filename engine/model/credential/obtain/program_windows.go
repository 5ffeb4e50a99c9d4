package obtain

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
)

// inShell hands the command line to cmd as it is written, between the quotes that
// /s takes off: those of an argument list would be doubled on the way.
func inShell(ctx context.Context, command string) *exec.Cmd {
	program := exec.CommandContext(ctx, "cmd.exe")
	program.SysProcAttr = &syscall.SysProcAttr{CmdLine: `/d /s /c "` + command + `"`}
	return program
}

// isNotFound tells a shell's word that it found no program from a program's own
// failure.
func isNotFound(code int, words string) bool {
	return code == 9009 || strings.Contains(words, "is not recognized")
}

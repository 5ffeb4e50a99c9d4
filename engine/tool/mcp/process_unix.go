//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// This file keeps a program and what it starts together in a process group, so
// that all of it ends at once.
//
// A child that leaves the group, by setsid, lives on: a daemon that the program
// starts, such as a browser or a container's keeper, does so on purpose and may
// serve others too. Finding it would want a subreaper and /proc on Linux, another
// way on each other system, and would still miss what was started between the look
// and the kill. Nothing waits for it: its ends of the pipes are let go of.

func inOwnGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func terminateGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

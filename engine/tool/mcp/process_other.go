//go:build !unix

package mcp

import "os/exec"

// This file ends a program where there are no process groups.

func inOwnGroup(*exec.Cmd) {}

func terminateGroup(command *exec.Cmd) { _ = command.Process.Kill() }

func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }

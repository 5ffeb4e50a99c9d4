package definition

// This file reads the names of tool servers and of tools.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

// The form of the names of tool servers and tools (interaction format,
// "call"): what a message says and what it checks.
const (
	serverForm = "1 to 32 lowercase letters, digits and hyphens, starting with a letter"
	toolForm   = "1 to 128 letters, digits, underscores, hyphens and dots"
)

// IsServerName tells whether a name has the form of a tool server's.
func IsServerName(name string) bool {
	if len(name) < 1 || len(name) > 32 || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// IsToolName tells whether a name has the form of a tool's.
func IsToolName(name string) bool {
	if len(name) < 1 || len(name) > 128 {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// EveryTool is the tool's name in server/*, which stands for every tool of a
// server that its operator allows.
const EveryTool = "*"

// toolNames reads the list of tools a reasoning function may call (reasoning
// format, "Tools").
func toolNames(r *reader, at place, into *Reasoning) {
	seen := make(map[string]bool)
	for _, item := range r.list(at) {
		text, ok := r.text(item)
		if !ok {
			continue
		}
		server, tool, both := strings.Cut(text, "/")
		switch {
		case !both || server == "" || tool == "":
			r.refuse(item, problem.ToolName, "Expected server/tool or server/*")
		case !IsServerName(server):
			r.refuse(item, problem.ToolName, "Expected a server of "+serverForm+", before the slash")
		case tool != EveryTool && !IsToolName(tool):
			r.refuse(item, problem.ToolName, "Expected * or a tool of "+toolForm+", after the slash")
		case seen[text]:
			r.refuse(item, problem.ToolName, text+" is listed twice")
		default:
			seen[text] = true
			r.checkListed(item, Tool{Server: server, Name: tool})
			into.Tools = append(into.Tools, Tool{Server: server, Name: tool})
		}
	}
}

// serverName reads the name of a tool server.
func (r *reader) serverName(at place) string {
	return r.name(at, IsServerName, "Expected "+serverForm)
}

// toolName reads the name of a tool.
func (r *reader) toolName(at place) string {
	message := "Expected " + toolForm
	written, _ := scalar(at)
	text, _ := written.(string)
	if server, tool, both := strings.Cut(text, "/"); both && IsServerName(server) && IsToolName(tool) {
		message = "Expected the tool without its server: " + tool
	}
	return r.name(at, IsToolName, message)
}

func (r *reader) name(at place, is func(string) bool, message string) string {
	name, ok := r.text(at)
	if !ok {
		return ""
	}
	if !is(name) {
		r.refuse(at, problem.ToolName, message)
		return ""
	}
	return name
}

package definition

// This file warns of the tool servers and the tools that a document names and
// that are not there. A document may be right all the same, with the settings of
// another day: so none is refused for it, and a run tells it again.

import (
	"slices"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
)

// NotConfigured says that a playbook has no tool server of a name, of those it
// has.
func NotConfigured(server string, known []string) string {
	return "The tool server " + server + " is not configured for this playbook" + problem.OrNear(server, known)
}

// NotAllowed says that the operator allows other tools of a server, such as the
// known ones.
func NotAllowed(of Tool, known []string) string {
	return "The tool " + of.String() + " is not among those its server's allowed setting names" + problem.OrNear(of.Name, known)
}

// NotListed says that a server lists no tool of a name, of those it lists, and why
// where that is known.
func NotListed(of Tool, known []string, why string) string {
	message := "The tool server " + of.Server + " lists no tool " + of.Name
	if why != "" {
		return message + ": " + why
	}
	return message + problem.OrNear(of.Name, known)
}

// noServer says that the playbook has no such tool server; empty where it has it,
// or where that cannot be told. The settings of a playbook that has none may just
// not be written yet, so that is told only where the servers were to be asked.
func (s Surroundings) noServer(name string) string {
	if name == "" || s.ToolServers == nil || len(s.ToolServers) == 0 && s.Connections == nil {
		return ""
	}
	if slices.Contains(s.ToolServers, name) {
		return ""
	}
	return NotConfigured(name, s.ToolServers)
}

// noTool says that a server does not offer a tool; empty where it does, or where
// that cannot be told.
func (s Surroundings) noTool(wanted Tool) string {
	connection, asked := s.connection(wanted.Server)
	if !asked || wanted.Name == "" || wanted.Name == EveryTool {
		return ""
	}
	if _, offered := connection.tool(wanted.Name); offered {
		return ""
	}
	names := make([]string, len(connection.Tools))
	for i, of := range connection.Tools {
		names[i] = of.Name
	}
	if connection.Allowed != nil && !slices.Contains(connection.Allowed, wanted.Name) {
		return NotAllowed(wanted, names)
	}
	return NotListed(wanted, names, connection.LeftOut[wanted.Name])
}

// checkServer warns of the server that a block names and the playbook does not
// have.
func (r *reader) checkServer(block place, name string) {
	r.warn(block, "server", r.around.noServer(name))
}

// checkTool warns of the tool that a block names and its server does not offer.
func (r *reader) checkTool(block place, wanted Tool) { r.checkOffered(block, "tool", wanted) }

func (r *reader) checkOffered(block place, key string, wanted Tool) {
	r.warn(block, key, r.around.noTool(wanted))
}

func (r *reader) warn(block place, key, message string) {
	if message == "" {
		return
	}
	if at, has := block.child(key); has {
		r.warnUnknown(at, at.node.Line, at.node.Column, message)
	}
}

// checkReplyTools warns of the tools of replies, which are those of the server
// that delivers.
func (r *reader) checkReplyTools(root place, function *Interaction) {
	if function.Deliver == nil || function.Replies == nil {
		return
	}
	replies, _ := root.child("replies")
	server := function.Deliver.Tool.Server
	r.checkTool(replies, Tool{Server: server, Name: function.Replies.Tool})
	if function.Replies.Tell != nil {
		tell, _ := replies.child("tell")
		r.checkTool(tell, Tool{Server: server, Name: function.Replies.Tell.Tool})
	}
}

// checkListed warns of an item of tools, where the name that is unknown stands in
// it.
func (r *reader) checkListed(item place, wanted Tool) {
	if message := r.around.noServer(wanted.Server); message != "" {
		r.warnUnknown(item, item.node.Line, item.node.Column, message)
	}
	if message := r.around.noTool(wanted); message != "" {
		line, column := item.node.Place(1, utf8.RuneCountInString(wanted.Server)+2)
		r.warnUnknown(item, line, column, message)
	}
}

func (r *reader) warnUnknown(at place, line, column int, message string) {
	r.add(problem.Problem{
		Line: line, Column: column, Pointer: at.pointer,
		Rule: problem.ToolUnknown, Severity: problem.Warning, Message: message,
	})
}

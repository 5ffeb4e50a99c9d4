package definition

// This file is what the tool servers of a playbook say when they are asked, and
// the rules that only then can be checked (interaction format, "How a request
// reaches its party" and "Asking a system").

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

// Connection is what a tool server said when it was asked.
type Connection struct {
	Server   string
	Unusable string // why it cannot be used just now, a sentence without a full stop; empty when it can
	Tools    []ConnectedTool
}

// ConnectedTool is a tool that a server lists and its operator allows.
type ConnectedTool struct {
	Name         string
	Reads        bool // it is marked reads
	Sends        bool // it can send a request to its party
	ReadsReplies bool // it can read the replies to a request
}

// connected gives a tool as its server lists it, where the server was asked.
func (s Surroundings) connected(wanted Tool) (ConnectedTool, bool) {
	for _, connection := range s.Connections {
		if connection.Server != wanted.Server {
			continue
		}
		for _, of := range connection.Tools {
			if of.Name == wanted.Name {
				return of, true
			}
		}
	}
	return ConnectedTool{}, false
}

// checkMark refuses a call whose tool is not of the kind that the type of
// function calls, as far as its server was asked.
func (r *reader) checkMark(root place, call *Call, reads bool) {
	if call == nil {
		return
	}
	of, asked := r.around.connected(call.Tool)
	if !asked || of.Reads == reads {
		return
	}
	at, _ := root.child("call")
	at, _ = at.child("tool")
	if reads {
		r.refuse(at, problem.ToolMark, call.Tool.String()+" may change something, and a lookup function only reads; save it with the type interaction, which takes the same call")
		return
	}
	r.refuse(at, problem.ToolMark, call.Tool.String()+" is marked reads, and belongs to a lookup function; save it with the type lookup, which takes the same call")
}

// mostNamedTools is how many tools of a kind a message names of one server.
const mostNamedTools = 3

// ways gives how a request, or a notification where answered is false, may reach
// its party through the servers that were asked.
func (s Surroundings) ways(answered bool) []string {
	var ways []string
	for _, connection := range s.Connections {
		var send, read []string
		for _, of := range connection.Tools {
			if of.Sends {
				send = append(send, of.Name)
			}
			if of.ReadsReplies {
				read = append(read, of.Name)
			}
		}
		switch {
		case len(send) == 0 || answered && len(read) == 0:
		case answered:
			ways = append(ways, fmt.Sprintf("the tool server %s (%s sends it, %s reads the replies)", connection.Server, oneOfTools(send), oneOfTools(read)))
		default:
			ways = append(ways, fmt.Sprintf("the tool server %s (%s sends it)", connection.Server, oneOfTools(send)))
		}
	}
	return ways
}

func oneOfTools(names []string) string {
	return strings.Join(names[:min(len(names), mostNamedTools)], " or ")
}

// servers says what the tool servers of the playbook can do for a request, or for
// a notification where answered is false.
func (r *reader) servers(answered bool) string {
	if len(r.around.ToolServers) == 0 && len(r.around.Connections) == 0 {
		return "no tool server is configured for this playbook"
	}
	if r.around.Connections == nil {
		names := slices.Sorted(slices.Values(r.around.ToolServers))
		return "the tool servers of this playbook are " + strings.Join(names, ", ")
	}
	ways := r.around.ways(answered)
	switch len(ways) {
	case 0:
		text := "no tool server of this playbook can carry it"
		for _, connection := range r.around.Connections {
			if connection.Unusable != "" {
				text += fmt.Sprintf("; %s cannot be used just now (%s)", connection.Server, connection.Unusable)
			}
		}
		return text
	case 1:
		return "in this playbook that is " + ways[0]
	}
	return "in this playbook that is one of " + strings.Join(ways, ", ")
}

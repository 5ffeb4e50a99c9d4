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
	Unusable string   // why it cannot be used just now, a sentence without a full stop; empty when it can
	Allowed  []string // the tools that its operator allows; nil allows all it lists
	Tools    []ConnectedTool
	LeftOut  map[string]string // why it lists no tool of a name, where it is known
}

// ConnectedTool is a tool that a server lists and its operator allows.
type ConnectedTool struct {
	Name         string
	Reads        bool // it is marked reads
	Sends        bool // it can send a request to its party
	ReadsReplies bool // it can read the replies to a request
}

// connection gives what a server said when it was asked, where it could be.
func (s Surroundings) connection(server string) (Connection, bool) {
	at := slices.IndexFunc(s.Connections, func(c Connection) bool { return c.Server == server })
	if at < 0 || s.Connections[at].Unusable != "" {
		return Connection{}, false
	}
	return s.Connections[at], true
}

// tool gives a tool that the server offers.
func (c Connection) tool(name string) (ConnectedTool, bool) {
	at := slices.IndexFunc(c.Tools, func(of ConnectedTool) bool { return of.Name == name })
	if at < 0 {
		return ConnectedTool{}, false
	}
	return c.Tools[at], true
}

// connected gives a tool as its server lists it, where the server was asked.
func (s Surroundings) connected(wanted Tool) (ConnectedTool, bool) {
	connection, asked := s.connection(wanted.Server)
	if !asked {
		return ConnectedTool{}, false
	}
	return connection.tool(wanted.Name)
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

// Way is a connection that can carry a request, or a notification, to its party.
type Way struct {
	Server string
	Send   []string // the tools that send
	Read   []string // the tools that read replies; none for a notification
}

// Ways gives the connections, of the servers that were asked, that can carry a
// request to its party and read the replies, or carry a notification where answered
// is false.
func (s Surroundings) Ways(answered bool) []Way {
	var ways []Way
	for _, connection := range s.Connections {
		way := Way{Server: connection.Server}
		for _, of := range connection.Tools {
			if of.Sends {
				way.Send = append(way.Send, of.Name)
			}
			if answered && of.ReadsReplies {
				way.Read = append(way.Read, of.Name)
			}
		}
		if len(way.Send) > 0 && (len(way.Read) > 0 || !answered) {
			ways = append(ways, way)
		}
	}
	return ways
}

func (w Way) String() string {
	if len(w.Read) == 0 {
		return fmt.Sprintf("the tool server %s (%s sends it)", w.Server, oneOfTools(w.Send))
	}
	return fmt.Sprintf("the tool server %s (%s sends it, %s reads the replies)", w.Server, oneOfTools(w.Send), oneOfTools(w.Read))
}

func oneOfTools(names []string) string {
	return problem.AnyOf(names[:min(len(names), mostNamedTools)])
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
	var ways []string
	for _, way := range r.around.Ways(answered) {
		ways = append(ways, way.String())
	}
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

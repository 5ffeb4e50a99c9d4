package definition

// This file reads the blocks of an interaction that name tools: call, deliver
// and replies.

import (
	"strings"
	"time"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Call is the tool a function asks (interaction format, "call").
type Call struct {
	Tool Tool
	With *Arguments // nil sends {}
	Read string     // JSON Pointer to the part that is returned; empty returns the whole answer
}

// Deliver is the tool a request is sent through (interaction format,
// "deliver").
type Deliver struct {
	Tool Tool
	With *Arguments
	Sent *Sent // nil: the answer does not name the message
}

// Sent is where the sending tool's answer names the message.
type Sent struct {
	Conversation string // JSON Pointer
	ID           string // JSON Pointer
}

// Replies is how the replies to a message are read (interaction format,
// "replies").
type Replies struct {
	Conversation *Template // nil: sent.conversation
	Tool         string    // of the server that delivers
	With         *Arguments
	Read         ReadReplies
	Wait         time.Duration // the shortest time between two reads
	Tell         *Tell         // nil: nobody is told
}

// DefaultWait is replies.wait when it is left out.
const DefaultWait = 5 * time.Second

// ReadReplies is where the replies are in the reading tool's answer.
type ReadReplies struct {
	List  string // JSON Pointer into the answer
	Order string // one of ReplyOrders
	Each  EachReply
}

// ReplyOrders are the values of replies.read.order.
var ReplyOrders = []string{"oldest_first", "newest_first"}

// EachReply is JSON Pointers within one message.
type EachReply struct {
	ID     string
	Sender string
	Text   string
	To     string // empty: the tool does not say what a message answers
}

// Tell is how a party is told that a reply was not an answer.
type Tell struct {
	Tool string // empty: the tool that delivers
	With *Arguments
}

// The names that the templates of each block read (interaction format,
// "Templates and pointers").
var (
	sentScope  = scope{"to": nil, "sent": closed{"conversation": nil, "id": nil}}
	readScope  = sentScope.with(scope{"conversation": nil, "since": nil})
	tellScope  = sentScope.with(scope{"message": nil})
	askedScope = scope{"to": nil, "message": nil, "run_id": nil, "function": nil, "expires_at": nil, "answer_schema": nil}
)

var callFields = []field[Call]{
	{name: "server", required: true, takes: "The tool server", read: func(r *reader, at place, into *Call) { into.Tool.Server = r.serverName(at) }},
	{name: "tool", required: true, takes: "The tool", read: func(r *reader, at place, into *Call) { into.Tool.Name = r.toolName(at) }},
	{name: "with", takes: "The tool's arguments", read: func(r *reader, at place, into *Call) {
		into.With = r.arguments(at, r.inputScope())
		r.refuseLarge(at, into.With, r.inputScope())
	}},
	{name: "read", takes: "A JSON Pointer to the part of the answer that is returned", read: func(r *reader, at place, into *Call) { into.Read = r.pointer(at) }},
}

var sentFields = []field[Sent]{
	{name: "conversation", required: true, takes: "A JSON Pointer to the conversation", read: func(r *reader, at place, into *Sent) { into.Conversation = r.pointer(at) }},
	{name: "id", required: true, takes: "A JSON Pointer to the message's identity", read: func(r *reader, at place, into *Sent) { into.ID = r.pointer(at) }},
}

var deliverFields = []field[Deliver]{
	{name: "server", required: true, takes: "The tool server", read: func(r *reader, at place, into *Deliver) { into.Tool.Server = r.serverName(at) }},
	{name: "tool", required: true, takes: "The tool that sends the message", read: func(r *reader, at place, into *Deliver) { into.Tool.Name = r.toolName(at) }},
	{name: "with", required: true, takes: "The sending tool's arguments", read: func(r *reader, at place, into *Deliver) {
		into.With = r.arguments(at, r.inputScope().with(askedScope))
	}},
	{name: "sent", takes: "Where the tool's answer names the message it sent", within: describe(sentFields), read: func(r *reader, at place, into *Deliver) {
		into.Sent = &Sent{}
		read(r, at, sentFields, into.Sent)
	}},
}

var eachFields = []field[EachReply]{
	{name: "id", required: true, takes: "A JSON Pointer to a message's identity", read: func(r *reader, at place, into *EachReply) { into.ID = r.pointer(at) }},
	{name: "sender", required: true, takes: "A JSON Pointer to who wrote it", read: func(r *reader, at place, into *EachReply) { into.Sender = r.pointer(at) }},
	{name: "text", required: true, takes: "A JSON Pointer to its words", read: func(r *reader, at place, into *EachReply) { into.Text = r.pointer(at) }},
	{name: "to", takes: "A JSON Pointer to the message it replies to", read: func(r *reader, at place, into *EachReply) { into.To = r.pointer(at) }},
}

var readRepliesFields = []field[ReadReplies]{
	{name: "list", required: true, takes: "A JSON Pointer to the list of messages", read: func(r *reader, at place, into *ReadReplies) { into.List = r.pointer(at) }},
	{name: "order", required: true, takes: "oldest_first or newest_first", read: func(r *reader, at place, into *ReadReplies) { into.Order, _ = r.word(at, ReplyOrders) }},
	{name: "each", required: true, takes: "Pointers within each message", within: describe(eachFields), read: func(r *reader, at place, into *ReadReplies) {
		read(r, at, eachFields, &into.Each)
	}},
}

var tellFields = []field[Tell]{
	{name: "tool", takes: "The tool that sends the telling; the tool of deliver when left out", read: func(r *reader, at place, into *Tell) { into.Tool = r.toolName(at) }},
	{name: "with", required: true, takes: "Its arguments", read: func(r *reader, at place, into *Tell) { into.With = r.arguments(at, tellScope) }},
}

var repliesFields = []field[Replies]{
	{name: "conversation", takes: "A template that renders the key a conversation is read by", read: func(r *reader, at place, into *Replies) {
		into.Conversation = r.textTemplate(at, sentScope)
	}},
	{name: "tool", required: true, takes: "The tool that lists the messages of a conversation", read: func(r *reader, at place, into *Replies) { into.Tool = r.toolName(at) }},
	{name: "with", required: true, takes: "The reading tool's arguments", read: func(r *reader, at place, into *Replies) { into.With = r.arguments(at, readScope) }},
	{name: "read", required: true, takes: "Where the replies are in the reading tool's answer", within: describe(readRepliesFields), read: func(r *reader, at place, into *Replies) {
		read(r, at, readRepliesFields, &into.Read)
	}},
	{name: "wait", takes: "The shortest time between two reads, from PT5S to PT1H; PT5S when left out", read: func(r *reader, at place, into *Replies) {
		into.Wait = r.duration(at, "PT5S", "PT1H", "PT1M")
	}},
	{name: "tell", takes: "How a party is told that a reply was not an answer", within: describe(tellFields), read: func(r *reader, at place, into *Replies) {
		into.Tell = &Tell{}
		read(r, at, tellFields, into.Tell)
	}},
}

func readCall(r *reader, at place, into *Interaction) {
	into.Call = r.call(at)
}

// call reads the call of an interaction or a lookup.
func (r *reader) call(at place) *Call {
	call := &Call{}
	read(r, at, callFields, call)
	r.checkServer(at, call.Tool.Server)
	r.checkTool(at, call.Tool)
	return call
}

func readDeliver(r *reader, at place, into *Interaction) {
	if at.node.Kind == frontmatter.Mapping {
		into.Deliver = &Deliver{}
		read(r, at, deliverFields, into.Deliver)
		r.checkServer(at, into.Deliver.Tool.Server)
		r.checkTool(at, into.Deliver.Tool)
		return
	}
	if word, _ := scalar(at); word == "agent" {
		into.Agent = true
		return
	}
	r.refuse(at, problem.ValueType, "Expected agent, or a mapping of server, tool and with")
}

func readReplies(r *reader, at place, into *Interaction) {
	into.Replies = &Replies{Wait: DefaultWait}
	read(r, at, repliesFields, into.Replies)
}

// pointer reads a JSON Pointer that names a place inside a document.
func (r *reader) pointer(at place) string {
	text, ok := r.text(at)
	if !ok {
		return ""
	}
	if _, err := value.Tokens(text); err != nil || text == "" {
		message := "Expected a JSON Pointer such as /messages"
		if strings.Contains(text, "~") {
			message += ", which writes ~ as ~0 and a slash within a name as ~1"
		}
		r.refuse(at, problem.JSONPointer, message)
		return ""
	}
	return text
}

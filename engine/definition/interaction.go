package definition

// This file is the type interaction: its fields, and the rules between them that
// the shape of the function decides.

import (
	"strings"
	"time"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
)

// Interaction is a function that asks a system, a person or an agent
// (interaction format). Exactly one of Call, SignIn and To is set.
type Interaction struct {
	Call    *Call         // asks a system
	SignIn  *SignIn       // asks a person to sign in
	To      *Template     // the party of a request; nil for a call or a sign-in
	From    *Template     // the answerer, when it is not the party
	Expires time.Duration // of a request
	Deliver *Deliver      // the tool that sends the request; nil when an agent holds it
	Agent   bool          // the request is held for an agent
	Replies *Replies      // how replies are read
	Reply   *ReplyRule    // how a reply becomes an answer
	Answer  *schema.Schema
	Message *Template // nil for a call, and for a sign-in that never asks
	Page    *Page
}

// Notification tells whether the function only tells its party something.
func (i *Interaction) Notification() bool {
	return i.Call == nil && i.SignIn == nil && i.Answer == nil
}

var interactionInputFields = []field[Input]{
	{name: "schema", takes: "A JSON Schema whose root is type: object", read: inputSchema},
}

var answerFields = []field[Interaction]{
	{name: "schema", takes: "A JSON Schema of the answer", read: func(r *reader, at place, into *Interaction) {
		into.Answer = r.schema(at, schema.Options{})
	}},
}

var interactionFields = []field[Interaction]{
	{name: "description", takes: "Text of 1 to 1,000 characters", read: func(r *reader, at place, _ *Interaction) { description(r, at) }},
	{name: "call", takes: "The tool the function asks", within: describe(callFields), read: readCall},
	{name: "sign_in", takes: "The site a person signs in to", within: describe(signInFields), read: readSignIn},
	{name: "to", takes: "A template that renders the party a request goes to", read: func(r *reader, at place, into *Interaction) {
		into.To = r.textTemplate(at, r.inputScope())
	}},
	{name: "from", takes: "A template that renders the party whose reply counts; to when left out", read: func(r *reader, at place, into *Interaction) {
		into.From = r.textTemplate(at, r.inputScope())
	}},
	{name: "expires", takes: "An ISO 8601 duration from PT1M to P30D", read: func(r *reader, at place, into *Interaction) {
		into.Expires = r.duration(at, "PT1M", "P30D", "PT4H or P2D")
	}},
	{name: "deliver", takes: "The tool the request is sent through, or agent", within: describe(deliverFields), read: readDeliver},
	{name: "replies", takes: "How the replies to the message are read", within: describe(repliesFields), read: readReplies},
	{name: "reply", takes: "How a reply becomes the answer", read: func(*reader, place, *Interaction) {}},
	{name: "input", takes: "What the function takes", within: describe(interactionInputFields), read: func(r *reader, at place, _ *Interaction) {}},
	{name: "output", takes: "What the function gives", within: describe(answerFields), read: func(*reader, place, *Interaction) {}},
	{name: "page", takes: "The page that presents the function's runs", within: describe(pageFields), read: readPage},
}

var interactionType = &Type{
	Name:   "interaction",
	About:  "Work a person, an agent or a system does: a request that waits for its answer, or one call of a tool",
	Fields: describe(interactionFields),
	read:   readInteraction,
}

// readInteraction reads the schemas first, since the templates of the other
// fields are checked against them, whatever order the author wrote them in.
func readInteraction(r *reader) Function {
	function := &Interaction{}
	root, ok := r.root()
	if ok {
		if at, has := root.child("input"); has {
			read(r, at, interactionInputFields, &r.definition.Input)
		}
		if at, has := root.child("output"); has {
			read(r, at, answerFields, function)
		}
		read(r, root, interactionFields, function)
		checkShape(r, root, function)
	}
	readMessage(r, root, function)
	return function
}

// refusals are the fields that may not stand beside another one, by that one
// (interaction format, "Fields by shape" and "Asking a person to sign in").
var refusals = []struct {
	beside  string
	refused []string
}{
	{"sign_in", []string{"call", "to", "from", "replies", "reply"}},
	{"call", []string{"to", "from", "expires", "deliver", "replies", "reply"}},
}

// checkShape checks the fields against each other.
func checkShape(r *reader, root place, function *Interaction) {
	for _, rule := range refusals {
		if root.node.Get(rule.beside) == nil {
			continue
		}
		for _, name := range rule.refused {
			if root.node.Get(name) != nil {
				r.refuseKey(root, name, problem.RefusedKey, name+" is not allowed beside "+rule.beside)
			}
		}
		if rule.beside == "sign_in" {
			checkSignIn(r, root, function)
		} else {
			checkCall(r, root, function)
		}
		return
	}
	r.checkReplyTools(root, function)
	checkRequest(r, root, function)
}

// answerPlace is where the answer schema stands, and whether it is written.
func answerPlace(root place) (place, bool) {
	output, has := root.child("output")
	if !has || output.node.Get("schema") == nil {
		return output, false
	}
	return output.child("schema")
}

func checkCall(r *reader, root place, function *Interaction) {
	r.checkMark(root, function.Call, false)
	if _, has := answerPlace(root); !has {
		requireAnswer(r, root, "call needs output.schema")
	}
}

// requireAnswer reports that output.schema is missing, at its own pointer.
func requireAnswer(r *reader, root place, because string) {
	if output, has := root.child("output"); has {
		r.missing(output, "schema", "Missing key: "+because)
		return
	}
	r.missingAs(problem.MissingKey, place{node: root.node, key: frontmatter.Key{Line: 1, Column: 1}, pointer: "/output"}, "schema", "Missing key: "+because)
}

// checkRequest checks a function that asks a person or an agent.
func checkRequest(r *reader, root place, function *Interaction) {
	for _, name := range []string{"to", "expires"} {
		if root.node.Get(name) == nil {
			r.missing(root, name, "Missing key")
		}
	}
	_, hasAnswer := answerPlace(root)
	deliver, hasDeliver := root.child("deliver")
	switch {
	case !hasDeliver && hasAnswer:
		r.missingAs(problem.NoDelivery, root, "deliver", r.noDelivery())
	case !hasDeliver:
		r.missingAs(problem.NoDelivery, root, "deliver", r.noTool())
	case function.Agent && !hasAnswer:
		r.refuse(deliver, problem.NoDelivery, r.noTool())
	}
	if function.Agent && root.node.Get("replies") != nil {
		r.refuseKey(root, "replies", problem.RefusedKey, "replies is not allowed with deliver: agent")
	}
	if !hasAnswer {
		for _, name := range []string{"replies", "reply"} {
			if root.node.Get(name) != nil {
				r.refuseKey(root, name, problem.RefusedKey, name+" is not allowed without output.schema: a notification takes no answer")
			}
		}
		return
	}
	if root.node.Get("replies") != nil && hasDeliver && !function.Agent && deliver.node.Kind == frontmatter.Mapping && deliver.node.Get("sent") == nil {
		r.missing(deliver, "sent", "Missing key: replies needs deliver.sent")
	}
	readReplyRule(r, root, function)
}

// noDelivery says how a request may reach its party.
func (r *reader) noDelivery() string {
	return "Missing key: the request names no way to reach its party; write deliver with server, tool and with, " +
		"the tool of a connection that sends to them, or deliver: agent, which holds it for an agent; " + r.servers(true)
}

// noTool says how a notification may reach its party.
func (r *reader) noTool() string {
	return "A notification takes no answer, so no agent holds it; write deliver with server, tool and with, " +
		"the tool of a connection that sends it; " + r.servers(false)
}

// readMessage compiles the body, or refuses one where none may be.
func readMessage(r *reader, root place, function *Interaction) {
	reads := liquid.Options{Names: r.inputScope()}
	if root.node == nil {
		r.body(reads)
		return
	}
	refusedWith := ""
	switch {
	case root.node.Get("sign_in") != nil:
		if function.SignIn != nil && function.SignIn.IfSignedOut == "fail" {
			refusedWith = "with if_signed_out: fail"
		}
	case root.node.Get("call") != nil:
		refusedWith = "beside call"
	}
	if refusedWith == "" {
		// Whether a message is needed is not known while if_signed_out is wrong.
		undecided := root.node.Get("sign_in") != nil && (function.SignIn == nil || function.SignIn.IfSignedOut == "")
		reads.Message = !r.partial && !undecided
		function.Message = r.body(reads)
		r.refuseMixed(function.Message, sample(r.inputScope()))
		return
	}
	r.refuseBody(refusedWith)
}

// refuseBody reports the first line of a body where none may be, for what it
// stands beside.
func (r *reader) refuseBody(refusedWith string) {
	for number, line := range strings.Split(r.document.Body, "\n") {
		if strings.TrimSpace(line) != "" {
			r.add(problem.Problem{
				Line: r.document.BodyLine + number, Column: 1 + len(line) - len(strings.TrimLeft(line, " \t")),
				Rule: problem.RefusedKey, Message: "A message is not allowed " + refusedWith,
			})
			return
		}
	}
}

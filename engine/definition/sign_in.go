package definition

// This file reads sign_in, which asks a person to sign in to a site.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// SignIn is the site a person signs in to (interaction format, "Asking a
// person to sign in").
type SignIn struct {
	Server      string
	Site        string // a host name
	IfSignedOut string // one of SignedOutChoices
}

// SignInTool is the tool of a browser connection that tells whether a person is
// signed in to a site, and where they sign in.
const SignInTool = "browser_sign_in"

// reasonLength is the most characters of the reason of an answer to a sign-in.
const reasonLength = 500

// AnswerSchema is the JSON Schema of the answers to a sign-in: it is the format's, and
// no document writes it.
func (s *SignIn) AnswerSchema() *value.Object {
	signedIn, reason := value.NewObject(1), value.NewObject(2)
	signedIn.Set("type", "boolean")
	reason.Set("type", "string")
	reason.Set("maxLength", float64(reasonLength))
	properties := value.NewObject(2)
	properties.Set("signed_in", signedIn)
	properties.Set("reason", reason)
	schema := value.NewObject(4)
	schema.Set("type", "object")
	schema.Set("required", []value.Value{"signed_in"})
	schema.Set("properties", properties)
	schema.Set("additionalProperties", false)
	return schema
}

// SignedOutChoices are the values of sign_in.if_signed_out.
var SignedOutChoices = []string{"ask", "fail"}

var signInFields = []field[SignIn]{
	{name: "server", required: true, takes: "The browser connection", read: func(r *reader, at place, into *SignIn) { into.Server = r.serverName(at) }},
	{name: "site", required: true, takes: "The site's host name, in lower case", read: func(r *reader, at place, into *SignIn) { into.Site = r.hostName(at) }},
	{name: "if_signed_out", required: true, takes: "ask, which waits for the person, or fail, which ends the run", read: func(r *reader, at place, into *SignIn) {
		into.IfSignedOut, _ = r.word(at, SignedOutChoices)
	}},
}

func readSignIn(r *reader, at place, into *Interaction) {
	into.SignIn = &SignIn{}
	read(r, at, signInFields, into.SignIn)
	r.checkServer(at, into.SignIn.Server)
	r.checkOffered(at, "server", Tool{Server: into.SignIn.Server, Name: SignInTool})
}

// checkSignIn checks the fields that a sign-in takes or refuses by what it
// does when the person is signed out.
func checkSignIn(r *reader, root place, function *Interaction) {
	if output, has := root.child("output"); has && output.node.Get("schema") != nil {
		r.refuseKey(output, "schema", problem.RefusedKey, "output.schema is not allowed beside sign_in")
	}
	if function.SignIn == nil {
		return
	}
	for _, name := range []string{"expires", "deliver"} {
		written := root.node.Get(name) != nil
		switch {
		case function.SignIn.IfSignedOut == "fail" && written:
			r.refuseKey(root, name, problem.RefusedKey, name+" is not allowed with if_signed_out: fail")
		case function.SignIn.IfSignedOut == "ask" && !written && name == "deliver":
			r.missingAs(problem.NoDelivery, root, name, r.noDelivery())
		case function.SignIn.IfSignedOut == "ask" && !written:
			r.missing(root, name, "Missing key")
		}
	}
}

// siteBytes is the longest host name a sign-in takes.
const siteBytes = 253

// hostName reads a host name: lower case, without a scheme, a path or a port.
func (r *reader) hostName(at place) string {
	text, ok := r.text(at)
	if !ok {
		return ""
	}
	if !isHostName(text) {
		r.refuse(at, problem.ValueRange, "Expected a host name such as portal.supplier.example: lower case, without a scheme, a path or a port, at most 253 bytes")
		return ""
	}
	return text
}

func isHostName(text string) bool {
	if text == "" || len(text) > siteBytes {
		return false
	}
	for label := range strings.SplitSeq(text, ".") {
		if len(label) < 1 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return true
}

package settings

// This file fills references to variables, and knows where a text may be a
// secret only if it is one.

import (
	"net/url"
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

const (
	referenceForm = "a reference to a variable, such as ${NAME}"
	// absent stands for a variable where there is no environment.
	absent = "x"
)

// isVariable tells whether a text can be the name of a variable.
func isVariable(name string) bool {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return !(c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9')
	})
}

// parts splits a text at its references: literals and names in turn, a literal
// first and last. It is false when a ${ is no reference.
func parts(text string) ([]string, bool) {
	var all []string
	for {
		before, after, opened := strings.Cut(text, "${")
		all = append(all, before)
		if !opened {
			return all, true
		}
		name, rest, closed := strings.Cut(after, "}")
		if !closed || !isVariable(name) {
			return nil, false
		}
		all, text = append(all, name), rest
	}
}

// fill gives a text with its references filled, and what they stand for. It
// reports each variable that is not set.
func (r *reader) fill(at place, pieces []string) (whole string, filling []string, ok bool) {
	var filled strings.Builder
	ok = true
	for i, piece := range pieces {
		if i%2 == 0 {
			filled.WriteString(piece)
			continue
		}
		text, set := r.variable(piece)
		switch {
		case r.offline:
			text = absent
		case !set:
			r.refuse(at, problem.Environment, unset(piece))
			ok = false
		}
		filled.WriteString(text)
		filling = append(filling, text)
	}
	return filled.String(), filling, ok
}

// unset says that a variable is not set. It names only one that is written as
// variables are: what stands in its place may be the key itself.
func unset(name string) string {
	if name != strings.ToUpper(name) {
		return "Expected the name of a variable that is set"
	}
	return "Expected the variable " + name + " to be set"
}

// variable looks a variable up. One that is set to nothing counts as not set.
func (r *reader) variable(name string) (string, bool) {
	text, _ := r.lookup(name)
	return text, text != ""
}

// secret reads a text that is a secret: in the file a reference alone, in a
// variable the text itself.
func (r *reader) secret(at place) (Secret, bool) {
	text, ok := r.text(at)
	if !ok {
		return Secret{}, false
	}
	pieces, wellFormed := parts(text)
	if at.variable != "" {
		if !wellFormed || len(pieces) > 1 {
			r.refuse(at, problem.ValueRange, "Expected the text itself: ${NAME} is filled in "+FileName+" alone")
			return Secret{}, false
		}
		return hidden(text), true
	}
	if !wellFormed || len(pieces) != 3 || pieces[0] != "" || pieces[2] != "" {
		r.refuse(at, problem.ValueRange, "Expected "+referenceForm)
		return Secret{}, false
	}
	filled, _, ok := r.fill(at, pieces)
	return hidden(filled), ok && r.sendable(at, filled)
}

// withReferences reads a text that may hold references, and must when what it
// stands for is a credential: it is then a reference, or a scheme and one, as in
// Bearer ${NAME}. It shows as it is written when shown is true, and as nothing
// otherwise.
func (r *reader) withReferences(at place, credential, shown bool) (Secret, bool) {
	text, ok := at.node.Value().(string)
	if ok && text == "" && !credential {
		return holding(secretTexts{}), true
	}
	if text, ok = r.text(at); !ok {
		return Secret{}, false
	}
	pieces, wellFormed := parts(text)
	switch {
	case !wellFormed:
		r.refuse(at, problem.ValueRange, "Expected "+referenceForm)
		return Secret{}, false
	case at.variable != "" && len(pieces) > 1:
		r.refuse(at, problem.ValueRange, "Expected the text itself: ${NAME} is filled in "+FileName+" alone")
		return Secret{}, false
	case at.variable == "" && credential && !isCredentialReference(pieces), at.variable == "" && holdsPassword(pieces):
		r.refuse(at, problem.ValueRange, "Expected "+referenceForm)
		return Secret{}, false
	}
	filled, filling, ok := r.fill(at, pieces)
	visible := redacted
	if shown {
		visible = text
	}
	return holding(secretTexts{filled, visible, filling}), ok && r.sendable(at, filled)
}

// sendable refuses a filled text with a control character, which no header and
// no argument carries.
func (r *reader) sendable(at place, filled string) bool {
	if strings.ContainsFunc(filled, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7F }) {
		r.refuse(at, problem.Environment, "Expected the variable to hold text without control characters")
		return false
	}
	return true
}

// isCredentialReference tells whether a credential is a reference, at most behind
// the word of its scheme.
func isCredentialReference(pieces []string) bool {
	if len(pieces) != 3 || pieces[2] != "" {
		return false
	}
	switch strings.ToLower(pieces[0]) {
	case "", "bearer ", "basic ", "token ", "apikey ", "key ":
		return true
	}
	return false
}

// holdsPassword tells whether a text spells out a password as URLs carry one:
// scheme://user:password@host.
func holdsPassword(pieces []string) bool {
	var text strings.Builder
	for i, piece := range pieces {
		if i%2 == 1 {
			piece = "%00" // a reference: no literal
		}
		text.WriteString(piece)
	}
	u, err := url.Parse(text.String())
	if err != nil || u.User == nil {
		return false
	}
	password, has := u.User.Password()
	return has && strings.Trim(password, "\x00") != ""
}

// secretWords are the last words of names whose values are credentials, such as
// X-Api-Key, GITHUB_TOKEN and --password.
var secretWords = map[string]bool{
	"key": true, "apikey": true, "token": true, "secret": true, "password": true, "passwd": true, "pwd": true,
	"authorization": true, "auth": true, "cookie": true, "signature": true, "sig": true, "bearer": true, "pat": true,
}

// isCredential tells by its name whether a header, a parameter, a variable or a
// flag holds a credential.
func isCredential(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return c == '-' || c == '_' || c == '.' })
	return len(words) > 0 && secretWords[words[len(words)-1]]
}

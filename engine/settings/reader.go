package settings

// This file goes through settings and gathers what is wrong with them.

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// reader reads one set of settings.
type reader struct {
	lookup   Lookup
	offline  bool // there is no environment: a reference stands for some text
	settings *Settings
	faults   []Fault

	found  map[string]place // where each setting that is set stands, by its name
	inFile map[string]bool  // the keys of the file
	// gatewayNames and chains know the gateways and the aliases that are written,
	// also those with a fault: it is not to be told again as theirs who name them.
	gatewayNames map[string]bool
	chains       *reach
}

// place is a value with where it stands.
type place struct {
	node     *frontmatter.Node
	pointer  string
	key      frontmatter.Key // the key it stands under, in the file
	variable string          // the environment variable it stands in, empty for the file
}

func (p place) under(i int) place {
	key := p.node.Keys[i]
	return place{node: p.node.Items[i], pointer: value.Join(p.pointer, key.Name), key: key, variable: p.variable}
}

func (p place) item(i int) place {
	return place{node: p.node.Items[i], pointer: value.JoinIndex(p.pointer, i), variable: p.variable}
}

// source says in words where a place is, for a report.
func (p place) source() string {
	if p.variable != "" {
		return p.variable
	}
	return fmt.Sprintf("%s line %d", FileName, p.key.Line)
}

func (r *reader) add(at place, line, column int, pointer string, severity problem.Severity, rule problem.Rule, message string) {
	r.faults = append(r.faults, Fault{at.variable, problem.Problem{
		Line: line, Column: column, Pointer: pointer, Rule: rule, Severity: severity, Message: message,
	}})
}

// refuse reports what is wrong with the value at a place.
func (r *reader) refuse(at place, rule problem.Rule, message string) {
	if !at.node.Refused {
		r.add(at, at.node.Line, at.node.Column, at.pointer, problem.Refused, rule, message)
	}
}

// warn reports what may be wrong with it.
func (r *reader) warn(at place, rule problem.Rule, message string) {
	r.add(at, at.node.Line, at.node.Column, at.pointer, problem.Warning, rule, message)
}

// refuseKey reports a key that may not stand where it does.
func (r *reader) refuseKey(at place, name string, rule problem.Rule, message string) {
	key, _ := at.node.KeyOf(name)
	r.add(at, key.Line, key.Column, value.Join(at.pointer, name), problem.Refused, rule, message)
}

// refuseName reports the key that a place stands under.
func (r *reader) refuseName(at place, rule problem.Rule, message string) {
	r.add(at, at.key.Line, at.key.Column, at.pointer, problem.Refused, rule, message)
}

// field is a key that a mapping may have.
type field[T any] struct {
	name     string
	required bool
	about    string
	read     func(*reader, place, *T)
}

// fieldsOf goes through a mapping by its table of keys.
func fieldsOf[T any](r *reader, at place, fields []field[T], into *T) bool {
	if !r.mapping(at) {
		return false
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	for i, key := range at.node.Keys {
		known := slices.Index(names, key.Name)
		if known < 0 {
			r.unknownKey(at, key, names)
			continue
		}
		fields[known].read(r, at.under(i), into)
	}
	for _, f := range fields {
		if f.required && at.node.Get(f.name) == nil {
			r.missing(at, f.name, "Missing key")
		}
	}
	return true
}

func (r *reader) unknownKey(at place, key frontmatter.Key, known []string) {
	r.add(at, key.Line, key.Column, value.Join(at.pointer, key.Name), problem.Refused, problem.UnknownKey, "Unknown key"+meantKey(key.Name, known))
}

// meantKey ends the message about an unknown key with what was meant, where that
// can be told.
func meantKey(name string, known []string) string {
	if near, ok := problem.Nearest(name, known); ok {
		return problem.DidYouMean(near)
	}
	switch lower := strings.ToLower(name); {
	case slices.ContainsFunc(variables, func(v variable) bool { return strings.EqualFold(v.name, name) }):
		return "; it is a variable: set it in the environment"
	case lower == "url" && slices.Contains(known, "base_url"):
		return problem.DidYouMean("base_url")
	case slices.Contains(known, "api_key") && slices.Contains([]string{"key", "token", "bearer"}, lower):
		return problem.DidYouMean("api_key")
	case slices.Contains(known, "headers") && !slices.Contains(known, "api_key") && slices.Contains([]string{"api_key", "apikey", "key", "token", "bearer", "auth", "authorization"}, lower):
		return "; it goes into headers, such as Authorization: Bearer ${NAME}"
	}
	return ""
}

// isBareReference tells whether a text is the name of a variable as a shell takes
// it, without braces.
func isBareReference(text string) bool {
	name, dollar := strings.CutPrefix(text, "$")
	return dollar && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// bareMessage is the message for such a text where only a reference is filled.
const bareMessage = "Expected the name of a variable in braces: ${NAME}"

// missing reports a key that a mapping lacks, where the mapping begins.
func (r *reader) missing(at place, name, message string) {
	r.add(at, at.node.Line, at.node.Column, value.Join(at.pointer, name), problem.Refused, problem.MissingKey, message)
}

func (r *reader) mapping(at place) bool {
	if at.node.Kind != frontmatter.Mapping {
		r.refuse(at, problem.ValueType, "Expected a mapping")
		return false
	}
	return true
}

// list gives the items of a list.
func (r *reader) list(at place) []place {
	if at.node.Kind != frontmatter.List {
		r.refuse(at, problem.ValueType, "Expected a list")
		return nil
	}
	items := make([]place, len(at.node.Items))
	for i := range items {
		items[i] = at.item(i)
	}
	return items
}

// text reads a string that is not empty and has no control character.
func (r *reader) text(at place) (string, bool) {
	text, ok := at.node.Value().(string)
	switch {
	case !ok:
		r.refuse(at, problem.ValueType, "Expected string")
	case text == "":
		r.refuse(at, problem.ValueRange, "Expected text that is not empty")
	case strings.ContainsFunc(text, unicode.IsControl):
		r.refuse(at, problem.ValueRange, "Expected text without control characters")
	default:
		return text, true
	}
	return "", false
}

func (r *reader) flag(at place, into *bool) {
	flag, ok := at.node.Value().(bool)
	if !ok {
		r.refuse(at, problem.ValueType, "Expected true or false")
		return
	}
	*into = flag
}

// name reads a text that has a form; expected says which.
func (r *reader) name(at place, has func(string) bool, expected string) (string, bool) {
	text, ok := r.text(at)
	if ok && !has(text) {
		r.refuse(at, problem.ValueRange, "Expected "+expected)
		return "", false
	}
	return text, ok
}

// names reads a list of texts of a form, each once.
func (r *reader) names(at place, has func(string) bool, expected string) []string {
	all := []string{}
	seen := map[string]bool{}
	for _, item := range r.list(at) {
		name, ok := r.name(item, has, expected)
		switch {
		case !ok:
		case seen[name]:
			r.refuse(item, problem.ValueRange, "Expected each entry once")
		default:
			all = append(all, name)
		}
		seen[name] = true
	}
	return all
}

const addressForm = "an http or https URL without a user, a query or a fragment"

// address reads a URL that paths are appended to, without slashes at its end.
func (r *reader) address(at place) (string, bool) {
	text, ok := r.name(at, isAddress, addressForm)
	return strings.TrimRight(text, "/"), ok
}

func isAddress(text string) bool {
	u, ok := webURL(text)
	return ok && u.RawQuery == "" && !u.ForceQuery && !strings.Contains(text, "#")
}

// webURL reads an http or https URL that names no user.
func webURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) })
	return u, ok
}

// isHeaderName tells whether a text can be a header's name (RFC 9110, "Tokens").
func isHeaderName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return !(c < 128 && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("!#$%&'*+-.^_`|~", c)))
	})
}

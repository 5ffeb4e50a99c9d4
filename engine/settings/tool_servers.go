package settings

// This file reads the tool servers.

import (
	"net/url"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

const toolForm = "a tool's name: 1 to 128 letters, digits, underscores, hyphens and dots"

// toolServerFields are the keys of a tool server.
var toolServerFields = []field[ToolServer]{
	{"name", true, "The name definitions call it by: " + serverForm + ".", func(r *reader, at place, s *ToolServer) {
		s.Name, _ = r.name(at, isServerName, serverForm)
	}},
	{"command", false, "A program that serves MCP over its standard input and output; auto is this program itself.", (*reader).command},
	{"args", false, "The program's arguments; ${NAME} in them is filled.", (*reader).arguments},
	{"env", false, "The program's whole environment; ${NAME} in it is filled.", func(r *reader, at place, s *ToolServer) {
		s.Env = r.named(at, isVariable, "the name of a variable", isCredential)
	}},
	{"url", false, "The URL of an MCP server over HTTP; ${NAME} in it is filled.", (*reader).serverURL},
	{"openapi", false, "The path or the URL of an OpenAPI document; each of its operations is a tool.", (*reader).openAPI},
	{"base_url", false, "The URL of the API, in place of the one the OpenAPI document names.", func(r *reader, at place, s *ToolServer) {
		s.BaseURL, _ = r.address(at)
	}},
	{"headers", false, "Headers sent with every request.", func(r *reader, at place, s *ToolServer) {
		s.Headers = r.headers(at)
	}},
	{"allowed", false, "The only tools of it that may be used. Default: every tool it lists.", func(r *reader, at place, s *ToolServer) {
		s.Allowed = r.names(at, definition.IsToolName, toolForm)
		if at.node.Kind == frontmatter.List && len(at.node.Items) == 0 {
			r.refuse(at, problem.ValueRange, "Expected at least one tool")
		}
	}},
	{"reads", false, "Tools that only read, where the server gives no mark.", func(r *reader, at place, s *ToolServer) {
		s.Reads = r.names(at, definition.IsToolName, toolForm)
	}},
	{"record_content", false, "false keeps arguments and results out of the history. Default true.", func(r *reader, at place, s *ToolServer) {
		r.flag(at, &s.RecordContent)
	}},
	{"request_id", false, "Where the server's own id of a request stands: a response header's name, or a JSON Pointer into the tool's result.", (*reader).requestID},
}

// ways are the keys that say how a server is reached, with the keys that go with
// each.
var ways = []struct {
	key  string
	with []string
}{
	{"command", []string{"args", "env"}},
	{"url", []string{"headers"}},
	{"openapi", []string{"base_url", "headers"}},
}

func (r *reader) toolServers(at place) {
	seen := map[string]bool{}
	for _, item := range r.list(at) {
		server := ToolServer{RecordContent: true}
		before := len(r.faults)
		if !fieldsOf(r, item, toolServerFields, &server) {
			continue
		}
		r.oneWay(item)
		r.readsAllowed(item, &server)
		if server.Name != "" && seen[server.Name] {
			r.refuseNamed(item, "Expected each tool server's name once")
		}
		seen[server.Name] = true
		if len(r.faults) == before {
			r.settings.toolServer = append(r.settings.toolServer, server)
		}
	}
}

// oneWay keeps a server to one way of being reached, and to the keys of that way.
func (r *reader) oneWay(entry place) {
	var chosen []int
	for i, way := range ways {
		if entry.node.Get(way.key) != nil {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) == 0 {
		r.add(entry, entry.node.Line, entry.node.Column, entry.pointer, problem.Refused, problem.MissingKey, "Expected one of command, url and openapi")
		return
	}
	way := ways[chosen[0]]
	for _, other := range chosen[1:] {
		r.refuseKey(entry, ways[other].key, problem.RefusedKey, ways[other].key+" is not allowed beside "+way.key)
	}
	for _, name := range []string{"args", "env", "headers", "base_url"} {
		if entry.node.Get(name) != nil && len(chosen) == 1 && !slices.Contains(way.with, name) {
			r.refuseKey(entry, name, problem.RefusedKey, name+" is not allowed beside "+way.key)
		}
	}
}

// readsAllowed reports a tool that reads names and allowed leaves out.
func (r *reader) readsAllowed(entry place, server *ToolServer) {
	reads := slices.IndexFunc(entry.node.Keys, func(key frontmatter.Key) bool { return key.Name == "reads" })
	if reads < 0 || server.Allowed == nil {
		return
	}
	for _, item := range r.itemsOf(entry.under(reads)) {
		if name, _ := item.node.Value().(string); slices.Contains(server.Reads, name) && !slices.Contains(server.Allowed, name) {
			r.refuse(item, problem.ValueRange, "Expected a tool of allowed")
		}
	}
}

func (r *reader) command(at place, s *ToolServer) {
	s.Command, _ = r.text(at)
	if first, _, more := strings.Cut(s.Command, " "); more && !strings.ContainsAny(first, `/\`) {
		r.refuse(at, problem.ValueRange, "Expected a program alone: its arguments stand in args")
	}
}

// arguments reads a program's arguments. One that is a credential by the flag
// before it, or by its own, is a reference.
func (r *reader) arguments(at place, s *ToolServer) {
	afterFlag := false
	for _, item := range r.list(at) {
		text, _ := item.node.Value().(string)
		flag, held, joined := strings.Cut(text, "=")
		isFlag := strings.HasPrefix(flag, "-") && isCredential(strings.TrimLeft(flag, "-"))
		if isFlag && joined {
			if pieces, ok := parts(held); ok && !isCredentialReference(pieces) {
				r.refuse(item, problem.ValueRange, "Expected "+referenceForm)
				afterFlag = false
				continue
			}
		}
		if argument, ok := r.withReferences(item, afterFlag && !strings.HasPrefix(text, "-"), true); ok {
			s.Args = append(s.Args, argument)
		}
		afterFlag = isFlag && !joined
	}
}

func (r *reader) serverURL(at place, s *ToolServer) {
	text, ok := r.withReferences(at, false, true)
	if !ok {
		return
	}
	written, _ := at.node.Value().(string)
	pieces, _ := parts(written)
	_, isURL := webURL(text.Reveal())
	switch {
	case spelledOut(pieces):
		r.refuse(at, problem.ValueRange, "Expected "+referenceForm)
	case isURL, r.offline && strings.HasPrefix(written, "${"): // the variable may hold all of the URL
		s.URL = text
	case isBareReference(written):
		r.refuse(at, problem.ValueRange, bareMessage)
	default:
		r.refuse(at, problem.ValueRange, "Expected an http or https URL without a user")
	}
}

func (r *reader) openAPI(at place, s *ToolServer) {
	text, ok := r.text(at)
	if !ok {
		return
	}
	if _, isURL := webURL(text); strings.Contains(text, "://") && !isURL {
		r.refuse(at, problem.ValueRange, "Expected a path, or an http or https URL without a user")
		return
	}
	s.OpenAPI = text
}

func (r *reader) requestID(at place, s *ToolServer) {
	const form = "a header's name, or a JSON Pointer such as /_meta/request_id"
	s.RequestID, _ = r.name(at, func(text string) bool {
		if !strings.HasPrefix(text, "/") {
			return isHeaderName(text)
		}
		_, err := value.Tokens(text)
		return err == nil
	}, form)
}

// Secrets gives what may be a secret in a tool server's settings: its headers,
// and what the references in its other texts stand for.
func (s *ToolServer) Secrets() []Secret {
	var all []Secret
	for _, h := range s.Headers {
		all = append(all, h.Value)
	}
	texts := append(slices.Clone(s.Args), s.URL)
	for _, variable := range s.Env {
		texts = append(texts, variable.Value)
	}
	for _, text := range texts {
		if text.IsSet() {
			for _, filled := range text.texts().filled {
				all = append(all, hidden(filled))
			}
		}
	}
	return all
}

// spelledOut tells whether a URL's query spells out a credential.
func spelledOut(pieces []string) bool {
	var literals strings.Builder
	for i := 0; i < len(pieces); i += 2 {
		literals.WriteString(pieces[i])
	}
	u, err := url.Parse(literals.String())
	if err != nil {
		return false
	}
	for name, values := range u.Query() {
		if isCredential(name) && strings.Join(values, "") != "" {
			return true
		}
	}
	return false
}

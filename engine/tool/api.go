package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/tool/openapi"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is an HTTP API that an OpenAPI document describes, as a server.

// apiConnection is an API whose document was read.
type apiConnection struct {
	server   *server
	document *openapi.Document
	readFrom string // the URL of the document; empty when it is a file
	http     transport.HTTP
	byName   map[string]*openapi.Operation
}

func isURL(place string) bool {
	return strings.HasPrefix(place, "http://") || strings.HasPrefix(place, "https://")
}

func (s *server) openAPI(ctx context.Context) (connection, error) {
	c := &apiConnection{server: s, http: s.http(s.header()), byName: map[string]*openapi.Operation{}}
	place := s.settings.OpenAPI
	var text []byte
	var err error
	if isURL(place) {
		c.readFrom = place
		text, err = s.fetchDocument(ctx, place)
	} else {
		text, err = readDocument(filepath.Join(s.options.Folder, place), place)
	}
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, h := range s.settings.Headers {
		names = append(names, h.Name)
	}
	if c.document, err = openapi.Read(text, names); err != nil {
		return nil, transport.NewFault(transport.Failing, err.Error())
	}
	for _, o := range c.document.Operations {
		c.byName[o.Name] = o
	}
	left := make([]LeftOut, len(c.document.LeftOut))
	for i, of := range c.document.LeftOut {
		left[i] = LeftOut{Tool: s.scrub.secrets(of.Name), Operation: s.scrub.words(of.String()), Why: s.scrub.words(of.Why)}
	}
	s.leftOut.Store(&left)
	return c, nil
}

// LeftOut is an operation of an OpenAPI document that is no tool, or a path whose
// operations cannot be read.
type LeftOut struct {
	Tool      string // the name it would have
	Operation string // in words, such as attachFile (POST /tickets/{id}/files)
	Why       string // in words that follow a colon
}

// leftOutOf gives what the server's document leaves out; none before it was read.
func (s *server) leftOutOf() []LeftOut {
	if left := s.leftOut.Load(); left != nil {
		return *left
	}
	return nil
}

// whyNot says why a tool is left out; empty when it is not.
func (s *server) whyNot(tool string) string {
	for _, of := range s.leftOutOf() {
		if of.Tool == tool {
			return of.Why
		}
	}
	return ""
}

// fetchDocument reads a document from its address. The keys of the API are not
// sent there: it may be another host.
func (s *server) fetchDocument(ctx context.Context, address string) ([]byte, error) {
	from := s.http(nil)
	response, err := from.Do(ctx, http.MethodGet, address, http.Header{"Accept": {"application/json, application/yaml, */*;q=0.5"}}, nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		fault := from.Fault(response, "")
		fault.Message = fmt.Sprintf("The OpenAPI document cannot be read (HTTP %d)", response.StatusCode)
		fault.Hint = transport.Host(address)
		return nil, fault
	}
	return transport.ReadBody(ctx, response, openapi.MaxDocument)
}

func readDocument(path, shown string) ([]byte, error) {
	if filepath.IsAbs(shown) {
		path = shown
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadDocument(shown, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, openapi.MaxDocument+1))
	if err != nil {
		return nil, unreadDocument(shown, err)
	}
	return text, nil
}

// unreadDocument is a file that cannot be read as a document.
func unreadDocument(shown string, err error) *transport.Fault {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return transport.NewFault(transport.Unreachable, "The OpenAPI document cannot be read: "+shown+": "+err.Error())
}

func (c *apiConnection) list(context.Context) ([]Tool, error) {
	tools := make([]Tool, 0, len(c.document.Operations))
	for _, o := range c.document.Operations {
		tools = append(tools, Tool{
			Server: c.server.settings.Name, Name: o.Name, Description: o.Description, InputSchema: o.Arguments,
			Reads:   o.Reads || slices.Contains(c.server.settings.Reads, o.Name),
			Deletes: o.Method == http.MethodDelete, WithoutBody: o.NoBody,
		})
	}
	return tools, nil
}

func (c *apiConnection) nextID() value.Value { return nil }

func (c *apiConnection) broken() bool { return false }

func (c *apiConnection) close() {}

// refusedArguments is a call that is not sent.
func refusedArguments(message string) *transport.Fault {
	fault := transport.NewFault(transport.ArgumentsRefused, message)
	fault.Unsent = true
	return fault
}

// errNotListed is a call of a tool that the document does not have.
var errNotListed = refusedArguments("The OpenAPI document has no such operation")

func (c *apiConnection) call(ctx context.Context, _ value.Value, tool string, arguments *value.Object, runID string) (*value.Object, string, error) {
	operation, ok := c.byName[tool]
	if !ok {
		return nil, "", errNotListed
	}
	base, err := c.document.Base(operation, c.server.settings.BaseURL, c.readFrom)
	if err != nil {
		fault := transport.NewFault(transport.Failing, err.Error())
		fault.Unsent = true
		return nil, "", fault
	}
	request, err := operation.Request(base, arguments)
	if err != nil {
		return nil, "", refusedArguments(err.Error())
	}
	do := c.http.DoOnce
	if operation.Reads {
		do = c.http.Do
	}
	response, err := do(ctx, request.Method, request.URL, withRunID(request.Header, runID), request.Body)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	raw, err := c.read(ctx, response)
	return raw, c.http.RequestID(response), err
}

// runIDHeader carries the run's id where a request has no metadata.
const runIDHeader = "Auto-Run-Id"

func withRunID(header http.Header, runID string) http.Header {
	if runID != "" {
		header.Set(runIDHeader, runID)
	}
	return header
}

// hasFailed are the statuses of a wrong caller that no other call would change.
var hasFailed = map[int]bool{http.StatusUnauthorized: true, http.StatusRequestTimeout: true, http.StatusTooManyRequests: true}

// read gives an answer in the form that a result of MCP has. The statuses that
// say that the caller was wrong are told apart: the arguments, the key, the rate,
// and any other, which the model may recover from.
func (c *apiConnection) read(ctx context.Context, response *http.Response) (*value.Object, error) {
	status := response.StatusCode
	body, err := transport.ReadBody(ctx, response, c.server.bounds.Read.Message)
	if err != nil {
		return nil, err
	}
	switch {
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return nil, &transport.Fault{Kind: transport.ArgumentsRefused, Status: status, RetryAfter: -1, RequestID: c.http.RequestID(response),
			Message: fmt.Sprintf("The server refused the arguments (HTTP %d)", status) + said(body)}
	case status < 300, status >= 400 && status < 500 && !hasFailed[status]:
		return resultOfBody(response, body), nil
	}
	return nil, c.http.Fault(response, strings.TrimPrefix(said(body), ": "))
}

// said is what a body says of a failure, as the end of a sentence.
func said(body []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(body), "\ufffd"))
	if text == "" || strings.HasPrefix(text, "<") {
		return ""
	}
	return ": " + transport.Cut(text, 1<<10)
}

// resultOfBody gives a body in the form that a result of MCP has: JSON as
// structured content, text as text, and anything else as a content of its kind.
func resultOfBody(response *http.Response, body []byte) *value.Object {
	result := &value.Object{}
	content := []value.Value{}
	text := func(words string) {
		content = append(content, value.Build([]string{"type", "text"}, []value.Value{"text", words}))
	}
	status := response.StatusCode
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	parsed, err := value.ParseJSON(body, answerDepth)
	switch {
	case len(body) == 0:
		text(fmt.Sprintf("HTTP %d without a body", status))
	case err == nil && parsed != nil && (kind == "" || kind == "application/json" || strings.HasSuffix(kind, "+json")):
		result.Set("structuredContent", parsed)
	case utf8.Valid(body) && !strings.HasPrefix(kind, "image/") && !strings.HasPrefix(kind, "audio/") && !strings.ContainsRune(string(body), 0):
		text(string(body))
	default:
		content = append(content, value.Build([]string{"type", "mimeType", "bytes"}, []value.Value{"binary", kind, float64(len(body))}))
	}
	result.Set("content", content)
	if status >= 400 {
		result.Set("isError", true)
	}
	result.Set("_meta", value.Build([]string{statusKey}, []value.Value{float64(status)}))
	return result
}

package tool

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is what a call gave: what the model sees of it, the document that
// read and sent point into, and what the history keeps.

// Result is what a tool answered.
type Result struct {
	// Blocks are the result's contents in their order.
	Blocks []Block
	// Structured is the structured content, where HasStructured says there is one.
	Structured    value.Value
	HasStructured bool
	// IsError says that the server marks the result as an error.
	IsError bool
	// Whole is the whole result as it is kept, scrubbed of the server's secrets and
	// of tokens.
	Whole *value.Object

	JSONRPCID value.Value // the id of the call's request; nil when there is none
	RequestID string      // the server's own, by its request_id setting; may be empty
	Duration  time.Duration
}

// statusKey is where the metadata of a result has the HTTP status that an API
// answered with.
const statusKey = "auto.on/http_status"

// HTTPStatus is the status that an API answered with; 0 for the result of any other
// server.
func (r *Result) HTTPStatus() int {
	found, _ := value.Lookup(r.Whole, value.Join("/_meta", statusKey))
	status, _ := value.Whole(found)
	return int(status)
}

// Block is one content of a result: a text, or what stands for a content that is
// none.
type Block struct {
	Text   string
	IsText bool // false for the line that stands for content of another kind
}

// answerDepth is how many levels are read of a text that may be JSON.
const answerDepth = 512

// resultOf reads a result of the form that MCP gives it, and scrubs it.
func (s *server) resultOf(raw *value.Object) *Result {
	r := &Result{Whole: each(raw, s.scrub.everything).(*value.Object)}
	isError, _ := raw.Get("isError")
	r.IsError = isError == true
	shown := s.scrub.secrets
	if r.IsError {
		shown = s.scrub.everything
	}
	seen := each(raw, shown).(*value.Object)
	if structured, ok := seen.Get("structuredContent"); ok && structured != nil {
		r.Structured, r.HasStructured = structured, true
	}
	content, _ := seen.Get("content")
	blocks, _ := content.([]value.Value)
	for _, v := range blocks {
		r.Blocks = append(r.Blocks, blockOf(v))
	}
	return r
}

func blockOf(v value.Value) Block {
	o, _ := v.(*value.Object)
	text := func(of *value.Object, key string) string {
		v, _ := of.Get(key)
		t, _ := v.(string)
		return t
	}
	kind := text(o, "type")
	if kind == "text" {
		return Block{Text: text(o, "text"), IsText: true}
	}
	var about []string
	add := func(words string) {
		if words != "" {
			about = append(about, transport.Line(words, 200))
		}
	}
	switch kind {
	case "image", "audio":
		add(text(o, "mimeType"))
		if data := text(o, "data"); data != "" {
			add(fmt.Sprintf("%d bytes", base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(data, "=")))))
		}
	case "resource_link":
		kind = "resource link"
		add(text(o, "uri"))
		add(text(o, "mimeType"))
	case "resource":
		held, _ := o.Get("resource")
		of, _ := held.(*value.Object)
		add(text(of, "uri"))
		add(text(of, "mimeType"))
	case "binary":
		add(text(o, "mimeType"))
		if size, ok := o.Get("bytes"); ok {
			add(value.JSON(size) + " bytes")
		}
	case "":
		kind = "unknown"
	}
	return Block{Text: "[" + strings.Join(append([]string{transport.Line(kind, 64) + " content is not shown"}, about...), ", ") + "]"}
}

// Shown is what the model reads of a result (reasoning format, "What the model
// sees"): its texts, with a line for each other content; the structured content
// where there is no text.
func (r *Result) Shown() string {
	var parts []string
	hasText := false
	for _, block := range r.Blocks {
		parts = append(parts, block.Text)
		hasText = hasText || block.IsText && block.Text != ""
	}
	if !hasText && r.HasStructured {
		parts = append([]string{value.JSON(r.Structured)}, parts...)
	}
	text := strings.Join(parts, "\n")
	if strings.TrimSpace(text) == "" {
		return "[The tool answered without content]"
	}
	return text
}

// Answer is the document that read and sent point into (interaction format,
// "call"): the structured content, else the first text block parsed as JSON, else
// that text. It is false for a result that has neither.
func (r *Result) Answer() (value.Value, bool) {
	if r.HasStructured {
		return r.Structured, true
	}
	for _, block := range r.Blocks {
		if !block.IsText {
			continue
		}
		if v, err := value.ParseJSON([]byte(block.Text), answerDepth); err == nil {
			return v, true
		}
		return block.Text, true
	}
	return nil, false
}

// Kept is a value as the history has it.
type Kept struct {
	Bytes int // of the value as JSON
	// Digest is the SHA-256 digest of that JSON, in hexadecimal, and Value what is
	// kept, where the server's record_content allows; empty and nil otherwise.
	Digest string
	Value  value.Value
}

// Keep gives a call's arguments, or a result's Whole, as the history has them.
func (s *Servers) Keep(server string, v value.Value) Kept {
	of, ok := s.byName[server]
	if !ok {
		return Kept{Bytes: len(value.JSON(v))}
	}
	v = each(v, of.scrub.everything)
	text := value.AppendJSON(nil, v)
	if !of.settings.RecordContent {
		return Kept{Bytes: len(text)}
	}
	digest := sha256.Sum256(text)
	return Kept{len(text), hex.EncodeToString(digest[:]), v}
}

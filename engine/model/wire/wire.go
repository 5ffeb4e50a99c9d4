// Package wire writes a call of a model as the HTTP request of its provider,
// and reads the provider's response as an answer: five formats, one file each.
//
// It never sends anything, never retries and never decides what a failure
// means to a caller: both directions are pure functions of what they are given,
// so that every request can be compared to a recorded one.
package wire

import (
	"fmt"

	"github.com/beonauto/auto/engine/value"
)

// Call is what a model is asked, in the format's own words.
type Call struct {
	Model        string // the model id as the provider receives it
	Settings     Settings
	Instructions string // empty: none are sent
	Messages     []Message
	Tools        []Tool
	// Schema asks for JSON in the provider's own way, with this schema: the
	// portable form, never the schema as it is written. Nil asks for text.
	Schema value.Value
	// Options are the definition's provider_options, by namespace.
	Options *value.Object
}

// Settings are the fields of a definition's config (reasoning format,
// "Fields"). A nil pointer is a setting that was left out.
type Settings struct {
	MaxOutputTokens int64
	Temperature     *float64
	TopP            *float64
	Seed            *int64
	StopSequences   []string
	Reasoning       string // none, minimal, low, medium, high, xhigh; empty when left out
}

// Role says whose words a message holds.
type Role uint8

// The roles of a conversation, which starts with a user's message.
const (
	User Role = iota
	Assistant
	ToolResults
)

// Message is one turn of the conversation after the instructions.
type Message struct {
	Role    Role
	Text    string
	Calls   []ToolCall   // of Assistant
	Results []ToolResult // of ToolResults
	// Native is an assistant's turn as its provider wrote it (Answer.Native).
	// It is sent back in place of Text and Calls, so that what a provider signs,
	// such as its reasoning, returns unchanged.
	Native value.Value
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string
	Description string
	InputSchema value.Value // sent unchanged
}

// ToolCall is the model's wish to call a tool.
type ToolCall struct {
	ID    string
	Name  string
	Input value.Value // what the model wrote, where it is JSON
	// Unread is what the model wrote where it is no JSON; Input is nil then.
	Unread string
}

// ToolResult is what a tool answered.
type ToolResult struct {
	ID    string // of its ToolCall
	Name  string
	Text  string
	Error bool // the tool answered with an error that the model may recover from
}

// Header is a header or a query parameter, in the order it is sent.
type Header struct{ Name, Value string }

// Request is a call as it goes on the wire.
type Request struct {
	Method   string
	URL      string
	Headers  []Header
	Body     []byte
	Warnings []Warning
	// AnswerTool is the tool whose arguments are the answer, where the provider
	// is asked for JSON through a forced tool call.
	AnswerTool string
}

// Warning is a setting that was not sent, or was sent changed.
type Warning struct {
	Setting string // as the definition writes it, such as temperature
	Text    string
}

// String is the warning as a record shows it, such as
// seed is not sent: anthropic takes none.
func (w Warning) String() string { return w.Setting + " " + w.Text }

// FinishReason says why an answer ended (reasoning format, "What a run
// records").
type FinishReason string

// The finish reasons.
const (
	Stop          FinishReason = "stop"
	Length        FinishReason = "length"
	ContentFilter FinishReason = "content_filter"
	CallsTools    FinishReason = "tool_calls"
	Failed        FinishReason = "error"
	Other         FinishReason = "other"
)

// Answer is what a provider answered.
type Answer struct {
	Text            string
	Calls           []ToolCall
	FinishReason    FinishReason
	RawFinishReason string // the provider's own word; empty when it gave none
	Refusal         string // the model's words where it refused
	Usage           Usage
	ResponseID      string
	Model           string // as the provider names it; empty when it does not
	Native          value.Value
}

// Usage counts tokens. A nil count is unknown.
type Usage struct {
	Input  InputTokens  `json:"input_tokens"`
	Output OutputTokens `json:"output_tokens"`
	Total  *int64       `json:"total_tokens"`
}

// InputTokens are the tokens a model read.
type InputTokens struct {
	Total      *int64 `json:"total"`
	Uncached   *int64 `json:"uncached"`
	CacheRead  *int64 `json:"cache_read"`
	CacheWrite *int64 `json:"cache_write"`
}

// OutputTokens are the tokens a model wrote.
type OutputTokens struct {
	Total     *int64 `json:"total"`
	Text      *int64 `json:"text"`
	Reasoning *int64 `json:"reasoning"`
}

// Plus is the usage of two requests of one call. A count that either does not
// know is the other's.
func (u Usage) Plus(other Usage) Usage {
	return Usage{
		Input: InputTokens{
			Total:      sum(u.Input.Total, other.Input.Total),
			Uncached:   sum(u.Input.Uncached, other.Input.Uncached),
			CacheRead:  sum(u.Input.CacheRead, other.Input.CacheRead),
			CacheWrite: sum(u.Input.CacheWrite, other.Input.CacheWrite),
		},
		Output: OutputTokens{
			Total:     sum(u.Output.Total, other.Output.Total),
			Text:      sum(u.Output.Text, other.Output.Text),
			Reasoning: sum(u.Output.Reasoning, other.Output.Reasoning),
		},
		Total: sum(u.Total, other.Total),
	}
}

func sum(a, b *int64) *int64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	total := *a + *b
	return &total
}

// Unreadable is a 2xx response that holds no answer.
type Unreadable struct{ Reason string }

func (e *Unreadable) Error() string { return "the answer cannot be read: " + e.Reason }

// Refused is a call that cannot be written for its provider, such as a
// setting whose value has no form on the wire.
type Refused struct{ Reason string }

func (e *Refused) Error() string { return e.Reason }

// drafting collects what a request needs while its body is written.
type drafting struct {
	endpoint *Endpoint
	call     *Call
	settings Settings // what is left to send
	warnings []Warning
}

func (d *drafting) warn(setting, format string, args ...any) {
	d.warnings = append(d.warnings, Warning{setting, fmt.Sprintf(format, args...)})
}

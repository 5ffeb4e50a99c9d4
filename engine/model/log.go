package model

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"unicode"

	"github.com/beonauto/auto/engine/value"
)

// This file is what the operator reads of calls of models (model settings,
// "Provider messages" and "Operator hints").

// Log takes the operator's warnings. It is called from many goroutines.
type Log interface {
	// Warn takes one line, and its annotations in order.
	Warn(message string, annotations *value.Object)
}

type noLog struct{}

func (noLog) Warn(string, *value.Object) {}

// NewJSONLog writes each warning as one line of JSON: message, level and
// annotations.
func NewJSONLog(to io.Writer) Log { return &lineLog{to: to, line: jsonLine} }

// NewTextLog writes each warning as one line for a person.
func NewTextLog(to io.Writer) Log { return &lineLog{to: to, line: textLine} }

type lineLog struct {
	lock sync.Mutex
	to   io.Writer
	line func(message string, annotations *value.Object) []byte
}

func (l *lineLog) Warn(message string, annotations *value.Object) {
	line := append(visible(l.line(message, annotations)), '\n')
	l.lock.Lock()
	defer l.lock.Unlock()
	// A log that cannot be written must not fail the call it speaks of.
	_, _ = l.to.Write(line)
}

// visible writes what would steer a terminal as JSON escapes it: a provider's
// words may hold it, and JSON itself leaves some of it as it is.
func visible(line []byte) []byte {
	if bytes.IndexFunc(line, steers) < 0 {
		return line
	}
	var b bytes.Buffer
	for _, r := range string(line) {
		if steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

func steers(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

func jsonLine(message string, annotations *value.Object) []byte {
	entry := value.NewObject(3)
	entry.Set("message", message)
	entry.Set("level", "WARN")
	entry.Set("annotations", annotations)
	return value.AppendJSON(nil, entry)
}

func textLine(message string, annotations *value.Object) []byte {
	line := []byte("WARN " + message)
	for i := range annotations.Len() {
		key, v := annotations.At(i)
		line = append(append(append(line, ' '), key...), '=')
		line = value.AppendJSON(line, v)
	}
	return line
}

// logError tells the operator what a provider answered. The model is empty for
// a list of models, the status 0 when there was no response.
func (c *Client) logError(provider, model string, status int, runID, message string) {
	annotations := annotate(provider, model)
	annotations.Set("status", nil)
	if status != 0 {
		annotations.Set("status", float64(status))
	}
	if runID != "" {
		annotations.Set("run_id", runID)
	}
	annotations.Set("provider_message", message)
	c.log.Warn("Model provider "+provider+" answered with an error", annotations)
}

// logHint tells the operator what to set, which no caller reads.
func (c *Client) logHint(provider, model, runID, hint string) {
	annotations := annotate(provider, model)
	if runID != "" {
		annotations.Set("run_id", runID)
	}
	c.log.Warn("Model provider "+provider+" could not be called: "+hint, annotations)
}

func annotate(provider, model string) *value.Object {
	annotations := value.NewObject(5)
	annotations.Set("provider", provider)
	annotations.Set("model", nil)
	if model != "" {
		annotations.Set("model", model)
	}
	return annotations
}

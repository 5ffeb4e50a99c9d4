package wire

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// This file reads what a provider answers in place of an answer: its error
// body, in every shape that providers and gateways send one.

// ErrorReply is a provider's error. Every text in it is the provider's own and
// may hold anything, the prompt included.
type ErrorReply struct {
	Status     int      // the HTTP status, or what stands for it in a 200 that carries an error
	Within200  bool     // the HTTP status was 2xx all the same
	Code       string   // the most telling code the body carries; empty when none
	Codes      []string // every code and type it carries
	Param      string   // the part of the request it points at
	Message    string
	Body       string         // as it came, for telling a message that quotes it
	RetryAfter *time.Duration // how long the provider asks to wait
}

func (e *ErrorReply) Error() string {
	return "the provider answered HTTP " + strconv.Itoa(e.Status)
}

// Has tells whether the error carries a code or type.
func (e *ErrorReply) Has(codes ...string) bool {
	for _, code := range codes {
		for _, carried := range e.Codes {
			if carried == code {
				return true
			}
		}
	}
	return false
}

// ReadError reads a response whose status is not 2xx. Now tells what a date in
// retry-after is from.
func ReadError(status int, header http.Header, body []byte, now time.Time) *ErrorReply {
	reply := &ErrorReply{}
	if parsed, err := value.ParseJSON(body, answerDepth); err == nil {
		reply.read(parsed)
	}
	reply.Status = status
	reply.Body = string(body)
	if reply.Message == "" && reply.Code == "" && !strings.HasPrefix(strings.TrimSpace(reply.Body), "{") {
		reply.Message = strings.TrimSpace(reply.Body)
	}
	// AWS names the error in a header, followed by where it is described.
	if kind, _, _ := strings.Cut(header.Get("x-amzn-ErrorType"), ":"); kind != "" {
		reply.carry(kind)
	}
	reply.RetryAfter = retryAfter(header, now)
	return reply
}

// errorWithin reads the error that stands in a 2xx body in place of an answer,
// and gives nil when there is none.
func errorWithin(root *value.Object) *ErrorReply {
	found, ok := root.Get("error")
	if !ok || found == nil || found == false {
		return nil
	}
	if text, is := found.(string); is && text == "" {
		return nil
	}
	reply := &ErrorReply{Within200: true, Status: http.StatusOK}
	reply.read(root)
	// A gateway that streams or relays puts the upstream's status in code.
	for _, code := range reply.Codes {
		if status, err := strconv.Atoi(code); err == nil && status >= 400 && status <= 599 {
			reply.Status = status
			break
		}
	}
	return reply
}

// read takes the error from a body: {"error": {…}}, {"error": "text"}, a list
// of one of them, or the members of an error at the root.
func (e *ErrorReply) read(body value.Value) {
	if several, ok := body.([]value.Value); ok && len(several) > 0 {
		body = several[0]
	}
	inner := body
	switch found := get(body, "error").(type) {
	case *value.Object:
		inner = found
	case string:
		e.Message = found
	}
	for _, key := range []string{"code", "status", "type", "__type"} {
		switch code := get(inner, key).(type) {
		case string:
			if code != "error" {
				e.carry(code)
			}
		case float64:
			e.Codes = append(e.Codes, value.FormatNumber(code))
		}
	}
	for _, detail := range items(inner, "details") {
		if reason := text(detail, "reason"); reason != "" {
			e.Codes = append(e.Codes, reason)
		}
	}
	e.carryInner(inner)
	e.Param = text(inner, "param")
	for _, key := range []string{"message", "Message", "detail", "error_description"} {
		if e.Message == "" {
			e.Message = text(inner, key)
		}
	}
}

// carryInner reads the code within a code: Azure's content filter says there
// what it was.
func (e *ErrorReply) carryInner(inner value.Value) {
	if code := text(inner, "innererror", "code"); code != "" {
		e.Codes = append(e.Codes, code)
	}
}

func (e *ErrorReply) carry(code string) {
	if code == "" {
		return
	}
	if e.Code == "" {
		e.Code = code
	}
	e.Codes = append(e.Codes, code)
}

// retryAfter reads how long to wait: in seconds, as a date, or in OpenAI's
// milliseconds.
func retryAfter(header http.Header, now time.Time) *time.Duration {
	var wait time.Duration
	if ms, err := strconv.ParseFloat(header.Get("retry-after-ms"), 64); err == nil && ms >= 0 && ms < 1e12 {
		wait = time.Duration(ms * float64(time.Millisecond))
		return &wait
	}
	text := strings.TrimSpace(header.Get("retry-after"))
	if text == "" {
		return nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if seconds < 0 || seconds > 1e9 || seconds != seconds {
			return nil
		}
		wait = time.Duration(seconds * float64(time.Second))
		return &wait
	}
	if at, err := http.ParseTime(text); err == nil {
		wait = max(0, at.Sub(now))
		return &wait
	}
	return nil
}

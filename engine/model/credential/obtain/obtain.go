// Package obtain holds what the sources of credentials share: asking a service
// over HTTP, running a program that prints a credential, and keeping what was
// given until it is nearly over.
//
// It knows no cloud and no credential, and reads no environment.
package obtain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// answerBytes bounds what is read of an answer. A credential is a few KiB.
const answerBytes = 1 << 20

// waits stand between the attempts of one question.
var waits = [...]time.Duration{200 * time.Millisecond, time.Second}

// Answer is what a service answered, read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// OK tells whether the service did what it was asked.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status <= 299 }

// Asker asks services. It is safe for concurrent use.
type Asker struct {
	// Client follows no redirects: a secret must not go to another host.
	Client *http.Client
	// Again tells of an answer that is worth a second attempt, beside those of
	// status 429 and from 500 on; nil: no other.
	Again func(*Answer) bool
	// Sleep waits between attempts; nil: the clock of the system.
	Sleep func(context.Context, time.Duration) error
}

// Unreachable is a service that gave no answer. It holds no query of the URL.
type Unreachable struct {
	Host  string
	Cause error
}

func (e *Unreachable) Error() string { return e.Host + " gave no answer: " + e.Cause.Error() }

// Unwrap gives the cause.
func (e *Unreachable) Unwrap() error { return e.Cause }

// Ask sends a request up to three times and gives the last answer, whatever its
// status. Its error is an *Unreachable, or that of the context.
func (a *Asker) Ask(ctx context.Context, request *http.Request, body []byte) (*Answer, error) {
	for attempt := 0; ; attempt++ {
		answer, err := a.once(ctx, request, body)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		again := err != nil || answer.Status == http.StatusTooManyRequests || answer.Status >= 500 || a.Again != nil && a.Again(answer)
		if !again || attempt == len(waits) {
			return answer, err
		}
		if err := a.sleep(ctx, waits[attempt]); err != nil {
			return nil, err
		}
	}
}

func (a *Asker) once(ctx context.Context, request *http.Request, body []byte) (*Answer, error) {
	sent := request.Clone(ctx)
	if body != nil {
		sent.Body, sent.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	if sent.Header.Get("User-Agent") == "" {
		sent.Header.Set("User-Agent", "auto")
	}
	response, err := a.Client.Do(sent)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return nil, &Unreachable{request.URL.Host, err}
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, answerBytes+1))
	if err == nil && len(read) > answerBytes {
		err = errors.New("its answer is too large")
	}
	if err != nil {
		return nil, &Unreachable{request.URL.Host, err}
	}
	return &Answer{response.StatusCode, response.Header, read}, nil
}

func (a *Asker) sleep(ctx context.Context, wait time.Duration) error {
	if a.Sleep != nil {
		return a.Sleep(ctx, wait)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Refused is an answer that a service refused a question with, in the service's
// own words as far as they may be shown.
type Refused struct {
	Service, Code, Message string
	Status                 int
}

func (e *Refused) Error() string {
	text := fmt.Sprintf("%s answered HTTP %d", e.Service, e.Status)
	if e.Code != "" {
		text += " " + e.Code
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// shownRunes bounds what is shown of a service's or a program's own words.
const shownRunes = 300

// Shown is what may be shown of words from outside: their first line that says
// something, up to 300 characters, without the secrets at hand.
func Shown(words string, secrets ...string) string {
	for _, secret := range secrets {
		if len(secret) >= 8 {
			words = strings.ReplaceAll(words, secret, "[redacted]")
		}
	}
	line := ""
	for each := range strings.Lines(words) {
		if line = strings.TrimSpace(each); line != "" {
			break
		}
	}
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, line)
	if runes := []rune(line); len(runes) > shownRunes {
		return string(runes[:shownRunes]) + "…"
	}
	return line
}

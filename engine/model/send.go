package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/model/wire"
)

// This file sends one request of a call, as often as it may be tried (model
// settings, "Retries").

const (
	attempts      = 3
	shortestAfter = time.Minute // a retry-after from here on is not waited for
	answerBytes   = 16 << 20    // of a response's body
	errorBytes    = 1 << 20     // of an error's body
)

// waits come before the second attempt and the third.
var waits = [attempts - 1]time.Duration{2 * time.Second, 4 * time.Second}

// CallTime is how long a call may take, every attempt included.
func CallTime(maxOutputTokens int64) time.Duration {
	return 60*time.Second + time.Duration(maxOutputTokens)*25*time.Millisecond
}

// response is what a provider sent, read to its end.
type response struct {
	status int
	header http.Header
	body   []byte
}

// sending is one request of a call with what its failures need to know.
type sending struct {
	client   *Client
	target   *Target
	call     *Call
	redact   redactor
	deadline time.Time
}

// sent is a request that a model answered.
type sent struct {
	answer  *wire.Answer
	request *wire.Request
	cost    *float64
}

// send sends a request until it is answered, refused for good or tried often
// enough. The provider's error is given where it answered with one.
func (s *sending) send(ctx context.Context, request *wire.Request) (*sent, *wire.ErrorReply, *Failure) {
	for attempt := 0; ; attempt++ {
		got, err := s.once(ctx, request)
		if err != nil {
			failure, again := s.unanswered(ctx, err)
			if !again || attempt == attempts-1 || !s.wait(ctx, waits[attempt], failure) {
				s.reportUnanswered(failure, err)
				return nil, nil, failure
			}
			continue
		}
		if got.status >= 200 && got.status <= 299 {
			return s.read(request, got)
		}
		reply := wire.ReadError(got.status, got.header, got.body, s.client.clock.Now())
		failure := s.refused(reply)
		if retryable(got.status) && failure.Kind != RequestTooLong && attempt < attempts-1 {
			wait := waits[attempt]
			if reply.RetryAfter != nil && *reply.RetryAfter < shortestAfter {
				wait = *reply.RetryAfter
			}
			if s.wait(ctx, wait, failure) {
				continue
			}
		}
		s.report(reply, request.Body)
		return nil, reply, failure
	}
}

// wait waits before the next attempt. It is false where the call would be over
// by then, so that the failure at hand, which says more, ends it at once; and
// where the caller went away, which the failure then says.
func (s *sending) wait(ctx context.Context, wait time.Duration, failure *Failure) bool {
	if !s.client.clock.Now().Add(wait).Before(s.deadline) {
		return false
	}
	if err := s.client.clock.Sleep(ctx, wait); err != nil {
		s.ended(ctx, failure)
		return false
	}
	return true
}

// ended turns a failure into what ended its context: the deadline, or a caller
// who went away.
func (s *sending) ended(ctx context.Context, failure *Failure) {
	*failure = Failure{Kind: Cancelled, Provider: failure.Provider, Model: failure.Model}
	if errors.Is(context.Cause(ctx), clock.ErrDeadline) || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		failure.Kind = TimedOut
	}
}

// once sends a request one time and reads the whole response.
func (s *sending) once(ctx context.Context, request *wire.Request) (*response, error) {
	made, err := http.NewRequestWithContext(ctx, request.Method, request.URL, bytes.NewReader(request.Body))
	if err != nil {
		return nil, &wire.Refused{Reason: "its address is no URL"}
	}
	for _, header := range request.Headers {
		made.Header.Set(header.Name, header.Value)
	}
	made.Header.Set("User-Agent", "auto")
	return s.client.exchange(made, s.target.Provider, request.Body)
}

// exchange authorizes and sends a request, and reads the response up to its
// bound.
func (c *Client) exchange(request *http.Request, provider *Provider, body []byte) (*response, error) {
	if provider.Authorizer != nil {
		if err := provider.Authorizer.Authorize(request.Context(), request, body); err != nil {
			var missing *MissingSetting
			if errors.As(err, &missing) || request.Context().Err() != nil {
				return nil, err
			}
			return nil, &noCredentials{err}
		}
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	limit := int64(answerBytes)
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		limit = errorBytes
	}
	read, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	got := &response{answer.StatusCode, answer.Header, read}
	switch {
	case answer.StatusCode >= 400:
		// An error that breaks off still has its status.
		got.body = got.body[:min(int64(len(read)), limit)]
		return got, nil
	case err != nil:
		return nil, &brokenOff{got.status, err}
	case int64(len(read)) > limit:
		return nil, &brokenOff{got.status, errTooLarge}
	}
	return got, nil
}

var errTooLarge = errors.New("the response is too large")

// noCredentials is a credential source that gave none.
type noCredentials struct{ cause error }

func (e *noCredentials) Error() string { return "no credentials could be obtained" }
func (e *noCredentials) Unwrap() error { return e.cause }

// brokenOff is a response that did not come to its end.
type brokenOff struct {
	status int
	cause  error
}

func (e *brokenOff) Error() string { return "the response broke off" }
func (e *brokenOff) Unwrap() error { return e.cause }

// unanswered sorts a request that got no whole response, and tells whether
// another attempt may help.
func (s *sending) unanswered(ctx context.Context, err error) (failure *Failure, again bool) {
	failure = s.failure(ProviderUnavailable)
	var refused *wire.Refused
	var missing *MissingSetting
	var credentials *noCredentials
	var broken *brokenOff
	switch {
	case ctx.Err() != nil:
		s.ended(ctx, failure)
	case errors.As(err, &refused):
		failure.Kind, failure.words = DefinitionInvalid, refused.Reason
	case errors.As(err, &missing):
		failure.Kind, failure.reason = ProviderNotConfigured, missingSetting
	case isUntrusted(err):
		failure.Kind, failure.reason = ProviderNotConfigured, untrusted
	case errors.As(err, &credentials):
		failure.Kind = CredentialsRejected
	case errors.As(err, &broken):
		failure.words = "answered in a way that cannot be read"
	default:
		failure.words = "could not be reached"
		again = true
	}
	return failure, again
}

// reportUnanswered tells the operator of a request without a response: a hint
// where only the operator can act, else what is known.
func (s *sending) reportUnanswered(failure *Failure, err error) {
	provider := failure.Provider
	switch {
	case failure.Kind == Cancelled:
	case failure.reason == untrusted:
		s.client.logHint(provider, s.call.Model, s.call.RunID, untrustedHint(provider))
	case failure.reason == missingSetting:
		var missing *MissingSetting
		if errors.As(err, &missing) {
			s.client.logHint(provider, s.call.Model, s.call.RunID, s.redact.logged(missing.Hint, nil))
		}
	case failure.Kind == CredentialsRejected:
		s.log(0, s.redact.logged("No credentials could be obtained: "+errors.Unwrap(err).Error(), nil))
	case failure.Kind == TimedOut:
		s.log(0, "No response before the deadline of the call")
	case failure.Kind == DefinitionInvalid:
		s.log(0, failure.words)
	default:
		var broken *brokenOff
		if errors.As(err, &broken) {
			s.log(broken.status, "The response broke off or is too large")
			return
		}
		s.log(0, "No response: "+unreached(err))
	}
}

func untrustedHint(provider string) string {
	return "The TLS certificate of " + provider + " is not trusted; add its certificate authority with NODE_EXTRA_CA_CERTS"
}

func (s *sending) log(status int, message string) {
	s.client.logError(s.target.Provider.Endpoint.Provider, s.call.Model, status, s.call.RunID, message)
}

func (s *sending) failure(kind Kind) *Failure {
	return &Failure{Kind: kind, Provider: s.target.Provider.Endpoint.Provider, Model: s.call.Model}
}

// read reads the answer of a 2xx response.
func (s *sending) read(request *wire.Request, got *response) (*sent, *wire.ErrorReply, *Failure) {
	provider := s.target.Provider
	answer, err := wire.Read(&provider.Endpoint, request, got.header, got.body)
	var within *wire.ErrorReply
	if errors.As(err, &within) {
		within.Body = string(got.body)
		s.report(within, request.Body)
		return nil, within, s.refused(within)
	}
	if err != nil {
		var unreadable *wire.Unreadable
		errors.As(err, &unreadable)
		s.log(got.status, "The answer cannot be read: "+unreadable.Reason)
		failure := s.failure(ProviderUnavailable)
		failure.Status, failure.words = got.status, "answered in a way that cannot be read"
		return nil, nil, failure
	}
	return &sent{answer: answer, request: request, cost: costOf(provider, got.header)}, nil, nil
}

// costOf reads what a gateway says a call cost, in US dollars.
func costOf(provider *Provider, header http.Header) *float64 {
	if provider.CostHeader == "" {
		return nil
	}
	cost, err := strconv.ParseFloat(header.Get(provider.CostHeader), 64)
	if err != nil || !(cost >= 0 && cost < 1e9) {
		return nil
	}
	return &cost
}

// refused is the failure of a call that the provider answered with an error.
func (s *sending) refused(reply *wire.ErrorReply) *Failure {
	kind, signal := classify(reply)
	failure := s.failure(kind)
	failure.Status, failure.signal, failure.RetryAfter = reply.Status, signal, reply.RetryAfter
	if code := s.redact.code(reply.Code); code != strconv.Itoa(reply.Status) {
		failure.Code = code // one that repeats the status says nothing
	}
	if kind == ProviderUnavailable && reply.Status < 400 {
		failure.words = fmt.Sprintf("answered HTTP %d, which cannot be read", reply.Status)
		if reply.Within200 {
			failure.words = "answered with an error"
		}
	}
	if s.target.Provider.ShowsMessages && (kind == DefinitionInvalid || kind == RequestTooLong) {
		failure.Said = s.redact.line(reply.Message, reply.Body)
	}
	return failure
}

// report tells the operator what the provider said.
func (s *sending) report(reply *wire.ErrorReply, sent []byte) {
	s.log(reply.Status, s.redact.logged(reply.Message, sent))
}

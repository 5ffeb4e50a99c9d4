package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/model"
)

// This file makes requests over HTTP and tells what an answer's status means.

// HTTP makes requests of one server.
type HTTP struct {
	Client *http.Client
	// Header goes with every request: the headers of the server's settings.
	Header http.Header
	// Now is the clock that a Retry-After in the form of a date is read by.
	Now func() time.Time
	// RequestIDHeader names the header of an answer that holds the server's own
	// id of the request; empty when there is none.
	RequestIDHeader string
}

// WithoutRedirects gives a client that takes a redirect for an answer like any
// other: the headers of the settings hold keys, which must not follow it to
// another host.
func WithoutRedirects(client *http.Client) *http.Client {
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Jar = nil
	return &own
}

// Do sends a request. Its error is the context's, when that ended, or a *Fault
// without a status. The answer may have any status.
func (h *HTTP) Do(ctx context.Context, method, address string, header http.Header, body []byte) (*http.Response, error) {
	return h.do(ctx, &sending{}, method, address, header, body)
}

// DoOnce is Do for a request that may change something: it is never sent twice, also
// where HTTP/2 says that the server has not looked at it, or where a header says that
// the server tells a request that comes again. Its method is none that only reads.
func (h *HTTP) DoOnce(ctx context.Context, method, address string, header http.Header, body []byte) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	response, err := h.do(ctx, &sending{cancel: cancel}, method, address, header, body)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	response.Body = &endingBody{response.Body, cancel}
	return response, nil
}

// endingBody ends the context of a request with its answer.
type endingBody struct {
	io.ReadCloser
	end context.CancelCauseFunc
}

func (b *endingBody) Close() error {
	defer b.end(nil)
	return b.ReadCloser.Close()
}

// sending is how far a request has come, over all connections it is tried on.
type sending struct {
	cancel    context.CancelCauseFunc // nil: net/http may send it again
	connected atomic.Bool
	streams   atomic.Bool // the connection is one of HTTP/2
	wrote     atomic.Bool // it was written to one
}

// errSentBefore ends a request that would be sent a second time.
var errSentBefore = errors.New("the request was sent before")

func (s *sending) gotConn(info httptrace.GotConnInfo) {
	s.connected.Store(true)
	if s.cancel != nil && s.wrote.Load() {
		s.cancel(errSentBefore)
	}
	secure, is := info.Conn.(*tls.Conn)
	s.streams.Store(is && secure.ConnectionState().NegotiatedProtocol == "h2")
}

// wroteHeaders counts where a stream was opened. Over HTTP/1 a request is tried on
// another connection only when nothing of it left, and this is called all the same.
func (s *sending) wroteHeaders() {
	if s.streams.Load() {
		s.wrote.Store(true)
	}
}

func (h *HTTP) do(ctx context.Context, sent *sending, method, address string, header http.Header, body []byte) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: sent.gotConn, WroteHeaders: sent.wroteHeaders})
	request, err := http.NewRequestWithContext(traced, method, address, reader)
	if err != nil {
		fault := NewFault(Unreachable, "The server's address cannot be used")
		fault.Unsent = true
		return nil, fault
	}
	for name, values := range h.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	// net/http reads the host from its own field alone.
	if host := h.Header.Get("Host"); host != "" {
		request.Host = host
	}
	for name, values := range header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	if sent.cancel != nil {
		hideReplayable(request.Header)
	}
	response, err := h.Client.Do(request)
	if err == nil {
		return response, nil
	}
	switch {
	case context.Cause(ctx) == errSentBefore:
		return nil, NewFault(Failing, "The server refused the request after it was sent")
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	fault := broken(err)
	fault.Hint = hint(address, err)
	// Without a connection nothing can have left.
	if !sent.connected.Load() && !fault.Unsent {
		fault.Unsent = true
		fault.Message = "The request to the server could not be sent"
	}
	// What goes wrong with another connection unsends nothing.
	fault.Unsent = fault.Unsent && !sent.wrote.Load()
	return nil, fault
}

// hideReplayable writes the headers for which net/http sends a request again in
// small letters, in which it does not know them and servers do.
func hideReplayable(header http.Header) {
	for _, name := range [...]string{"Idempotency-Key", "X-Idempotency-Key"} {
		if values, has := header[name]; has {
			delete(header, name)
			header[strings.ToLower(name)] = values
		}
	}
}

// Host is an address without what may hold a key: the scheme, the host and the port.
// It is empty for what is no address.
func Host(address string) string {
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		return ""
	}
	return to.Scheme + "://" + to.Host
}

// hint tells the operator which address gave no answer, and why. It leaves out the
// path and the query, which may hold a key.
func hint(address string, err error) string {
	host := Host(address)
	var (
		lookup      *net.DNSError
		dial        *net.OpError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &certificate):
		return host + " shows a certificate that is not trusted: " + strings.TrimPrefix(certificate.Err.Error(), "x509: ") +
			"; add its certificate authority with NODE_EXTRA_CA_CERTS"
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return host + ": there is no host named " + lookup.Name
	case errors.As(err, &lookup):
		return host + ": the name " + lookup.Name + " could not be looked up: " + lookup.Err
	case errors.As(err, &dial) && dial.Op == "dial" && dial.Timeout():
		return host + " took too long to connect to"
	case errors.As(err, &dial) && dial.Op == "dial":
		// A proxy has an address of its own.
		at := ""
		if dial.Addr != nil && !strings.HasSuffix(host, "/"+dial.Addr.String()) {
			at = " at " + dial.Addr.String()
		}
		reason := dial.Err.Error()
		var call *os.SyscallError
		if errors.As(dial.Err, &call) {
			reason = call.Err.Error()
		}
		return host + at + ": " + reason
	}
	return ""
}

// broken tells why no answer came. It never repeats an address, whose query may
// hold a key.
func broken(err error) *Fault {
	var (
		lookup      *net.DNSError
		dial        *net.OpError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	unreachable := func(message string) *Fault {
		fault := NewFault(Unreachable, message)
		fault.Unsent = true
		return fault
	}
	switch {
	case errors.As(err, &certificate):
		return unreachable("The server's certificate is not trusted")
	case errors.As(err, &record):
		return unreachable("The server does not speak TLS")
	case errors.As(err, &lookup):
		return unreachable("The server's host name cannot be resolved")
	case errors.As(err, &dial) && dial.Op == "dial":
		return unreachable("The server cannot be reached")
	case errors.Is(err, model.ErrSwitched):
		return NewFault(Failing, "The server wants to speak another protocol than HTTP")
	}
	return NewFault(Failing, "The server closed the connection before it answered")
}

// Fault tells what an answer that is no success means. message is what the
// server said, empty when nothing can be read of it.
func (h *HTTP) Fault(response *http.Response, message string) *Fault {
	status := response.StatusCode
	fault := &Fault{Status: status, RetryAfter: -1, RequestID: h.RequestID(response)}
	switch {
	case status == http.StatusTooManyRequests:
		fault.Kind = RateLimited
		fault.RetryAfter = h.retryAfter(response.Header.Get("Retry-After"))
		fault.Message = "The server asks to slow down (HTTP 429)"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		fault.Kind = KeyRefused
		fault.Message = fmt.Sprintf("The server did not accept the key it was given (HTTP %d)", status)
	case status >= 300 && status < 400:
		fault.Message = fmt.Sprintf("The server sends its callers elsewhere (HTTP %d), which is never followed", status)
	default:
		// A server that cannot serve now may say for how long.
		fault.RetryAfter = h.retryAfter(response.Header.Get("Retry-After"))
		fault.Message = fmt.Sprintf("The server failed (HTTP %d)", status)
	}
	if message != "" {
		fault.Message += ": " + message
	}
	return fault
}

// RequestID is the server's own id of the request that an answer is for.
func (h *HTTP) RequestID(response *http.Response) string {
	if h.RequestIDHeader == "" {
		return ""
	}
	return Line(response.Header.Get(h.RequestIDHeader), 256)
}

// longestRetry keeps a Retry-After from overflowing; a day is as good as any
// longer one.
const longestRetry = 24 * time.Hour

func (h *HTTP) retryAfter(text string) time.Duration {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, longestRetry.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return -1
	}
	return min(max(at.Sub(h.Now()), 0), longestRetry)
}

// ReadBody reads an answer of at most limit bytes. Its error is the context's,
// when that ended, or a *Fault.
func ReadBody(ctx context.Context, response *http.Response, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case int64(len(body)) > limit:
		return nil, NewFault(TooLarge, "The server's answer is larger than "+Size(limit))
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, NewFault(Failing, "The server broke off in the middle of its answer")
	}
	return body, nil
}

// discardTime is how long the rest of an answer that nobody reads is waited for.
const discardTime = time.Second

// Discard lets a connection be used again after an answer that nobody reads, and
// closes it when that does not end.
func Discard(response *http.Response) {
	defer time.AfterFunc(discardTime, func() { _ = response.Body.Close() }).Stop()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
	_ = response.Body.Close()
}

// Size says a number of bytes in the largest unit that divides it: 4 MiB.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return strconv.FormatInt(bytes>>20, 10) + " MiB"
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return strconv.FormatInt(bytes>>10, 10) + " KiB"
	}
	return strconv.FormatInt(bytes, 10) + " bytes"
}

// Line is the first line of a text that holds anything, without control
// characters, cut at limit bytes.
func Line(text string, limit int) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	text = strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, text))
	return Cut(text, limit)
}

// Cut keeps at most limit bytes of a text, whole characters, with an ellipsis
// among them when it cuts.
func Cut(text string, limit int) string {
	const ellipsis = "…"
	if len(text) <= limit {
		return text
	}
	end := max(limit-len(ellipsis), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// SameOrigin tells whether two addresses have the same scheme, host and port.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(address *url.URL) string {
	if p := address.Port(); p != "" {
		return p
	}
	if address.Scheme == "https" {
		return "443"
	}
	return "80"
}

package tool

import (
	"strings"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is the ways in which a tool cannot be used or a call fails.

// Because is what a failure came of, in the word that rejections and events
// carry.
type Because string

// Why a tool cannot be used (reasoning format, "Before the model is called").
const (
	NotConfigured Because = "tool_server_not_configured"
	NotAllowed    Because = "tool_not_allowed"
	NotListed     Because = "tool_not_listed"
	Unreachable   Because = "unreachable"
	Failing       Because = "failing"
	RateLimited   Because = "rate_limited"
	KeyRefused    Because = "key_refused"
)

// Why a call failed (reasoning format, "The run's history").
const (
	ArgumentsRefused Because = "arguments_refused"
	ServerFailure    Because = "server_failure"
	TimedOut         Because = "timed_out"
	TooLarge         Because = "too_large"
)

// Cancelled is a caller that waits no longer, for a list or a call.
const Cancelled Because = "cancelled"

// The kinds of rejections that failures before a call end a run with.
const (
	KindNotOffered   = "tool_not_offered"
	KindServerFailed = "tool_server_failed"
)

// Kind is the kind of the rejection that the failure ends a run with before any
// call; empty for the failure of a call.
func (b Because) Kind() string {
	switch b {
	case NotConfigured, NotAllowed, NotListed:
		return KindNotOffered
	case Unreachable, Failing, RateLimited, KeyRefused:
		return KindServerFailed
	}
	return ""
}

// Failure is a tool that cannot be used, or a call without a result. Its words
// hold none of the server's secrets.
type Failure struct {
	Because Because
	Server  string
	Tool    string // empty when it is about the whole server
	Message string // a sentence without a full stop
	Hint    string // what only the operator reads beside it, such as the server's address; may be empty
	Status  int    // the HTTP status; 0 when there was none
	// RetryAfter is how long the server asked to be left alone; negative when it
	// did not say.
	RetryAfter time.Duration

	// Sent says that the call may have reached the server, and so may have had an
	// effect. The fields after it are those of a call.
	Sent      bool
	JSONRPCID value.Value // the id of the call's request; nil when there is none
	RequestID string      // the server's own, by its request_id setting
	Duration  time.Duration
}

func (f *Failure) Error() string { return f.Message }

// CountsAsServerFailure tells whether the failure of a call is one of the server
// failures that a run bears only so many of.
func (f *Failure) CountsAsServerFailure() bool {
	return f.Because == ServerFailure || f.Because == TimedOut || f.Because == TooLarge
}

// Rejection is how a run ends that meets the failure before any call.
func (f *Failure) Rejection() *problem.Rejection {
	rejection := problem.NewRejection(problem.Unavailable, f.Message)
	rejection.Kind, rejection.Because, rejection.Hint = f.Because.Kind(), string(f.Because), f.Hint
	return rejection
}

// Shown is what the model reads of a call that failed.
func (f *Failure) Shown() string { return "The call failed: " + f.Message }

func notConfigured(server string, known []string) *Failure {
	return &Failure{Because: NotConfigured, Server: server, RetryAfter: -1,
		Message: definition.NotConfigured(server, known) + "; search, or auto tools, shows the servers that are"}
}

func notAllowed(server, tool string, known []string) *Failure {
	return &Failure{Because: NotAllowed, Server: server, Tool: tool, RetryAfter: -1,
		Message: definition.NotAllowed(definition.Tool{Server: server, Name: tool}, known) + "; search, or auto tools, shows the tools that are"}
}

func notListed(server, tool string, known []string, why string) *Failure {
	return &Failure{Because: NotListed, Server: server, Tool: tool, RetryAfter: -1,
		Message: definition.NotListed(definition.Tool{Server: server, Name: tool}, known, why) + "; search, or auto tools, shows the tools it lists"}
}

// longestMessage is the most bytes of a failure's words.
const longestMessage = 2 << 10

// longestHint is the most bytes of a hint.
const longestHint = 500

// failureOf gives a failure in a fault's words, scrubbed.
func (s *server) failureOf(because Because, fault *transport.Fault) *Failure {
	message := fault.Message
	if because != ArgumentsRefused {
		// A line of the server's could pass for one of the runtime's.
		message = strings.Join(strings.Fields(message), " ")
	}
	if rest, ok := strings.CutPrefix(message, "The server"); ok {
		message = "The tool server " + s.settings.Name + rest
	}
	if rest, ok := strings.CutPrefix(message, "The OpenAPI document"); ok {
		message = "The OpenAPI document of the tool server " + s.settings.Name + rest
	}
	return &Failure{
		Because: because, Server: s.settings.Name,
		Message: transport.Cut(s.scrub.words(message), longestMessage), Hint: transport.Line(s.scrub.words(fault.Hint), longestHint),
		Status: fault.Status, RetryAfter: fault.RetryAfter, RequestID: s.scrub.words(fault.RequestID),
	}
}

// beforeCall tells what a fault means for opening a server or listing its tools.
var beforeCall = map[transport.Kind]Because{
	transport.Failing:          Failing,
	transport.Unreachable:      Unreachable,
	transport.RateLimited:      RateLimited,
	transport.KeyRefused:       KeyRefused,
	transport.TooLarge:         Failing,
	transport.ArgumentsRefused: Failing,
}

// ofCall tells what a fault means for a call.
var ofCall = map[transport.Kind]Because{
	transport.Failing:          ServerFailure,
	transport.Unreachable:      ServerFailure,
	transport.RateLimited:      ServerFailure,
	transport.KeyRefused:       ServerFailure,
	transport.TooLarge:         TooLarge,
	transport.ArgumentsRefused: ArgumentsRefused,
}

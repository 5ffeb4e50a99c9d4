package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/problem"
)

// This file is what a failed call is: its kind, and the words a caller reads
// (model settings, "When a model call fails" and "Details a caller reads").

// Kind sorts failures by who fixes them. It is also the failure's name in
// telemetry and in a run's events.
type Kind string

// The kinds of failure.
const (
	ModelNotAllowed       Kind = "model_not_allowed"
	ProviderNotConfigured Kind = "provider_not_configured"
	CredentialsRejected   Kind = "credentials_rejected"
	RateLimited           Kind = "rate_limited"
	ProviderUnavailable   Kind = "provider_unavailable"
	TimedOut              Kind = "timed_out"
	OutputInvalid         Kind = "output_invalid"
	DefinitionInvalid     Kind = "definition_invalid"
	RequestTooLong        Kind = "request_too_long"
	ContentRefused        Kind = "content_refused"
	Cancelled             Kind = "cancelled"
	Unclassified          Kind = "unclassified"
)

// reason tells apart failures of one kind that a caller reads differently.
type reason uint8

const (
	noReason         reason = iota
	notReference            // the reference is no reference
	noProvider              // no such provider, or not configured
	untrusted               // its certificate is not trusted
	missingSetting          // its credential source found a setting missing
	refusedOption           // a provider option that may not be sent
	unwritable              // a call that the provider's format cannot carry
	cutOff                  // a JSON answer ended at max_output_tokens
	emptyAnswer             // a JSON answer holds nothing
	notTheSchema            // refused again without the schema
	noTimeToDescribe        // refused for its schema, with no time to ask again
)

// Failure is why a call has no answer. It never holds a secret, the prompt or
// the answer.
type Failure struct {
	Kind       Kind
	Provider   string // the prefix; empty when the reference has none
	Model      string // as the definition names it
	Status     int    // of HTTP; 0 when there was no response
	Code       string // the error code the body carries, cut and redacted
	RetryAfter *time.Duration
	Issues     []problem.Issue // of an answer that does not match, the first 5
	Said       string          // the provider's own words, where a caller may read them

	reason           reason
	words            string // said by what found the failure, in full
	signal           string // what says that a request is too long
	correction       string // what came of asking once more
	othersConfigured bool
}

// Error is the failure in words for an engineer's eyes: its kind and provider.
func (f *Failure) Error() string {
	if f.Provider == "" {
		return "the model call failed: " + string(f.Kind)
	}
	return fmt.Sprintf("the call of %s failed: %s", f.Provider, f.Kind)
}

// Unsent tells a failure that was found before anything could be sent, so that
// there was no call of a model.
func (f *Failure) Unsent() bool {
	switch f.reason {
	case notReference, noProvider, refusedOption, unwritable:
		return true
	}
	return f.Kind == ModelNotAllowed
}

// CutOff tells a JSON answer that ended at max_output_tokens.
func (f *Failure) CutOff() bool { return f.Kind == OutputInvalid && f.reason == cutOff }

// Tools says what a run's tools did before a call failed, for the words of the
// failures that depend on it.
type Tools struct {
	Called      bool
	Acted       bool  // it called a tool that its server does not mark as read-only
	ResultBytes int64 // what the tools returned
	InputTokens int64 // the provider's count for the last step; 0 when unknown
}

// endings say how each kind ends a run (reasoning format, "How a run ends").
var endings = [...]struct {
	kind  Kind
	name  problem.Name
	ended string // the rejection's kind
}{
	{ModelNotAllowed, problem.Unavailable, "model_not_offered"},
	{ProviderNotConfigured, problem.Unavailable, ""},
	{CredentialsRejected, problem.Unavailable, ""},
	{RateLimited, problem.Unavailable, ""},
	{ProviderUnavailable, problem.Unavailable, ""},
	{TimedOut, problem.Unavailable, ""},
	{OutputInvalid, problem.Unavailable, ""},
	{DefinitionInvalid, problem.Conflict, "unworkable"},
	{RequestTooLong, problem.Conflict, "unworkable"},
	{ContentRefused, problem.InvalidInput, ""},
}

// Rejection is the problem document of a run that the failure ends. It is nil
// for a cancelled call and for one that is not recognized: those runs fail.
func (f *Failure) Rejection(tools Tools) *problem.Rejection {
	for _, ending := range endings {
		if ending.kind != f.Kind {
			continue
		}
		rejection := problem.NewRejection(ending.name, f.Detail(tools))
		rejection.Kind = ending.ended
		switch {
		case f.Kind == ModelNotAllowed:
			rejection.Because = string(ModelNotAllowed)
		case f.othersConfigured:
			rejection.Kind, rejection.Because = "model_not_offered", string(ProviderNotConfigured)
		case f.CutOff():
			rejection = problem.NewRejection(problem.Conflict, rejection.Detail)
			rejection.Kind = "unworkable"
		case f.reason == noTimeToDescribe:
			rejection = problem.NewRejection(problem.Unavailable, rejection.Detail)
		case f.Kind == ContentRefused:
			rejection.Issues = []problem.Issue{{Pointer: "/input", Detail: rejection.Detail}}
		}
		if f.Kind == OutputInvalid {
			rejection.Issues = f.Issues
		}
		return rejection
	}
	return nil
}

// Detail is what a caller reads of the failure.
func (f *Failure) Detail(tools Tools) string {
	switch f.Kind {
	case ModelNotAllowed:
		return f.Model + " is not one of the models this server offers"
	case ProviderNotConfigured:
		return f.notConfiguredDetail()
	case CredentialsRejected:
		if f.Status == 0 {
			return "No credentials could be obtained for " + f.Provider + " from its credential source"
		}
		return f.Provider + " rejected the credentials" + f.inHTTP()
	case RateLimited:
		if f.RetryAfter != nil && *f.RetryAfter > 0 {
			return fmt.Sprintf("%s limits the rate of requests; try again in %s", f.Provider, seconds(*f.RetryAfter))
		}
		return f.Provider + " limits the rate of requests; try again later"
	case ProviderUnavailable:
		if f.words != "" {
			return f.Provider + " " + f.words + "; try again later"
		}
		return f.Provider + " cannot serve the request now" + f.inHTTP() + "; try again later"
	case TimedOut:
		return f.Provider + " did not answer in time; try again later"
	case OutputInvalid:
		return f.outputDetail(tools)
	case DefinitionInvalid:
		return f.definitionDetail()
	case RequestTooLong:
		return f.tooLongDetail(tools)
	case ContentRefused:
		return "The model refused this input under its content policy"
	case Cancelled:
		return "The caller went away before the answer"
	}
	return "The call of " + f.Provider + " failed in a way that is not known"
}

func seconds(wait time.Duration) string {
	whole := int64((wait + time.Second - 1) / time.Second)
	if whole == 1 {
		return "1 second"
	}
	return strconv.FormatInt(whole, 10) + " seconds"
}

func (f *Failure) inHTTP() string {
	if f.Status == 0 {
		return ""
	}
	return " (HTTP " + strconv.Itoa(f.Status) + ")"
}

func (f *Failure) notConfiguredDetail() string {
	switch f.reason {
	case untrusted:
		return f.Provider + " could not be called: its TLS certificate is not trusted; the operator must act"
	case missingSetting:
		return f.Provider + " could not be called: it lacks a setting; the operator must act"
	}
	return f.words
}

const updateDefinition = "update the reasoning function definition"

func (f *Failure) definitionDetail() string {
	switch f.reason {
	case notReference:
		return f.Model + " is not a model reference, which is written provider/model; " + updateDefinition
	case refusedOption:
		return f.words + "; " + updateDefinition
	case notTheSchema:
		return f.withSaid(f.Provider + " refused the request" + f.inHTTP() + ": " + f.meaning() +
			". The answer schema was not the cause; check the model's settings in the definition, such as temperature or reasoning, or choose another model")
	case noTimeToDescribe:
		return f.Provider + " refused the request" + f.inHTTP() + ": " + f.meaning() +
			"; too little time was left to ask again with the answer schema in the instructions; try again"
	}
	if f.Status == 0 {
		return f.Provider + " cannot be sent this call: " + f.words + "; " + updateDefinition
	}
	code := ""
	if f.Code != "" {
		code = " (" + f.Code + ")"
	}
	return f.withSaid(fmt.Sprintf("%s answered HTTP %d: %s%s; %s", f.Provider, f.Status, f.meaning(), code, updateDefinition))
}

// meaning says what the status of a refused request means.
func (f *Failure) meaning() string {
	switch f.Status {
	case 404:
		return "the model was not found"
	case 400, 422:
		return "the request was rejected as invalid"
	}
	return "the request was not accepted"
}

func (f *Failure) withSaid(detail string) string {
	if f.Said == "" {
		return detail
	}
	return detail + ". The provider said: " + f.Said
}

func (f *Failure) tooLongDetail(tools Tools) string {
	detail := f.Provider + " refused the request as too long (" + f.signal + ")"
	if tools.ResultBytes == 0 {
		return f.withSaid(detail + "; shorten the prompt or the input")
	}
	detail += fmt.Sprintf("; the run's tools returned %d bytes", tools.ResultBytes)
	if tools.InputTokens > 0 {
		detail += fmt.Sprintf(", and the provider counted %d input tokens for the last step", tools.InputTokens)
	}
	return f.withSaid(detail + "; ask the tools for a page, and move each read into a lookup function, whose read keeps only the part the job needs")
}

func (f *Failure) outputDetail(tools Tools) string {
	switch f.reason {
	case cutOff:
		const start = "The JSON answer was cut off at max_output_tokens; "
		const end = ", or raise config.max_output_tokens"
		switch {
		case !tools.Called:
			return start + "give each piece of work an answer holds a function of its own" + end
		case tools.Acted:
			return start + "move each call the job always makes out of the function, a read into a lookup function and an act into an interaction function" + end
		}
		return start + "move each read the job always makes into a lookup function and hand the function what it read" + end
	case emptyAnswer:
		return "The answer is empty; try again"
	}
	return "The" + strings.TrimPrefix(f.mismatch(), "the") + "; try again"
}

// mismatch says in a clause what a JSON answer does not match, and what came of
// asking for it once more.
func (f *Failure) mismatch() string {
	detail := "the answer does not match the output schema"
	if f.correction != "" {
		detail += " " + f.correction
	}
	for i, issue := range f.Issues {
		if i == 0 {
			detail += ": "
		} else {
			detail += "; "
		}
		if issue.Pointer != "" {
			detail += issue.Pointer + ": "
		}
		detail += issue.Detail
	}
	return detail
}

// Reason says in a clause why the call has no answer, without the advice to try
// again that Detail gives: a run that called tools must not be told that.
func (f *Failure) Reason() string {
	switch {
	case f.Kind == OutputInvalid && f.reason == emptyAnswer:
		return "the answer is empty"
	case f.Kind == OutputInvalid:
		return f.mismatch()
	case f.Kind == TimedOut:
		return f.Provider + " did not answer in time"
	case f.Kind == RateLimited:
		return f.Provider + " limits the rate of requests"
	case f.Kind == CredentialsRejected:
		return f.Provider + " did not accept the credentials" + f.inHTTP()
	}
	return f.Provider + " could not answer the request" + f.inHTTP()
}

// Advice is what a person at the command line may do about the failure beyond
// its detail; empty when the detail says it all.
func (f *Failure) Advice() string {
	if f.Kind == ModelNotAllowed || f.othersConfigured {
		return "list_models lists the models this server offers"
	}
	return ""
}

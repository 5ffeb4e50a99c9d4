package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"

	"github.com/beonauto/auto/engine/model/wire"
)

// This file sorts what went wrong into the kinds of failure (model settings,
// the tables of "When a model call fails").

// tooLongCodes and tooLongWords say that a request is too long.
var (
	tooLongCodes = []string{"context_length_exceeded", "request_too_large", "string_above_max_length"}
	tooLongWords = []string{"prompt is too long", "maximum context length", "contextwindowexceedederror"}
)

// contentCodes say that the provider refused the content.
var contentCodes = []string{"content_filter", "content_policy_violation"}

// classify sorts a provider's error. It gives the signal too where the request
// is too long.
func classify(reply *wire.ErrorReply) (kind Kind, signal string) {
	status := reply.Status
	if reply.Within200 || 400 <= status && status < 500 {
		if status != 429 {
			if signal := tooLong(reply); signal != "" {
				return RequestTooLong, signal
			}
		}
		if reply.Has(contentCodes...) {
			return ContentRefused, ""
		}
	}
	switch {
	case status == 401, status == 403, status == 400 && reply.Has("API_KEY_INVALID"):
		return CredentialsRejected, ""
	case status == 429, reply.Within200 && reply.Has("rate_limit_exceeded"):
		return RateLimited, ""
	case status == 408, status == 409, status >= 500, status < 400:
		return ProviderUnavailable, ""
	}
	return DefinitionInvalid, ""
}

// tooLong gives what says that the request is too long, and an empty text when
// nothing does.
func tooLong(reply *wire.ErrorReply) string {
	if reply.Status == 413 {
		return "HTTP 413"
	}
	for _, code := range tooLongCodes {
		if reply.Has(code) {
			return "the error code " + code
		}
	}
	message := strings.ToLower(reply.Message)
	for _, words := range tooLongWords {
		if strings.Contains(message, words) {
			return "its error message"
		}
	}
	return ""
}

// retryable tells the statuses after which a call is tried again.
func retryable(status int) bool {
	return status == 408 || status == 409 || status == 429 || status >= 500 && status <= 599
}

// refusesSchema tells whether a refused request was refused for its schema
// (model settings, "A schema the provider refuses").
func refusesSchema(reply *wire.ErrorReply) bool {
	if reply.Within200 || reply.Status != 400 && reply.Status != 422 {
		return false
	}
	if kind, _ := classify(reply); kind != DefinitionInvalid || reply.Has("model_not_found") {
		return false
	}
	if reply.Has("invalid_json_schema") {
		return true
	}
	if reply.Param != "" {
		return strings.HasPrefix(reply.Param, "response_format") || strings.HasPrefix(reply.Param, "text.format")
	}
	message := strings.ToLower(reply.Message)
	if message == "request contains an invalid argument." {
		return true
	}
	for _, words := range []string{"response_format", "json_schema", "output_format", "output_config", "structured output", "structured_output", "schema"} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

// isUntrusted tells a certificate that is not trusted from other faults.
func isUntrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &hostname) || errors.As(err, &invalid)
}

// unreached says why there was no response, for the operator. It is built from
// the kinds of error alone: an error of the HTTP client prints the address,
// whose query may hold a secret.
func unreached(err error) string {
	var lookup *net.DNSError
	var dial *net.OpError
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return "the host " + lookup.Name + " was not found"
	case errors.As(err, &lookup):
		return "the host " + lookup.Name + " could not be looked up"
	case errors.As(err, &dial) && dial.Op == "dial":
		return "it could not be connected to"
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not answer in time"
	}
	return "the connection was lost before it answered"
}

// Package rpc is what a client and a server of MCP (Model Context Protocol) have
// in common: the messages of JSON-RPC 2.0, the lines they come in, the revisions
// of the protocol and its headers.
//
// It never opens a connection, and never decides what a message means.
package rpc

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// Deepest is how many levels of objects and lists are read of a message.
const Deepest = 600

// The error codes of JSON-RPC, and those of the protocol that follow.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603

	HeaderMismatch     = -32020
	UnsupportedVersion = -32022
)

// The revisions of the protocol, by the first in which something holds.
const (
	VersionFirst     = "2024-11-05"
	VersionBatches   = "2025-03-26"
	VersionForms     = "2025-06-18" // a server may ask the person, and batches are gone
	VersionHandshake = "2025-11-25" // the last one with a handshake
	VersionStateless = "2026-07-28" // the first one without
)

// Handshakes are the revisions with a handshake, the newest first.
var Handshakes = []string{VersionHandshake, VersionForms, VersionBatches, VersionFirst}

// WithHandshake tells whether a version is one of the revisions with a handshake.
func WithHandshake(version string) bool { return slices.Contains(Handshakes, version) }

// The keys of a request's metadata in a revision without a handshake.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaClient       = "io.modelcontextprotocol/clientInfo"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaServer       = "io.modelcontextprotocol/serverInfo"
)

// The methods of the protocol, as far as either side knows them.
const (
	MethodInitialize  = "initialize"
	MethodInitialized = "notifications/initialized"
	MethodDiscover    = "server/discover"
	MethodPing        = "ping"
	MethodList        = "tools/list"
	MethodCall        = "tools/call"
	MethodElicit      = "elicitation/create"
	MethodCancelled   = "notifications/cancelled"
	MethodProgress    = "notifications/progress"
)

// The headers of streamable HTTP.
const (
	HeaderSession = "Mcp-Session-Id"
	HeaderVersion = "Mcp-Protocol-Version"
	HeaderMethod  = "Mcp-Method"
	HeaderName    = "Mcp-Name"
)

const headerOpen, headerShut = "=?base64?", "?="

// HeaderText writes a text as the value of a header: as it is when that is
// plain, in Base64 between marks otherwise.
func HeaderText(text string) string {
	plain := strings.TrimSpace(text) == text && !(strings.HasPrefix(text, headerOpen) && strings.HasSuffix(text, headerShut))
	for i := 0; plain && i < len(text); i++ {
		plain = ' ' <= text[i] && text[i] <= '~'
	}
	if plain {
		return text
	}
	return headerOpen + base64.StdEncoding.EncodeToString([]byte(text)) + headerShut
}

// TextOfHeader reads what HeaderText wrote, and tells whether it could.
func TextOfHeader(header string) (string, bool) {
	inner, marked := strings.CutPrefix(header, headerOpen)
	inner, shut := strings.CutSuffix(inner, headerShut)
	if !marked || !shut {
		return header, true
	}
	text, err := base64.StdEncoding.DecodeString(inner)
	return string(text), err == nil
}

// Object builds an object from keys and values in turn.
func Object(pairs ...any) *value.Object {
	o := value.NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

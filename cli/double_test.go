package cli_test

// This file lets a script start a provider of models and see what it is asked.

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
)

// provider is a double that a script can wait for.
type provider struct {
	*double.Server
	received chan struct{}
}

// providers are what a script has started, by name.
type providers struct {
	t     testing.TB
	named map[string]*provider
}

// start is the script command double: it starts a provider and sets the
// variables that lead to it.
//
//	double NAME REPLY [-- REPLY…]
//
// NAME is anthropic, openai, google or the name of a gateway. A reply is one of
//
//	say TEXT             the model answers
//	cut TEXT             the same, cut off at max_output_tokens
//	refuse               the model refuses
//	fail STATUS CODE MESSAGE
//	body JSON            a response as it is written
//	silent               nothing, until the caller goes away
func (p *providers) start(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: double name reply [-- reply...]")
	}
	name := args[0]
	one := &provider{received: make(chan struct{}, 1000)}
	route := wire.Route(name)
	switch route {
	case wire.Anthropic, wire.OpenAI, wire.Google:
	default:
		route = wire.Gateway
	}
	var replies []double.Reply
	for _, words := range split(args[1:]) {
		reply, err := replyOf(route, words)
		ts.Check(err)
		reply.Before = func() { one.received <- struct{}{} }
		replies = append(replies, reply)
	}
	one.Server = double.New(p.t, route, replies...)
	p.named[name] = one
	switch route {
	case wire.Gateway:
		gateways, _ := json.Marshal([]any{map[string]any{"name": name, "base_url": one.URL + "/v1", "api_key_env": "HOUSE_KEY", "cost_header": "x-cost"}})
		ts.Setenv("MODEL_GATEWAYS", string(gateways))
		ts.Setenv("HOUSE_KEY", double.Key)
	case wire.Google:
		ts.Fatalf("google has no setting for its address")
	default:
		prefix := strings.ToUpper(name)
		ts.Setenv(prefix+"_BASE_URL", one.URL+"/v1")
		ts.Setenv(prefix+"_API_KEY", double.Key)
	}
}

func split(words []string) [][]string {
	parts := [][]string{nil}
	for _, word := range words {
		if word == "--" {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], word)
	}
	return parts
}

func replyOf(route wire.Route, words []string) (double.Reply, error) {
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	finish := map[wire.Route]string{wire.Anthropic: "max_tokens", wire.OpenAI: "max_output_tokens", wire.Gateway: "length"}[route]
	switch word(0) {
	case "say":
		return double.Give(route, double.Answer{Text: word(1), Input: 120, Cached: 80, Output: 30}), nil
	case "cut":
		return double.Give(route, double.Answer{Text: word(1), Finish: finish}), nil
	case "refuse":
		return double.Give(route, double.Answer{Refusal: "I cannot help with that."}), nil
	case "fail":
		status, err := strconv.Atoi(word(1))
		// Another attempt is made at once: a script waits for nothing.
		return double.Fail(route, status, word(2), word(3)).After("0"), err
	case "body":
		return double.Reply{Body: word(1)}, nil
	case "silent":
		return double.Reply{Fault: double.Silence}, nil
	}
	return double.Reply{}, fmt.Errorf("no reply is %v", words)
}

// asked is the script command asked NAME NUMBER: it waits until a provider has
// received so many requests, and fails when there are more.
func (p *providers) asked(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 2 || p.named[args[0]] == nil {
		ts.Fatalf("usage: asked name number")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	one := p.named[args[0]]
	for len(one.Requests()) < want {
		select {
		case <-one.received:
		case <-time.After(20 * time.Second):
			ts.Fatalf("%s was asked %d times, want %d", args[0], len(one.Requests()), want)
		}
	}
	if got := len(one.Requests()); got != want {
		ts.Fatalf("%s was asked %d times, want %d", args[0], got, want)
	}
}

package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file asks the person through the client's form. In the revisions with a
// handshake the server sends a request and waits. In the one without, the call
// ends with the question, and comes again with the answer.

// form is the question as the client is sent it.
func form(question mcp.Question, version string) *value.Object {
	field := rpc.Object("type", "string")
	if len(question.Choices) > 0 {
		values, names, both := []value.Value{}, []value.Value{}, []value.Value{}
		for _, choice := range question.Choices {
			values, names = append(values, choice.Value), append(names, choice.Label)
			both = append(both, rpc.Object("const", choice.Value, "title", choice.Label))
		}
		if version >= rpc.VersionHandshake {
			field.Set("oneOf", both)
		} else {
			field.Set("enum", values)
			field.Set("enumNames", names)
		}
	}
	params := rpc.Object("message", question.Text, "requestedSchema", rpc.Object(
		"type", "object",
		"properties", rpc.Object(question.Field, field),
		"required", []value.Value{question.Field},
	))
	if version >= rpc.VersionHandshake {
		params.Set("mode", "form")
	}
	return params
}

// replied reads what the person made of a question. A client that cannot show the
// form, and says so, has no reply.
func replied(question mcp.Question, result value.Value) (mcp.Reply, error) {
	o, _ := result.(*value.Object)
	if action, _ := o.Get("action"); action != "accept" {
		return mcp.Reply{}, nil
	}
	given, _ := o.Get("content")
	content, _ := given.(*value.Object)
	given, _ = content.Get(question.Field)
	text, ok := given.(string)
	if !ok || len(question.Choices) > 0 && !slices.ContainsFunc(question.Choices, func(choice mcp.Choice) bool { return choice.Value == text }) {
		return mcp.Reply{}, problem.NewRejection(problem.InvalidInput, "The answer to the question is none that it offers: "+question.Text)
	}
	return mcp.Reply{Answered: true, Value: text}, nil
}

// ask asks in a revision with a handshake. Nobody answering for long is the same as
// declining.
func (c *connection) ask(ctx context.Context, question mcp.Question, version string, out outlet) (mcp.Reply, error) {
	id, from := c.expect()
	defer c.forget(id)
	if !out.send(rpc.Request(float64(id), rpc.MethodElicit, form(question, version))) {
		return mcp.Reply{}, nil
	}
	enough := time.NewTimer(c.server.bounds.Answer)
	defer enough.Stop()
	withdraw := func(reason string) {
		out.send(rpc.Notification(rpc.MethodCancelled, rpc.Object("requestId", float64(id), "reason", reason)))
	}
	select {
	case m := <-from:
		return replied(question, m.Result)
	case <-enough.C:
		withdraw("Nobody answered in time")
		return mcp.Reply{}, nil
	case <-c.deaf:
		return mcp.Reply{}, errGone
	case <-ctx.Done():
		withdraw("The call was cancelled")
		return mcp.Reply{}, context.Cause(ctx)
	}
}

// errAsks ends a call whose question goes to the client as the call's result.
var errAsks = errors.New("the call comes again with the answer")

// rounds are the questions of one call in the revision without a handshake, where
// the client carries what was answered from one round to the next.
type rounds struct {
	server    *Server
	bound     string        // what the answers belong to: the tool and its arguments
	answers   *value.Object // of earlier rounds, by the questions' keys
	responses *value.Object // of this round
	asks      *mcp.Question // what this round ends with
}

// rounds reads what the client carried.
func (s *Server) rounds(tool string, arguments, params *value.Object) (*rounds, *fault) {
	r := &rounds{server: s, bound: tool + "\n" + value.JSON(arguments) + "\n", answers: rpc.Object()}
	given, ok := params.Get("inputResponses")
	if r.responses, _ = given.(*value.Object); ok && r.responses == nil {
		return nil, invalidParams("params.inputResponses: Expected an object")
	}
	given, ok = params.Get("requestState")
	if !ok || given == nil || given == "" {
		return r, nil
	}
	text, _ := given.(string)
	payload, signature, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(signature), []byte(r.sign(payload))) {
		return nil, invalidParams("params.requestState: Expected the state that this server gave for this call")
	}
	decoded, err := base64.RawURLEncoding.DecodeString(payload)
	if err == nil {
		var v value.Value
		if v, err = value.ParseJSON(decoded, rpc.Deepest); err == nil {
			r.answers, _ = v.(*value.Object)
		}
	}
	return r, nil
}

func (r *rounds) sign(payload string) string {
	mac := hmac.New(sha256.New, r.server.secret())
	mac.Write([]byte(r.bound + payload))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// keyOf names a question by all it says, so that an answer is never taken for that
// to another question.
func keyOf(question mcp.Question) string {
	sum := sha256.Sum256([]byte(value.JSON(form(question, rpc.VersionStateless))))
	return question.Field + "-" + hex.EncodeToString(sum[:8])
}

func (r *rounds) ask(_ context.Context, question mcp.Question) (mcp.Reply, error) {
	key := keyOf(question)
	result, ok := r.answers.Get(key)
	if !ok {
		if result, ok = r.responses.Get(key); !ok {
			r.asks = &question
			return mcp.Reply{}, errAsks
		}
		r.answers.Set(key, result)
	}
	return replied(question, result)
}

// waits tells whether a call ended because it waits for an answer.
func (r *rounds) waits(err error) bool { return r != nil && r.asks != nil && errors.Is(err, errAsks) }

// result is that of a call which waits for an answer.
func (r *rounds) result() *value.Object {
	o := rpc.Object("resultType", "input_required", "inputRequests", rpc.Object(
		keyOf(*r.asks), rpc.Object("method", rpc.MethodElicit, "params", form(*r.asks, rpc.VersionStateless)),
	))
	if r.answers.Len() > 0 {
		payload := base64.RawURLEncoding.EncodeToString(value.AppendJSON(nil, r.answers))
		o.Set("requestState", payload+"."+r.sign(payload))
	}
	return o
}

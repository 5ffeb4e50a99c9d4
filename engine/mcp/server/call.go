package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file does calls of tools.

// cacheTime is how long a client may keep the list of tools, which changes with
// the program alone.
const cacheTime = 5 * time.Minute

// call does a call of a tool, at the side of whatever else the client asks for.
func (c *connection) call(ctx context.Context, id value.Value, params *value.Object, by asking, out outlet, done func(*value.Object)) {
	of, arguments, refused := c.server.called(params)
	if refused != nil {
		done(refused.answer(id))
		return
	}
	ctx, refused = c.enter(ctx, id)
	if refused != nil {
		done(refused.answer(id))
		return
	}
	started := c.start(func() {
		var answer *value.Object
		defer func() {
			if !c.leave(id) {
				answer = nil
			}
			done(answer)
		}()
		select {
		case c.slots <- struct{}{}:
			defer func() { <-c.slots }()
		case <-ctx.Done():
			answer = rpc.Failure(id, codeBusy, "The call was cancelled before its turn", nil)
			return
		}
		defer c.progress(ctx, of, params, out)()
		result, refused := c.perform(ctx, of, arguments, params, by, out)
		if refused != nil {
			answer = refused.answer(id)
			return
		}
		if by.stateless {
			result = c.server.signed(result)
		}
		answer = rpc.Result(id, result)
	})
	if !started {
		c.leave(id)
		done(nil)
	}
}

// called reads which tool is called, and with what.
func (s *Server) called(params *value.Object) (*tool, *value.Object, *fault) {
	given, _ := params.Get("name")
	name, ok := given.(string)
	if !ok {
		return nil, nil, invalidParams("params.name: Expected a text")
	}
	of := s.named[name]
	if of == nil {
		names := make([]string, len(s.tools))
		for i, tool := range s.tools {
			names[i] = tool.Name
		}
		return nil, nil, invalidParams("Unknown tool %s%s", transport.Line(name, 64), problem.OrNear(name, names))
	}
	given, _ = params.Get("arguments")
	arguments, ok := given.(*value.Object)
	if !ok && given != nil {
		return nil, nil, invalidParams("params.arguments: Expected an object")
	}
	if arguments == nil {
		arguments = rpc.Object()
	}
	return of, arguments, nil
}

// perform checks the arguments, does the operation and gives the result.
func (c *connection) perform(ctx context.Context, of *tool, arguments, params *value.Object, by asking, out outlet) (*value.Object, *fault) {
	call := &mcp.Call{Arguments: arguments, Runtime: c.server.runtime}
	var rounds *rounds
	switch {
	case by.forms && by.stateless:
		var refused *fault
		if rounds, refused = c.server.rounds(of.Name, arguments, params); refused != nil {
			return nil, refused
		}
		call.Ask = rounds.ask
	case by.forms && out.open():
		call.Ask = func(ctx context.Context, question mcp.Question) (mcp.Reply, error) {
			return c.ask(ctx, question, by.version, out)
		}
	}
	err := of.check(arguments)
	var result *value.Object
	if err == nil {
		result, err = c.server.do(ctx, of, call)
	}
	switch {
	case err == nil:
		return succeeded(result), nil
	case rounds.waits(err):
		return rounds.result(), nil
	}
	return c.server.rejected(of, err), nil
}

// do does the operation, and turns a panic into an error.
func (s *Server) do(ctx context.Context, of *tool, call *mcp.Call) (result *value.Object, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			s.warn(fmt.Sprintf("%s failed: %v\n%s", of.Name, thrown, debug.Stack()))
			result, err = nil, problem.NewRejection(problem.Failed, "The program failed, which is a fault of auto")
		}
	}()
	result, err = of.Do(ctx, call)
	if err == nil && result == nil {
		result = rpc.Object()
	}
	return result, err
}

// succeeded is the result of a call that was done: the same twice, since a client
// may read either.
func succeeded(result *value.Object) *value.Object {
	return rpc.Object("content", []value.Value{textBlock(value.JSON(result))}, "structuredContent", result)
}

// rejected is the result of a call that was not done: the problem in words, and
// then its document. It has no structured content, which clients would hold
// against the schema of what is returned otherwise.
func (s *Server) rejected(of *tool, err error) *value.Object {
	var rejection *problem.Rejection
	switch {
	case errors.As(err, &rejection):
	case errors.Is(err, context.Canceled), errors.Is(err, errCancelled), errors.Is(err, errGone):
		rejection = problem.NewRejection(problem.Cancelled, "The call was cancelled")
	default:
		rejection = problem.NewRejection(problem.Failed, transport.Line(err.Error(), 1000))
		s.warn(of.Name + " failed: " + transport.Line(err.Error(), 1000))
	}
	return rpc.Object(
		"content", []value.Value{textBlock(words(rejection)), textBlock(value.JSON(document(rejection)))},
		"isError", true,
	)
}

// words say what a rejection says, for whoever reads on.
func words(rejection *problem.Rejection) string {
	lines := []string{rejection.Title + ": " + rejection.Detail}
	if rejection.Detail == "" || rejection.Detail == rejection.Title {
		lines[0] = rejection.Title
	}
	for _, issue := range rejection.Issues {
		if issue.Pointer == "" {
			lines = append(lines, "- "+issue.Detail)
			continue
		}
		lines = append(lines, "- "+issue.Pointer+": "+issue.Detail)
	}
	return strings.Join(lines, "\n")
}

// document is the problem document of a rejection.
func document(rejection *problem.Rejection) *value.Object {
	o := rpc.Object("type", rejection.Type, "title", rejection.Title, "status", float64(rejection.Status), "detail", rejection.Detail)
	if rejection.Kind != "" {
		o.Set("kind", rejection.Kind)
	}
	if rejection.Because != "" {
		o.Set("because", rejection.Because)
	}
	if len(rejection.Issues) > 0 {
		issues := make([]value.Value, len(rejection.Issues))
		for i, issue := range rejection.Issues {
			issues[i] = rpc.Object("pointer", issue.Pointer, "detail", issue.Detail)
		}
		o.Set("issues", issues)
	}
	return o
}

func textBlock(text string) value.Value { return rpc.Object("type", "text", "text", text) }

// progress says from time to time that a call is still going on, to a client that
// wants to hear it: many would give it up otherwise. What it gives ends that.
func (c *connection) progress(ctx context.Context, of *tool, params *value.Object, out outlet) (stop func()) {
	given, _ := params.Get("_meta")
	meta, _ := given.(*value.Object)
	token, ok := meta.Get("progressToken")
	if ok = ok && slices.Contains([]string{"string", "number"}, value.TypeName(token)); !ok || !out.open() {
		return func() {}
	}
	ended, gone := make(chan struct{}), make(chan struct{})
	every := c.server.bounds.Progress
	go func() {
		defer close(gone)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for n := time.Duration(1); ; n++ {
			select {
			case <-ticker.C:
			case <-ended:
				return
			case <-ctx.Done():
				return
			}
			seconds := (n * every).Seconds()
			out.send(rpc.Notification(rpc.MethodProgress, rpc.Object("progressToken", token, "progress", seconds,
				"message", fmt.Sprintf("%s has been going on for %s seconds", of.Name, value.FormatNumber(seconds)))))
		}
	}()
	return func() {
		close(ended)
		<-gone // nothing is said of a call after its answer
	}
}

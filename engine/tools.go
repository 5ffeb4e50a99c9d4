package engine

// This file finds the tools of a playbook's tool servers and calls one by hand.

import (
	"context"
	"fmt"
	"sync"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// The types of tools that a caller of this package meets.
type (
	// Tool names a tool of a tool server.
	Tool = definition.Tool
	// ListedTool is a tool as its server lists it.
	ListedTool = tool.Tool
	// OfferedTool is a tool as a run's model is offered it.
	OfferedTool = tool.Offered
	// ToolArgument is a row of the readable form of a tool's arguments.
	ToolArgument = tool.Argument
	// FoundTools are what a tool server offers.
	FoundTools = tool.Found
	// ToolResult is what a tool answered.
	ToolResult = tool.Result
	// ToolFailure is a call without a result.
	ToolFailure = tool.Failure
	// ToolTrial is what a call would check.
	ToolTrial = tool.Trial
)

// EveryTool is the name that stands for every tool of a server in a document.
const EveryTool = definition.EveryTool

// ToolCancelled is why a call failed whose caller stopped waiting.
const ToolCancelled = tool.Cancelled

// MostToolArguments is the most bytes of a call's arguments as JSON.
const MostToolArguments = tool.MostArguments

// toolServers are a runtime's tool servers, which are made when one is first
// needed.
type toolServers struct {
	runtime          *Runtime
	version, program string
	transport        model.Transport

	lock sync.Mutex
	made *tool.Servers
}

func (t *toolServers) servers() *tool.Servers {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.made == nil {
		t.made = tool.New(t.runtime.settings.ToolServers(), tool.Options{
			Folder: t.runtime.folder, Version: t.version, Program: t.program, Transport: t.transport,
		})
	}
	return t.made
}

// The tools as a run calls them (run.Tools).

func (t *toolServers) Offer(ctx context.Context, wanted []Tool) ([]OfferedTool, *ToolFailure) {
	return t.servers().Offer(ctx, wanted)
}

func (t *toolServers) Tool(ctx context.Context, server, name string) (*ListedTool, *ToolFailure) {
	return t.servers().Tool(ctx, server, name)
}

func (t *toolServers) Call(ctx context.Context, call tool.Call) (*ToolResult, *ToolFailure) {
	return t.servers().Call(ctx, call)
}

func (t *toolServers) StartedData(of *ListedTool, arguments *value.Object) *value.Object {
	return t.servers().StartedData(of, arguments)
}

func (t *toolServers) AnsweredData(of *ListedTool, result *ToolResult, shown int) *value.Object {
	return t.servers().AnsweredData(of, result, shown)
}

func (t *toolServers) FailedData(of *ListedTool, failure *ToolFailure) *value.Object {
	return t.servers().FailedData(of, failure)
}

func (t *toolServers) close() {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.made != nil {
		t.made.Close()
	}
}

// ToolServers gives the names of the tool servers, in the order of the settings;
// none when the settings do not stand.
func (r *Runtime) ToolServers() []string {
	if r.invalid != nil {
		return nil
	}
	return r.tools.servers().Names()
}

// SearchTools asks every tool server for its tools, all at once, and gives those
// that the terms find, or all without terms. The error is SettingsError.
func (r *Runtime) SearchTools(ctx context.Context, terms ...string) ([]FoundTools, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	return r.tools.servers().Search(ctx, terms...), nil
}

// OfferedTool asks a server for one tool, as a run's model would be offered it.
// The error is SettingsError, or a *problem.Rejection for a tool that cannot be
// used.
func (r *Runtime) OfferedTool(ctx context.Context, wanted Tool) (*OfferedTool, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	if wanted.Name == EveryTool {
		return nil, problem.NewRejection(problem.InvalidInput, "Expected one tool of "+wanted.Server+", in place of every tool")
	}
	offered, failure := r.tools.servers().Offer(ctx, []Tool{wanted})
	if failure != nil {
		return nil, unusable(failure)
	}
	return &offered[0], nil
}

// ListedTool asks a server for one tool, as it lists it. The errors are those of
// OfferedTool.
func (r *Runtime) ListedTool(ctx context.Context, wanted Tool) (*ListedTool, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	listed, failure := r.tools.servers().Tool(ctx, wanted.Server, wanted.Name)
	if failure != nil {
		return nil, unusable(failure)
	}
	return listed, nil
}

// TryTool tells what a call of a tool would check, and sends no call. The errors
// are those of OfferedTool. Arguments past MostToolArguments are for the caller
// to see.
func (r *Runtime) TryTool(ctx context.Context, wanted Tool, arguments *value.Object) (*ToolTrial, error) {
	listed, err := r.ListedTool(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return listed.Try(arguments), nil
}

// unusable is the rejection of a tool that cannot be used.
func unusable(failure *tool.Failure) error {
	if failure.Because == tool.Cancelled {
		return problem.NewRejection(problem.Cancelled, failure.Message)
	}
	return failure.Rejection()
}

// ToolCall is what came of a call by hand. One of Result and Failure is set.
type ToolCall struct {
	Tool    *ListedTool
	Result  *ToolResult
	Failure *ToolFailure
	EventID uint64 // of the event that ends it in the history; 0 when that could not be recorded
}

// CallTool calls a tool that TryTool gave, once, as a run would, and records it
// in the playbook's history: that it is about to be sent, before it is, and what
// came of it. The error is the store's, or a *problem.Rejection for arguments
// past MostToolArguments; beside the store's the call is given where it was made
// and its end could not be recorded.
func (r *Runtime) CallTool(ctx context.Context, of *ListedTool, arguments *value.Object) (*ToolCall, error) {
	if size := tool.ArgumentBytes(arguments); size > tool.MostArguments {
		rejection := problem.NewRejection(problem.Conflict, TooManyArguments(size))
		rejection.Kind = "unworkable"
		return nil, rejection
	}
	servers := r.tools.servers()
	_, err := r.store.Record(store.Event{Type: tool.CallStarted, Data: servers.StartedData(of, arguments)})
	if err != nil {
		return nil, fmt.Errorf("recording the call, which was not sent: %w", err)
	}
	done := &ToolCall{Tool: of}
	done.Result, done.Failure = servers.Call(ctx, tool.Call{Server: of.Server, Tool: of.Name, Arguments: arguments, WaitsOut: true})
	end := store.Event{Type: tool.CallFailed}
	if done.Failure != nil {
		end.Data = servers.FailedData(of, done.Failure)
	} else {
		end.Type, end.Data = tool.CallAnswered, servers.AnsweredData(of, done.Result, len(done.Result.Shown()))
	}
	recorded, err := r.store.Record(end)
	if err != nil {
		return done, fmt.Errorf("recording how the call of %s ended: %w", of, err)
	}
	done.EventID = recorded[0].ID
	return done, nil
}

// TooManyArguments says that a call's arguments take more than MostToolArguments.
func TooManyArguments(size int) string {
	return fmt.Sprintf("The arguments take %s bytes, more than the %d KiB of a call", value.Grouped(int64(size)), tool.MostArguments>>10)
}

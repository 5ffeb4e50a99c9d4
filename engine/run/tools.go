package run

// This file is the tools of a run: where they come from, and what is known of
// those it called.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// Tools are the tool servers of a playbook; *tool.Servers are.
type Tools interface {
	Offer(ctx context.Context, wanted []definition.Tool) ([]tool.Offered, *tool.Failure)
	Tool(ctx context.Context, server, name string) (*tool.Tool, *tool.Failure)
	Check(server, name string) *tool.Failure
	Call(ctx context.Context, call tool.Call) (*tool.Result, *tool.Failure)
	StartedData(of *tool.Tool, arguments *value.Object) *value.Object
	AnsweredData(of *tool.Tool, result *tool.Result, shown int) *value.Object
	FailedData(of *tool.Tool, failure *tool.Failure) *value.Object
}

// callsTools tells whether a function calls tools.
func callsTools(function definition.Function) bool {
	switch of := function.(type) {
	case *definition.Reasoning:
		return len(of.Tools) > 0
	case *definition.Interaction:
		return of.Call != nil || of.SignIn != nil
	case *definition.Lookup:
		return true
	}
	return false
}

// called are the tools that a run called, each once, in the order of its first
// call. A call that never left is none.
type called []struct {
	name  string // server/tool
	reads bool
}

func (c *called) add(name string, reads bool) {
	for i := range *c {
		if (*c)[i].name == name {
			(*c)[i].reads = (*c)[i].reads && reads
			return
		}
	}
	*c = append(*c, struct {
		name  string
		reads bool
	}{name, reads})
}

// acted tells whether any of them may have changed something.
func (c called) acted() bool { return c.acting() != nil }

// acting are the names of those that may have changed something.
func (c called) acting() []string {
	var names []string
	for _, one := range c {
		if !one.reads {
			names = append(names, one.name)
		}
	}
	return names
}

func (c called) names() []string {
	var names []string
	for _, one := range c {
		names = append(names, one.name)
	}
	return names
}

// inWords lists names as a sentence does.
func inWords(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// calledBy reads from a run's history which tools it called, whatever became of
// the process that called them.
func (r *Runner) calledBy(id string) (called, error) {
	started, err := r.events(id, tool.CallStarted)
	if err != nil || len(started) == 0 {
		return nil, err
	}
	failures, err := r.events(id, tool.CallFailed)
	if err != nil {
		return nil, err
	}
	for _, failure := range failures {
		sent, has := failure.Data.Get("sent")
		if !has || sent != false {
			continue
		}
		// It belongs to the last call of its number before it: an attempt under the
		// same id counts from 1 again.
		for i := len(started) - 1; i >= 0; i-- {
			if started[i].ID < failure.ID && numberOf(started[i]) == numberOf(failure) {
				started = slices.Delete(started, i, i+1)
				break
			}
		}
	}
	var calls called
	for _, event := range started {
		reads, _ := event.Data.Get("read_only")
		calls.add(textOf(event.Data, "server")+"/"+textOf(event.Data, "tool"), reads == true)
	}
	return calls, nil
}

// events gives every event of a run of one type.
func (r *Runner) events(id, eventType string) ([]store.Event, error) {
	var all []store.Event
	for filter := (store.EventFilter{RunID: id, Type: eventType}); ; filter.After = all[len(all)-1].ID {
		page, more, err := r.store.Events(filter)
		if err != nil {
			return nil, fmt.Errorf("reading which tools run %s called: %w", id, err)
		}
		all = append(all, page...)
		if !more || len(page) == 0 {
			return all, nil
		}
	}
}

func numberOf(event store.Event) float64 {
	v, _ := event.Data.Get("number")
	number, _ := value.Number(v)
	return number
}

func textOf(o *value.Object, key string) string {
	v, _ := o.Get(key)
	text, _ := v.(string)
	return text
}

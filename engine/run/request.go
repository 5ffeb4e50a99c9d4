package run

// This file makes the request of a run of a function that asks a person or an
// agent (interaction format, "How a run ends"). The run waits from then on, in the
// store and in no process.

import (
	"errors"
	"fmt"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// request makes a run's request from its checked input on. It is true for a run
// that waits; otherwise the run ends.
func (r *Runner) request(function *definition.Interaction, run *store.Run, input *value.Object) (store.Ending, bool) {
	rendering, err := function.Render(input, definition.Request{Name: run.Name, RunID: run.ID, Moment: run.Started})
	if err != nil {
		return rejected(err), false
	}
	if err := r.mayUse(requestTools(function)); err != nil {
		return rejected(err), false
	}
	if err := r.waitFor(run, request.Asking(function, rendering, run.Started)); err != nil {
		return rejected(err), false
	}
	return store.Ending{}, true
}

// requestTools are the tools that a request goes through: the one that sends it,
// the one that reads its replies and the one that tells (interaction format, "Which
// tool each step uses").
func requestTools(function *definition.Interaction) []definition.Tool {
	if function.Deliver == nil {
		return nil
	}
	server := function.Deliver.Tool.Server
	tools := []definition.Tool{function.Deliver.Tool}
	if replies := function.Replies; replies != nil {
		tools = append(tools, definition.Tool{Server: server, Name: replies.Tool})
		if replies.Tell != nil && replies.Tell.Tool != "" {
			tools = append(tools, definition.Tool{Server: server, Name: replies.Tell.Tool})
		}
	}
	return tools
}

// waitingRun gives a started run whose request is open, and nil for any other.
func (r *Runner) waitingRun(started *store.Run) (*store.Run, error) {
	asked, err := r.store.Request(started.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for the request of run %s: %w", started.ID, err)
	case asked.Closed.IsZero():
		return started, nil
	}
	return nil, nil // it ended meanwhile
}

// mayUse tells whether the tools that a request goes through may be used, without
// asking their server. The error is the rejection of the first that may not.
func (r *Runner) mayUse(tools []definition.Tool) error {
	for _, tool := range tools {
		if failure := r.tools.Check(tool.Server, tool.Name); failure != nil {
			return failure.Rejection()
		}
	}
	return nil
}

// waitFor records a run's request, with which the run gives up its claim. The
// error is a rejection where as many requests are open as may be.
func (r *Runner) waitFor(run *store.Run, asking store.Asking) error {
	owner, err := r.owner()
	if err != nil {
		return err
	}
	asking.MostOpen = r.openRequests
	err = patiently(func() error {
		_, err := owner.Ask(run.ID, asking)
		return err
	})
	if errors.Is(err, store.ErrRequestsFull) {
		return request.Full(r.openRequests)
	}
	return err
}

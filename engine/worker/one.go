package worker

// This file works on one request alone.

import "context"

// One does what the request of a run wants done now, and leaves all others alone:
// its first attempt is due at once when it is asked. When the context ends, it waits
// a little for a call under way and records what came of it. The error is the
// store's.
func (w *Worker) One(ctx context.Context, runID string) error {
	w.begin(true)
	calls, stop := w.calls(ctx)
	defer stop()
	asked, err := w.asked(runID)
	if err != nil {
		return ours(err)
	}
	_, err = w.take(calls, asked)
	w.drain()
	if err != nil {
		return err
	}
	return w.failed()
}

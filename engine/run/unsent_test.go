package run_test

// This file tests calls that never leave: they cannot have had an effect, so they
// keep no run from being made again under its id.

import (
	"testing"

	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

func TestACallThatNeverLeaves(t *testing.T) {
	t.Parallel()
	for _, typeName := range []string{"interaction", "lookup"} {
		w := newWorkshop(t, equipped{gone: 1, results: map[string]string{"post_message": `{"content":[],"structuredContent":{"id":"a"}}`}})
		asked := asks(typeName, calling("post_message", ""), "{}")
		ended := w.do(t, asked)
		if ended.Reason != "unavailable" || ended.Kind != "tool_server_failed" || ended.Final {
			t.Errorf("%s: the run is %s", typeName, value.JSON(ended.Value()))
		}
		if history := w.history(t, asked.ID); history != "run_started "+failedCall+" run_rejected" {
			t.Errorf("%s: its history is %s", typeName, history)
		}
		if again := w.do(t, asked); again.Status != store.Succeeded || again.Attempt != 2 || w.everySent() != 1 {
			t.Errorf("%s: again it is %s", typeName, value.JSON(again.Value()))
		}
	}
}

func TestAModelsCallsThatNeverLeave(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{gone: 5}, oneEach(5)...)
	ended := w.do(t, request(noted(""), spring))
	if ended.Reason != "unavailable" || ended.Kind != "" || ended.Rejection.Because != "server_failed" || ended.Final {
		t.Errorf("the run is %s", value.JSON(ended.Value()))
	}
	w.model.Script(say)
	if again := w.do(t, request(noted(""), spring)); again.Status != store.Succeeded || again.Attempt != 2 {
		t.Errorf("again it is %s", value.JSON(again.Value()))
	}
	// One that left counts for those that did not.
	w = newWorkshop(t, equipped{gone: 1}, append([]double.Reply{calls("notes__post_message", `{}`)}, oneEach(1, say)...)...)
	if ended := w.do(t, request(noted(""), spring)); ended.Status != store.Succeeded || w.everySent() != 1 {
		t.Errorf("the run is %s", value.JSON(ended.Value()))
	}
}

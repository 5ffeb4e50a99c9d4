package run_test

// This file makes runs again under their id (reasoning format, "How a run
// works").

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

func TestTheSameIDAndInput(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI)
	h := newHouse(t, of(provider))
	text := review(wire.OpenAI, "", brief)
	say := double.Say(wire.OpenAI, "Fine.")
	for _, c := range []struct {
		name   string
		front  string
		input  string
		first  double.Reply
		called bool // the second time
	}{
		{name: "a success stands", input: spring, first: say},
		{name: "an invalid input stands", input: `{"budget":1}`},
		{name: "a refused content stands", input: spring, first: double.Give(wire.OpenAI, double.Answer{Refusal: "No."})},
		{name: "unavailable does not", input: spring, first: double.Fail(wire.OpenAI, 401, "invalid_api_key", "no"), called: true},
		{name: "a conflict does not", input: spring, first: double.Fail(wire.OpenAI, 404, "model_not_found", "no"), called: true},
	} {
		asked := request(text, c.input)
		asked.ID = strings.ReplaceAll(c.name, " ", "-")
		provider.Script(c.first)
		first := h.do(t, asked)
		calls := len(provider.Requests())
		provider.Script(say)
		second := h.do(t, asked)
		switch called := len(provider.Requests()) > calls; {
		case called != c.called:
			t.Errorf("%s: called again %t", c.name, called)
		case !called && value.JSON(first.Value()) != value.JSON(second.Value()):
			t.Errorf("%s: the second time gives %s", c.name, value.JSON(second.Value()))
		case called && (second.Status != store.Succeeded || second.Attempt != 2):
			t.Errorf("%s: the second time gives %s", c.name, value.JSON(second.Value()))
		}
	}
}

// TestARecordedRunStands wants a recorded success whatever became of its
// document, and a new version of a document to make no other run of it.
func TestARecordedRunStands(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	h := newHouse(t, of(provider))
	first := h.do(t, request(review(wire.OpenAI, "", brief), `{"brief":"Spring launch","weeks":6}`))
	for _, source := range []string{review(wire.OpenAI, "", "Other words: {{ input.brief }}"), "no definition at all"} {
		// The order of an input's keys and how a number is written do not count.
		if again := h.do(t, request(source, `{"weeks":6.0,"brief":"Spring launch"}`)); again.Output != "Fine." || again.Version != first.Version {
			t.Errorf("again it is %s", value.JSON(again.Value()))
		}
	}
	if calls := len(provider.Requests()); calls != 1 {
		t.Errorf("%d calls were made", calls)
	}
}

func TestAnotherInputUnderTheID(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	h := newHouse(t, of(provider))
	text := review(wire.OpenAI, "", brief)
	h.do(t, request(text, spring))
	other := request(text, spring)
	other.Name = "check"
	for name, asked := range map[string]*problem.Rejection{
		"another input":    h.refuses(t, request(text, `{"brief":"Autumn launch"}`)),
		"another function": h.refuses(t, other),
		// Also where it would be refused for something else.
		"a broken document": h.refuses(t, request("---\n", `{"brief":"Autumn launch"}`)),
	} {
		if asked.Status != 409 || !strings.Contains(asked.Detail, "belongs to a run of another function or input") {
			t.Errorf("%s: %+v", name, asked)
		}
	}
	if calls := len(provider.Requests()); calls != 1 {
		t.Errorf("%d calls were made", calls)
	}
}

// TestTwoAtOnce starts one run from several owners at the same moment: one call
// is made, and whoever comes while it is made is told so.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "runs.db")
	asked, release := make(chan struct{}), make(chan struct{})
	slow := double.Say(wire.OpenAI, "Fine.")
	slow.Before = func() {
		close(asked)
		<-release
	}
	provider := double.New(t, wire.OpenAI, slow)
	source := request(review(wire.OpenAI, "", brief), spring)
	first := houseAt(t, file, of(provider))
	var wait sync.WaitGroup
	wait.Go(func() {
		if ended := first.do(t, source); ended.Status != store.Succeeded {
			t.Errorf("the first ends as %s", value.JSON(ended.Value()))
		}
	})
	patience.Receive(t, asked)
	for range 3 {
		second := houseAt(t, file, of(provider))
		if rejection := second.refuses(t, source); rejection.Status != 409 || !strings.Contains(rejection.Detail, "in progress") {
			t.Errorf("the second is told %+v", rejection)
		}
	}
	close(release)
	wait.Wait()
	if again := houseAt(t, file, of(provider)).do(t, source); again.Output != "Fine." || len(provider.Requests()) != 1 {
		t.Errorf("again it is %s after %d calls", value.JSON(again.Value()), len(provider.Requests()))
	}
}

// cutOff leaves a run started whose owner is gone.
func cutOff(t *testing.T, file, id string) {
	t.Helper()
	gone := houseAt(t, file, model.Configuration{})
	asked := request(review(wire.OpenAI, "", brief), spring)
	if _, _, err := gone.owner.Start(store.Beginning{
		ID: id, Type: "reasoning", Name: "review", Source: asked.Source, Input: asked.Input.(*value.Object), Events: []store.Event{{Type: "run_started"}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := gone.owner.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestACutOffRunIsMadeAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "runs.db")
	cutOff(t, file, "review-1")
	provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	h := houseAt(t, file, of(provider))
	ended := h.do(t, request(review(wire.OpenAI, "", brief), spring))
	if ended.Status != store.Succeeded || ended.Attempt != 2 {
		t.Errorf("the run is %s", value.JSON(ended.Value()))
	}
	if got := h.history(t, "review-1"); got != "run_started run_failed run_started model_call_answered run_succeeded" {
		t.Errorf("the history is %s", got)
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "runs.db")
	cutOff(t, file, "one")
	cutOff(t, file, "two")
	h := houseAt(t, file, model.Configuration{})
	for want := 2; want >= 0; want -= 2 {
		if settled, err := h.Settle(); settled != want || err != nil {
			t.Errorf("Settle gives %d, %v, want %d", settled, err, want)
		}
	}
	for _, id := range []string{"one", "two"} {
		ended, err := h.store.Get(id)
		if err != nil || ended.Status != store.Failed || ended.Kind != "interrupted" || ended.Final {
			t.Errorf("%s is %+v, %v", id, ended, err)
		}
	}
}

// TestSettleLeavesTheLivingAlone wants a run in progress to go on.
func TestSettleLeavesTheLivingAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "runs.db")
	h := houseAt(t, file, model.Configuration{})
	settled := -1
	slow := double.Say(wire.OpenAI, "Fine.")
	slow.Before = func() { settled, _ = h.Settle() }
	provider := double.New(t, wire.OpenAI, slow)
	if ended := houseAt(t, file, of(provider)).do(t, request(review(wire.OpenAI, "", brief), spring)); ended.Status != store.Succeeded || settled != 0 {
		t.Errorf("%d were settled, and the run is %s", settled, value.JSON(ended.Value()))
	}
}

func TestIDsAreGiven(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	h := newHouse(t, of(provider))
	asked := request(review(wire.OpenAI, "", brief), spring)
	asked.ID = ""
	first, second := h.do(t, asked), h.do(t, asked)
	if first.ID == second.ID || len(first.ID) != 36 || first.ID[14] != '7' || len(provider.Requests()) != 2 {
		t.Errorf("the ids are %s and %s", first.ID, second.ID)
	}
}

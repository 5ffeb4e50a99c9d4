//go:build !windows

package cli_test

// This file kills auto run at random moments and then wants the truth from the
// store.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/store"
)

// killsVariable is how often the test kills, in place of usualKills.
const (
	killsVariable = "AUTO_TEST_KILLS"
	usualKills    = 25
)

func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	kills := usualKills
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	k := newKilling(t)
	// How long a run takes here and now, so that kills fall on all of it.
	whole := time.Hour
	for i := range 3 {
		started := time.Now()
		k.finish(t, fmt.Sprint("measured-", i))
		whole = min(whole, time.Since(started))
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, a run takes %s", seed, whole)
	random := rand.New(rand.NewPCG(seed, seed))
	finished := 0
	for i := range kills {
		if k.kill(t, fmt.Sprint("kill-", i), time.Duration(random.Int64N(int64(whole+whole/4)))) {
			finished++
		}
		if i%10 == 9 || i == kills-1 {
			k.sound(t)
		}
	}
	k.account(t, kills, finished)
	k.again(t)
}

// killing is a playbook whose provider counts what it is asked for each run.
type killing struct {
	provider *double.Server
	dir      string
	store    *store.Store
	printed  map[string]bool // runs whose output was printed
}

func newKilling(t *testing.T) *killing {
	k := &killing{provider: double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine.")), dir: t.TempDir(), printed: map[string]bool{}}
	writeFile(t, k.dir, "auto.yaml", "")
	writeFile(t, k.dir, "reasoning/review.md", "---\nmodel: openai/gpt-5\n---\n\nRun {{ input.id }}.\n")
	k.store = store.At(filepath.Join(k.dir, ".auto", "runs.db"), store.Options{})
	return k
}

func (k *killing) command(t *testing.T, id string) *exec.Cmd {
	run := patience.Command(t, "auto", "run", "review", "--set", "id="+id, "--run-id", id)
	run.Dir = k.dir
	run.Env = append(os.Environ(), "OPENAI_API_KEY="+double.Key, "OPENAI_BASE_URL="+k.provider.URL+"/v1")
	return run
}

// finish does a run to its end.
func (k *killing) finish(t *testing.T, id string) {
	t.Helper()
	out, err := k.command(t, id).CombinedOutput()
	if err != nil {
		t.Fatalf("run %s: %v\n%s", id, err, out)
	}
	k.printed[id] = true
}

// kill kills a run after a while, and tells whether it had ended by itself.
func (k *killing) kill(t *testing.T, id string, after time.Duration) bool {
	t.Helper()
	run := k.command(t, id)
	var out strings.Builder
	run.Stdout = &out
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { run.Process.Kill() })
	err := run.Wait()
	timer.Stop()
	if out.Len() > 0 {
		k.printed[id] = true
	}
	return err == nil
}

// sound wants a store that opens and has no faults.
func (k *killing) sound(t *testing.T) {
	t.Helper()
	found, err := k.store.Check()
	if err != nil || len(found.Faults) > 0 {
		t.Fatalf("the store: %v, %v", err, found.Faults)
	}
}

// calls counts what the provider was asked for each run.
func (k *killing) calls(t *testing.T) map[string]int {
	t.Helper()
	made := map[string]int{}
	for _, request := range k.provider.Requests() {
		var body struct {
			Input json.RawMessage `json:"input"`
		}
		if err := json.Unmarshal(request.Body, &body); err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(body.Input), "Run ")
		id, _, ended := strings.Cut(rest, ".")
		if !found || !ended {
			t.Fatalf("a request is %s", request.Body)
		}
		made[id]++
	}
	return made
}

// account wants every call to be recorded, or its run to be one that was cut off:
// the calls made are those recorded and those in doubt.
func (k *killing) account(t *testing.T, kills, finished int) {
	t.Helper()
	made := k.calls(t)
	runs, recorded, doubted, called := 0, 0, 0, 0
	page, _, err := k.store.List(store.Filter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]store.Status{}
	for _, run := range page {
		runs++
		listed[run.ID] = run.Status
		answered, _, err := k.store.Events(store.EventFilter{RunID: run.ID, Type: "model_call_answered"})
		if err != nil {
			t.Fatal(err)
		}
		doubt := 0
		if run.Status == store.Started {
			doubt = 1
			doubted++
		}
		recorded += len(answered)
		if calls := made[run.ID]; calls < len(answered) || calls > len(answered)+doubt {
			t.Errorf("run %s is %s with %d calls recorded, and %d were made", run.ID, run.Status, len(answered), calls)
		}
	}
	for id, calls := range made {
		called += calls
		if listed[id] == "" {
			t.Errorf("run %s is lost after %d calls", id, calls)
		}
	}
	for id := range k.printed {
		if listed[id] != store.Succeeded {
			t.Errorf("run %s printed its output and is recorded as %q", id, listed[id])
		}
	}
	t.Logf("%d kills: %d runs ended before it, %d runs are recorded, %d calls made, %d recorded, %d runs in doubt",
		kills, finished, runs, called, recorded, doubted)
}

// again does each recorded run once more under its id: what succeeded is not
// called again, and what was cut off is.
func (k *killing) again(t *testing.T) {
	t.Helper()
	page, _, err := k.store.List(store.Filter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	before := k.calls(t)
	repeated := 0
	for _, run := range page {
		// Every run that was cut off, and some of those that succeeded.
		if run.Status == store.Succeeded {
			if repeated++; repeated > usualKills {
				continue
			}
		}
		k.finish(t, run.ID)
		wanted := before[run.ID]
		if run.Status != store.Succeeded {
			wanted++
		}
		if made := k.calls(t)[run.ID]; made != wanted {
			t.Errorf("run %s was %s and is called %d times, want %d", run.ID, run.Status, made, wanted)
		}
		ended, err := k.store.Get(run.ID)
		if err != nil || ended.Status != store.Succeeded || ended.Output != "Fine." {
			t.Errorf("run %s again is %+v, %v", run.ID, ended, err)
		}
	}
	k.sound(t)
}

//go:build !windows

package acceptance_test

// This file goes through requests by the commands of the program, and kills them.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// tries gives how often something is tried: the test's own number, or that of a
// variable.
func tries(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("AUTO_TEST_KILLS")
	if text == "" {
		return usual
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

func TestTheCommands(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	out, said := p.auto(0, running("r-1")...)
	if out != "r-1\n" || !strings.Contains(said, owner) {
		t.Errorf("auto run prints %q and says %q", out, said)
	}
	message := p.message("r-1")
	p.mustSay("r-1", "auto: The review of your campaign brief is ready:")
	// Again under its id it is the same run, and nothing is sent.
	if out, _ := p.auto(0, running("r-1")...); out != "r-1\n" {
		t.Errorf("auto run again prints %q", out)
	}
	p.chat.reply(owner, message, owner, wrongReply)
	p.Advance(2 * time.Minute) // a process takes some of it
	if out, _ := p.auto(0, "work", "--once"); strings.Count(out, "\n") != 2 {
		t.Errorf("auto work says %q", out)
	}
	if out, _ := p.auto(0, "work", "--once"); out != "" {
		t.Errorf("auto work with nothing to do says %q", out)
	}
	p.chat.reply(owner, message, owner, rightReply)
	p.Advance(2 * time.Minute) // a process takes some of it
	p.auto(0, "work", "--once", "--json")
	p.mustEnd("r-1", `{"verdict":"approve","note":"ready to launch"}`)
	if out, _ := p.auto(0, running("r-1")...); !strings.Contains(out, `"note": "ready to launch"`) {
		t.Errorf("auto run of an answered run prints %q", out)
	}
	if posts := len(p.chat.called(post)); posts != 2 {
		t.Errorf("%d messages were sent", posts)
	}
	p.auto(1, "answer", "r-1", "verdict=revise")
	p.mustEnd("r-1", `{"verdict":"approve","note":"ready to launch"}`)
}

// auto run --wait ends when another process gives the answer, and prints it.
func TestWaitingForAnotherProcess(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	sent := p.chat.hold(post, afterIt)
	close(sent.let)
	child := p.command(running("r-1", "--wait")...)
	var out, said strings.Builder
	child.Stdout, child.Stderr = &out, &said
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	select {
	case <-sent.answered:
	case err := <-ended:
		t.Fatalf("it ended before: %v\n%s", err, said.String())
	}
	p.auto(0, "answer", "r-1", "verdict=approve")
	if err := patience.Receive(t, ended); err != nil || !strings.Contains(out.String(), `"verdict": "approve"`) {
		t.Errorf("it ends with %v: %s\n%s", err, out.String(), said.String())
	}
	p.mustEnd("r-1", `{"verdict":"approve"}`)
}

// ended is a process that was begun and how it ends.
type ended struct {
	*exec.Cmd
	done chan error
	said strings.Builder
}

func (p *place) begin(arguments ...string) *ended {
	p.t.Helper()
	e := &ended{Cmd: p.command(arguments...), done: make(chan error, 1)}
	e.Stdout, e.Stderr = &e.said, &e.said
	if err := e.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { e.done <- e.Wait() }()
	return e
}

// kill kills the process, and wants that to have ended it.
func (e *ended) kill(t *testing.T) {
	t.Helper()
	if err := e.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := patience.Receive(t, e.done); !killed(err) {
		t.Fatalf("it was not killed: %v\n%s", err, e.said.String())
	}
}

// killing kills processes at random moments of what they do.
type killing struct {
	seed   uint64
	random *rand.Rand
	whole  time.Duration // how long one takes that is let be
}

func newKilling(whole time.Duration) *killing {
	seed := uint64(time.Now().UnixNano())
	return &killing{seed, rand.New(rand.NewPCG(seed, 1)), whole}
}

// end kills a process after a while, and tells whether it had ended by itself.
func (k *killing) end(t *testing.T, e *ended) (before bool) {
	t.Helper()
	began := time.Now()
	timer := time.AfterFunc(time.Duration(k.random.Int64N(int64(k.whole+k.whole/8))), func() { _ = e.Process.Kill() })
	err := patience.Receive(t, e.done)
	timer.Stop()
	if err != nil && !killed(err) {
		t.Fatalf("it ends with %v: %s", err, e.said.String())
	}
	if err == nil {
		k.whole = min(k.whole, time.Since(began))
	}
	return err == nil
}

// reach waits until a call stops in the chat.
func (e *ended) reach(t *testing.T, h *hold) {
	t.Helper()
	select {
	case <-h.reached:
	case err := <-e.done:
		t.Fatalf("it ended before: %v\n%s", err, e.said.String())
	}
}

// auto run that is killed as it sends has asked: it is sent again when that may have
// been lost, and not before.
func TestARunKilledAsItSends(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, when string
		messages   int
	}{
		"connecting": {connecting, beforeIt, 1},
		"sending":    {post, beforeIt, 1},
		"sent":       {post, afterIt, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			stops := p.chat.hold(c.tool, c.when)
			run := p.begin(running("r-1")...)
			run.reach(t, stops)
			run.kill(t)
			if got, want := types(p.history("r-1")), "run_started interaction_requested delivery_started"; got != want {
				t.Fatalf("it left %s, want %s", got, want)
			}
			// Whoever asks for the run again within the minute does not send it.
			before := len(p.chat.called(post))
			p.auto(0, running("r-1")...)
			p.Advance(30 * time.Second)
			p.auto(0, "work", "--once")
			if got := len(p.chat.called(post)); got != before {
				t.Errorf("it was sent again too soon")
			}
			p.goOn("r-1", "")
			p.mustEnd("r-1", `{"verdict":"revise","note":"name a goal"}`)
			sent := len(p.chat.messages(owner, p.message("r-1"))) // the last message's thread: itself, two replies and a telling
			if sent != 4 {
				t.Errorf("the thread has %d messages", sent)
			}
			if posted := p.posted("r-1"); posted != c.messages {
				t.Errorf("the chat has %d messages of the request, want %d", posted, c.messages)
			}
		})
	}
}

// auto run that is killed at any moment has asked or it has not, and the same command
// again takes it from there.
func TestRunsKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	began := time.Now()
	p.auto(0, running("measured")...)
	k := newKilling(time.Since(began))
	left := map[string]int{}
	rounds := tries(t, 12)
	for i := range rounds {
		id := fmt.Sprint("r-", i)
		k.end(t, p.begin(running(id)...))
		p.sound()
		left[types(p.history(id))]++
		if out, _ := p.auto(0, running(id)...); out != id+"\n" {
			t.Errorf("the same command again prints %q", out)
		}
		p.Advance(3 * time.Minute) // one until an attempt counts as lost, and one until the next
		p.auto(0, "work", "--once")
		if asked := strings.Count(types(p.history(id)), "interaction_requested"); asked != 1 {
			t.Errorf("run %s asked %d times", id, asked)
		}
		lost := strings.Count(types(p.history(id)), "delivery_failed")
		if posted := p.posted(id); posted < 1 || posted > 1+lost {
			t.Errorf("run %s: %d messages after %d lost attempts", id, posted, lost)
		}
		p.auto(0, "answer", id, "verdict=approve")
		p.mustEnd(id, `{"verdict":"approve"}`)
	}
	t.Logf("seed %d: %d kills left %v", k.seed, rounds, left)
}

// An answer that is killed has been given or it has not, and giving it again gives
// what was taken.
func TestAnAnswerThatIsKilled(t *testing.T) {
	t.Parallel()
	t.Run("waiting for the store", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		p.ask("r-1")
		held, err := bolt.Open(filepath.Join(p.dir, ".auto", "runs.db"), 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer := p.begin("answer", "r-1", "verdict=approve")
		answer.kill(t)
		if err := held.Close(); err != nil {
			t.Fatal(err)
		}
		if p.run("r-1").Status != store.Started {
			t.Fatal("the run ended")
		}
		p.auto(0, "answer", "r-1", "verdict=revise")
		p.mustEnd("r-1", `{"verdict":"revise"}`)
	})
	t.Run("at any moment", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		p.ask("measured")
		began := time.Now()
		p.auto(0, "answer", "measured", "verdict=approve")
		k := newKilling(time.Since(began))
		given := 0
		rounds := tries(t, 12)
		for i := range rounds {
			id := fmt.Sprint("r-", i)
			p.ask(id)
			answer := p.begin("answer", id, "verdict=approve", "note=first")
			ended := k.end(t, answer)
			wasGiven := p.run(id).Status == store.Succeeded
			if ended && !wasGiven {
				t.Errorf("%s: it printed %q and is not recorded", id, answer.said.String())
			}
			// Another answer is taken where none was, and refused where one was.
			if wasGiven {
				given++
				p.auto(1, "answer", id, "verdict=revise")
				p.auto(0, "answer", id, "verdict=approve", "note=first")
				p.mustEnd(id, `{"verdict":"approve","note":"first"}`)
			} else {
				p.auto(0, "answer", id, "verdict=revise")
				p.mustEnd(id, `{"verdict":"revise"}`)
			}
		}
		t.Logf("seed %d: %d of %d answers were given before the kill", k.seed, given, rounds)
	})
}

// Workers that are killed again and again lose nothing on the way: each request ends
// with the one answer that was replied.
func TestWorkersKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("measured")
	began := time.Now()
	p.auto(0, "work", "--once")
	k := newKilling(time.Since(began))
	people := map[string]string{} // what was replied to each request
	var ids []string
	kills, alive := tries(t, 16), 0
	for i := range kills {
		if i%4 == 0 {
			ids = append(ids, fmt.Sprint("r-", i))
			p.ask(ids[len(ids)-1])
		}
		if k.end(t, p.begin("work", "--once")) {
			alive++
		}
		p.sound()
		for _, id := range ids {
			p.reply(id, people)
		}
		p.Advance(61 * time.Second)
	}
	for _, id := range ids {
		p.goOn(id, people[id])
		ended := p.run(id)
		if ended.Status != store.Succeeded {
			t.Errorf("run %s is %s", id, ended.Status)
		}
		history := types(p.history(id))
		lost := 0
		for _, attempt := range p.request(id).Attempts {
			if attempt.Because == "lost" {
				lost++
			}
		}
		if posted := p.posted(id); posted < 1 || posted > 1+lost {
			t.Errorf("run %s: %d messages after %d lost attempts", id, posted, lost)
		}
		if strings.Count(history, "request_answered") != 1 || strings.Count(history, "reply_refused") != 1 {
			t.Errorf("run %s: %s", id, history)
		}
	}
	p.sound()
	t.Logf("seed %d: %d kills, of which %d came after the end, on %d requests", k.seed, kills, alive, len(ids))
}

// reply has the person reply to a request once it was sent: wrong first, then right.
func (p *place) reply(id string, people map[string]string) {
	p.t.Helper()
	request := p.request(id)
	switch {
	case request.Sent == nil || !request.Closed.IsZero():
	case people[id] == "":
		people[id] = wrongReply
		p.chat.reply(owner, request.Sent.ID, owner, wrongReply)
	case people[id] == wrongReply && request.Refused > 0:
		people[id] = rightReply
		p.chat.reply(owner, request.Sent.ID, owner, rightReply)
	}
}

// A worker that is asked to end lets the call under way come back, and records it.
func TestAWorkerThatIsStopped(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	sending := p.chat.hold(post, beforeIt)
	worker := p.begin("work")
	worker.reach(t, sending)
	if err := worker.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	close(sending.let)
	if err := patience.Receive(t, worker.done); err != nil {
		t.Errorf("it ends with %v: %s", err, worker.said.String())
	}
	p.mustSay("r-1", "auto: The review of your campaign brief is ready:")
	p.sound()
}

// Twenty processes answer one request at once: one answer is taken, and all others
// are conflicts.
func TestTwentyAnswersAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	codes := make([]int, 20)
	outputs := make([]string, len(codes))
	var group sync.WaitGroup
	for i := range codes {
		group.Go(func() {
			answer := p.begin("answer", "r-1", "verdict=approve", fmt.Sprint("note=", i%4), "--json")
			err := <-answer.done
			outputs[i] = answer.said.String()
			if exit, is := err.(*exec.ExitError); is {
				codes[i] = exit.ExitCode()
			}
		})
	}
	group.Wait()
	output := value.JSON(p.run("r-1").Output)
	for i, code := range codes {
		var said struct{ Type string }
		first, _, _ := strings.Cut(outputs[i], "\n}")
		_ = json.Unmarshal([]byte(first+"}"), &said)
		same := fmt.Sprintf(`{"verdict":"approve","note":"%d"}`, i%4) == output
		if same != (code == 0) || !same && (code != 1 || said.Type != "https://on.auto/problems/conflict") {
			t.Errorf("answer %d exits with %d beside the answer %s:\n%s", i, code, output, outputs[i])
		}
	}
	p.mustEnd("r-1", output)
}

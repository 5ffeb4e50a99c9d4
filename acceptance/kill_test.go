//go:build !windows

package acceptance_test

// This file kills the process that works on a request at each moment of it, and then
// has another one go on.

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/beonauto/auto/engine/patience"
)

// moment is one at which a worker is killed.
type moment struct {
	name string
	// said is what the person had replied before; empty while the request is not
	// delivered yet.
	said string
	// The call that is stopped in the chat, before or after it is done.
	tool, when string
	// unrecorded has the answer of the call reach the worker, whose store is held by
	// another, so that it cannot record it.
	unrecorded bool
	fact       string // or what the worker has just done as it dies

	messages int // how often the request is sent in all
	tellings int // how often the party is told in all
}

var moments = []moment{
	{name: "connecting to send", tool: connecting, when: beforeIt, messages: 1, tellings: 1},
	{name: "sending", tool: post, when: beforeIt, messages: 1, tellings: 1},
	{name: "sent", tool: post, when: afterIt, messages: 2, tellings: 1},
	{name: "sent and not recorded", tool: post, when: afterIt, unrecorded: true, messages: 2, tellings: 1},
	{name: "delivered", fact: "delivered", messages: 1, tellings: 1},

	{name: "connecting to read", said: wrongReply, tool: connecting, when: beforeIt, messages: 1, tellings: 1},
	{name: "reading", said: wrongReply, tool: read, when: beforeIt, messages: 1, tellings: 1},
	{name: "read", said: wrongReply, tool: read, when: afterIt, messages: 1, tellings: 1},
	{name: "read and not recorded", said: wrongReply, tool: read, when: afterIt, unrecorded: true, messages: 1, tellings: 1},
	{name: "refused", said: wrongReply, fact: "reply_refused", messages: 1, tellings: 1},
	{name: "telling", said: wrongReply, tool: post, when: beforeIt, messages: 1, tellings: 1},
	{name: "told and not recorded", said: wrongReply, tool: post, when: afterIt, messages: 1, tellings: 1},
	{name: "told", said: wrongReply, fact: "told", messages: 1, tellings: 1},

	{name: "reading the answer", said: rightReply, tool: read, when: beforeIt, messages: 1},
	{name: "answer read", said: rightReply, tool: read, when: afterIt, messages: 1},
	{name: "answer read and not recorded", said: rightReply, tool: read, when: afterIt, unrecorded: true, messages: 1},
	{name: "answered", said: rightReply, fact: "answered", messages: 1},
}

func TestKilledAtEachMoment(t *testing.T) {
	t.Parallel()
	for i := range moments {
		m := &moments[i]
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			m.try(t)
		})
	}
}

func (m *moment) try(t *testing.T) {
	p := newPlace(t)
	p.ask("r-1")
	if m.said != "" {
		p.hand().tick(t)
		p.chat.reply(owner, p.message("r-1"), owner, m.said)
		p.Advance(time.Minute)
	}
	m.kill(p)
	p.sound()
	p.goOn("r-1", m.said)
	if m.said == rightReply {
		p.mustEnd("r-1", `{"verdict":"approve","note":"ready to launch"}`)
	} else {
		p.mustEnd("r-1", `{"verdict":"revise","note":"name a goal"}`)
	}
	messages, tellings := 0, 0
	for _, call := range p.chat.called(post) {
		if call.text("thread_ts") == "" {
			messages++
		} else {
			tellings++
		}
	}
	// A call that the killed worker began and the chat did not do counts here as well.
	if m.tool == post && m.when == beforeIt && m.said == "" {
		messages--
	}
	if messages != m.messages || tellings != m.tellings {
		t.Errorf("it was sent %d times and told %d times, want %d and %d", messages, tellings, m.messages, m.tellings)
	}
	refused := strings.Count(types(p.history("r-1")), "reply_refused")
	if want := len(m.refused()); refused != want || p.request("r-1").Refused != want {
		t.Errorf("%d replies were refused, want %d", refused, want)
	}
	if attempts := p.request("r-1").Attempts; len(attempts) > 2 || len(attempts) == 2 && attempts[0].Because != "lost" {
		t.Errorf("the attempts are %+v", attempts)
	}
}

// refused are the replies of the whole story that are no answer.
func (m *moment) refused() []string {
	if m.said == rightReply {
		return nil
	}
	return []string{wrongReply}
}

// kill begins a worker and kills it at the moment.
func (m *moment) kill(p *place) {
	p.t.Helper()
	var stopped *hold
	if m.tool != "" {
		stopped = p.chat.hold(m.tool, m.when)
	}
	fact := m.fact
	if fact == "" {
		fact = "nothing"
	}
	child := p.command()
	child.Env = append(child.Env, deathVariable+"="+fact)
	var said strings.Builder
	child.Stderr = &said
	if err := child.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	if stopped != nil {
		select {
		case <-stopped.reached:
		case err := <-ended:
			p.t.Fatalf("the worker ended before: %v\n%s", err, said.String())
		}
		if m.unrecorded {
			held, err := bolt.Open(filepath.Join(p.dir, ".auto", "runs.db"), 0o600, nil)
			if err != nil {
				p.t.Fatal(err)
			}
			defer held.Close()
			close(stopped.let)
			patience.Receive(p.t, stopped.answered)
		}
		if err := child.Process.Kill(); err != nil {
			p.t.Fatal(err)
		}
	}
	err := patience.Receive(p.t, ended)
	if !killed(err) {
		p.t.Fatalf("the worker was not killed: %v\n%s", err, said.String())
	}
}

// killed tells whether a process ended by SIGKILL.
func killed(err error) bool {
	exit, is := err.(*exec.ExitError)
	if !is {
		return false
	}
	status, is := exit.Sys().(syscall.WaitStatus)
	return is && status.Signaled() && status.Signal() == syscall.SIGKILL
}

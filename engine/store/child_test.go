package store

// This file lets the test binary be another process that uses a store, and die
// as one.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/beonauto/auto/engine/patience"
)

// What a child process is told, by environment variables.
const (
	childRole  = "AUTO_STORE_TEST_ROLE"
	childStore = "AUTO_STORE_TEST_FILE"
	childName  = "AUTO_STORE_TEST_NAME"
)

func playRole(role string) int {
	s := At(os.Getenv(childStore), Options{})
	s.noSync = true
	roles := map[string]func(*Store) error{
		"work": work, "work durably": workDurably, "start": startOnce, "hold": hold, "fill": fillUntilFull,
		"ask": askOn,
	}
	if err := roles[role](s); err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	return 0
}

// say tells the parent what is now a fact.
func say(words ...any) { fmt.Println(words...) }

// work does run after run until it is killed.
func work(s *Store) error {
	say("ready")
	o, err := s.Own("auto work")
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", os.Getenv(childName), i)
		outcome, _, err := o.Start(review(id))
		if err != nil || outcome != Claimed {
			return fmt.Errorf("Start(%s) = %s, %w", id, outcome, err)
		}
		say("started", id)
		events, err := o.Append(id, Event{Type: "tool_call_started"})
		if err != nil {
			return err
		}
		say("event", id, events[0].ID)
		if _, err := o.End(id, succeeded("ok")); err != nil {
			return err
		}
		say("ended", id)
	}
}

// askOn takes request after request from its asking to its answer until it is
// killed.
func askOn(s *Store) error {
	say("ready")
	o, err := s.Own("auto work")
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", os.Getenv(childName), i)
		if outcome, _, err := o.Start(approval(id)); err != nil || outcome != Claimed {
			return fmt.Errorf("Start(%s) = %s, %w", id, outcome, err)
		}
		if _, err := o.Ask(id, inChat(s)); err != nil {
			return err
		}
		say("asked", id)
		if _, err := o.StartAttempt(id, 1, s.now(), Event{Type: "delivery_started"}); err != nil {
			return err
		}
		say("delivering", id)
		if _, err := o.EndAttempt(id, AttemptEnd{Sent: &Sent{Conversation: "C1", ID: id}}); err != nil {
			return err
		}
		say("delivered", id)
		if _, err := s.Answer(id, answered("approve")); err != nil {
			return err
		}
		say("answered", id)
	}
}

func workDurably(s *Store) error {
	s.noSync = false
	return work(s)
}

// startOnce starts one run when it is told to, says what it met, and holds on to
// it until it is told again.
func startOnce(s *Store) error {
	o, err := s.Own("auto run")
	if err != nil {
		return err
	}
	say("ready")
	in := bufio.NewReader(os.Stdin)
	in.ReadString('\n')
	outcome, _, err := o.Start(review("one"))
	if err != nil {
		return err
	}
	say(string(outcome))
	in.ReadString('\n')
	return nil
}

// hold keeps the file itself locked, which no call of the store does for long.
func hold(s *Store) error {
	if _, err := s.Own("auto work"); err != nil {
		return err
	}
	db, err := bolt.Open(s.path, 0o600, &bolt.Options{ReadOnly: os.Getenv(childName) == "reader"})
	if err != nil {
		return err
	}
	say("held")
	io.Copy(io.Discard, os.Stdin)
	return db.Close()
}

// fillUntilFull starts runs until the file may not grow any more.
func fillUntilFull(s *Store) error {
	o, err := s.Own("auto run")
	if err != nil {
		return err
	}
	if err := s.write(func(transaction) error { return nil }); err != nil {
		return err
	}
	if err := limitFiles(256 << 10); err != nil {
		return err
	}
	for i := range 1000 {
		id := fmt.Sprintf("r-%d", i)
		_, _, err := o.Start(review(id))
		if err != nil {
			var damaged *DamagedError
			if errors.As(err, &damaged) {
				return fmt.Errorf("a full disk is taken for damage: %w", err)
			}
			say("full:", err)
			if _, err := s.Get("r-0"); err != nil {
				return fmt.Errorf("after it the store cannot be read: %w", err)
			}
			return nil
		}
		say("started", id)
	}
	return errors.New("the file grew past its limit")
}

// child is a process that plays a role.
type child struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func spawn(t *testing.T, role, name, path string) *child {
	t.Helper()
	c := &child{Cmd: patience.Command(t, os.Args[0])}
	c.Env = append(os.Environ(), childRole+"="+role, childName+"="+name, childStore+"="+path)
	var err error
	if c.in, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// expect reads one line and fails unless it is the one.
func (c *child) expect(t *testing.T, want string) {
	t.Helper()
	if !c.lines.Scan() || c.lines.Text() != want {
		t.Fatalf("the child says %q, want %q", c.lines.Text(), want)
	}
}

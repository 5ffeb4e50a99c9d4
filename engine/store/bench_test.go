package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// filled gives a store with a number of runs.
func filled(b *testing.B, runs int) *Store {
	b.Helper()
	s, _ := scratch(b)
	fill(b, s, runs)
	return s
}

// What one command adds: opening a store of 10,000 runs, one read, closing it.
func BenchmarkOpenReadClose(b *testing.B) {
	s := filled(b, 10_000)
	for b.Loop() {
		if _, err := s.Get("0199a3c4-00004711"); err != nil {
			b.Fatal(err)
		}
	}
}

// One write with its fsyncs into a store of 10,000 runs.
func BenchmarkWrite(b *testing.B) {
	s := filled(b, 10_000)
	s.noSync = false
	for b.Loop() {
		if _, err := s.Record(Event{Type: "replies_read"}); err != nil {
			b.Fatal(err)
		}
	}
}

// The same without fsync: what is the store's own.
func BenchmarkWriteUnsynced(b *testing.B) {
	s := filled(b, 10_000)
	for b.Loop() {
		if _, err := s.Record(Event{Type: "replies_read"}); err != nil {
			b.Fatal(err)
		}
	}
}

// A whole run: two transactions with their fsyncs.
func BenchmarkStartAndEnd(b *testing.B) {
	s := filled(b, 10_000)
	s.noSync = false
	o := own(b, s)
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprintf("run-%d", i)
		start(b, o, review(id))
		end(b, o, id, succeeded("ok"))
	}
}

func BenchmarkList(b *testing.B) {
	s := filled(b, 100_000)
	for name, filter := range map[string]Filter{
		"newest":        {Limit: 50},
		"a name":        {Name: "summarize", Limit: 50},
		"no match":      {Name: "approve"},
		"a rare status": {Status: Rejected, Limit: 1000},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.List(filter); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	s := filled(b, 10_000)
	info, err := os.Stat(filepath.Clean(s.path))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		mustBeSound(b, s)
	}
}

func BenchmarkOwn(b *testing.B) {
	s := filled(b, 1)
	for b.Loop() {
		o, err := s.Own("auto run")
		if err != nil {
			b.Fatal(err)
		}
		o.Close()
	}
}

// waiting gives a store with 10,000 open requests that were delivered, each in a
// conversation of its own, of which nothing is due.
func waiting(b *testing.B) *Store {
	b.Helper()
	s, _ := scratch(b)
	o := own(b, s)
	err := s.write(func(t transaction) error {
		for i := range MostOpenRequests {
			beginning := approval(fmt.Sprintf("0199a3c4-%08d", i))
			run, err := t.begin(o, nil, &beginning)
			if err != nil {
				return err
			}
			order, err := t.next()
			if err != nil {
				return err
			}
			asked := &Request{
				RequestSummary: RequestSummary{
					RunID: run.ID, Type: run.Type, Name: run.Name, Version: 1, To: fmt.Sprintf("person%d@acme.example", i%100),
					TakesAnswer: true, Asked: s.moment(), Expires: s.moment().Add(48 * time.Hour), order: order,
				},
				Message: "Reply **approve**, or **revise**.", AnswerSchema: verdictSchema(), Server: "chat", Tool: "post_message",
				Attempts: []Attempt{{Started: s.moment(), Ended: s.moment(), Until: s.moment()}},
				Sent:     &Sent{Conversation: "C1", ID: fmt.Sprint(i)},
			}
			joining := &Joining{Tool: "thread_replies", Key: fmt.Sprintf("C1/%d", i), Due: func(*Reading) time.Time { return s.moment().Add(time.Hour) }}
			if err := errors.Join(t.join(asked, joining), t.putRequest(asked, time.Time{}), t.release(claimRun, run.ID)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// A page of list_interactions to one party of a hundred.
func BenchmarkRequestsToAParty(b *testing.B) {
	s := waiting(b)
	for b.Loop() {
		if page, _, err := s.OpenRequests(RequestFilter{To: "person42@acme.example"}); err != nil || len(page) != 100 {
			b.Fatal(len(page), err)
		}
	}
}

// Every open request as the inbox lists it.
func BenchmarkAllRequests(b *testing.B) {
	s := waiting(b)
	for b.Loop() {
		if all, err := s.AllRequests(); err != nil || len(all) != MostOpenRequests {
			b.Fatal(len(all), err)
		}
	}
}

// What a worker asks of the store each time, when nothing is due.
func BenchmarkNothingDue(b *testing.B) {
	s := waiting(b)
	for b.Loop() {
		due, err := s.Due(100, func(string) bool { return false })
		if err != nil || len(due.Requests)+len(due.Readings)+len(due.Tellings) > 0 {
			b.Fatal(due, err)
		}
	}
}

// A page of list_interactions.
func BenchmarkAPageOfRequests(b *testing.B) {
	s := waiting(b)
	for b.Loop() {
		if page, _, err := s.OpenRequests(RequestFilter{}); err != nil || len(page) != usualPage {
			b.Fatal(len(page), err)
		}
	}
}

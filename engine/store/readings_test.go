package store

// This file tests conversations: joined, read by one at a time, left, remembered;
// and tellings.

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/value"
)

var thread = Conversation{Server: "chat", Tool: "thread_replies", Key: "C1"}

func soon(r *Reading) time.Time { return r.Joined.Add(5 * time.Second) }

func later(r *Reading) time.Time { return r.Ended.Add(time.Minute) }

// delivered gives a request that was delivered in the conversation C1.
func delivered(t testing.TB, o *Owner, id string) *Request {
	t.Helper()
	ask(t, o, id, inChat(o.store))
	if _, err := o.StartAttempt(id, 1, o.store.now()); err != nil {
		t.Fatal(err)
	}
	request, err := o.EndAttempt(id, AttemptEnd{
		Sent:  &Sent{Conversation: "C1", ID: "sent-" + id},
		Joins: &Joining{Tool: thread.Tool, Key: thread.Key, Wait: 30 * time.Second, Due: soon},
	})
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func takes(id, reply, verdict string) ReplyOutcome {
	a := answered(verdict)
	return ReplyOutcome{RunID: id, Reply: reply, Answer: &a}
}

func refuses(id, reply, telling string) ReplyOutcome {
	return ReplyOutcome{RunID: id, Reply: reply, Refused: &Event{Type: "reply_refused", Data: object("reply", reply)}, Telling: telling}
}

func found(answered, refused int) []Event {
	if answered+refused == 0 {
		return nil
	}
	return []Event{{Type: "replies_read", Data: object("answered", float64(answered), "refused", float64(refused))}}
}

func read(t testing.TB, o *Owner, since value.Value, outcomes ...ReplyOutcome) []ReplyDone {
	t.Helper()
	started, _, err := o.StartReading(thread, o.store.now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	done, err := o.EndReading(started, ReadEnd{Since: since, Due: later, Outcomes: outcomes, Events: found})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func mustBeKept(t testing.TB, s *Store, want string) {
	t.Helper()
	r, err := s.ReadingOf(thread)
	if err != nil {
		t.Errorf("the conversation: %v", err)
		return
	}
	due := "never"
	if !r.Due.IsZero() {
		due = r.Due.Sub(newClock().at).String()
	}
	got := fmt.Sprintf("open %d of %d, read %d of %d, since %s, wait %s, due %s, remembers %d", r.Open, r.requests, r.SinceJoined, r.Reads, value.JSON(r.Since), r.Wait, due, r.seen)
	if got != want {
		t.Errorf("the conversation has %s, want %s", got, want)
	}
}

func TestAConversationFromJoiningToTheLastRun(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	delivered(t, o, "r-1")
	mustBeKept(t, s, `open 1 of 1, read 0 of 0, since "", wait 30s, due 5s, remembers 1`)
	if _, _, err := o.StartReading(thread, c.now()); !errors.Is(err, ErrAttempted) {
		t.Errorf("a read that is not due: %v", err)
	}
	c.advance(2 * time.Second)
	delivered(t, o, "r-2")
	mustBeKept(t, s, `open 2 of 2, read 0 of 0, since "", wait 30s, due 7s, remembers 2`)
	mustBeSound(t, s)
	c.advance(5 * time.Second)
	due, err := s.Due(10, func(string) bool { return false })
	if err != nil || len(due.Readings) != 1 || due.Readings[0].Conversation != thread || len(due.Requests) != 0 {
		t.Fatalf("due are %+v, %v", due, err)
	}
	if due, err := s.Due(10, func(key string) bool { return key == due.Readings[0].WorkKey() }); err != nil || len(due.Readings) != 0 {
		t.Errorf("a reading that is taken is due still: %+v, %v", due, err)
	}
	started, open, err := o.StartReading(thread, c.now().Add(time.Minute))
	if err != nil || len(open) != 2 || open[0] != (Participant{"r-1", "sent-r-1", "U-priya", 30 * time.Second, ""}) || open[1].RunID != "r-2" {
		t.Fatalf("the read starts with %+v, %v", open, err)
	}
	mustBeKept(t, s, `open 2 of 2, read 1 of 1, since "", wait 30s, due 1m7s, remembers 2`)
	if _, _, err := own(t, s).StartReading(thread, c.now()); !errors.Is(err, ErrAttempted) {
		t.Errorf("the same read again: %v", err)
	}
	c.advance(time.Second)
	done, err := o.EndReading(started, ReadEnd{
		Since: 12.0, Due: later, Events: found, RetryAfter: time.Second,
		Outcomes: []ReplyOutcome{
			refuses("r-1", "m-1", "Reply with approve or revise"), takes("r-1", "m-2", "approve"),
			takes("r-1", "m-3", "revise"), refuses("r-1", "m-4", "x"), refuses("r-2", "m-1", "x"), takes("r-9", "m-5", "approve"),
		},
	})
	if err != nil || len(done) != 2 || !done[0].Tells || done[0].Fact.Type != "reply_refused" || done[1].Fact.Type != "request_answered" {
		t.Fatalf("the read gives %+v, %v", done, err)
	}
	mustBeKept(t, s, `open 1 of 2, read 1 of 1, since 12, wait 30s, due 1m8s, remembers 7`)
	if run, err := s.Get("r-1"); err != nil || run.Status != Succeeded {
		t.Errorf("the run is %+v, %v", run, err)
	}
	if got := history(t, s, "r-1"); got != "run_started interaction_requested reply_refused request_answered run_succeeded" {
		t.Errorf("its history is %s", got)
	}
	events, _, err := s.Events(EventFilter{Type: "replies_read"})
	if err != nil || len(events) != 1 || events[0].RunID != "" || value.JSON(events[0].Data) != `{"answered":1,"refused":1}` {
		t.Errorf("the read is recorded as %+v, %v", events, err)
	}
	if seen, err := s.Seen(thread, []string{"m-1", "m-2", "m-3", "sent-r-1", "sent-r-2"}); err != nil || fmt.Sprint(seen) != "map[m-1:true m-2:true m-3:true sent-r-1:true sent-r-2:true]" {
		t.Errorf("seen are %v, %v", seen, err)
	}
	mustBeSound(t, s)
	if _, err := s.Answer("r-2", Answering{Fact: answered("approve").Fact, Ending: answered("approve").Ending, Reply: "m-6"}); err != nil {
		t.Fatal(err)
	}
	mustBeKept(t, s, `open 0 of 2, read 1 of 1, since 12, wait 30s, due never, remembers 8`)
	mustBeSound(t, s)
	// A later request goes on where the last read ended, after what that listed.
	delivered(t, o, "r-3")
	mustBeKept(t, s, `open 1 of 3, read 0 of 1, since 12, wait 30s, due 13s, remembers 9`)
	for i, id := range []string{"r-1", "r-3", "r-2"} {
		mustBeSound(t, s)
		if err := s.Delete(id); err != nil {
			t.Errorf("deleting run %d: %v", i, err)
		}
	}
	if _, err := s.ReadingOf(thread); !errors.Is(err, ErrNotFound) {
		t.Errorf("the conversation of no run: %v", err)
	}
	mustBeSound(t, s)
	for _, bucket := range [][]byte{bucketReadings, bucketReadingsDue, bucketReadingsOpen, bucketReadingsSeen} {
		_ = s.read(func(tx transaction) error {
			if n := tx.count(bucket, 10); n > 0 {
				t.Errorf("%s holds %d", bucket, n)
			}
			return nil
		})
	}
}

func TestAReadIsMadeByOne(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	first, second := own(t, s), own(t, s)
	delivered(t, first, "r-1")
	c.advance(5 * time.Second)
	started, _, err := first.StartReading(thread, c.now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	c.advance(time.Minute)
	if _, _, err := second.StartReading(thread, c.now()); !errors.Is(err, ErrInProgress) {
		t.Errorf("a read whose process lives is taken over: %v", err)
	}
	if err := s.PutOffReading(started, c.now().Add(time.Minute)); err != nil {
		t.Error(err)
	}
	if _, err := second.EndReading(started, ReadEnd{Due: later}); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("another ends it: %v", err)
	}
	first.Close()
	c.advance(time.Minute)
	again, _, err := second.StartReading(thread, c.now().Add(time.Minute))
	if err != nil || again.Reads != 2 {
		t.Fatalf("a read that was cut off: %+v, %v", again, err)
	}
	if _, err := s.EndRequest("r-1", expired()); err != nil {
		t.Fatal(err)
	}
	done, err := second.EndReading(again, ReadEnd{Due: later, Outcomes: []ReplyOutcome{takes("r-1", "m-1", "approve")}, Events: found})
	if err != nil || len(done) != 0 {
		t.Errorf("the reply to a request that ended meanwhile gives %+v, %v", done, err)
	}
	if _, _, err := second.StartReading(thread, c.now()); !errors.Is(err, ErrNotFound) {
		t.Errorf("a conversation without open requests: %v", err)
	}
	if err := s.Delete("r-1"); err != nil {
		t.Fatal(err)
	}
	delivered(t, second, "r-2")
	if _, err := second.EndReading(again, ReadEnd{Due: later}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a read of a conversation that went away ends another's: %v", err)
	}
	mustBeSound(t, s)
}

// Ten refused replies of a request are recorded, and three told of.
func TestRefusalsAreBounded(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	delivered(t, o, "r-1")
	recorded, told := 0, 0
	for i := range 13 {
		c.advance(2 * time.Minute)
		for _, done := range read(t, o, fmt.Sprint(i), refuses("r-1", fmt.Sprintf("m-%d", i), "Reply with approve")) {
			recorded++
			if done.Tells {
				told++
			}
		}
	}
	request, err := s.Request("r-1")
	if err != nil || recorded != MostRefused || told != MostTold || request.Refused != MostRefused || request.Told != MostTold {
		t.Errorf("%d are recorded and %d told, of %+v, %v", recorded, told, request, err)
	}
	if got := strings.Count(history(t, s, "r-1"), "reply_refused"); got != MostRefused {
		t.Errorf("the history has %d", got)
	}
	mustBeSound(t, s)
}

func TestRememberedMessagesAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	delivered(t, own(t, s), "r-1")
	err := s.write(func(t transaction) error {
		r, err := t.reading(thread)
		for i := range 2 * mostSeen {
			err = errors.Join(err, t.remember(r, fmt.Sprintf("m-%d", i), seenTaken))
		}
		return errors.Join(err, t.putReading(r, r.Due))
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.ReadingOf(thread)
	if err != nil || r.seen > mostSeen || r.seen < mostSeen/2 {
		t.Errorf("it remembers %d, %v", r.seen, err)
	}
	if seen, err := s.Seen(thread, []string{"m-0", "m-8191"}); err != nil || seen["m-0"] || !seen["m-8191"] {
		t.Errorf("seen are %v, %v", seen, err)
	}
	mustBeSound(t, s)
}

func TestATellingIsSentOnceOrNot(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o, other := own(t, s), own(t, s)
	delivered(t, o, "r-1")
	c.advance(5 * time.Second)
	read(t, o, "m-3", refuses("r-1", "m-1", "one"), refuses("r-1", "m-2", "two"), refuses("r-1", "m-3", "three"))
	due, err := s.Due(10, func(string) bool { return false })
	if err != nil || len(due.Tellings) != 3 || due.Tellings[0].Message != "one" {
		t.Fatalf("due are %+v, %v", due, err)
	}
	begun, err := o.StartTelling(due.Tellings[0], c.now().Add(time.Minute), Event{Type: "telling_started"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.StartTelling(due.Tellings[0], c.now()); !errors.Is(err, ErrAttempted) {
		t.Errorf("it is begun twice: %v", err)
	}
	if err := other.EndTelling(begun, ""); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("another ends it: %v", err)
	}
	if err := s.LoseTelling(begun); !errors.Is(err, ErrInProgress) {
		t.Errorf("it is lost while its process lives: %v", err)
	}
	mustBeSound(t, s)
	if err := o.EndTelling(begun, "told-1", Event{Type: "telling_succeeded"}); err != nil {
		t.Error(err)
	}
	if seen, err := s.Seen(thread, []string{"told-1"}); err != nil || !seen["told-1"] {
		t.Errorf("its message is not the playbook's own: %v", err)
	}
	begun, err = o.StartTelling(due.Tellings[1], c.now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
	c.advance(time.Minute)
	if err := s.PutOffTelling(begun, c.now().Add(time.Second)); err != nil {
		t.Error(err)
	}
	begun.Due = c.now().Add(time.Second)
	if err := s.LoseTelling(begun, Event{Type: "telling_failed"}); err != nil {
		t.Error(err)
	}
	if _, err := s.EndRequest("r-1", expired()); err != nil {
		t.Fatal(err)
	}
	if _, err := other.StartTelling(due.Tellings[2], c.now()); !errors.Is(err, ErrRequestEnded) {
		t.Errorf("nobody is to be told of a request that ended: %v", err)
	}
	if due, err := s.Due(10, func(string) bool { return false }); err != nil || len(due.Tellings) != 0 {
		t.Errorf("left are %+v, %v", due, err)
	}
	mustBeSound(t, s)
}

// A request that cannot be sent is given up without an attempt.
func TestADeliveryThatIsRefused(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	asked := ask(t, o, "r-1", inChat(s))
	refused, err := s.RefuseDelivery("r-1", 0, AttemptEnd{Events: []Event{{Type: "delivery_refused"}}})
	if err != nil || refused.Delivery != Undelivered {
		t.Fatalf("refused as %+v, %v", refused, err)
	}
	mustBeDue(t, s, "", asked.Expires)
	if _, err := s.RefuseDelivery("r-1", 0, AttemptEnd{}); !errors.Is(err, ErrAttempted) {
		t.Errorf("again: %v", err)
	}
	if _, err := o.StartAttempt("r-1", 1, c.now()); !errors.Is(err, ErrAttempted) {
		t.Errorf("then it is attempted: %v", err)
	}
	mustBeSound(t, s)
}

// A number that a tool gave as an identity is a number again when it is read.
func TestIdentitiesThatAreNumbers(t *testing.T) {
	t.Parallel()
	request := &Request{Sent: &Sent{Conversation: "42", ConversationIsNumber: true, ID: "9007199254740993", IDIsNumber: true}}
	kept, err := decodeRequest(request.encode())
	if err != nil || *kept.Sent != *request.Sent || value.JSON(kept.Sent.Value()) != `{"conversation":42,"id":9007199254740993}` {
		t.Errorf("kept as %+v, %v", kept, err)
	}
}

// A request that was recorded before replies were read is read as one whose replies
// are not.
func TestRequestsOfBefore(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	ask(t, o, "r-1", inChat(s))
	err := s.write(func(t transaction) error {
		r := unsealObject(t.get(bucketRequests, []byte("r-1")))
		before := value.NewObject(r.object.Len())
		for i := range r.object.Len() {
			if key, held := r.object.At(i); key != "read_by" && key != "told" {
				before.Set(key, held)
			}
		}
		return errors.Join(r.err, t.put(bucketRequests, []byte("r-1"), sealObject(before)))
	})
	if err != nil {
		t.Fatal(err)
	}
	mustBeSound(t, s)
	if due, err := s.Due(10, func(string) bool { return false }); err != nil || len(due.Requests) != 1 || len(due.Readings)+len(due.Tellings) != 0 {
		t.Errorf("due are %+v, %v", due, err)
	}
	if _, err := o.StartAttempt("r-1", 1, c.now()); err != nil {
		t.Error(err)
	}
	if _, err := s.EndRequest("r-1", expired()); err != nil {
		t.Error(err)
	}
	if err := s.Delete("r-1"); err != nil {
		t.Error(err)
	}
	mustBeSound(t, s)
}

// Compacting and a copy keep conversations and tellings.
func TestConversationsAreCopied(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	delivered(t, o, "r-1")
	c.advance(5 * time.Second)
	read(t, o, "m-1", refuses("r-1", "m-1", "How"))
	if _, err := s.Compact(); err != nil {
		t.Fatal(err)
	}
	to := t.TempDir() + "/copy.db"
	if err := s.Backup(to); err != nil {
		t.Fatal(err)
	}
	for _, of := range []*Store{s, At(to, Options{Now: c.now})} {
		mustBeSound(t, of)
		mustBeKept(t, of, `open 1 of 1, read 1 of 1, since "m-1", wait 30s, due 1m5s, remembers 2`)
		if due, err := of.Due(10, func(string) bool { return false }); err != nil || len(due.Tellings) != 1 {
			t.Errorf("due are %+v, %v", due, err)
		}
	}
}

// A check finds conversations and lists that do not agree.
func TestConversationsThatDoNotAgree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		harm func(transaction) error
		want string
	}{
		"not due":            {func(t transaction) error { return t.DeleteBucket(bucketReadingsDue) }, "not due"},
		"no open requests":   {func(t transaction) error { return t.DeleteBucket(bucketReadingsOpen) }, "lists 1 open requests"},
		"nothing remembered": {func(t transaction) error { return t.DeleteBucket(bucketReadingsSeen) }, "remembers 1 messages"},
		"none":               {func(t transaction) error { return t.DeleteBucket(bucketReadings) }, "is missing"},
		"an unknown telling": {func(t transaction) error { return t.put(bucketTellings, pairKey(1, 1), []byte("x")) }, "telling"},
	} {
		s, _ := scratch(t)
		delivered(t, own(t, s), "r-1")
		if err := s.write(c.harm); err != nil {
			t.Fatal(err)
		}
		report, err := s.Check()
		if err != nil || !strings.Contains(strings.Join(report.Faults, "\n"), c.want) {
			t.Errorf("%s: %q, %v", name, report.Faults, err)
		}
	}
}

package store

// This file tests requests: asked, delivered, answered once, ended.

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

func approval(id string) Beginning {
	return Beginning{
		ID: id, Type: "interaction", Name: "approve-campaign-brief", Source: []byte("---\nto: x\n---\nApprove"),
		Input: object("owner", "priya@acme.example"), Events: []Event{{Type: "run_started"}},
	}
}

func verdictSchema() value.Value {
	return object("type", "object", "required", []value.Value{"verdict"},
		"properties", object("verdict", object("enum", []value.Value{"approve", "revise"})))
}

// inChat is a request that is sent through a chat's tool, and expires in two days.
func inChat(s *Store) Asking {
	return Asking{
		To: "priya@acme.example", Answerer: "U-priya", Message: "Reply **approve**, or **revise**.", AnswerSchema: verdictSchema(),
		Server: "chat", Tool: "post_message", Expires: s.now().Add(48 * time.Hour), Due: s.now(),
		Events: []Event{{Type: "interaction_requested", Data: object("party", "priya@acme.example")}},
	}
}

func ask(t testing.TB, o *Owner, id string, a Asking) *Request {
	t.Helper()
	start(t, o, approval(id))
	request, err := o.Ask(id, a)
	if err != nil {
		t.Fatalf("Ask(%s): %v", id, err)
	}
	return request
}

func answered(verdict string) Answering {
	answer := object("verdict", verdict)
	return Answering{
		Fact:   Event{Type: "request_answered", Data: object("answer", answer, "claimed_for", nil)},
		Ending: Ending{Status: Succeeded, Output: answer, Final: true, Events: []Event{{Type: "run_succeeded"}}},
	}
}

func expired() Ending {
	rejection := problem.NewRejection(problem.Unanswered, "Nobody answered")
	rejection.Kind = "expired"
	return Ending{Status: Rejected, Rejection: rejection, Final: true, Events: []Event{{Type: "run_rejected"}}}
}

func history(t testing.TB, s *Store, id string) string {
	t.Helper()
	events, _, err := s.Events(EventFilter{RunID: id})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, e := range events {
		types = append(types, e.Type)
	}
	return strings.Join(types, " ")
}

func mustBeDue(t testing.TB, s *Store, want string, next time.Time) {
	t.Helper()
	ids, then, err := s.DueRequests(100)
	if got := strings.Join(ids, " "); err != nil || got != want || !then.Equal(next) {
		t.Errorf("due are %q and then %v, want %q and %v; %v", got, then, want, next, err)
	}
}

func TestARequestFromAskingToAnswer(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	asked := ask(t, o, "r-1", inChat(s))
	if asked.Delivery != ToDeliver || !asked.TakesAnswer || asked.Version != 1 || !asked.Asked.Equal(c.now()) {
		t.Errorf("asked as %+v", asked)
	}
	mustBeDue(t, s, "r-1", time.Time{})
	if outcome, _, err := o.Start(approval("r-1")); outcome != Waiting || err != nil {
		t.Errorf("starting it again meets %s, %v", outcome, err)
	}
	if _, err := o.End("r-1", expired()); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("a run that waits is ended by its last owner: %v", err)
	}
	started, err := o.StartAttempt("r-1", 1, c.now().Add(time.Minute), Event{Type: "delivery_started"})
	if err != nil || started.Delivery != Delivering {
		t.Fatalf("StartAttempt gives %+v, %v", started, err)
	}
	mustBeDue(t, s, "", c.now().Add(time.Minute))
	c.advance(time.Second)
	delivered, err := o.EndAttempt("r-1", AttemptEnd{
		Sent:   &Sent{Conversation: "C1", ID: "1730453400.1"},
		Joins:  &Joining{Tool: "thread_replies", Key: "C1/1730453400.1", Due: func(r *Reading) time.Time { return r.Joined.Add(5 * time.Second) }},
		Events: []Event{{Type: "delivery_succeeded"}},
	})
	if err != nil || delivered.Delivery != Delivered {
		t.Fatalf("EndAttempt gives %+v, %v", delivered, err)
	}
	mustBeDue(t, s, "", asked.Expires)
	kept, err := s.Request("r-1")
	if err != nil || kept.Sent.ID != "1730453400.1" || kept.Conversation != "C1/1730453400.1" || kept.Answerer != "U-priya" ||
		value.JSON(kept.AnswerSchema) != value.JSON(verdictSchema()) || kept.Attempts[0].Ended != c.now() {
		t.Errorf("kept as %+v, %v", kept, err)
	}
	c.advance(time.Hour)
	fact, err := s.Answer("r-1", answered("approve"))
	if err != nil || fact.RunID != "r-1" || fact.Subject != "interaction/approve-campaign-brief" || !fact.Time.Equal(c.now()) {
		t.Fatalf("Answer gives %+v, %v", fact, err)
	}
	mustBeDue(t, s, "", time.Time{})
	run, err := s.Get("r-1")
	if err != nil || run.Status != Succeeded || value.JSON(run.Output) != `{"verdict":"approve"}` || !run.Final {
		t.Errorf("the run ended as %+v, %v", run, err)
	}
	const want = "run_started interaction_requested delivery_started delivery_succeeded request_answered run_succeeded"
	if got := history(t, s, "r-1"); got != want {
		t.Errorf("its history is %s", got)
	}
	c.advance(time.Hour)
	again, err := s.Answer("r-1", answered("approve"))
	if err != nil || again.ID != fact.ID || !again.Time.Equal(fact.Time) {
		t.Errorf("the same answer again gives %+v, %v", again, err)
	}
	if _, err := s.Answer("r-1", answered("revise")); !errors.Is(err, ErrAnswered) {
		t.Errorf("another answer gives %v", err)
	}
	if _, err := s.EndRequest("r-1", expired()); !errors.Is(err, ErrRequestEnded) {
		t.Errorf("expiring it gives %v", err)
	}
	if got := history(t, s, "r-1"); got != want {
		t.Errorf("then its history is %s", got)
	}
	if report := mustBeSound(t, s); report.Requests != 1 || report.Open != 0 {
		t.Errorf("Check counts %+v", report)
	}
}

func TestARequestThatIsNotAnswered(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	held := inChat(s)
	held.Server, held.Tool, held.Due = "", "", time.Time{}
	if asked := ask(t, o, "r-1", held); asked.Delivery != HeldForAnAgent {
		t.Errorf("asked as %+v", asked)
	}
	mustBeDue(t, s, "", held.Expires)
	c.advance(48 * time.Hour)
	mustBeDue(t, s, "r-1", time.Time{})
	run, err := s.EndRequest("r-1", expired())
	if err != nil || run.Status != Rejected || run.Kind != "expired" {
		t.Fatalf("EndRequest gives %+v, %v", run, err)
	}
	mustBeDue(t, s, "", time.Time{})
	if _, err := s.Answer("r-1", answered("approve")); !errors.Is(err, ErrRequestEnded) {
		t.Errorf("an answer then gives %v", err)
	}
	if outcome, _, err := o.Start(approval("r-1")); outcome != Recorded || err != nil {
		t.Errorf("starting it again meets %s, %v", outcome, err)
	}
	for doing, err := range map[string]error{
		"Answer":     func() error { _, err := s.Answer("none", answered("approve")); return err }(),
		"EndRequest": func() error { _, err := s.EndRequest("none", expired()); return err }(),
		"Request":    func() error { _, err := s.Request("none"); return err }(),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s of no request gives %v", doing, err)
		}
	}
	mustBeSound(t, s)
}

// A notification takes no answer, and ends with its delivery or without it.
func TestANotification(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end    AttemptEnd
		status Status
	}{
		"delivered":   {AttemptEnd{Ending: &Ending{Status: Succeeded, Output: object(), Final: true}}, Succeeded},
		"undelivered": {AttemptEnd{Because: "tool_error", GivenUp: true, Ending: ptr(expired())}, Rejected},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, clock := scratch(t)
			o := own(t, s)
			notice := inChat(s)
			notice.AnswerSchema = nil
			ask(t, o, "r-1", notice)
			if _, err := s.Answer("r-1", answered("approve")); !errors.Is(err, ErrTakesNoAnswer) {
				t.Errorf("an answer gives %v", err)
			}
			if _, err := o.StartAttempt("r-1", 1, clock.now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := o.EndAttempt("r-1", c.end); err != nil {
				t.Fatal(err)
			}
			if run, err := s.Get("r-1"); err != nil || run.Status != c.status {
				t.Errorf("the run ended as %+v, %v", run, err)
			}
			mustBeDue(t, s, "", time.Time{})
			mustBeSound(t, s)
		})
	}
}

// Only one of two workers makes an attempt, and a failed one leaves the request to
// the next.
func TestAttemptsAreMadeOnce(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o, other := own(t, s), own(t, s)
	ask(t, o, "r-1", inChat(s))
	until := c.now().Add(time.Minute)
	if _, err := o.StartAttempt("r-1", 2, until); !errors.Is(err, ErrAttempted) {
		t.Errorf("the second attempt before the first gives %v", err)
	}
	if _, err := o.StartAttempt("r-1", 1, until); err != nil {
		t.Fatal(err)
	}
	for number := 1; number <= 2; number++ {
		if _, err := other.StartAttempt("r-1", number, until); !errors.Is(err, ErrAttempted) {
			t.Errorf("attempt %d during the first gives %v", number, err)
		}
	}
	if _, err := other.EndAttempt("r-1", AttemptEnd{}); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("ending another's attempt gives %v", err)
	}
	c.advance(time.Hour)
	if _, err := other.LoseAttempt("r-1", AttemptEnd{Because: "lost"}); !errors.Is(err, ErrInProgress) {
		t.Errorf("losing a living process's attempt gives %v", err)
	}
	failed, err := o.EndAttempt("r-1", AttemptEnd{Because: "timed_out", RetryAfter: 90 * time.Second, Due: c.now().Add(90 * time.Second)})
	if err != nil || failed.Delivery != Retrying || failed.Attempts[0].RetryAfter != 90*time.Second {
		t.Errorf("a failed attempt gives %+v, %v", failed, err)
	}
	mustBeDue(t, s, "", c.now().Add(90*time.Second))
	if _, err := other.LoseAttempt("r-1", AttemptEnd{Because: "lost"}); !errors.Is(err, ErrAttempted) {
		t.Errorf("losing an ended attempt gives %v", err)
	}
	if _, err := other.StartAttempt("r-1", 2, c.now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	given, err := other.EndAttempt("r-1", AttemptEnd{Because: "too_large", GivenUp: true})
	if err != nil || given.Delivery != Undelivered {
		t.Errorf("a spent delivery gives %+v, %v", given, err)
	}
	if _, err := o.StartAttempt("r-1", 3, until); !errors.Is(err, ErrAttempted) {
		t.Errorf("an attempt after the last gives %v", err)
	}
	mustBeSound(t, s)
}

// An attempt whose process is gone is lost, and so is that of a request which was
// answered meanwhile: its claim does not stay.
func TestAttemptsThatWereCutOff(t *testing.T) {
	t.Parallel()
	for _, meanwhile := range []bool{false, true} {
		s, c := scratch(t)
		o := own(t, s)
		ask(t, o, "r-1", inChat(s))
		dying, err := s.Own("auto work")
		if err != nil {
			t.Fatal(err)
		}
		until := c.now().Add(time.Minute)
		if _, err := dying.StartAttempt("r-1", 1, until); err != nil {
			t.Fatal(err)
		}
		dying.Close()
		if meanwhile {
			if _, err := s.Answer("r-1", answered("approve")); err != nil {
				t.Fatal(err)
			}
		}
		mustBeSound(t, s)
		mustBeDue(t, s, "", until)
		c.advance(time.Minute)
		mustBeDue(t, s, "r-1", time.Time{})
		lost, err := o.LoseAttempt("r-1", AttemptEnd{Because: "lost", Due: c.now().Add(time.Minute), Events: []Event{{Type: "delivery_failed"}}})
		if err != nil || lost.Attempts[0].Because != "lost" {
			t.Errorf("LoseAttempt gives %+v, %v", lost, err)
		}
		if meanwhile {
			mustBeDue(t, s, "", time.Time{})
		} else {
			mustBeDue(t, s, "", c.now().Add(time.Minute))
		}
		mustBeSound(t, s)
	}
}

// An attempt that began just before the request expired does not keep it from
// expiring, nor does it keep workers busy after that.
func TestAnAttemptAcrossTheExpiry(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	asking := inChat(s)
	asking.Expires = c.now().Add(time.Minute)
	ask(t, o, "r-1", asking)
	c.advance(50 * time.Second)
	until := c.now().Add(time.Minute)
	if _, err := o.StartAttempt("r-1", 1, until); err != nil {
		t.Fatal(err)
	}
	mustBeDue(t, s, "", asking.Expires)
	c.advance(10 * time.Second)
	if _, err := s.EndRequest("r-1", expired()); err != nil {
		t.Fatal(err)
	}
	mustBeDue(t, s, "", until)
	if _, err := o.EndAttempt("r-1", AttemptEnd{Ending: ptr(expired()), Events: []Event{{Type: "delivery_succeeded"}}}); err != nil {
		t.Fatal(err)
	}
	mustBeDue(t, s, "", time.Time{})
	if got := history(t, s, "r-1"); got != "run_started interaction_requested run_rejected delivery_succeeded" {
		t.Errorf("its history is %s", got)
	}
	mustBeSound(t, s)
}

// Of many answers at once one is taken, and every other one is told so.
func TestManyAnswersAtOnce(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	ask(t, own(t, s), "r-1", inChat(s))
	var group sync.WaitGroup
	results := make([]error, 20)
	facts := make([]uint64, 20)
	for i := range results {
		group.Go(func() {
			// Each has a store of its own, as a process would.
			apart := At(s.path, Options{Now: c.now})
			apart.noSync = true
			fact, err := apart.Answer("r-1", answered([]string{"approve", "revise"}[i%2]))
			if results[i] = err; err == nil {
				facts[i] = fact.ID
			}
		})
	}
	group.Wait()
	taken := uint64(0)
	for i, err := range results {
		switch {
		case err == nil && (taken == 0 || taken == facts[i]):
			taken = facts[i]
		case !errors.Is(err, ErrAnswered):
			t.Errorf("answer %d gives %v, fact %d after %d", i, err, facts[i], taken)
		}
	}
	if got := strings.Count(history(t, s, "r-1"), "request_answered"); got != 1 || taken == 0 {
		t.Errorf("%d answers were recorded", got)
	}
	mustBeSound(t, s)
}

// The check sees each way in which requests and what leads to them can disagree,
// and no call takes a damaged one for another.
func TestCheckFindsRequestsThatDisagree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		harm func(transaction) error
		want string
	}{
		"a request that is not listed": {func(tx transaction) error {
			key, _ := tx.cursor(bucketRequestsOpen).First()
			return tx.remove(bucketRequestsOpen, []byte(string(key)))
		}, "is not in the list of open requests"},
		"a listed request that is gone": {func(tx transaction) error {
			return tx.remove(bucketRequests, []byte("r-1"))
		}, "the list of open requests has 2 and the store 1"},
		"a request that is not due": {func(tx transaction) error {
			key, _ := tx.cursor(bucketRequestsDue).First()
			return tx.remove(bucketRequestsDue, []byte(string(key)))
		}, "is not among those that are due"},
		"one due that is gone": {func(tx transaction) error {
			return tx.put(bucketRequestsDue, make([]byte, 16), []byte("r-9"))
		}, "the list of due requests has 3 and the store 2"},
		"a request of no run": {func(tx transaction) error {
			return tx.remove(bucketRuns, []byte("r-1"))
		}, "has no run that waits for it"},
		"a run that is worked on": {func(tx transaction) error {
			return tx.put(bucketClaims, claimKey(claimRun, "r-1"), sealObject(object("owner", "x", "since", nil)))
		}, "has no run that waits for it"},
		"a delivery of nothing": {func(tx transaction) error {
			return tx.put(bucketClaims, claimKey(claimDelivery, "r-1"), sealObject(object("owner", "x", "since", nil)))
		}, "is not claimed as it is recorded"},
		"a record that lost its checksum": {func(tx transaction) error {
			sealed := []byte(string(tx.get(bucketRequests, []byte("r-1"))))
			sealed[40] ^= 1
			return tx.put(bucketRequests, []byte("r-1"), sealed)
		}, "a record does not match its checksum"},
		"attempts that are none": {func(tx transaction) error {
			r := unsealObject(tx.get(bucketRequests, []byte("r-1")))
			r.object.Set("attempts", []value.Value{object("started", "today")})
			return tx.put(bucketRequests, []byte("r-1"), sealObject(r.object))
		}, "a record has no usable attempts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := scratch(t)
			o := own(t, s)
			ask(t, o, "r-1", inChat(s))
			ask(t, o, "r-2", inChat(s))
			if err := s.write(c.harm); err != nil {
				t.Fatal(err)
			}
			report, err := s.Check()
			if err != nil || !strings.Contains(strings.Join(report.Faults, "\n"), c.want) {
				t.Errorf("Check gives %q, %v; want %q", report.Faults, err, c.want)
			}
			var damaged *DamagedError
			for doing, call := range map[string]func() error{
				"OpenRequests": func() error { _, _, err := s.OpenRequests(RequestFilter{}); return err },
				"ListRequests": func() error { _, _, err := s.ListRequests(RequestFilter{}); return err },
				"Request":      func() error { _, err := s.Request("r-1"); return err },
				"Answer":       func() error { _, err := s.Answer("r-1", answered("approve")); return err },
			} {
				if err := call(); err != nil && !errors.Is(err, ErrNotFound) && !errors.As(err, &damaged) {
					t.Errorf("%s: %v", doing, err)
				}
			}
		})
	}
}

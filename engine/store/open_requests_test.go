package store

// This file tests the list of open requests, and how many there may be.

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestOpenRequestsAreListed(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	for i := range 9 {
		c.advance(time.Minute)
		asking := inChat(s)
		if i%3 == 0 {
			asking.To = "#deliveries"
		}
		ask(t, o, fmt.Sprintf("r-%d", i), asking)
	}
	if _, err := s.Answer("r-4", answered("approve")); err != nil {
		t.Fatal(err)
	}
	if count, err := s.CountOpenRequests(); count != 8 || err != nil {
		t.Errorf("%d are open, %v", count, err)
	}
	for name, want := range map[string]struct {
		filter RequestFilter
		ids    string
	}{
		"all":             {RequestFilter{}, "8 7 6 5 3 2 1 0"},
		"a party":         {RequestFilter{To: "#deliveries"}, "6 3 0"},
		"a function":      {RequestFilter{Type: "interaction", Name: "approve-campaign-brief"}, "8 7 6 5 3 2 1 0"},
		"another":         {RequestFilter{Name: "approve"}, ""},
		"another type":    {RequestFilter{Type: "reasoning"}, ""},
		"a party's other": {RequestFilter{To: "#deliveries", Name: "approve"}, ""},
	} {
		for _, limit := range []int{0, 1, 2, 3, 5000} {
			var whole, listed []string
			filter := want.filter
			filter.Limit = limit
			for {
				page, cursor, err := s.OpenRequests(filter)
				summaries, other, err2 := s.ListRequests(filter)
				if err != nil || err2 != nil || cursor != other || limit > 0 && len(page) > limit {
					t.Fatal(err, err2, cursor, other, len(page))
				}
				for i, request := range page {
					whole = append(whole, strings.TrimPrefix(request.RunID, "r-"))
					listed = append(listed, strings.TrimPrefix(summaries[i].RunID, "r-"))
					if summaries[i] != request.RequestSummary {
						t.Errorf("listed as %+v, recorded as %+v", summaries[i], request.RequestSummary)
					}
				}
				if cursor == "" {
					break
				}
				filter.Cursor = cursor
			}
			if strings.Join(whole, " ") != want.ids || strings.Join(listed, " ") != want.ids {
				t.Errorf("%s, %d at a time: %v and %v, want %s", name, limit, whole, listed, want.ids)
			}
		}
	}
	if _, _, err := s.OpenRequests(RequestFilter{Cursor: "!"}); !errors.Is(err, ErrCursor) {
		t.Errorf("a cursor of no list gives %v", err)
	}
	if err := s.Delete("r-8"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Request("r-8"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the request of a deleted run gives %v", err)
	}
	if ids, _, err := s.DueRequests(3); len(ids) != 3 || ids[0] != "r-0" || err != nil {
		t.Errorf("due are %v, %v", ids, err)
	}
	mustBeSound(t, s)
}

func TestRequestsAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	asking := inChat(s)
	asking.MostOpen = 2
	ask(t, o, "r-1", asking)
	ask(t, o, "r-2", asking)
	start(t, o, approval("r-3"))
	if _, err := o.Ask("r-3", asking); !errors.Is(err, ErrRequestsFull) {
		t.Fatalf("a third request gives %v", err)
	}
	end(t, o, "r-3", unavailable())
	if _, err := s.EndRequest("r-1", expired()); err != nil {
		t.Fatal(err)
	}
	ask(t, o, "r-3", asking)
	if _, err := o.Ask("r-2", asking); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("asking for a run that waits gives %v", err)
	}
	mustBeSound(t, s)
}

// A store that was made before there were requests reads as one without any.
func TestAStoreWithoutRequests(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	fill(t, s, 3)
	if page, cursor, err := s.OpenRequests(RequestFilter{}); len(page) > 0 || cursor != "" || err != nil {
		t.Errorf("it lists %v, %q, %v", page, cursor, err)
	}
	mustBeDue(t, s, "", time.Time{})
	if _, err := s.Answer("0199a3c4-00000001", answered("approve")); !errors.Is(err, ErrNotFound) {
		t.Errorf("an answer gives %v", err)
	}
}

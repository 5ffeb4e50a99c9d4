package store

// This file tests how the list of open requests says what each one asks.

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRequestsAreListedWithTheirBeginnings(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	for _, one := range []struct{ id, message, want string }{
		{"r-empty", "", ""},
		{"r-short", "\n\n  # The brief\n", "# The brief\n"},
		{"r-long", strings.Repeat("a word ", 100), strings.Repeat("a word ", 100)[:MostBeginning]},
		{"r-wide", "x" + strings.Repeat("报", 100), "x" + strings.Repeat("报", 53)}, // never half a character
	} {
		asking := inChat(s)
		asking.Message = one.message
		ask(t, o, one.id, asking)
		listed, _, err := s.ListRequests(RequestFilter{Limit: 1})
		if err != nil || len(listed) != 1 || listed[0].Beginning != one.want || !utf8.ValidString(listed[0].Beginning) {
			t.Errorf("%s: listed as %+v, %v", one.id, listed, err)
		}
		if whole, err := s.Request(one.id); err != nil || whole.RequestSummary != listed[0] {
			t.Errorf("%s: recorded as %+v, %v", one.id, whole, err)
		}
	}
	mustBeSound(t, s)
}

// A list that an earlier version wrote has no beginnings. It is sound, and what
// changes is listed with its beginning from then on.
func TestRequestsListedWithoutBeginnings(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	asked := ask(t, o, "r-1", inChat(s))
	err := s.write(func(t transaction) error {
		earlier := asked.RequestSummary
		earlier.Beginning = ""
		return t.put(bucketRequestsOpen, orderBytes(asked.order), earlier.encode())
	})
	if err != nil {
		t.Fatal(err)
	}
	mustBeSound(t, s)
	listed, _, err := s.ListRequests(RequestFilter{})
	if err != nil || len(listed) != 1 || listed[0].Beginning != "" || listed[0].To != asked.To {
		t.Fatalf("listed as %+v, %v", listed, err)
	}
	if _, err := o.StartAttempt("r-1", 1, c.now()); err != nil {
		t.Fatal(err)
	}
	if listed, _, err = s.ListRequests(RequestFilter{}); err != nil || listed[0].Beginning != asked.Message {
		t.Errorf("then as %+v, %v", listed, err)
	}
	mustBeSound(t, s)
}

package store

// This file tests finding runs by how their ids begin, and who is at work on one.

import (
	"fmt"
	"path/filepath"
	"testing"
)

func TestRunsByHowTheirIDsBegin(t *testing.T) {
	t.Parallel()
	s := At(filepath.Join(t.TempDir(), ".auto", "runs.db"), Options{})
	if ids, err := s.IDs("a", 2); ids != nil || err != nil {
		t.Errorf("a store that is not there gives %v, %v", ids, err)
	}
	if lengths, err := s.Beginnings([]string{"a1"}); fmt.Sprint(lengths) != "[2]" || err != nil {
		t.Errorf("a store that is not there gives %v, %v", lengths, err)
	}
	owner, err := s.Own("auto run")
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	for _, id := range []string{"0199a3c4-7d2e", "0199a3c4-7e00", "0199b", "spring", "spring-2"} {
		if _, _, err := owner.Start(Beginning{ID: id, Type: "reasoning", Name: "review", Source: []byte("---")}); err != nil {
			t.Fatal(err)
		}
	}
	for beginning, want := range map[string]string{
		"":         "[0199a3c4-7d2e 0199a3c4-7e00 0199b]", // at most three
		"0199":     "[0199a3c4-7d2e 0199a3c4-7e00 0199b]",
		"0199a":    "[0199a3c4-7d2e 0199a3c4-7e00]",
		"spring":   "[spring]",
		"spring-":  "[spring-2]",
		"spring-3": "[]",
		"zzz":      "[]",
	} {
		if ids, err := s.IDs(beginning, 3); fmt.Sprint(ids) != want || err != nil {
			t.Errorf("%q gives %v, %v, want %s", beginning, ids, err, want)
		}
	}
	lengths, err := s.Beginnings([]string{"0199a3c4-7d2e", "0199a3c4-7e00", "0199b", "spring", "spring-2", "gone"})
	if fmt.Sprint(lengths) != "[11 11 5 6 7 4]" || err != nil {
		t.Errorf("the beginnings are %v, %v", lengths, err)
	}
}

func TestWhoIsAtWork(t *testing.T) {
	t.Parallel()
	s := At(filepath.Join(t.TempDir(), ".auto", "runs.db"), Options{})
	if by, working, err := s.AtWork("a"); by != nil || working || err != nil {
		t.Errorf("a store that is not there gives %v, %v, %v", by, working, err)
	}
	owner, err := s.Own("auto run")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := owner.Start(Beginning{ID: "a", Type: "reasoning", Name: "review", Source: []byte("---")}); err != nil {
		t.Fatal(err)
	}
	if by, working, err := s.AtWork("a"); by == nil || by.Command != "auto run" || !working || err != nil {
		t.Errorf("a run in progress gives %v, %v, %v", by, working, err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	if by, working, err := s.AtWork("a"); by != nil || working || err != nil {
		t.Errorf("a run that was cut off gives %v, %v, %v", by, working, err)
	}
}

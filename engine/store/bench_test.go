package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
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

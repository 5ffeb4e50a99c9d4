package store

// This file has a writer among those who read without pause, and a reader among
// those who write without pause.

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestNobodyIsShutOut(t *testing.T) {
	t.Parallel()
	for name, busy := range map[string]func(*Store) error{
		"readers": func(s *Store) error { _, err := s.Get("r-1"); return err },
		"writers": func(s *Store) error { _, err := s.Record(Event{Type: "x"}); return err },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := scratch(t)
			start(t, own(t, s), review("r-1"))
			done := make(chan struct{})
			var others atomic.Int64
			var group sync.WaitGroup
			defer group.Wait()
			defer close(done)
			for range 6 {
				group.Go(func() {
					// Each has a store of its own, as a process would.
					apart := At(s.path, Options{})
					apart.noSync = true
					for {
						select {
						case <-done:
							return
						default:
							if err := busy(apart); err != nil {
								t.Error(err)
								return
							}
							others.Add(1)
						}
					}
				})
			}
			longest, all := time.Duration(0), time.Now()
			for range 20 {
				began := time.Now()
				var err error
				if name == "readers" {
					_, err = s.Record(Event{Type: "y"})
				} else {
					_, err = s.Get("r-1")
				}
				if err != nil {
					t.Fatal(err)
				}
				longest = max(longest, time.Since(began))
			}
			t.Logf("the longest wait of 20 was %s, beside %d uses in %s", longest, others.Load(), time.Since(all))
			if longest > s.timeout/2 {
				t.Errorf("the longest wait was %s", longest)
			}
		})
	}
}

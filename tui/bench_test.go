package tui

// This file measures the inbox on 10,000 open requests.

import (
	"testing"
	"time"

	"github.com/beonauto/auto/tui/desk"
)

// many gives a desk with as many open requests.
func many(count int) *memory {
	d := office()
	d.requests = d.requests[:0]
	for i := range count {
		to := [...]string{"priya@acme.example", "#launches", "sam@acme.example"}[i%3]
		d.ask(brief(i, to, time.Duration(i)*time.Second, 48*time.Hour))
	}
	return d
}

func BenchmarkOpen10000(b *testing.B) {
	d := many(10000)
	for b.Loop() {
		r := drive(b, d, 120, 40, plain())
		if r.inbox.View().Content == "" {
			b.Fatal("nothing is shown")
		}
	}
}

func BenchmarkKey10000(b *testing.B) {
	r := drive(b, many(10000), 120, 40, plain())
	keys := []string{"j", "j", "pgdown", "G", "k", "g"}
	for i := 0; b.Loop(); i++ {
		r.press(keys[i%len(keys)])
		_ = r.inbox.View().Content
	}
}

func BenchmarkFilter10000(b *testing.B) {
	r := drive(b, many(10000), 120, 40, plain())
	r.press("/")
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			r.press("l")
		} else {
			r.press("backspace")
		}
		_ = r.inbox.View().Content
	}
}

// BenchmarkArrivals10000 takes a list of which a part is new, as a key waits for it while
// many requests come.
func BenchmarkArrivals10000(b *testing.B) {
	d := many(10500)
	r := drive(b, d, 120, 40, plain())
	rows, _ := d.List()
	for i := 0; b.Loop(); i++ {
		from := 500 * (i % 2)
		r.inbox.Update(listMsg{rows: rows[from : from+10000 : from+10000], stamp: desk.Stamp{Size: int64(i)}})
		_ = r.inbox.View().Content
	}
}

// BenchmarkExpireAtOnce10000 loses all requests at once, and learns how some ended.
func BenchmarkExpireAtOnce10000(b *testing.B) {
	d := many(10000)
	rows, _ := d.List()
	for b.Loop() {
		b.StopTimer()
		r := drive(b, d, 120, 40, plain())
		b.StartTimer()
		r.inbox.Update(listMsg{stamp: desk.Stamp{Size: 7}})
		for i := range mostTold {
			r.inbox.Update(endingMsg{row: rows[i], ending: &desk.Ending{RunID: rows[i].RunID, How: desk.Expired, At: start}})
		}
		_ = r.inbox.View().Content
	}
}

package tui

// This file measures the inbox on 10,000 open requests.

import (
	"testing"
	"time"
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

package run

import (
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
)

// counted is a step of so many tokens and bytes.
func counted(input, output, bytes int64) *model.Outcome {
	return &model.Outcome{
		Usage:        wire.Usage{Input: wire.InputTokens{Total: &input}, Output: wire.OutputTokens{Total: &output}},
		RequestBytes: bytes,
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		room    room
		step    *model.Outcome
		calls   int
		share   int
		limited bool
	}{
		// 4 bytes a token: 10,000 tokens less 1,100 leave 35,600 bytes.
		{"the window", room{left: 1_000_000, window: 10_000}, counted(1000, 100, 4000), 1, 35_600, true},
		{"shared", room{left: 1_000_000, window: 10_000}, counted(1000, 100, 4000), 4, 8_900, true},
		// The step is taken off the budget first, and then stands in the next one.
		{"the budget", room{left: 5_000, window: 10_000}, counted(1000, 100, 4000), 1, 11_600, true},
		{"nothing left", room{left: 1_500, window: 10_000}, counted(1000, 100, 4000), 2, 0, true},
		{"more than the window", room{left: 1_000_000, window: 1000}, counted(1000, 100, 4000), 1, 0, true},
		{"an unknown window", room{left: 5_000}, counted(1000, 100, 4000), 1, 0, false},
		{"no counts", room{left: 5_000, window: 10_000}, &model.Outcome{RequestBytes: 4000}, 1, 0, false},
	} {
		c.room.take(c.step)
		if share, limited := c.room.share(c.calls); share != c.share || limited != c.limited {
			t.Errorf("%s: each call has %d bytes, %t", c.name, share, limited)
		}
	}
}

// TestOnlyOneMore wants a step to be the last when what is left after it does not
// cover one like it.
func TestOnlyOneMore(t *testing.T) {
	t.Parallel()
	for left, last := range map[int64]bool{3400: false, 3399: true, 100: true} {
		r := room{left: left + 1000}
		r.take(counted(1000, 200, 4000))
		r.add(2000) // 500 tokens, so that the next step sends 1,700
		if got := r.onlyOneMore(); got != last {
			t.Errorf("with %d tokens left the next step is the last: %t", left, got)
		}
	}
	r := room{left: 1}
	r.take(&model.Outcome{})
	if r.onlyOneMore() {
		t.Error("a provider without counts has no budget")
	}
}

package run

// This file counts the tokens of a run's steps, and works out from them whether
// another step fits and how much of a result the model reads (reasoning format,
// "Limits on calls").

import "github.com/beonauto/auto/engine/model"

// usualInputTokens is the most input tokens of a run whose operator set nothing.
const usualInputTokens = 2_000_000

// room is what a run has left to send to its model.
type room struct {
	left   int64 // input tokens that its calls may still use
	window int64 // tokens the model reads at most; 0 when its catalog does not say

	// The last step, by its provider's own count; known says that there is one.
	known         bool
	input, output int64 // tokens
	sent          int64 // bytes
	results       int64 // bytes that were added to the conversation since
	counted       int64 // input tokens of the last step that has a count
}

// take takes a step off the room.
func (r *room) take(outcome *model.Outcome) {
	r.known, r.results = false, 0
	input := outcome.Usage.Input.Total
	if input == nil {
		return
	}
	r.left -= *input
	r.counted = *input
	if *input <= 0 || outcome.RequestBytes <= 0 {
		return
	}
	r.known, r.input, r.output, r.sent = true, *input, 0, outcome.RequestBytes
	if output := outcome.Usage.Output.Total; output != nil {
		r.output = *output
	}
}

// add counts what a call added to the conversation.
func (r *room) add(bytes int) { r.results += int64(bytes) }

// next is the input of the next step, by the step before: what that one sent
// and the model wrote, and what the tools returned at the step's bytes a token.
func (r *room) next() int64 {
	return r.input + r.output + r.results*r.input/r.sent
}

// onlyOneMore tells whether the budget would not cover another step after the
// next one.
func (r *room) onlyOneMore() bool { return r.known && r.left-r.next() < r.next() }

// share is how many bytes each of a step's calls may add, and false when each
// is read in full.
func (r *room) share(calls int) (bytes int, limited bool) {
	if !r.known || r.window == 0 || calls == 0 {
		return 0, false
	}
	tokens := max(min(r.window, r.left)-r.input-r.output, 0)
	return int(float64(tokens) * float64(r.sent) / float64(r.input) / float64(calls)), true
}

// inputLeft is what a call of the model is told it may still send: at least
// something, since 0 is no limit.
func (r *room) inputLeft() int64 { return max(r.left, 1) }

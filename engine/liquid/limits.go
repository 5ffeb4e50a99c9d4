package liquid

// This file holds what a render may use: time, memory and length. Each is
// charged before the work it pays for.

import (
	"math"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// The limits of the format (reasoning format, "Limits").
const (
	DefaultTime     = 200 * time.Millisecond // to render
	DefaultMemory   = 5_000_000              // characters or items that filters and ranges may charge
	DefaultLength   = 200_000                // characters of the instructions, and of the message
	DefaultSource   = 65_536                 // characters of a template
	DefaultNames    = 1_000                  // names in tags and outputs
	nestingLimit    = 2_000                  // levels of tags, and of parentheses and brackets
	valueDepthLimit = 10_000                 // levels of lists that a template may build
)

// Limits bound one render. A zero field is the format's own limit.
// Characters are UTF-16 units, as in JavaScript's length.
type Limits struct {
	Time   time.Duration
	Memory int
	Length int
	// Clock tells the time that Time is measured by; time.Now when nil.
	Clock func() time.Time
	// Account, when there is one, lets several renders have Time and Memory
	// together instead of each for itself.
	Account *Account
	// RefuseStructures stops the render with a Structure error where a list or
	// an object would be printed inside the text (interaction format, "Sending
	// through a tool").
	RefuseStructures bool
}

// Account counts what the renders that share it have used. The first of them
// starts its time. It serves one render after the other, never two at once.
type Account struct {
	// Time is how long they may take together; the first one's Time when 0.
	Time     time.Duration
	deadline time.Time
	memory   float64
}

func (l Limits) filled() Limits {
	if l.Time == 0 {
		l.Time = DefaultTime
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.Length == 0 {
		l.Length = DefaultLength
	}
	if l.Clock == nil {
		l.Clock = time.Now
	}
	return l
}

// clockSteps is how much work is done between two looks at the clock.
const clockSteps = 256

// step counts units of work, each about the rendering of one node, and looks
// at the clock now and then.
func (s *state) step(count int) {
	s.steps -= count
	if s.steps < 0 {
		s.steps = clockSteps
		if s.limits.Clock().After(s.deadline) {
			s.fail(LimitReached, "Rendering takes longer than "+milliseconds(s.limits.Time))
		}
	}
}

func milliseconds(d time.Duration) string {
	return value.FormatNumber(float64(d)/float64(time.Millisecond)) + " ms"
}

// charge takes count characters or items from the memory a render may use.
// Like the reference it takes nothing for a count that is no positive number.
func (s *state) charge(count float64) {
	if !(count > 0) {
		return
	}
	if s.memory+count > float64(s.limits.Memory) {
		s.failMemory()
	}
	s.memory += count
	s.step(1 + int(count/64))
}

func (s *state) chargeText(text string) { s.charge(float64(units(text))) }

func (s *state) failMemory() {
	s.fail(LimitReached, "Filters and ranges use more than "+grouped(s.limits.Memory)+" characters or items")
}

// textBound is the most bytes one text may take while it is made: a UTF-16
// unit takes at most three.
func (s *state) textBound() int { return 3 * min(s.limits.Memory, math.MaxInt/4) }

// checkLength stops the render when what has been printed is too long. It is
// called when the bytes pass the limit, and counts only what is new.
func (s *state) checkLength() {
	if len(s.out) <= s.limits.Length {
		return
	}
	s.units += units(string(s.out[s.counted:]))
	s.counted = len(s.out)
	if s.units > s.limits.Length {
		what := "The rendered message is"
		if s.inSystem {
			what = "The rendered instructions are"
		}
		s.fail(LimitReached, what+" longer than "+grouped(s.limits.Length)+" characters")
	}
}

// grouped writes a count as messages do: 65,536.
func grouped(number int) string { return value.Grouped(int64(number)) }

package settings

// This file holds the texts that may be secret, and keeps them out of whatever
// is printed.

import (
	"encoding/json"
	"fmt"
	"log/slog"
)

const redacted = "[redacted]"

// Secret is a text that is a secret or may hold one. However it is printed,
// logged or written as JSON, also inside another value, it shows what may be
// shown and never the text: Reveal alone gives that.
type Secret struct {
	// The texts stand behind a function: fmt reads an unexported field of another
	// struct by reflection, without asking the methods here, and follows a pointer
	// there for some verbs. Of a function it shows the address.
	texts func() secretTexts
}

type secretTexts struct {
	value  string
	shown  string
	filled []string // what its references stand for
}

// hidden makes a secret of which nothing is shown.
func hidden(text string) Secret { return holding(secretTexts{value: text, shown: redacted}) }

func holding(texts secretTexts) Secret { return Secret{func() secretTexts { return texts }} }

// IsSet tells whether there is a text at all.
func (s Secret) IsSet() bool { return s.texts != nil }

// Reveal gives the text, to be sent where it belongs and to be looked for in
// what is about to be shown.
func (s Secret) Reveal() string {
	if s.texts == nil {
		return ""
	}
	return s.texts().value
}

// String is what may be shown: [redacted], or for a text of auto.yaml that names
// variables the text as it is written there. It is empty when nothing is set.
func (s Secret) String() string {
	if s.texts == nil {
		return ""
	}
	return s.texts().shown
}

// Format prints String for every verb.
func (s Secret) Format(to fmt.State, _ rune) { fmt.Fprint(to, s.String()) }

// MarshalJSON writes String.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// MarshalText writes String.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue logs String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

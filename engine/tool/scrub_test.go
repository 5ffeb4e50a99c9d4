package tool

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
)

func TestPrivateKeys(t *testing.T) {
	t.Parallel()
	const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"
	for text, want := range map[string]string{
		"a " + key + " b":                        "a [redacted] b",
		key + key + "c":                          "[redacted][redacted]c",
		"a -----BEGIN PRIVATE KEY-----\nMIIB":    "a [redacted]",
		"-----BEGIN CERTIFICATE-----\nMI " + key: "-----BEGIN CERTIFICATE-----\nMI [redacted]",
		"-----BEGIN -----BEGIN " + key:           "-----BEGIN -----BEGIN [redacted]",
		"-----BEGIN EC PRIVATE KEY":              "-----BEGIN EC PRIVATE KEY",
		"no key":                                 "no key",
	} {
		if got := withoutKeys(text); got != want {
			t.Errorf("%q is left of %q, want %q", got, text, want)
		}
	}
}

// TestScrubbingTakesOneWayThroughATextWhateverIsInIt scrubs what is made to be looked
// at again and again. No clock judges it: what is not bounded takes minutes.
func TestScrubbingTakesOneWayThroughATextWhateverIsInIt(t *testing.T) {
	t.Parallel()
	s := scrubber{forms: []string{strings.Repeat("s3cret", 500), "s3cret-key"}}
	for _, part := range []string{
		"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
		"Bearer ", "bearer abcdefghijklmnopqrstuvwxyz ", "sk-1 ", "eyJ.", "s3cret", "…", "s3c…", "[", "\"", "\x00", "é",
	} {
		text := strings.Repeat(part, (4<<20)/len(part))
		scrubbed := each(value.Build([]string{"text"}, []value.Value{text}), s.everything)
		if scrubbed == nil {
			t.Errorf("nothing is left of %q", part)
		}
		if words := s.words(text); len(words) > 2*longestWords {
			t.Errorf("%d bytes of words of %q", len(words), part)
		}
	}
}

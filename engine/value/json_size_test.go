package value

import (
	"math"
	"strings"
	"testing"
)

func TestJSONSizeIsTheLengthOfTheText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `true`, `-1.5e300`, `9007199254740993`, `"é😀\u0001\"\\\n\u007f"`, `[]`, `{}`, `[1,[2,"x"],{"a":null}]`,
		`{"a":1,"b":{"10":[],"2":""},"\t":"ü"}`,
	} {
		v, err := ParseJSON([]byte(text), 10)
		if err != nil {
			t.Fatal(err)
		}
		whole := len(JSON(v))
		if got := JSONSize(v, math.MaxInt); got != whole {
			t.Errorf("%s takes %d bytes, counted as %d", text, whole, got)
		}
		for most := range whole + 2 {
			if got := JSONSize(v, most); (got > most) != (whole > most) || got <= most && got != whole {
				t.Errorf("%s takes %d bytes, counted up to %d as %d", text, whole, most, got)
			}
		}
	}
	if got := JSONSize("a\xffb", math.MaxInt); got != len(JSON("a\xffb")) {
		t.Errorf("bytes that are no UTF-8 count as %d", got)
	}
}

func TestLeastJSONSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		``: 0, ` [ ] `: 2, `[1.000e0, true]`: 5, `{"a" : "bé"}`: 11, `"\\u0041\\n\\"" `: 5, `"open \\`: 7, `"\\u00`: 2,
	} {
		text = strings.ReplaceAll(text, `\\`, `\`)
		if got := LeastJSONSize([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
		if v, err := ParseJSON([]byte(text), 9); err == nil && len(JSON(v)) < want {
			t.Errorf("%s takes %d bytes", text, len(JSON(v)))
		}
	}
}

func TestJSONSizeStopsCounting(t *testing.T) {
	t.Parallel()
	var shared Value = strings.Repeat("x", 1_000)
	for range 60 { // 2^60 times the text
		shared = []Value{shared, shared}
	}
	if got := JSONSize(shared, 10_000); got <= 10_000 {
		t.Errorf("counted %d", got)
	}
}

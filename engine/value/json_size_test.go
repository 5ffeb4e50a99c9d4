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

package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
)

func unmatched(t *testing.T, source string) []string {
	t.Helper()
	v, err := value.ParseJSON([]byte(source), 64)
	if err != nil {
		t.Fatal(err)
	}
	s, problems := FromValue(v)
	if s == nil {
		t.Fatal(problems)
	}
	var found []string
	for _, warning := range Unmatched(s) {
		found = append(found, warning.Pointer+": "+warning.Message)
	}
	return found
}

func TestUnmatched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, want string }{
		{`{"properties": {"fit": {}}, "required": ["fit"], "additionalProperties": false}`, ""},
		{`{"properties": {"fit": {}}, "required": ["fit", "why"], "additionalProperties": false}`, "/required/1: Nothing matches: why is required, and is none of the properties"},
		{`{"properties": {"reason": {}}, "required": ["raeson"]}`, "/required/0: raeson is required, and is none of the properties; did you mean reason?"},
		// An open object may have what it requires, and names that are alike may both be there.
		{`{"properties": {"fit": {}}, "required": ["why"]}`, ""},
		{`{"properties": {"label": {}}, "required": ["label", "labels"]}`, ""},
		{`{"properties": {"id": {}}, "required": ["ids"]}`, ""},
		{`{"required": ["fit"]}`, ""},
		{`{"properties": {"a": {}}, "anyOf": [{"required": ["b"]}, {"required": ["c"]}]}`, ""},
		{`{"items": {"properties": {"name": {}}, "required": ["nam"], "additionalProperties": false}}`, "/items/required/0: Nothing matches: nam is required, and is none of the properties; did you mean name?"},
	} {
		if got := strings.Join(unmatched(t, c.schema), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.schema, got, c.want)
		}
	}
}

// Thousands of names beneath a very long one are not all told.
func TestUnmatchedIsBounded(t *testing.T) {
	t.Parallel()
	names := make([]string, 3_000)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprint("n", i))
	}
	source := fmt.Sprintf(`{"properties": {%q: {"properties": {"a": {}}, "additionalProperties": false, "required": [%s]}}}`,
		strings.Repeat("x", 30_000), strings.Join(names, ","))
	said := 0
	for _, each := range unmatched(t, source) {
		said += len(each)
	}
	if said == 0 || said > 2*maxSaid {
		t.Errorf("%d bytes were said", said)
	}
}

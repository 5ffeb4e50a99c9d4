package plan_test

// This file writes plans out as text, as the tables of the other tests compare them.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form/plan"
)

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 100)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// outline writes a field and what it holds, a line each.
func outline(f *plan.Field, in string) string {
	var b strings.Builder
	name := f.Key
	if name == "" {
		name = "."
	}
	fmt.Fprintf(&b, "%s%s: %s", in, name, f.Kind)
	if f.Label != "" {
		fmt.Fprintf(&b, " %q", f.Label)
	}
	for _, mark := range []struct {
		is   bool
		word string
	}{{f.Required, "required"}, {f.Nullable, "or null"}, {f.Whole, "whole"}, {f.Long, "long"}, {f.Fixed(), "fixed"}} {
		if mark.is {
			b.WriteString(" " + mark.word)
		}
	}
	if len(f.Choices) > 0 {
		labels := make([]string, len(f.Choices))
		for i, each := range f.Choices {
			labels[i] = each.Label
			if shown := plan.Shown(each.Value); shown != each.Label {
				labels[i] += "=" + shown
			}
		}
		fmt.Fprintf(&b, " (%s)", strings.Join(labels, " | "))
	}
	for _, said := range []struct{ before, words string }{{"", f.Expects}, {"usually ", f.Usually}, {"because ", f.Because}} {
		if said.words != "" {
			fmt.Fprintf(&b, "; %s%s", said.before, said.words)
		}
	}
	b.WriteByte('\n')
	for _, each := range f.Fields {
		b.WriteString(outline(each, in+"  "))
	}
	if f.Item != nil {
		b.WriteString(outline(f.Item, in+"  "))
	}
	return b.String()
}

package problem

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProblemAsText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		p    Problem
		want string
	}{
		{Problem{Line: 4, Column: 9, Pointer: "/config/temperature", Message: "Expected number"}, "Line 4, /config/temperature: Expected number"},
		{Problem{Line: 12, Message: "Unknown filter moneyy; did you mean money?"}, "Line 12: Unknown filter moneyy; did you mean money?"},
	} {
		if got := test.p.String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	sorted := Sort([]Problem{
		{Line: 9, Column: 1, Message: "last"},
		{Line: 2, Column: 7, Message: "b"},
		{Line: 2, Column: 3, Pointer: "/a", Message: "a"},
		{Line: 2, Column: 7, Message: "found after b in the same place"},
		{Line: 2, Column: 0, Message: "no column"},
		{Line: 2, Column: 9, Pointer: "/a", Message: "a"}, // said already on that line, of that pointer
		{Line: 2, Column: 9, Pointer: "/c", Message: "a"},
		{Line: 9, Column: 1, Message: "last"},
		{Line: 1, Column: 99, Message: "first"},
	})
	want := []Problem{
		{Line: 1, Column: 99, Message: "first"},
		{Line: 2, Column: 0, Message: "no column"},
		{Line: 2, Column: 3, Pointer: "/a", Message: "a"},
		{Line: 2, Column: 7, Message: "b"},
		{Line: 2, Column: 7, Message: "found after b in the same place"},
		{Line: 2, Column: 9, Pointer: "/c", Message: "a"},
		{Line: 9, Column: 1, Message: "last"},
	}
	if diff := cmp.Diff(want, sorted); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again := Sort(sorted); len(again) != len(want) {
		t.Errorf("%d problems after a second time", len(again))
	}
	if got := Sort(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestSortKeepsEachOnce holds for a line of many problems as for one of few.
func TestSortKeepsEachOnce(t *testing.T) {
	t.Parallel()
	for _, count := range []int{1, fewOnLine, fewOnLine + 1, fewOnLine + 2, 500} {
		var problems []Problem
		for range 3 {
			for line := 1; line <= 3; line++ {
				for i := range count {
					problems = append(problems, Problem{Line: line, Column: i, Pointer: fmt.Sprintf("/%d", i), Message: "Unknown key"})
				}
			}
		}
		sorted := Sort(problems)
		if len(sorted) != 3*count {
			t.Errorf("%d problems of %d", len(sorted), 3*count)
		}
		for i, p := range sorted {
			if p.Line != 1+i/count || p.Column != i%count {
				t.Fatalf("%v stands at place %d", p, i)
			}
		}
	}
}

// lines gives problems on the lines from 1 to count.
func lines(count int) []Problem {
	problems := make([]Problem, count)
	for i := range problems {
		problems[i] = Problem{Line: i + 1, Pointer: fmt.Sprintf("/%d", i), Severity: Refused, Message: "Unknown key"}
	}
	return problems
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		count, limit, shown int
		last                string
	}{
		{0, 20, 0, ""},
		{20, 20, 20, "Line 20, /19: Unknown key"},
		{21, 20, 21, "Line 21: 1 more issue is not shown"},
		{22, 20, 21, "Line 21: 2 more issues are not shown"},
		{5901, 20, 21, "Line 21: 5881 more issues are not shown"},
		{101, 100, 101, "Line 101: 1 more issue is not shown"},
	} {
		all := lines(test.count)
		shown := Cut(all, test.limit)
		if len(shown) != test.shown {
			t.Errorf("%d of %d: %d shown", test.limit, test.count, len(shown))
			continue
		}
		if test.shown > 0 && shown[test.shown-1].String() != test.last {
			t.Errorf("%d of %d: the last is %s, want %s", test.limit, test.count, shown[test.shown-1], test.last)
		}
		if test.count > test.limit && (shown[test.limit].Rule != TooMany || all[test.limit].Rule == TooMany) {
			t.Errorf("%d of %d: the problems themselves were changed", test.limit, test.count)
		}
	}
}

// TestCutTakesTheLineOfTheFirstLeftOut holds the wording of the format.
func TestCutTakesTheLineOfTheFirstLeftOut(t *testing.T) {
	t.Parallel()
	var problems []Problem
	for i := range 5901 {
		problems = append(problems, Problem{Line: 3 + i, Column: 1, Severity: Refused, Message: "Unknown key"})
	}
	shown := Cut(problems, ShownProblems)
	if got, want := shown[len(shown)-1].String(), "Line 23: 5881 more issues are not shown"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRejects(t *testing.T) {
	t.Parallel()
	if Rejects(nil) != nil || Rejects([]Problem{{Line: 1, Severity: Warning, Message: "minimum is not enforced"}}) != nil {
		t.Error("a document without problems is rejected")
	}
	rejection := Rejects([]Problem{
		{Line: 4, Pointer: "/config/temperature", Severity: Refused, Message: "Expected number"},
		{Line: 8, Pointer: "/output/schema", Severity: Warning, Message: "minimum is not enforced"},
		{Line: 12, Severity: Refused, Message: "Unknown tag tabel"},
	})
	printed, err := json.Marshal(rejection)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"https://on.auto/problems/invalid_input","title":"The input is not valid","status":422,` +
		`"detail":"The document has problems","issues":[` +
		`{"pointer":"/source","detail":"Line 4, /config/temperature: Expected number"},` +
		`{"pointer":"/source","detail":"Line 12: Unknown tag tabel"}]}`
	if string(printed) != want {
		t.Errorf("%s\nwant\n%s", printed, want)
	}
	if rejection.Error() != "The document has problems" {
		t.Error(rejection.Error())
	}
	many := Rejects(lines(25))
	if len(many.Issues) != ShownProblems+1 || many.Issues[20] != (Issue{"/source", "Line 21: 5 more issues are not shown"}) {
		t.Errorf("%d issues, the last %v", len(many.Issues), many.Issues[len(many.Issues)-1])
	}
}

func TestLimited(t *testing.T) {
	t.Parallel()
	issues := make([]Issue, 23)
	for i := range issues {
		issues[i] = Issue{Pointer: fmt.Sprintf("/input/%d", i), Detail: "Expected string"}
	}
	if got := Limited(issues[:20]); len(got) != 20 {
		t.Errorf("%d of 20 issues", len(got))
	}
	got := Limited(issues)
	if len(got) != 21 || got[20] != (Issue{"/input/20", "3 more issues are not shown"}) || issues[20].Detail != "Expected string" {
		t.Errorf("%d issues, the last %v", len(got), got[len(got)-1])
	}
	if got := Limited(issues[:21]); got[20].Detail != "1 more issue is not shown" {
		t.Errorf("%v", got[20])
	}
}

func TestNewRejection(t *testing.T) {
	t.Parallel()
	for name, status := range map[Name]int{
		InvalidInput: 422, NotFound: 404, Conflict: 409, Unavailable: 503, Unanswered: 410, Cancelled: 499, Forbidden: 403,
	} {
		rejection := NewRejection(name, "Why", Issue{"/input", "Expected object"})
		if rejection.Status != status || rejection.Title == "" || rejection.Type != TypeBase+string(name) || len(rejection.Issues) != 1 {
			t.Errorf("%s: %+v", name, rejection)
		}
	}
}

// TestRulesAreDescribed holds that each rule is in the table, once.
func TestRulesAreDescribed(t *testing.T) {
	t.Parallel()
	seen := map[Rule]bool{}
	for _, text := range Rules {
		if seen[text.Rule] || text.Rule == "" || text.About == "" || text.About[len(text.About)-1] != '.' {
			t.Errorf("%q: %q", text.Rule, text.About)
		}
		seen[text.Rule] = true
	}
	for _, rule := range []Rule{TooMany, Encoding, FrontMatter, YAMLSyntax, YAMLFeature, DuplicateKey, NumberRange, TooDeep, TooLarge, UnknownKey, TemplateSyntax} {
		if !seen[rule] {
			t.Errorf("%s is not described", rule)
		}
	}
}

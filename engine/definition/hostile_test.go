package definition

// This file holds documents that were made to cost time or memory: each is
// answered within the bounds of a check.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// callWith is an interaction that calls a tool with these lines as arguments.
func callWith(lines string) string {
	return "---\ncall:\n  server: crm\n  tool: list_people\n  with:\n" + lines +
		"output:\n  schema: {type: object}\n---\n"
}

// manyArguments is a call of so many arguments, each the same template.
func manyArguments(count int, template string) string {
	var lines strings.Builder
	for i := range count {
		fmt.Fprintf(&lines, "    k%d: '%s'\n", i, template)
	}
	return callWith(lines.String())
}

const longLoop = "{% for i in (1..9999) %}{% for j in (1..9999) %}{% assign a = j %}{% endfor %}{% endfor %}x"

// hostileDocuments are documents of the type interaction.
var hostileDocuments = []struct {
	name string
	text func() string
}{
	{"arguments that each loop for long", func() string { return manyArguments(100, longLoop) }},
	{"arguments that each take memory", func() string { return manyArguments(300, "{{ (1..90000) | join }}x") }},
	{"arguments that are each a long list", func() string { return manyArguments(300, "{{ (1..90000) | reverse }}") }},
	{"arguments that are each the input", func() string { return manyArguments(3_000, "{{ input }}") }},
	{"a list of wrong arguments on one line", func() string {
		return callWith("    k: [" + strings.Repeat("'{{ a }}',", 40_000) + "]\n")
	}},
	{"arguments that are each the input as text", func() string { return manyArguments(300, "{{ input | json }}") }},
}

func TestHostileArgumentsShareOneBound(t *testing.T) {
	t.Parallel()
	input := value.NewObject(1)
	input.Set("a", strings.Repeat("x", 200_000))
	for _, document := range hostileDocuments {
		source := []byte(document.text())
		t.Run(document.name, func(t *testing.T) {
			t.Parallel()
			var result *Result
			effort.AtMost(t, 5*time.Second, func() { result = Check(source, interactionType, Surroundings{}) })
			if result.Definition == nil {
				return
			}
			effort.AtMost(t, 5*time.Second, func() {
				if _, err := result.Definition.Function.Render(input, Request{Moment: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}); err == nil {
					t.Error("it renders")
				}
			})
		})
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, pointer := range []string{"", "/", "/a", "/a/b", "//", "/a~1b/~0", "/0/1/~01", "/a//b"} {
		want, err := value.Tokens(pointer)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Collect(tokens(pointer)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", pointer, got, want)
		}
	}
}

func TestDefaultsOfManyProblems(t *testing.T) {
	t.Parallel()
	source := "---\nmodel: openai/gpt-5.2\ninput:\n  schema: {type: object, properties: {a: {items: {type: string}}}}\n  default:\n    a: [" +
		strings.Repeat("1,", 100_000) + "'x']\n---\nHello\n"
	problems := Check([]byte(source), reasoningType, Surroundings{}).Problems
	if len(problems) != 100_000 {
		t.Fatalf("%d problems", len(problems))
	}
	if last := problems[99_999]; last.Line != 6 || last.Column != 9+2*99_999 || last.Pointer != "/input/default/a/99999" {
		t.Errorf("%+v", last)
	}
}

func TestTheTemplatesOfARequestShareOneBound(t *testing.T) {
	t.Parallel()
	list := "{{ (1..900000) | size }}" // each takes less than a fifth of what a render may
	source := "---\nto: '" + list + "x'\nfrom: '" + list + "x'\nexpires: P2D\ndeliver:\n  server: chat\n  tool: send\n  with: {a: '" + list + "x', b: '%s'}\n---\n" + list + "x\n"
	if _, err := rendered(t, "interaction", fmt.Sprintf(source, "x"), "{}"); err != nil {
		t.Error(err)
	}
	_, err := rendered(t, "interaction", fmt.Sprintf(source, list+list+"x"), "{}")
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) || rejection.Type != problem.TypeBase+string(problem.InvalidInput) {
		t.Errorf("got %v", err)
	}
}

func TestTooManyArguments(t *testing.T) {
	t.Parallel()
	list := func(count int) string { return callWith("    k: [" + strings.Repeat("1,", count) + "]\n") }
	if problems := Check([]byte(list(mostValues-10)), interactionType, Surroundings{}).Problems; len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	problems := Check([]byte(list(mostValues)), interactionType, Surroundings{}).Problems
	if len(problems) != 1 || problems[0].Line != 6 || problems[0].Message != "Expected at most 16 KiB as JSON; there are more than 8,192 arguments" {
		t.Errorf("%v", problems)
	}
}

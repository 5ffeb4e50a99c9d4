package plan_test

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestThePlanKnowsNoTerminal holds the package to its promise: whoever has no
// terminal makes plans too.
func TestThePlanKnowsNoTerminal(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		read, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range read.Imports {
			seen++
			if strings.Contains(each.Path.Value, "charm") {
				t.Errorf("%s imports %s", file.Name(), each.Path.Value)
			}
		}
	}
	if seen == 0 {
		t.Error("no import was seen")
	}
}

package schema

import (
	"slices"
	"testing"
)

func TestOutputShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape, answer string
		want          []string
	}{
		{"series", `{"lines": []}`, nil},
		{"series", `{"unit": "USD", "lines": [{"name": "Spend", "points": [{"at": "2026-10-01", "value": 1}, {"at": "2026-10-02", "value": 0.5}]}]}`, nil},
		{"series", `{"lines": [{"name": "n", "points": [{"at": 1, "value": 1}, {"at": 2.5, "value": 1}, {"at": 10, "value": 1}]}]}`, nil},
		{"series", `{"lines": [{"name": "n", "points": [{"at": 2, "value": 1}, {"at": 10, "value": 1}, {"at": 3, "value": 1}]}]}`, []string{"/lines/0/points/2/at: Expected more than 10, in rising order"}},
		{"series", `{"lines": [{"name": "n", "points": []}, {"name": "m", "points": [{"at": "2026-02", "value": 1}, {"at": "2026-01", "value": 1}, {"at": "2026-01", "value": 2}]}]}`, []string{
			"/lines/1/points/1/at: Expected a place after 2026-02, in rising order", "/lines/1/points/2/at: Expected a place after 2026-01, in rising order",
		}},
		{"series", `{"lines": [{"name": "n", "points": [{"at": "2026", "value": 1}, {"at": 2027, "value": 1}]}]}`, []string{"/lines/0/points/1/at: Expected string, as the point before has"}},
		{"series", `{"lines": [{"name": "n", "points": [{"at": 2026, "value": 1}, {"at": "2027", "value": 1}]}]}`, []string{"/lines/0/points/1/at: Expected number, as the point before has"}},
		{"series", `{"lines": [{"points": [{"at": null, "value": "1"}]}], "color": "red"}`, []string{
			"/lines/0/name: Missing property", "/lines/0/points/0/at: Expected number or string", "/lines/0/points/0/value: Expected number", "/color: Unknown property",
		}},
		{"categories", `{"values": [{"name": "a", "value": 1}], "unit": "%"}`, nil},
		{"categories", `{"values": [{"name": "a"}], "unit": null}`, []string{"/unit: Expected string", "/values/0/value: Missing property"}},
		{"table", `{"columns": [{"name": "a"}, {"name": "b"}], "rows": [["x", 1], [true, null]]}`, nil},
		{"table", `{"columns": [], "rows": []}`, nil},
		{"table", `{"columns": [{"name": "a"}, {"name": "b"}], "rows": [["x", 1], ["y"], [1, 2, 3], [[], {}]]}`, []string{
			"/rows/3/0: Expected boolean, number, string or null", "/rows/3/1: Expected boolean, number, string or null",
			"/rows/1: Expected 2 cells, one for each column", "/rows/2: Expected 2 cells, one for each column",
		}},
		{"table", `{"columns": [{"name": "a"}], "rows": [[]]}`, []string{"/rows/0: Expected 1 cell, one for each column"}},
		{"table", `{"rows": [[1]]}`, []string{"/columns: Missing property"}},
		{"table", `[]`, []string{": Expected object"}},
		{"text", `{"text": ""}`, nil},
		{"text", `"text"`, []string{": Expected object"}},
	} {
		shape, ok := NamedOutputShape(c.shape)
		if !ok || shape.Name() != c.shape {
			t.Fatalf("no shape %s", c.shape)
		}
		issues, err := shape.Validate(parse(t, c.answer))
		if got := says(issues); err != nil || !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("%s %s: %q, want %q, %v", c.shape, c.answer, got, c.want, err)
		}
	}
	if _, ok := NamedOutputShape("pie"); ok {
		t.Error("there is a shape pie")
	}
}

func TestOutputShapesKeepToWhatEveryProviderTakes(t *testing.T) {
	t.Parallel()
	if names := OutputShapeNames(); !slices.Equal(names, []string{"series", "categories", "table", "text"}) {
		t.Errorf("%v", names)
	}
	for _, name := range OutputShapeNames() {
		shape, _ := NamedOutputShape(name)
		for _, w := range Warnings(shape.Schema()) {
			if w.Pointer != "/properties/unit" { // the one property a shape may leave out
				t.Errorf("%s: %s", name, w)
			}
		}
	}
}

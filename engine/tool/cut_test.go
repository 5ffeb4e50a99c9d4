package tool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

func TestCut(t *testing.T) {
	t.Parallel()
	rows := []value.Value{}
	for i := range 200 {
		rows = append(rows, object("id", float64(i), "name", "row "+strings.Repeat("x", i%7)))
	}
	table := value.JSON(object("total", 200.0, "rows", rows))
	if got, cut := tool.Cut(table, len(table)); cut || got != table {
		t.Error("what fits is cut")
	}
	got, cut := tool.Cut(table, 600)
	if !cut || len(got) > 600 || len(got) < 500 {
		t.Fatalf("cut %v to %d bytes", cut, len(got))
	}
	v, err := value.ParseJSON([]byte(got), 100)
	if err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	kept, _ := value.Lookup(v, "/result/rows")
	count := len(kept.([]value.Value))
	first, _ := value.Lookup(v, "/result/rows/0/name")
	total, _ := value.Lookup(v, "/result/total")
	words, _ := value.Lookup(v, "/note")
	if count < 5 || count > 20 || first != "row " || total != 200.0 {
		t.Errorf("keeps %d rows in %s", count, got)
	}
	left := 0
	if _, err := fmt.Sscanf(words.(string), "Cut: %d of", &left); err != nil || left < len(table)-600 || left >= len(table) ||
		!strings.HasSuffix(words.(string), fmt.Sprintf(" of %d bytes are left out, for want of room. Ask for fewer rows, fields or levels", len(table))) {
		t.Errorf("says %q", words)
	}
	got, cut = tool.Cut(strings.Repeat("é", 1000), 301)
	if !cut || len(got) > 301 || !strings.HasPrefix(got, "éé") || !strings.HasSuffix(got, "of 2000 bytes are left out, for want of room. Ask for less at once]") {
		t.Errorf("a text is cut to %q", got)
	}
}

// TestLongTextsShareTheRoom: every field is kept, and the room is used.
func TestLongTextsShareTheRoom(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A line of the note. ", 500)
	for _, room := range []int{1000, 4000, 9000} {
		for name, of := range map[string]value.Value{
			"one":     object("text", long),
			"two":     object("title", "Budget", "text", long, "more", long+long, "total", 12.0),
			"in rows": []value.Value{object("id", 1.0, "text", long), object("id", 2.0, "text", "short"), object("id", 3.0, "text", long)},
		} {
			got, cut := tool.Cut(value.JSON(of), room)
			if !cut || len(got) > room || len(got) < room-room/20-60 {
				t.Errorf("%s: %d bytes of %d", name, len(got), room)
			}
			v, err := value.ParseJSON([]byte(got), 100)
			if err != nil {
				t.Fatal(err)
			}
			kept, _ := value.Lookup(v, "/result")
			for _, pointer := range []string{"/total", "/2/id"} {
				want, has := value.Lookup(of, pointer)
				if found, _ := value.Lookup(kept, pointer); has && found != want {
					t.Errorf("%s: %s is %v in %s", name, pointer, found, got)
				}
			}
		}
	}
}

// TestACutFitsAndStaysJSON tries values of every form against every room.
func TestACutFitsAndStaysJSON(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var made func(levels int) value.Value
	made = func(levels int) value.Value {
		switch kind := random.IntN(7); {
		case kind == 0 && levels > 0:
			list := []value.Value{}
			for range random.IntN(8) {
				list = append(list, made(levels-1))
			}
			return list
		case kind <= 2 && levels > 0:
			o := &value.Object{}
			for range random.IntN(8) {
				o.Set(strings.Repeat("k\"", random.IntN(5))+fmt.Sprint(random.IntN(100)), made(levels-1))
			}
			return o
		case kind == 3:
			return random.Float64() * 1e6
		case kind == 4:
			return random.IntN(2) == 0
		}
		return strings.Repeat([]string{"a", "é", "\x01", "\"\n", "𝄞"}[random.IntN(5)], random.IntN(400))
	}
	cuts := 0
	for range 400 {
		shown := value.JSON([]value.Value{made(5), made(5), made(5)})
		for _, room := range []int{0, 256, 300, 1000, 5000} {
			got, cut := tool.Cut(shown, room)
			if len(got) > max(room, 256) {
				t.Fatalf("%d bytes for a room of %d: %s", len(got), room, got)
			}
			if _, err := value.ParseJSON([]byte(got), 100); err != nil {
				t.Fatalf("%v in %s", err, got)
			}
			if cut {
				cuts++
			}
		}
	}
	if cuts < 500 {
		t.Errorf("only %d values were cut", cuts)
	}
}

func TestWarningsAboutASchema(t *testing.T) {
	t.Parallel()
	d := &double.Server{Pages: []string{`{"tools":[{"name":"search","inputSchema":{"type":"object","anyOf":[{"required":["a"]}],"properties":{
		"query":{"type":"string","maxLength":10},"pattern":{"type":"string"},"a/b":{"items":{"oneOf":[{"format":"uuid"}]}},
		"n":{"anyOf":[{"minimum":1}],"enum":[{"minimum":1}],"default":{"pattern":"x"}}},"additionalProperties":{"not":{}}}},{"name":"plain","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]}`}}
	servers := reach(t, "http", d, tool.Options{})
	offered, failure := servers.Offer(context.Background(), wanted("notes/*"))
	must(t, failure)
	want := []string{
		"notes__search inputSchema#/anyOf", "notes__search inputSchema#/properties/query/maxLength",
		"notes__search inputSchema#/properties/a~1b/items/oneOf", "notes__search inputSchema#/properties/a~1b/items/oneOf/0/format",
		"notes__search inputSchema#/properties/n/anyOf/0/minimum", "notes__search inputSchema#/additionalProperties/not",
	}
	if diff := cmp.Diff(want, offered[0].Warnings()); diff != "" {
		t.Error(diff)
	}
	if got := offered[1].Warnings(); len(got) > 0 {
		t.Errorf("a plain schema has the warnings %q", got)
	}
}

package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	goccy "github.com/goccy/go-yaml"
	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/value"
)

// TestPeers counts how many of the cases each YAML library for Go reads as the
// reference does: the value where there is one, an error where there is none.
// It keeps us above both. Cases with an override are left out.
func TestPeers(t *testing.T) {
	t.Parallel()
	total := 0
	agree := map[string]int{}
	for _, c := range readCases(t) {
		if c.override != nil || strings.Count(c.source, "[")+strings.Count(c.source, "{") > 40 {
			continue // deep nesting takes goccy gigabytes
		}
		total++
		want := "error"
		if len(c.errorLines) == 0 {
			want = value.JSON(asReference(c.reference))
		}
		if want == "null" {
			want = "{}"
		}
		for name, read := range map[string]func(string) string{"ours": readOurs, "go.yaml.in/yaml/v4": readV4, "goccy/go-yaml": readGoccy} {
			if read(c.source) == want {
				agree[name]++
			}
		}
	}
	for name, count := range agree {
		t.Logf("%-20s %d of %d", name, count, total)
	}
	if agree["ours"] != total || agree["goccy/go-yaml"] == 0 || agree["go.yaml.in/yaml/v4"] == 0 {
		t.Errorf("%v of %d", agree, total)
	}
}

func readOurs(source string) string {
	document, problems := Read([]byte("---\n" + source + "---\n"))
	if len(problems) > 0 {
		return "error"
	}
	return value.JSON(asReference(document.Root.Value()))
}

func readV4(source string) string {
	var v any
	if err := yaml.Load([]byte(source), &v); err != nil {
		return "error"
	}
	return peerJSON(v)
}

func readGoccy(source string) (read string) {
	defer func() {
		if recover() != nil {
			read = "panic"
		}
	}()
	var v any
	if err := goccy.UnmarshalWithOptions([]byte(source), &v, goccy.UseOrderedMap()); err != nil {
		return "error"
	}
	return peerJSON(v)
}

// peerJSON prints what a peer read. The order of keys is not compared, since v4
// gives maps.
func peerJSON(v any) string { return value.JSON(peerValue(v)) }

func peerValue(v any) value.Value {
	switch v := v.(type) {
	case nil:
		return value.NewObject(0)
	case goccy.MapSlice:
		object := value.NewObject(len(v))
		for _, item := range v {
			object.Set(fmt.Sprint(item.Key), peerItem(item.Value))
		}
		return object
	case map[string]any:
		object := value.NewObject(len(v))
		for key, item := range v {
			object.Set(key, peerItem(item))
		}
		return object
	}
	return peerItem(v)
}

func peerItem(v any) value.Value {
	switch v := v.(type) {
	case nil, bool, string, float64:
		return v
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case []any:
		list := make([]value.Value, len(v))
		for i, item := range v {
			list[i] = peerItem(item)
		}
		return list
	case goccy.MapSlice, map[string]any:
		if object, isObject := peerValue(v).(*value.Object); isObject {
			return object
		}
	}
	return fmt.Sprint(v)
}

package request

// This file tests what is typed for a field of an answer.

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

func TestWhatIsTypedForAField(t *testing.T) {
	t.Parallel()
	asked := &store.Request{AnswerSchema: parsed(t, `{"type":"object","required":["verdict"],"properties":{
		"verdict":{"type":"string","enum":["approve","7"]},"note":{"type":"string"},"count":{"type":"integer"},"share":{"type":"number"},
		"sure":{"type":"boolean"},"maybe":{"type":["string","null"]},"either":{"type":["string","integer"]},"level":{"enum":[1,2,"three"]},
		"tags":{"type":"array","items":{"type":"string"}},"owner":{"$ref":"#/$defs/person"},"people":{"type":"array","items":{"$ref":"#/$defs/person"}},"any":{}},
		"$defs":{"person":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}}}}}`)}
	for _, c := range [][3]string{
		{"verdict", "approve", `"approve"`},
		{"verdict", "7", `"7"`},
		{"verdict", "maybe", `"maybe"`}, // which the schema refuses
		{"note", "7", `"7"`},
		{"note", "true", `"true"`},
		{"note", `"quoted"`, `"\"quoted\""`},
		{"note", "", `""`},
		{"count", "7", "7"},
		{"count", "seven", `"seven"`},
		{"share", "0.5", "0.5"},
		{"sure", "true", "true"},
		{"sure", "yes", `"yes"`},
		{"maybe", "null", "null"},
		{"maybe", "7", `"7"`},
		{"either", "7", "7"},
		{"either", "7.5", `"7.5"`},
		{"level", "2", "2"},
		{"level", "three", `"three"`},
		{"tags", `["a","b"]`, `["a","b"]`},
		{"tags", "a", `"a"`},
		{"tags.0", "7", `"7"`},
		{"owner", `{"name":"7"}`, `{"name":"7"}`},
		{"owner.name", "7", `"7"`},
		{"owner.age", "7", "7"},
		{"people.0.name", "7", `"7"`},
		{"any", "7", "7"},
		{"any", "seven", `"seven"`},
		{"more", "7", "7"},
	} {
		if got := value.JSON(Typed(asked, strings.Split(c[0], "."), c[1])); got != c[2] {
			t.Errorf("%s=%s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
	names := []string{}
	for _, field := range Fields(asked) {
		names = append(names, field.Name)
	}
	if got := strings.Join(names, " "); !strings.HasPrefix(got, "verdict note count share") || !strings.Contains(got, "owner owner.name owner.age people people[].name") {
		t.Errorf("the fields are %s", got)
	}
	if fields := Fields(&store.Request{}); len(fields) != 0 {
		t.Errorf("a notification has the fields %+v", fields)
	}
}

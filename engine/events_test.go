package engine_test

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

// TestDataInList wants a value of 2 KiB shown, and of a larger one its size alone.
func TestDataInList(t *testing.T) {
	t.Parallel()
	text := func(bytes int) string { return strings.Repeat("x", bytes-len(`""`)) }
	for name, c := range map[string]struct {
		keys   []string
		values []value.Value
		want   string
	}{
		"2 KiB":                  {[]string{"answer"}, []value.Value{text(2048)}, `{"answer":"` + text(2048) + `"}`},
		"past them":              {[]string{"answer", "reply"}, []value.Value{text(2049), "7"}, `{"answer_bytes":2049,"reply":"7"}`},
		"bytes and not letters":  {[]string{"answer"}, []value.Value{strings.Repeat("é", 1024)}, `{"answer_bytes":2050}`},
		"with its size recorded": {[]string{"result_bytes", "result"}, []value.Value{3000.0, text(3000)}, `{"result_bytes":3000}`},
	} {
		data := value.NewObject(len(c.keys))
		for i, key := range c.keys {
			data.Set(key, c.values[i])
		}
		if got := value.JSON(engine.DataInList(data)); got != c.want {
			t.Errorf("%s: shown as %s", name, got)
		}
	}
}

package request

import (
	"testing"

	"github.com/beonauto/auto/engine/store"
)

func TestFieldsOfAnAnswer(t *testing.T) {
	t.Parallel()
	asked := &store.Request{AnswerSchema: parsed(t, `{"type":"object","required":["verdict"],"properties":{"verdict":{"type":"string"},"note":{"type":"string"}}}`)}
	fields := Fields(asked)
	if len(fields) != 2 || fields[0].Name != "verdict" || !fields[0].Required || fields[1].Name != "note" || fields[1].Required {
		t.Errorf("the fields are %+v", fields)
	}
	if fields := Fields(&store.Request{}); len(fields) != 0 {
		t.Errorf("a notification has the fields %+v", fields)
	}
}

package request

// This file is the fields of an answer for people who write one by hand: what the
// answer schema says of each.

import (
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/store"
)

// Field is a field of an answer, as its schema describes it: its name with a dot
// before what an object holds and [] for a list's items, its type in the words of
// JSON Schema, and its choices.
type Field = schema.Field

// Fields gives the fields of the answer to a request, in the order of its schema,
// those of nested objects after their own. There are none for a notification.
func Fields(asked *store.Request) []Field { return schema.Fields(asked.AnswerSchema) }

package run

// This file is how a run ends whose request was answered (interaction format, "How
// a run ends").

import (
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// Answered ends a run whose request took an answer: the answer is the output.
func Answered(answer value.Value) store.Ending { return succeeded(answer, nil) }

package mcp

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
)

func TestWhatAnAgentIsToldOfAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is full")
	for err, want := range map[error]problem.Name{
		fmt.Errorf("saving x.md: %w", &store.HeldError{Path: "runs.db", Waited: 5 * time.Second}): problem.Unavailable,
		&engine.SettingsError{}:                    problem.Unavailable,
		engine.ErrCursor:                           problem.InvalidInput,
		&engine.NotFoundError{Name: "reasoning/x"}: problem.NotFound,
	} {
		var rejection *problem.Rejection
		if told := told(err); !errors.As(told, &rejection) || rejection.Type != problem.TypeBase+string(want) {
			t.Errorf("%v is told as %v, want %s", err, told, want)
		}
	}
	if told(broken) != broken {
		t.Error("an error that nobody can mend is told as another")
	}
}

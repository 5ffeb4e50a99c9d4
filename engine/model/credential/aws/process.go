package aws

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// This file takes keys from the program that credential_process names.

// programTime is how long the program may take: it may wait for a person.
const programTime = time.Minute

func (s *surroundings) program(named, command string) *way {
	return &way{name: "credential_process of " + named, fetch: func(ctx context.Context) (keys, error) {
		out, err := s.run(ctx, command, programTime)
		if err != nil {
			return keys{}, err
		}
		var read struct {
			Version int
			given
		}
		// What the program printed may hold keys: it is never shown.
		if err := json.Unmarshal(out, &read); err != nil {
			return keys{}, errors.New("what the program printed cannot be read")
		}
		if read.Version != 1 {
			return keys{}, errors.New("what the program printed is not of version 1")
		}
		return read.given.keys("the program")
	}}
}

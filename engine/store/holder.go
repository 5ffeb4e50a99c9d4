package store

// This file says which process is at work on a run.

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// AtWork tells whether a living process is at work on a run, and which one, as far
// as its file can be read: the process is for people, and nothing is decided by it.
func (s *Store) AtWork(id string) (by *Process, working bool, err error) {
	if !s.exists() {
		return nil, false, nil
	}
	err = s.read(func(t transaction) error {
		claimed, err := t.claimOf(claimRun, id)
		if err != nil || claimed == nil {
			return err
		}
		gone, err := t.cutOff(claimed)
		if err != nil || gone {
			return err
		}
		working = true
		about, err := os.ReadFile(filepath.Join(s.ownersFolder(), claimed.owner+lockSuffix))
		var process Process
		if err == nil && json.Unmarshal(about, &process) == nil && process.PID != 0 {
			by = &process
		}
		return nil
	})
	return by, working, err
}

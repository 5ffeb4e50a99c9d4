package engine

// This file is what callers know of files that are named or placed otherwise than
// their author meant.

import (
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
)

// DocumentHead is how many bytes of a document MeantPath looks at.
const DocumentHead = playbook.HeadBytes

// CheckName warns of the name of a definition that not every system can hold or
// tell from others.
func CheckName(name string) []problem.Problem { return playbook.CheckName(name) }

// MeantPath gives the path that a Markdown file should have had to be a definition,
// by its own path and its first bytes; empty where it looks like none. Both paths
// start at the playbook's folder and have slashes.
func MeantPath(path string, head []byte) string { return playbook.MeantPath(path, head) }

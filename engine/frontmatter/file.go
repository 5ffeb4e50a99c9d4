package frontmatter

// This file reads a file that is YAML and nothing else, such as a playbook's
// settings.

import "github.com/beonauto/auto/engine/problem"

// ReadYAML reads a whole file as one YAML mapping, by the rules of front matter
// (see Read). The mapping is nil when the file is none; a file that holds
// nothing, or comments alone, is an empty one.
func ReadYAML(source []byte) (*Node, []problem.Problem) {
	found := &findings{}
	root, _ := readYAML(normalize(source, found), 1, found)
	return root, problem.Sort(found.problems)
}

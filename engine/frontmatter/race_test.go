//go:build race

package frontmatter

// raced tells that the race detector is on, which multiplies what reading costs.
const raced = true

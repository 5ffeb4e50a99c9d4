//go:build !race

package frontmatter

const raced = false

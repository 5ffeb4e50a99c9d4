//go:build !race

package definition

const raced = false

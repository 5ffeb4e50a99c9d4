//go:build race

package definition

// raced tells that the race detector is on, which multiplies what a check costs.
const raced = true

//go:build !race

package effort

// Raced tells that the race detector is on, under which each step costs several
// times what it does in the program.
const Raced = false

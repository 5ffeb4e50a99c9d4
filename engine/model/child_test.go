package model_test

import (
	"os"
	"testing"

	"github.com/beonauto/auto/engine/patience"
)

// child runs one test of this package in a process of its own, with more in its
// environment.
func child(t *testing.T, test string, environment ...string) (string, error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := patience.Command(t, program, "-test.run=^"+test+"$", "-test.v")
	command.Env = append(os.Environ(), environment...)
	output, err := command.CombinedOutput()
	return string(output), err
}

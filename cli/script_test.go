package cli_test

// This file runs the acceptance tests: the program as a person or a script
// runs it, one file of testdata/script a topic.

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/beonauto/auto/cli"
)

var update = flag.Bool("update", false, "write what was found into the expected files")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"auto": func() { os.Exit(cli.Execute(os.Args[1:], timed(cli.System()))) },
	})
}

// clockVariable names a file with a time, in seconds of Unix, at which the program
// stands, so that a test can print and move it. Without it the time is the machine's.
const clockVariable = "AUTO_TEST_CLOCK"

func timed(streams cli.Streams) cli.Streams {
	if file := os.Getenv(clockVariable); file != "" {
		streams.Now = func() time.Time {
			text, err := os.ReadFile(file)
			seconds, wrong := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err != nil || wrong != nil {
				panic(errors.Join(err, wrong))
			}
			return time.Unix(seconds, 0).UTC()
		}
	}
	return streams
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Values[startedKey{}] = &providers{t: t, named: map[string]*provider{}}
			return nil
		},
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"double": func(ts *testscript.TestScript, not bool, args []string) { started(ts).start(ts, not, args) },
			"asked":  func(ts *testscript.TestScript, not bool, args []string) { started(ts).asked(ts, not, args) },
		},
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Getuid() == 0, nil
			}
			return false, errors.New("unknown condition " + condition)
		},
	})
}

// started are the providers of a script.
func started(ts *testscript.TestScript) *providers { return ts.Value(startedKey{}).(*providers) }

type startedKey struct{}

// exits runs a command and wants one exit code of it: exits 2 auto lint nope.
// What it printed is there for stdout, stderr and cmp.
func exits(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("%v exits with %d, want %d\nstdout: %s\nstderr: %s", args[1:], code, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

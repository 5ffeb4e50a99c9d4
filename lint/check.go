package lint

// This file checks the files that were found: several at once, handed out one
// after the other in their order, without ever holding more than a few.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
)

// mostWorkers bounds how many documents are in memory at once.
const mostWorkers = 16

// MaxFileBytes is how much of a file is ever read. No definition can be near
// that long: its template alone is limited to 65,536 characters.
const MaxFileBytes = 8 << 20

// A Crash is a panic while one file was checked: a fault of the program, not
// of the file.
type Crash struct {
	Path  string
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("checking %s: %v", c.Path, c.Value) }

// Run checks the targets and calls visit with each file in the order of the
// targets, from one goroutine. It gives the count of what was found, and stops
// early with visit's error, the context's or a *Crash.
func Run(ctx context.Context, options Options, targets []Target, visit func(*File) error) (Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := options.Workers
	if workers <= 0 {
		workers = min(runtime.GOMAXPROCS(0), mostWorkers)
	}
	type job struct {
		target Target
		done   chan *File // buffered: a worker never waits for the reader
		crash  *Crash
	}
	around := &neighbourhoods{connect: options.Connect}
	jobs, queue := make(chan *job), make(chan *job, 2*workers)
	for range workers {
		go func() {
			for j := range jobs {
				file, crash := checkSafely(ctx, options, around, j.target)
				j.crash = crash
				j.done <- file
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(jobs)
		for _, target := range targets {
			j := &job{target: target, done: make(chan *File, 1)}
			// The queue's length bounds how far the workers run ahead.
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
			jobs <- j
		}
	}()
	var summary Summary
	for j := range queue {
		file := <-j.done
		if j.crash != nil {
			return summary, j.crash
		}
		summary.add(file)
		if err := visit(file); err != nil {
			return summary, err
		}
	}
	return summary, ctx.Err()
}

func checkSafely(ctx context.Context, options Options, around *neighbourhoods, target Target) (file *File, crash *Crash) {
	defer func() {
		if value := recover(); value != nil {
			crash = &Crash{Path: target.Path, Value: value, Stack: debug.Stack()}
		}
	}()
	return check(ctx, options, around, target), nil
}

func check(ctx context.Context, options Options, around *neighbourhoods, target Target) *File {
	file := &File{Path: target.Path, Type: target.Type}
	source, err := read(options, target)
	if err != nil {
		file.Err = WithoutPath(err)
		return file
	}
	var found []problem.Problem
	switch {
	case len(source) > MaxFileBytes:
		found = []problem.Problem{tooLarge()}
		file.Rejection = problem.Rejects(found)
	case target.Type == SettingsType:
		found = engine.CheckSettings(source)
	default:
		report := engine.Check(source, target.Type, around.of(ctx, target.playbook))
		found, file.Rejection = report.Problems, report.Rejection
		if target.name != "" {
			found = append(engine.CheckName(target.name), found...)
		}
	}
	found = withoutWarnings(found, options.Ignore)
	file.Refused, file.Warned = count(found)
	file.Problems = found
	if !options.All {
		file.Problems = shown(found, file.Refused, file.Warned)
	}
	// A line of settings may hold a secret that should not stand there: a report
	// must not carry it on.
	if options.Excerpts && target.Type != SettingsType {
		file.Excerpts = excerpts(source, file.Problems)
	}
	return file
}

// withoutWarnings leaves out the warnings of some rules.
func withoutWarnings(found []problem.Problem, rules []problem.Rule) []problem.Problem {
	if len(rules) == 0 {
		return found
	}
	return slices.DeleteFunc(found, func(p problem.Problem) bool {
		return p.Severity == problem.Warning && slices.Contains(rules, p.Rule)
	})
}

// tooLarge is the problem of a file that is longer than MaxFileBytes.
func tooLarge() problem.Problem {
	return problem.Problem{
		Line: 1, Rule: problem.TooLarge, Severity: problem.Refused,
		Message: fmt.Sprintf("Expected a file of at most %d MiB", MaxFileBytes>>20),
	}
}

// read gives a target's source, at most one byte more than MaxFileBytes of it.
func read(options Options, target Target) ([]byte, error) {
	if target.err != nil {
		return nil, target.err
	}
	if target.stdin {
		return io.ReadAll(io.LimitReader(options.Stdin, MaxFileBytes+1))
	}
	return engine.ReadFile(target.file, MaxFileBytes)
}

// WithoutPath gives a file error's reason, for a message that names the path
// already.
func WithoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func count(problems []problem.Problem) (refused, warned int) {
	for _, p := range problems {
		if p.Severity == problem.Warning {
			warned++
		} else {
			refused++
		}
	}
	return refused, warned
}

// shown gives the problems a report lists without being asked for all: the
// first ShownProblems that refuse the document and the first ShownWarnings,
// each with a line that counts the rest, in the order they were found.
func shown(found []problem.Problem, refused, warned int) []problem.Problem {
	if refused <= problem.ShownProblems && warned <= problem.ShownWarnings {
		return found
	}
	left := map[problem.Severity][]problem.Problem{
		problem.Refused: problem.Cut(of(found, problem.Refused), problem.ShownProblems),
		problem.Warning: problem.Cut(of(found, problem.Warning), problem.ShownWarnings),
	}
	var list []problem.Problem
	for _, p := range found {
		if next := left[p.Severity]; len(next) > 0 {
			list = append(list, next[0])
			left[p.Severity] = next[1:]
		}
	}
	return list
}

func of(found []problem.Problem, severity problem.Severity) []problem.Problem {
	var list []problem.Problem
	for _, p := range found {
		if p.Severity == severity {
			list = append(list, p)
		}
	}
	return list
}

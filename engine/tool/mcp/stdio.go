package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
)

// This file starts a server that is a program, and speaks with it over its
// standard input and output, one message a line.

// drainTime is how long the last words of a program that has ended are read,
// should one of its descendants hold its output open.
const drainTime = time.Second

// stdio is a program that is running.
type stdio struct {
	command *exec.Cmd
	input   *os.File
	output  *os.File
	errors  *tail
	limit   int64
	grace   time.Duration

	*dispatcher
	lines   chan []byte   // to be written to the program
	leaving chan struct{} // closed when nobody writes any more
	leave   sync.Once
	exited  chan struct{} // closed when the program has ended
	drained chan struct{} // closed when all it wrote to its standard error was read
	threads sync.WaitGroup
}

// spawn starts the program. Its process outlives any context: only close ends it.
func spawn(s Settings) (*stdio, error) {
	ours, theirs, err := pipes()
	if err != nil {
		return nil, transport.NewFault(transport.Unreachable, "The server's program cannot be started: too many files are open")
	}
	l := &stdio{
		command: exec.Command(s.Command, s.Args...),
		input:   ours[0], output: ours[1], errors: &tail{},
		limit: s.Bounds.Message, grace: s.Grace,
		dispatcher: newDispatcher(s.Bounds.Message),
		lines:      make(chan []byte, 16), leaving: make(chan struct{}), exited: make(chan struct{}), drained: make(chan struct{}),
	}
	l.command.Dir = s.Folder
	// A nil environment would be this process's own.
	l.command.Env = append([]string{}, s.Env...)
	l.command.Stdin, l.command.Stdout, l.command.Stderr = theirs[0], theirs[1], theirs[2]
	inOwnGroup(l.command)
	err = l.command.Start()
	for _, file := range theirs {
		_ = file.Close()
	}
	if err != nil {
		for _, file := range ours {
			_ = file.Close()
		}
		return nil, startFault(err)
	}
	l.threads.Add(4)
	go l.write()
	go l.read()
	go l.drain(ours[2])
	go l.watch()
	return l, nil
}

// pipes makes the two ends of the program's input, output and errors.
func pipes() (ours, theirs [3]*os.File, err error) {
	for i := range ours {
		reading, writing, failed := os.Pipe()
		if failed != nil {
			for j := range i {
				_, _ = ours[j].Close(), theirs[j].Close()
			}
			return ours, theirs, failed
		}
		ours[i], theirs[i] = reading, writing
		if i == 0 {
			ours[i], theirs[i] = writing, reading
		}
	}
	return ours, theirs, nil
}

func startFault(err error) *transport.Fault {
	fault := transport.NewFault(transport.Unreachable, "The server's program cannot be started")
	switch {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		fault.Message = "The server's program was not found"
	case errors.Is(err, fs.ErrPermission):
		fault.Message = "The server's program may not be run"
	}
	fault.Unsent = true
	return fault
}

func (l *stdio) send(ctx context.Context, out outgoing) (incoming, error) {
	from, fault := l.expect(out.id)
	if fault != nil {
		unsent := *fault
		unsent.Unsent = true
		return incoming{}, &unsent
	}
	select {
	case l.lines <- out.text:
		return l.wait(ctx, out.id, from)
	case <-l.ended:
		return l.wait(ctx, out.id, from)
	case <-ctx.Done():
		l.forget(out.id)
		return incoming{}, context.Cause(ctx)
	}
}

func (l *stdio) announce(ctx context.Context, text []byte) error {
	select {
	case l.lines <- text:
	case <-l.ended:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

func (l *stdio) tell(text []byte) {
	select {
	case l.lines <- text:
	case <-l.ended:
	default: // a program that reads nothing is told nothing
	}
}

func (l *stdio) agree(string) {}

// waitedLines is how many of its last lines say what a program that does not answer
// is doing.
const waitedLines = 3

func (l *stdio) said() string { return l.errors.lastWords(waitedLines) }

func (l *stdio) broken() bool { return l.over() }

// write hands the program its lines, whoever waits for them.
func (l *stdio) write() {
	defer l.threads.Done()
	defer l.input.Close()
	for {
		select {
		case line := <-l.lines:
			if _, err := l.input.Write(append(line, '\n')); err != nil {
				// The program reads no more; how it ended says why.
				<-l.leaving
				return
			}
		case <-l.leaving:
			return
		}
	}
}

// read takes the program's lines until it has written its last.
func (l *stdio) read() {
	defer l.threads.Done()
	defer l.output.Close()
	lines := newLineReader(l.output, l.limit)
	for {
		line, err := lines.next()
		if err != nil {
			l.end(l.ending(err))
			l.stop()
			return
		}
		reply, fault := l.deliver(line)
		if fault == errUnreadable && lines.cut() {
			continue // how the program ended says more than the half of a message
		}
		if fault != nil {
			l.end(fault)
			l.stop()
			return
		}
		if reply != nil {
			l.tell(reply)
		}
	}
}

// ending tells why no more lines come.
func (l *stdio) ending(err error) *transport.Fault {
	if fault := (*transport.Fault)(nil); errors.As(err, &fault) {
		return fault
	}
	message := "The server closed its output"
	// Its exit follows at once, when that is why.
	select {
	case <-l.exited:
		message = "The server's program ended" + exitWords(l.command.ProcessState)
		<-l.drained // at most drainTime later
	case <-time.After(drainTime):
	}
	if said := l.errors.lastWords(1); said != "" {
		message += ": " + said
	}
	if l.lacksPath() {
		message += "; its env names no PATH to find programs in"
	}
	return transport.NewFault(transport.Failing, message)
}

// notFound is the status that shells and env end with when a program that they
// are to run is not found.
const notFound = 127

// lacksPath tells whether the program ended for want of a PATH, as one does that
// env or a shell script starts.
func (l *stdio) lacksPath() bool {
	select {
	case <-l.exited:
	default:
		return false
	}
	return l.command.ProcessState.ExitCode() == notFound &&
		!slices.ContainsFunc(l.command.Env, func(variable string) bool { return strings.HasPrefix(variable, "PATH=") })
}

func exitWords(state *os.ProcessState) string {
	if state == nil || state.Success() {
		return ""
	}
	return fmt.Sprintf(" (%s)", state)
}

// drain keeps the last of what the program writes to its standard error, so that
// it never waits for a reader.
func (l *stdio) drain(from *os.File) {
	defer l.threads.Done()
	defer close(l.drained)
	defer from.Close()
	go func() {
		<-l.exited
		_ = from.SetReadDeadline(time.Now().Add(drainTime))
	}()
	_, _ = io.Copy(l.errors, from)
}

// watch learns of the program's end, and ends what it started: a descendant
// could hold the output open for good.
func (l *stdio) watch() {
	defer l.threads.Done()
	_ = l.command.Wait()
	killGroup(l.command)
	_ = l.output.SetReadDeadline(time.Now().Add(drainTime))
	close(l.exited)
}

// stop ends the program without waiting for it.
func (l *stdio) stop() {
	l.leave.Do(func() { close(l.leaving) })
	go l.terminate()
}

// terminate asks the program to end, first by closing its input, and then makes
// it.
func (l *stdio) terminate() {
	for _, ask := range []func(*exec.Cmd){func(*exec.Cmd) {}, terminateGroup, killGroup} {
		ask(l.command)
		select {
		case <-l.exited:
			return
		case <-time.After(l.grace):
		}
	}
}

func (l *stdio) close() {
	l.leave.Do(func() { close(l.leaving) })
	l.terminate()
	l.end(transport.NewFault(transport.Failing, "The connection to the server was closed"))
	l.threads.Wait()
}

// lineReader reads lines of at most limit bytes.
type lineReader struct {
	lines *rpc.Lines
	limit int64
}

func newLineReader(from io.Reader, limit int64) *lineReader {
	return &lineReader{rpc.NewLines(from, limit), limit}
}

// next gives a line without its end. It is the caller's own. The last line counts
// without an end too.
func (r *lineReader) next() ([]byte, error) {
	line, err := r.lines.Next()
	if errors.Is(err, rpc.ErrTooLong) {
		return nil, transport.NewFault(transport.TooLarge, "The server's answer is larger than "+transport.Size(r.limit))
	}
	return line, err
}

// cut tells whether the last line had no end.
func (r *lineReader) cut() bool { return r.lines.Cut() }

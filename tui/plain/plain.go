// Package plain is the inbox as plain prompts, for a screen reader, a terminal that
// cannot draw, or a pipe: it lists the open requests, reads one out, asks for each
// field of the answer in turn, says what will be sent, and sends it on a yes.
//
// It never uses colour, moves a cursor or draws anything again: every line is
// written once, in the order it is to be read. It never decides by itself: the end
// of the input leaves without sending anything.
package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/form/plan"
	"github.com/beonauto/auto/tui/list"
	"github.com/beonauto/auto/tui/safe"
	"github.com/beonauto/auto/tui/when"
)

// Desk is what the prompts ask of a runtime, a part of desk.Desk.
type Desk interface {
	List() ([]desk.Row, error)
	Request(runID string) (*engine.AskedRequest, error)
	Ending(runID string) (*desk.Ending, error)
	Answer(runID string, answer value.Value) (*desk.Ending, error)
	Cancel(runID string) (*desk.Ending, error)
}

var _ Desk = desk.Desk(nil)

// Options are what the prompts are made with.
type Options struct {
	Now func() time.Time // the clock; nil for the machine's
	// Echo writes each line that is read after its question, for an input that is no
	// terminal, which would do so itself.
	Echo bool
}

// errQuit is the person's word to leave, or the end of the input.
var errQuit = errors.New("the person left")

// Run prompts until the person leaves, the input ends or ctx is done. Its error is
// the desk's at the start, the writer's or ctx's; leaving is none.
func Run(ctx context.Context, in io.Reader, out io.Writer, d Desk, options Options) error {
	if options.Now == nil {
		options.Now = time.Now
	}
	p := &prompts{ctx: ctx, out: bufio.NewWriter(out), desk: d, now: options.Now, echo: options.Echo, drafts: map[string]draft{}}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p.ctx, p.lines = ctx, linesOf(ctx, in)
	err := p.requests()
	p.unsent()
	if errors.Is(err, errQuit) {
		err = nil
	}
	return errors.Join(err, p.out.Flush())
}

// prompts is one conversation.
type prompts struct {
	ctx    context.Context
	out    *bufio.Writer
	lines  <-chan line
	desk   Desk
	now    func() time.Time
	echo   bool
	rows   []desk.Row
	from   int              // the first row that was listed last
	drafts map[string]draft // what was given and not sent, by run id
}

// draft is an answer that was given, at least in part, and not sent.
type draft struct {
	plan *plan.Plan
	root *plan.Entry
}

// unsent reads out what was given and not sent, so that leaving loses nothing.
func (p *prompts) unsent() {
	for _, id := range slices.Sorted(maps.Keys(p.drafts)) {
		if d := p.drafts[id]; d.root.Given() {
			p.say("What you gave for the run %s was not sent:\n%s", safe.Line(id), spoken(d.plan.Typed(d.root)))
		}
	}
}

// longestLine is the most bytes of a line that is typed.
const longestLine = plan.MaxAnswer

// line is a line of the input.
type line struct {
	text    string
	tooLong bool
}

// linesOf reads lines as they are asked for. The channel is closed at the end.
func linesOf(ctx context.Context, in io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		from := bufio.NewReaderSize(in, longestLine+2)
		for {
			text, err := from.ReadSlice('\n')
			next := line{text: strings.TrimRight(string(text), "\r\n")}
			for errors.Is(err, bufio.ErrBufferFull) {
				next = line{tooLong: true}
				_, err = from.ReadSlice('\n')
			}
			if err != nil && next.text == "" && !next.tooLong {
				return
			}
			select {
			case lines <- next:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// say writes a line, which may hold words from outside.
func (p *prompts) say(format string, arguments ...any) {
	fmt.Fprintln(p.out, safe.Text(fmt.Sprintf(format, arguments...)))
}

// pause writes an empty line.
func (p *prompts) pause() { fmt.Fprintln(p.out) }

// ask asks for one line. The error is errQuit at the end of the input, and ctx's.
func (p *prompts) ask(question string) (string, error) {
	for {
		fmt.Fprint(p.out, safe.Line(question)+" ")
		if err := p.out.Flush(); err != nil {
			return "", err
		}
		select {
		case next, open := <-p.lines:
			switch {
			case !open:
				fmt.Fprintln(p.out)
				p.say("The input ended. Nothing more was sent.")
				return "", errQuit
			case next.tooLong:
				p.say("That line was not taken: an answer takes at most %d KiB.", plan.MaxAnswer>>10)
				continue // with the same question
			}
			typed := clean(next.text)
			if p.echo {
				fmt.Fprintln(p.out, safe.Line(typed))
			}
			return typed, nil
		case <-p.ctx.Done():
			return "", p.ctx.Err()
		}
	}
}

// clean is a line as the person means it: without what a terminal sent for a key
// that types nothing.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// pageOfRequests is how many requests are listed at once.
const pageOfRequests = 20

// requests lists the open requests and takes what the person wants of them.
func (p *prompts) requests() error {
	if err := p.first(); err != nil {
		return err
	}
	for {
		p.pause()
		typed, err := p.ask("Request number, list, more, help or quit:")
		if err != nil {
			return err
		}
		word := meant(typed)
		switch word {
		case "":
		case "quit", "back":
			p.say("Goodbye.")
			return errQuit
		case "help":
			p.say("Type the number of a request to read it and to answer it.\nlist reads the list again, more reads the next %d requests, quit leaves.\nNothing is ever sent before you were told what, and said yes.", pageOfRequests)
		case "list":
			err = p.list(0)
		case "more":
			err = p.list(p.from + pageOfRequests)
		default:
			number, notNumber := strconv.Atoi(word)
			if notNumber != nil || number < 1 || number > len(p.rows) {
				p.say("Expected a number of the list, or list, more, help or quit.")
				continue
			}
			err = p.request(p.rows[number-1].RunID)
		}
		if err != nil {
			return err
		}
	}
}

// keys are the keys of the screen, for those whose fingers know them, where a word is
// asked for.
var keys = map[string]string{"a": "answer", "?": "help", "q": "quit"}

// meant is the word that a line is, where one of a few is asked for.
func meant(typed string) string {
	word := strings.ToLower(strings.TrimSpace(typed))
	if long, is := keys[word]; is {
		return long
	}
	return word
}

// first lists the requests at the start, which fails when they cannot be read.
func (p *prompts) first() error {
	rows, err := p.desk.List()
	if err == nil {
		p.tell(rows, 0)
	}
	return err
}

// list lists the requests from a place on.
func (p *prompts) list(from int) error {
	rows, err := p.desk.List()
	if err != nil {
		return p.refused(err)
	}
	p.tell(rows, from)
	return nil
}

// tell reads out a page of requests, those that wait on the person first.
func (p *prompts) tell(rows []desk.Row, from int) {
	if from >= len(rows) {
		if from > 0 && len(rows) > 0 {
			p.say("There are no more requests.")
			return
		}
		from = 0
	}
	slices.SortStableFunc(rows, func(a, b desk.Row) int { return int(a.Waits) - int(b.Waits) })
	p.rows, p.from = rows, from
	switch len(rows) {
	case 0:
		p.say("There are no open requests.")
		return
	case 1:
		p.say("There is 1 open request.")
	default:
		p.say("There are %s open requests.", value.Grouped(int64(len(rows))))
	}
	for i, row := range rows[from:min(from+pageOfRequests, len(rows))] {
		p.say("%d. %s.", from+i+1, p.rowWords(row))
	}
	if left := len(rows) - from - pageOfRequests; left > 0 {
		p.say("%s more; type more to hear them.", value.Grouped(int64(left)))
	}
}

// waitsWords say whom a request waits on.
var waitsWords = map[desk.Waits]string{desk.OnMe: "waits on you", desk.OnAnyone: "anyone may answer", desk.OnOthers: "waits on someone else"}

// rowWords says what the list says of a request.
func (p *prompts) rowWords(row desk.Row) string {
	now := p.now()
	words := []string{waitsWords[row.Waits], "asked " + when.Ago(row.Asked, now)}
	if row.Waits != desk.OnMe {
		words = append([]string{"to " + safe.Line(row.To)}, words...)
	}
	if left, open := when.Left(row.Expires, now); open {
		words = append(words, "expires in "+left)
	} else {
		words = append(words, "its time is over")
	}
	if !row.TakesAnswer {
		words = append(words, "a notification, which takes no answer")
	}
	words = append(words, list.Delivered(row.Delivery))
	named := safe.Line(row.Name) // a definition's, so that it is never empty
	if begins := beginning(row.Beginning); begins != "" {
		named += ": " + begins
	}
	if !strings.HasSuffix(named, "…") && !strings.ContainsAny(named[len(named)-1:], ".!?:") {
		named += "."
	}
	return named + " " + upper(strings.Join(words, ", "))
}

// mostSpoken is how much of a message is read out in the list, in cells.
const mostSpoken = 80

// beginning says how a message begins, as it is read out.
func beginning(message string) string {
	var parts []string
	for _, line := range strings.Split(Softened(message), "\n") {
		if line = strings.TrimSpace(strings.TrimPrefix(safe.Line(line), "Heading: ")); line != "" {
			parts = append(parts, line)
		}
	}
	return cells.Cut(strings.Join(parts, "; "), mostSpoken)
}

func upper(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

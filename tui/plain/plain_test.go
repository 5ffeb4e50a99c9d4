package plain_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/plain"
)

var update = flag.Bool("update", false, "write the golden files")

var now = time.Date(2026, 10, 31, 14, 30, 0, 0, time.UTC)

// office is a desk of a few requests.
type office struct {
	asked  []*engine.AskedRequest
	ended  map[string]*desk.Ending
	given  []string // the answers that were taken, as JSON
	refuse []error  // what the next answers are refused with
	fault  error    // what listing fails with
}

func (o *office) List() ([]desk.Row, error) {
	var rows []desk.Row
	for _, each := range o.asked {
		if o.ended[each.RunID] == nil {
			row := desk.Row{RequestSummary: each.RequestSummary, Waits: desk.OnMe}
			row.Beginning = each.Message[:min(len(each.Message), 160)]
			if each.To != "priya@acme.example" {
				row.Waits = desk.OnAnyone
			}
			rows = append(rows, row)
		}
	}
	return rows, o.fault
}

func (o *office) Request(runID string) (*engine.AskedRequest, error) {
	for _, each := range o.asked {
		if each.RunID == runID {
			return each, nil
		}
	}
	return nil, engine.ErrNoRun
}

func (o *office) Ending(runID string) (*desk.Ending, error) { return o.ended[runID], nil }

func (o *office) Answer(runID string, answer value.Value) (*desk.Ending, error) {
	if len(o.refuse) > 0 {
		err := o.refuse[0]
		o.refuse = o.refuse[1:]
		return nil, err
	}
	o.given = append(o.given, value.JSON(answer))
	o.ended[runID] = &desk.Ending{RunID: runID, How: desk.Answered, At: now, AnswerID: 12, Answer: answer, By: "Local developer", Mine: true}
	return o.ended[runID], nil
}

func (o *office) Cancel(runID string) (*desk.Ending, error) {
	o.ended[runID] = &desk.Ending{RunID: runID, How: desk.Cancelled, At: now, Mine: true}
	return o.ended[runID], nil
}

const message = "# The review is ready\n\nThe brief for **Q4** is _nearly_ there; see [the page](https://example.com/brief).\n\n" +
	"- the audience is clear\n- [ ] name the job role\n\n> We launch on Monday.\n\n```\nbudget: 1200\n```\n\n| Who | What |\n| --- | --- |\n| Ada | Text |\n\nReply **approve**, or **revise** with a note.\x1b[2J"

// asks is an office with a request for each answer schema.
func asks(t testing.TB, schemas ...string) *office {
	t.Helper()
	o := &office{ended: map[string]*desk.Ending{}}
	for i, each := range schemas {
		schema, err := value.ParseJSON([]byte(each), 100)
		if err != nil {
			t.Fatal(err)
		}
		o.asked = append(o.asked, &engine.AskedRequest{
			RequestSummary: engine.RequestSummary{
				RunID: "run-" + string(rune('a'+i)), Type: "interaction", Name: "approve-campaign-brief", Version: 3, To: "priya@acme.example",
				TakesAnswer: schema != nil, Asked: now.Add(-2 * time.Hour), Expires: now.Add(46 * time.Hour), Delivery: "delivered",
			},
			Message: message, AnswerSchema: schema,
		})
	}
	return o
}

const (
	brief    = `{"type":"object","required":["verdict"],"properties":{"verdict":{"type":"string","enum":["approve","revise"]},"note":{"type":"string","maxLength":60,"description":"What should change."}}}`
	campaign = `{"type":"object","required":["budget","people"],"description":"The campaign team waits for this.","properties":{
		"budget":{"type":"number","minimum":0,"maximum":50000},"due":{"type":["string","null"],"format":"date"},"urgent":{"type":"boolean"},
		"names":{"type":"array","items":{"type":"string","maxLength":8},"minItems":1},
		"address":{"type":"object","required":["city"],"properties":{"city":{"type":"string","maxLength":30}}},
		"people":{"type":"array","minItems":1,"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":20},"lead":{"type":"boolean"}}}},
		"labels":{"type":"object","additionalProperties":{"type":"string"}},"kind":{"const":"brief"}}}`
)

// talk types lines and gives all that was written.
func talk(t testing.TB, o *office, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	err := plain.Run(context.Background(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, o, plain.Options{Now: func() time.Time { return now }, Echo: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 {
			t.Fatalf("%U was written:\n%q", r, out.String())
		}
	}
	return out.String()
}

func TestConversations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		schemas []string
		lines   []string
		given   string
	}{
		{"approve", []string{brief, "null"}, []string{"1", "answer", "approve", "", "yes", "quit"}, `{"verdict":"approve"}`},
		{"revise after slips", []string{brief}, []string{"help", "7", "1", "help", "nothing", "answer", "maybe", "help", "2", strings.Repeat("long ", 20), "Name the job role.", "no", "answer", "", "back", "approve", "clear", "perhaps", "yes", "quit"}, `{"verdict":"approve"}`},
		{"campaign", []string{campaign}, []string{"1", "answer", "-1", "12x", "1200", "null", "y", "Ada Lovelace", "Ada", "Grace", "back", "", "yes", "Wien", "no", "yes", "Zoë", "no", "yes", "日本", "", "no", `{"a": `, `{"a": 1}`, "<<", "{", `"a": "b"`, "}", ".", "brief", "yes", "quit"},
			`{"budget":1200,"due":null,"urgent":true,"names":["Ada"],"address":{"city":"Wien"},"people":[{"name":"Zoë","lead":false},{"name":"日本"}],"labels":{"a":"b"},"kind":"brief"}`},
		{"notification and cancel", []string{"null"}, []string{"1", "answer", "cancel", "no", "cancel", "yes", "quit"}, ""},
		{"nothing open", nil, []string{"list", "more", "1", "quit"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := asks(t, c.schemas...)
			golden(t, c.name, talk(t, o, c.lines...))
			if got := strings.Join(o.given, "\n"); got != c.given {
				t.Errorf("given %s, want %s", got, c.given)
			}
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "_")+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestLeavingDecidesNothing(t *testing.T) {
	t.Parallel()
	all := []string{"1", "answer", "approve", "Fine", "yes"}
	for until := range all {
		o := asks(t, brief)
		if heard := talk(t, o, all[:until]...); len(o.given) > 0 || !strings.Contains(heard, "The input ended. Nothing more was sent.") {
			t.Errorf("after %q: given %v\n%s", all[:until], o.given, heard)
		}
		o = asks(t, brief)
		if talk(t, o, append(all[:until:until], "quit")...); len(o.given) > 0 {
			t.Errorf("after %q and quit: given %v", all[:until], o.given)
		}
	}
	// Anything but a yes sends nothing.
	o := asks(t, brief)
	talk(t, o, "1", "answer", "approve", "", "", "ok", "sure", "send", "no", "quit")
	if len(o.given) > 0 {
		t.Errorf("given %v", o.given)
	}
}

func TestLeavingReadsOutWhatWasNotSent(t *testing.T) {
	t.Parallel()
	const unsent = "What you gave for the run run-a was not sent:\n{\n  \"verdict\": \"revise\",\n  \"note\": \"Name the role\"\n}"
	given := []string{"1", "answer", "revise", "Name the role"}
	for _, c := range []struct {
		name   string
		lines  []string
		unsent bool
	}{
		{"the end of the input", nil, true}, {"quit", []string{"quit"}, true}, {"no, then quit", []string{"no", "quit"}, true},
		{"a store that cannot be written", []string{"yes", "quit"}, true}, {"sent once that is mended", []string{"yes", "answer", "", "", "yes", "quit"}, false},
	} {
		o := asks(t, brief)
		o.refuse = []error{errors.New("the store runs.db cannot be written: no space left on device")}
		heard := talk(t, o, append(given[:len(given):len(given)], c.lines...)...)
		if strings.Contains(heard, unsent) != c.unsent || strings.Contains(heard, "was not sent:") != c.unsent {
			t.Errorf("%s:\n%s", c.name, heard)
		}
	}
	if heard := talk(t, asks(t, brief), "1", "answer", "quit"); strings.Contains(heard, "was not sent:") {
		t.Errorf("nothing was given:\n%s", heard)
	}
}

func TestWordsAsAnswers(t *testing.T) {
	t.Parallel()
	o := asks(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string","minLength":1}}}`)
	heard := talk(t, o, "1", "answer", `\back`, "empty", `\\back`, "empty", "quit it", "yes", "quit")
	if want := `{"a":"back","b":"","c":"\\\\back","d":"quit it"}`; len(o.given) != 1 || o.given[0] != want {
		t.Errorf("given %v, want %s\n%s", o.given, want, heard)
	}
	o = asks(t, `{"enum":["1","2","3","clear","three hundred","thirty"]}`)
	if talk(t, o, "1", "answer", "2", "yes", "quit"); len(o.given) != 1 || o.given[0] != `"2"` {
		t.Errorf("given %v", o.given)
	}
	o = asks(t, `{"enum":["10","2","3","clear","three hundred","thirty"]}`)
	if heard := talk(t, o, "1", "answer", "thi", "yes", "quit"); len(o.given) != 1 || o.given[0] != `"thirty"` {
		t.Errorf("given %v\n%s", o.given, heard)
	}
	o = asks(t, `{"enum":["a one","a two","b"]}`)
	if heard := talk(t, o, "1", "answer", "a", "2", "yes", "quit"); len(o.given) != 1 || o.given[0] != `"a two"` || !strings.Contains(heard, "2 of them hold that") {
		t.Errorf("given %v\n%s", o.given, heard)
	}
}

func TestWhatTheRuntimeRefuses(t *testing.T) {
	t.Parallel()
	o := asks(t, brief)
	o.refuse = []error{problem.NewRejection(problem.InvalidInput, "The answer does not match the answer schema", problem.Issue{Pointer: "/answer/note", Detail: "Expected another note"})}
	heard := talk(t, o, "1", "answer", "revise", "This", "yes", "yes", "", "That", "yes", "quit")
	if len(o.given) != 1 || o.given[0] != `{"verdict":"revise","note":"That"}` || !strings.Contains(heard, "Note: Expected another note.") {
		t.Errorf("given %v\n%s", o.given, heard)
	}

	o = asks(t, brief)
	o.refuse = []error{problem.NewRejection(problem.Conflict, "The request of the run run-a took another answer: a run takes one")}
	ended := &desk.Ending{RunID: "run-a", How: desk.Answered, At: now, By: "Priya", Reply: true}
	late := &lateOffice{office: o, ending: ended}
	var out bytes.Buffer
	if err := plain.Run(context.Background(), strings.NewReader("1\nanswer\nrevise\nThis\nyes\nquit\n"), &out, late, plain.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"note": "This"`); n != 2 { // before it is sent, and once it is not taken
		t.Errorf("the answer was read out %d times:\n%s", n, out.String())
	}
	for _, want := range []string{"The answer was not taken: The request of the run run-a took another answer", "Answered by a reply", "What you gave was:", `"note": "This"`, "There are no open requests."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q was not said:\n%s", want, out.String())
		}
	}
}

// lateOffice is an office in which somebody else answers first.
type lateOffice struct {
	*office
	ending *desk.Ending
}

func (o *lateOffice) Answer(runID string, answer value.Value) (*desk.Ending, error) {
	o.ended[runID] = o.ending
	return o.office.Answer(runID, answer)
}

func TestAnAnswerThatNobodyCanGiveEnds(t *testing.T) {
	t.Parallel()
	o := asks(t, `{"type":"object","minProperties":2,"required":["kind"],"properties":{"kind":{"const":"brief"}}}`)
	heard := talk(t, o, "1", "answer", "yes", "no", "quit")
	if strings.Count(heard, "Expected at least 2 properties") != 2 || len(o.given) > 0 || !strings.Contains(heard, "Goodbye.") {
		t.Errorf("given %v\n%s", o.given, heard)
	}
}

func TestFaultsEndTheConversation(t *testing.T) {
	t.Parallel()
	o := asks(t, brief)
	o.fault = errors.New("the store is damaged")
	if err := plain.Run(context.Background(), strings.NewReader(""), io.Discard, o, plain.Options{}); err == nil || err.Error() != "the store is damaged" {
		t.Errorf("got %v", err)
	}
	// Later a fault ends nothing, and loses nothing that was given.
	o = asks(t, brief)
	o.refuse = []error{errors.New("the store is held by another process")}
	heard := talk(t, o, "1", "answer", "revise", "This", "yes", "answer", "", "", "yes", "quit")
	if len(o.given) != 1 || o.given[0] != `{"verdict":"revise","note":"This"}` || !strings.Contains(heard, "The answer could not be given: the store is held by another process.") {
		t.Errorf("given %v\n%s", o.given, heard)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	silent, _ := io.Pipe()
	if err := plain.Run(ctx, silent, io.Discard, asks(t, brief), plain.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	o = asks(t, brief)
	heard = talk(t, o, "1", "answer", "revise", strings.Repeat("x", 70_000), "Short", "yes", "quit")
	if len(o.given) != 1 || !strings.Contains(heard, "That line was not taken") {
		t.Errorf("given %v\n%.2000s", o.given, heard)
	}
}

func TestManyRequestsAreReadInPages(t *testing.T) {
	t.Parallel()
	schemas := make([]string, 45)
	for i := range schemas {
		schemas[i] = brief
	}
	heard := talk(t, asks(t, schemas...), "more", "more", "more", "list", "quit")
	for _, want := range []string{"There are 45 open requests.", "25 more; type more to hear them.", "\n21. ", "\n45. ", "There are no more requests."} {
		if !strings.Contains(heard, want) {
			t.Errorf("%q was not said:\n%s", want, heard)
		}
	}
}

func TestSoftened(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Plain words, 2 * 3 * 4 and snake_case_name.", "Plain words, 2 * 3 * 4 and snake_case_name."},
		{"**bold** and *slanted* and __both__ and ~~gone~~", "bold and slanted and both and struck out: gone"},
		{"![A chart](https://x.example/c.png) <https://x.example>", "image A chart, https://x.example/c.png https://x.example"},
		{"## Two ##\n---\n1. one\n- [x] done", "Heading: Two\n\n1. one\n- [x] done"},
		{"```go\n**code**\n", "Code:\n**code**\n\nEnd of code."},
		{"> > twice", "Quote: Quote: twice"},
		{`\*not slanted\*`, `*not slanted*`},
	} {
		want := strings.Replace(c.want, "- [x] done", "Done: done", 1)
		if got := plain.Softened(c.text); got != want {
			t.Errorf("%q: got %q, want %q", c.text, got, want)
		}
	}
}

// What waits on the person is read out first, with how its message begins and
// nothing that would steer a terminal.
func TestWhatWaitsOnThePersonIsReadOutFirst(t *testing.T) {
	t.Parallel()
	o := asks(t, brief, brief)
	o.asked[0].To, o.asked[0].Message = "#ops", "Anybody?"
	o.asked[1].Message = "# The brief\n\nis **ready**\x1b]52;c;aGk=\a, and it is longer than what is read out of it in a list of requests, by far.\n"
	heard := talk(t, o, "1", "back", "quit")
	mine, anyone := strings.Index(heard, "1. approve-campaign-brief: The brief; is ready"), strings.Index(heard, "2. approve-campaign-brief: Anybody? To #ops, anyone may answer")
	if mine < 0 || anyone < mine || strings.ContainsAny(heard, "\x1b\a") || !strings.Contains(heard, "… Waits on you") {
		t.Errorf("heard:\n%s", heard)
	}
}

func TestTheKeysOfTheScreen(t *testing.T) {
	t.Parallel()
	o := asks(t, `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`)
	heard := talk(t, o, "?", "1", "?", "a", "q", "yes", "q")
	if len(o.given) != 1 || o.given[0] != `{"a":"q"}` || strings.Contains(heard, "Expected") {
		t.Errorf("given %v\n%s", o.given, heard) // a key is a text where one is asked for
	}
}

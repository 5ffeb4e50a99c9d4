package form_test

// This file drives a form key by key, as a terminal would, and compares what it
// shows with the files in testdata; -update writes them.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form"
)

var update = flag.Bool("update", false, "write the golden files")

// answers are the schemas of answers that people give.
var answers = map[string]string{
	"brief": `{"type":"object","required":["verdict"],"properties":{
		"verdict":{"type":"string","enum":["approve","revise"]},
		"note":{"type":"string","maxLength":2000,"description":"What should change, in your own words."}}}`,
	"decision": `{"type":"object","required":["decision"],"properties":{
		"decision":{"title":"Your decision","oneOf":[
			{"const":"approve","title":"Approve it","description":"It goes out tomorrow at nine."},
			{"const":"revise","title":"Send it back","description":"The author gets your note."},
			{"const":"skip","title":"Skip this one"}]},
		"note":{"type":"string","maxLength":120}}}`,
	"campaign": `{"type":"object","required":["verdict","budget","people"],"description":"The campaign team waits for this.","properties":{
		"verdict":{"type":"string","enum":["approve","revise"],"title":"Your verdict"},
		"budget":{"type":"number","minimum":0,"maximum":50000,"default":1200},
		"due_date":{"type":["string","null"],"format":"date","minLength":10,"maxLength":10},
		"urgent":{"type":"boolean"},
		"country":{"enum":["Austria","Belgium","Bulgaria","Croatia","Cyprus","Czechia","Denmark","Estonia","Finland","France","Germany"]},
		"names":{"type":"array","items":{"type":"string","maxLength":80},"maxItems":3},
		"address":{"type":"object","required":["city"],"properties":{"street":{"type":"string","maxLength":100},"city":{"type":"string","maxLength":100}}},
		"people":{"type":"array","minItems":1,"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":60},"lead":{"type":"boolean"}}}},
		"labels":{"type":"object","additionalProperties":{"type":"string"}}}}`,
	"sign_in": `{"type":"object","required":["signed_in"],"additionalProperties":false,"properties":{
		"signed_in":{"type":"boolean"},"reason":{"type":"string","maxLength":500}}}`,
	"yes or no": `{"type":"boolean","title":"Shall we go on?"}`,
	"figure":    `{"type":"integer","minimum":1,"maximum":10}`,
}

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 200)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// driver is a form that keys are pressed at.
type driver struct {
	testing.TB
	*form.Form
	width, height int
}

func drive(t testing.TB, answer string, options form.Options) *driver {
	t.Helper()
	schema := answer
	if known, ok := answers[answer]; ok {
		schema = known
	}
	if options.Width == 0 {
		options.Width, options.Height = 80, 24
	}
	d := &driver{t, form.New(parse(t, schema), options), options.Width, options.Height}
	if d.Init() != nil {
		t.Error("a form has nothing to start")
	}
	return d
}

// special are the keys that are no characters.
var special = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "esc": {Code: tea.KeyEscape},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "space": {Code: ' ', Text: " "},
	"alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt}, "alt+down": {Code: tea.KeyDown, Mod: tea.ModAlt}, "alt+backspace": {Code: tea.KeyBackspace, Mod: tea.ModAlt},
	"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
}

// press presses keys by their names, and types what is no name, given with a '
// before it.
func (d *driver) press(keys ...string) *driver {
	d.Helper()
	for _, key := range keys {
		text, typed := strings.CutPrefix(key, "'")
		letter, control := strings.CutPrefix(key, "ctrl+")
		named, known := special[key]
		switch {
		case typed:
			for _, r := range text {
				d.send(tea.Key{Code: r, Text: string(r)})
			}
		case known:
			d.send(named)
		case control && len(letter) == 1:
			d.send(tea.Key{Code: rune(letter[0]), Mod: tea.ModCtrl})
		default:
			d.Fatalf("no key is named %s", key)
		}
	}
	return d
}

func (d *driver) send(key tea.Key) tea.Cmd {
	d.Helper()
	_, cmd := d.Update(tea.KeyPressMsg(key))
	if shown := d.screen(); d.State() == form.Editing && !strings.Contains(shown, "▌") {
		d.Fatalf("the field where the person is cannot be seen:\n%s", ansi.Strip(shown))
	}
	return cmd
}

// screen is what is shown, which always fits where it is shown.
func (d *driver) screen() string {
	d.Helper()
	shown := d.View()
	lines := strings.Split(shown, "\n")
	if len(lines) > d.height {
		d.Fatalf("%d lines in a height of %d:\n%s", len(lines), d.height, ansi.Strip(shown))
	}
	for _, line := range lines {
		if cells.Width(line) > d.width {
			d.Fatalf("%d cells in a width of %d: %q", cells.Width(line), d.width, line)
		}
		if !utf8.ValidString(line) {
			d.Fatalf("not UTF-8: %q", line)
		}
	}
	return shown
}

func (d *driver) plain() string { return ansi.Strip(d.screen()) }

// wants checks the answer as JSON.
func (d *driver) wants(want string) *driver {
	d.Helper()
	answer, issues := d.Answer()
	if got := value.JSON(answer); got != want || len(issues) > 0 {
		d.Errorf("got %s, want %s; issues %v\n%s", got, want, issues, d.plain())
	}
	return d
}

// shows checks that some words are shown.
func (d *driver) shows(words ...string) *driver {
	d.Helper()
	shown := d.plain()
	for _, each := range words {
		if !strings.Contains(shown, each) {
			d.Errorf("%q is not shown:\n%s", each, shown)
		}
	}
	return d
}

func (d *driver) hides(words string) *driver {
	d.Helper()
	if shown := d.plain(); strings.Contains(shown, words) {
		d.Errorf("%q is shown:\n%s", words, shown)
	}
	return d
}

func (d *driver) is(want form.State) *driver {
	d.Helper()
	if d.State() != want {
		d.Errorf("the state is %d, want %d:\n%s", d.State(), want, d.plain())
	}
	return d
}

// golden compares what is shown, with its styles when they count, with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "\x1b", "␛") + "\n"
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

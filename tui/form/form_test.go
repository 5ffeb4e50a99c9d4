package form_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form"
	"github.com/beonauto/auto/tui/theme"
)

// campaignKeys fill in most of the campaign's answer.
var campaignKeys = []string{
	"'r", "enter", "'12.50", "enter", "enter", "'y", "enter", "'cro", "enter",
	"enter", "'Ada", "enter", "enter", "'Grace", "tab", "tab", "tab", "tab",
	"enter", "'Zoë", "enter", "'n", "tab", "enter", "'日本", "tab", "tab", "tab",
}

func TestViews(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer  string
		width, height int
		keys          []string
	}{
		{"brief empty", "brief", 80, 24, nil},
		{"brief noted", "brief", 80, 24, []string{"'r", "enter", "'Name the job role, and say who the page is for: the brief leaves both open, and so did the last one.", "ctrl+j", "'Thanks!"}},
		{"decision narrow", "decision", 40, 12, []string{"right", "right"}},
		{"campaign empty", "campaign", 80, 30, nil},
		{"campaign filled", "campaign", 80, 60, campaignKeys},
		{"campaign narrow", "campaign", 40, 12, campaignKeys},
		{"campaign review", "campaign", 80, 44, append(campaignKeys[:len(campaignKeys):len(campaignKeys)], "ctrl+s")},
		{"campaign review narrow", "campaign", 40, 12, append(campaignKeys[:len(campaignKeys):len(campaignKeys)], "ctrl+s", "down")},
		{"campaign not ready", "campaign", 80, 24, []string{"tab", "'12x", "ctrl+s", "down"}},
		{"campaign finding a country", "campaign", 60, 20, []string{"tab", "tab", "tab", "tab", "'c", "down"}},
		{"sign in", "sign_in", 60, 16, []string{"'n", "tab", "'My account is locked."}},
		{"yes or no", "yes or no", 40, 12, nil},
		{"tiny", "campaign", 16, 3, []string{"tab", "'1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, c.answer, form.Options{Width: c.width, Height: c.height})
			golden(t, c.name, d.press(c.keys...).plain())
		})
	}
}

func TestThemes(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]*theme.Theme{
		"true colour dark":  theme.New(colorprofile.TrueColor, true),
		"true colour light": theme.New(colorprofile.TrueColor, false),
		"sixteen colours":   theme.New(colorprofile.ANSI, true),
		"without colours":   theme.New(colorprofile.ASCII, true),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, "decision", form.Options{Width: 60, Height: 20, Theme: look})
			shown := d.press("'s", "tab", "'"+strings.Repeat("too long ", 14)).screen()
			golden(t, "theme "+name, shown)
			if name == "without colours" && (strings.Contains(shown, "\x1b[38") || strings.Contains(shown, "\x1b[3"+"1m")) {
				t.Errorf("a colour is shown: %q", shown)
			}
		})
	}
}

func TestAnswering(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		keys         []string
		want         string
	}{
		{"a letter chooses", "brief", []string{"'a"}, `{"verdict":"approve"}`},
		{"with a note", "brief", []string{"'r", "enter", "'Name the job role."}, `{"verdict":"revise","note":"Name the job role."}`},
		{"pointing and space", "brief", []string{"right", "right", "space"}, `{"verdict":"revise"}`},
		{"pointing and enter", "decision", []string{"down", "enter"}, `{"decision":"approve"}`},
		{"what was typed in one go is taken back in one", "brief", []string{"'a", "tab", "'Fine", "backspace", "'!", "tab", "shift+tab", "' so", "ctrl+z", "ctrl+z"}, `{"verdict":"approve"}`},
		{"a choice is taken back", "brief", []string{"'a", "'r", "ctrl+z"}, `{"verdict":"approve"}`},
		{"a removed item comes back", `{"type":"array","items":{"type":"string","maxLength":9}}`, []string{"enter", "'a", "enter", "enter", "'b", "up", "ctrl+d", "ctrl+z", "ctrl+d", "ctrl+z"}, `["a","b"]`},
		{"taking back more than there is", "brief", []string{"'a", "ctrl+z", "ctrl+z", "ctrl+z", "'r"}, `{"verdict":"revise"}`},
		{"arrows go past options in a line", "brief", []string{"'a", "down", "'Fine", "up", "'r", "down", "'!"}, `{"verdict":"revise","note":"Fine!"}`},
		{"finding by words", `{"enum":["Ada L","Bo","Cy","Di","Ed","Flo","Gus","New Zealand","New York"]}`, []string{"'new", "space", "'y", "enter"}, `"New York"`},
		{"the last choice counts", "decision", []string{"'a", "'k"}, `{"decision":"skip"}`},
		{"a figure", "figure", []string{"'7"}, `7`},
		{"numbers print as JavaScript's", `{"type":"number"}`, []string{"'1e21"}, `1e+21`},
		{"yes", "yes or no", []string{"'y"}, `true`},
		{"signed in", "sign_in", []string{"'n", "tab", "'No account"}, `{"signed_in":false,"reason":"No account"}`},
		{"a campaign", "campaign", campaignKeys, `{"verdict":"revise","budget":12.5,"urgent":true,"country":"Croatia","names":["Ada","Grace"],"people":[{"name":"Zoë","lead":false},{"name":"日本"}]}`},
		{"an optional choice is let go", `{"type":"object","properties":{"a":{"type":"boolean"}}}`, []string{"'y", "space"}, `{}`},
		{"an empty text, said so", "brief", []string{"'a", "tab", "ctrl+n"}, `{"verdict":"approve","note":""}`},
		{"null, said so", `{"type":"object","properties":{"due":{"type":["string","null"],"minLength":1}}}`, []string{"ctrl+n"}, `{"due":null}`},
		{"left out again", "brief", []string{"'a", "tab", "ctrl+n", "ctrl+n"}, `{"verdict":"approve"}`},
		{"backspace takes the empty text away", "brief", []string{"'a", "tab", "ctrl+n", "backspace"}, `{"verdict":"approve"}`},
		{"null is what a required field that takes it is while blank", `{"type":"object","required":["due"],"properties":{"due":{"type":["number","null"]}}}`, nil, `{"due":null}`},
		{"items move", `{"type":"array","items":{"type":"string","maxLength":9}}`, []string{"enter", "'a", "enter", "enter", "'b", "alt+up", "tab", "tab"}, `["b","a"]`},
		{"items go", `{"type":"array","items":{"type":"string","maxLength":9}}`, []string{"enter", "'a", "enter", "enter", "'b", "up", "ctrl+d"}, `["b"]`},
		{"a blank item is left out", `{"type":"array","items":{"type":"string","maxLength":9}}`, []string{"enter", "enter", "enter", "'b"}, `["b"]`},
		{"a letter begins an item", `{"type":"array","minItems":1,"items":{"type":"string","maxLength":9}}`, []string{"'ab", "tab", "'c d"}, `["ab","c d"]`},
		{"a letter begins an item of fields", `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","maxLength":9}}}}`, []string{"'Zoë"}, `[{"name":"Zoë"}]`},
		{"a letter begins a chosen item", `{"type":"array","items":{"enum":["red","blue"]}}`, []string{"'b", "tab", "'r"}, `["blue","red"]`},
		{"an empty list, said so", `{"type":"object","properties":{"l":{"type":"array","items":{"type":"number"}}}}`, []string{"ctrl+n"}, `{"l":[]}`},
		{"JSON in its field", `{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}}}`, []string{`'{"a": "b"}`}, `{"labels":{"a":"b"}}`},
		{"an object of one value that is always the same", `{"type":"object","required":["kind","n"],"properties":{"kind":{"const":"brief"},"n":{"type":"integer"}}}`, []string{"'3"}, `{"kind":"brief","n":3}`},
		{"nothing given of an optional object leaves it out", `{"type":"object","properties":{"o":{"type":"object","required":["k"],"properties":{"k":{"const":1},"x":{"type":"integer"}}}}}`, nil, `{}`},
		{"something given brings its constants", `{"type":"object","properties":{"o":{"type":"object","required":["k"],"properties":{"k":{"const":1},"x":{"type":"integer"}}}}}`, []string{"'2"}, `{"o":{"k":1,"x":2}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			drive(t, c.answer, form.Options{}).press(c.keys...).wants(c.want).press("ctrl+s").is(form.Reviewing).press("end", "enter").is(form.Sent).wants(c.want)
		})
	}
}

func TestProblemsAreShownWhereThePersonWas(t *testing.T) {
	t.Parallel()
	d := drive(t, "campaign", form.Options{Height: 60, Width: 80})
	d.hides("✗").press("tab").shows("✗ Expected an answer here")
	d.press("'-1").shows("✗ Expected at least 0").press("backspace", "backspace", "'60000").shows("✗ Expected at most 50000")
	d.press("backspace", "backspace", "backspace", "backspace", "backspace", "'12e").shows("✗ Expected number")
	d.press("tab", "'2026").shows("✗ Expected at least 10 characters", "4 of at least 10 characters")
	d.press("'-10-31").hides("at least 10 characters").is(form.Editing)
}

func TestAListIsJudgedWhenAnItemIsNotBeingBegun(t *testing.T) {
	t.Parallel()
	const least = `{"type":"array","minItems":2,"items":{"type":"string","maxLength":9}}`
	d := drive(t, least, form.Options{}).press("tab").shows("✗ Expected at least 2 items").press("shift+tab", "enter").hides("✗")
	d.press("'a").shows("✗ Expected at least 2 items").press("tab", "enter").hides("✗ Expected at least").press("'b").hides("✗")
	d.press("ctrl+d").shows("✗ Expected at least 2 items").press("enter", "tab", "tab").shows("✗ Expected at least 2 items")
}

func TestNothingTypedIsSilentlyLost(t *testing.T) {
	t.Parallel()
	d := drive(t, `{"type":"array","maxItems":1,"items":{"type":"string","maxLength":9}}`, form.Options{})
	d.Update(tea.PasteMsg{Content: "pasted"})
	d.wants(`["pasted"]`).press("tab", "'x").shows("The list takes no more items").press("tab", "'x").shows("Nothing is typed here")
	d.wants(`["pasted"]`)
}

// What was typed for a request that takes no answer any more is shown, complete or not.
func TestARequestThatIsOverTakesNothing(t *testing.T) {
	t.Parallel()
	d := drive(t, `{"type":"object","required":["days","note"],"properties":{"days":{"type":"integer"},"note":{"type":"string","maxLength":90}}}`, form.Options{})
	d.press("'12x", "ctrl+s").shows("Not ready to send")
	d.SetOver(true)
	d.shows("What you typed; nothing is sent", `"days": "12x"`, "[ Back ]").hides("Send ")
	d.press("enter").is(form.Editing).press("tab", "'Fine", "ctrl+s").shows(`"note": "Fine"`).press("tab", "left", "enter").is(form.Editing)
	lines := strings.Split(d.press("ctrl+s").plain(), "\n")
	d.Update(tea.MouseClickMsg{X: 3, Y: len(lines) - 1, Button: tea.MouseLeft})
	d.is(form.Editing).press("ctrl+s")
	d.SetOver(false)
	d.shows("Not ready to send")
}

func TestTheReviewLeadsBackToProblems(t *testing.T) {
	t.Parallel()
	d := drive(t, "campaign", form.Options{})
	d.press("ctrl+s").is(form.Reviewing).shows("Not ready to send", "Your verdict", "Budget", "People").hides("[ Send ]")
	d.press("down", "enter").is(form.Editing).press("'80").shows("│ 80")
	d.press("ctrl+s", "enter", "'a", "ctrl+s").shows("People").press("enter", "enter", "'Ada", "ctrl+s")
	d.shows("What will be sent", "[ More ]").press("enter").is(form.Reviewing).shows("[ Send ]").press("enter").is(form.Sent).wants(`{"verdict":"approve","budget":80,"people":[{"name":"Ada"}]}`)
}

// Nothing is sent before all of it was on the screen: enter reads on first, at any
// width, and a review that was read whole stays so.
func TestTheReviewIsReadWhole(t *testing.T) {
	t.Parallel()
	d := drive(t, `{"type":"object","properties":{"note":{"type":"string"}}}`, form.Options{Width: 38, Height: 9})
	d.press("'" + strings.Repeat("one two three ", 60)).press("ctrl+s").shows("[ More ]").hides("[ Send ]")
	pages := 0
	for ; strings.Contains(ansi.Strip(d.screen()), "[ More ]"); pages++ {
		if pages == 100 {
			t.Fatal("the end is never reached")
		}
		d.press("enter").is(form.Reviewing)
	}
	if pages < 5 {
		t.Errorf("%d pages were all", pages)
	}
	d.press("home").shows("What will be sent", "[ Send ]").press("enter").is(form.Sent)

	d = drive(t, `{"type":"object","properties":{"note":{"type":"string"}}}`, form.Options{Width: 38, Height: 9})
	d.press("'"+strings.Repeat("one two three ", 60)).press("ctrl+s", "pgdown").shows("[ More ]")
	d.SetSize(34, 9)
	d.width = 34
	d.shows("What will be sent", "[ More ]").press("end").shows("[ Send ]")
	d.SetSize(38, 9)
	d.width = 38
	d.shows("[ Send ]").press("enter").is(form.Sent)
}

// What cannot be read yet is kept as it was typed.
func TestNothingThatWasTypedIsLost(t *testing.T) {
	t.Parallel()
	d := drive(t, `{"type":"object","properties":{"days":{"type":"integer"},"rest":{}}}`, form.Options{})
	d.press("'12x", "tab", `'{"a": [1`)
	if got := value.JSON(d.Typed()); got != `{"days":"12x","rest":"{\"a\": [1"}` {
		t.Errorf("typed %s", got)
	}
	if d = drive(t, `{}`, form.Options{}).press("'{"); value.JSON(d.Typed()) != `"{"` {
		t.Errorf("typed %s", value.JSON(d.Typed()))
	}
}

func TestNothingIsSentByTheWay(t *testing.T) {
	t.Parallel()
	// Enter, held down from the first field, never sends.
	d := drive(t, "brief", form.Options{}).press("'a")
	for range 50 {
		if d.press("enter"); d.State() == form.Sent {
			t.Fatal("it was sent")
		}
	}
	drive(t, "brief", form.Options{}).press("'a", "ctrl+s", "esc").is(form.Editing).press("esc").is(form.Left)
	drive(t, "brief", form.Options{}).press("'a", "ctrl+s", "tab", "enter").is(form.Editing).wants(`{"verdict":"approve"}`)
	drive(t, "brief", form.Options{}).press("'a", "ctrl+s", "'y", "'s", "space").is(form.Reviewing)
	// A search is left before the form is.
	drive(t, "campaign", form.Options{}).press("tab", "tab", "tab", "tab", "'cro", "esc").is(form.Editing).press("esc").is(form.Left)
	// What was left takes no more keys.
	drive(t, "brief", form.Options{}).press("esc", "'a", "ctrl+s").is(form.Left)
}

func TestADraftLosesNothing(t *testing.T) {
	t.Parallel()
	d := drive(t, "campaign", form.Options{Height: 60})
	if d.Changed() {
		t.Error("nothing was given yet")
	}
	d.press("'r", "tab", "'12e", "tab", "ctrl+n", "tab", "tab", "'cro", "enter", "enter", "'Ada", "tab", "tab", "tab", "tab", "tab", "'{\"half\":")
	if !d.Changed() {
		t.Error("something was given")
	}
	draft := d.Draft()
	kept, err := value.ParseJSON([]byte(value.JSON(draft)), 100)
	if err != nil {
		t.Fatal(err)
	}
	again := drive(t, "campaign", form.Options{Height: 60, Width: 80, Draft: kept})
	again.shows("(•) revise", "│ 12e", "Croatia", "│ Ada", `{"half":`, "nothing (null)")
	if got := value.JSON(again.Draft()); got != value.JSON(draft) {
		t.Errorf("got %s, want %s", got, value.JSON(draft))
	}
	// A draft of another schema is passed over where it does not fit.
	other := drive(t, "brief", form.Options{Draft: kept})
	other.wants(`{"verdict":"revise"}`)
	drive(t, "yes or no", form.Options{Draft: kept}).shows("( ) Yes")
	drive(t, "brief", form.Options{Draft: "no draft"}).shows("( ) approve")
}

func TestWhatTheRuntimeRefusesIsShownAtItsField(t *testing.T) {
	t.Parallel()
	d := drive(t, "campaign", form.Options{Width: 80, Height: 60}).press(campaignKeys...).press("ctrl+s", "enter").is(form.Sent)
	d.Refuse([]problem.Issue{
		{Pointer: "/answer/people/1/name", Detail: "Expected another name"},
		{Pointer: "/claimed_for", Detail: "Expected at most 256 bytes"},
		{Pointer: "/answer/nowhere", Detail: "Unknown property"},
	})
	d.is(form.Editing).shows("✗ Expected another name", "✗ Expected at most 256 bytes", "✗ /nowhere: Unknown property")
	d.press("'x").hides("Expected another name").hides("256 bytes").press("ctrl+s", "enter").is(form.Sent)
}

func TestTextIsEditedByCharactersAsReadersSeeThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []string
		want string
	}{
		{"insert in the middle", []string{"'abc", "left", "left", "'x"}, "axbc"},
		{"wide and joined characters are one step", []string{"'日👩‍👩‍👧é", "left", "left", "'x"}, "日x👩‍👩‍👧é"},
		{"combining marks go with their letter", []string{"'xe\u0301", "backspace"}, "x"},
		{"words", []string{"'one two", "ctrl+left", "'a ", "ctrl+left", "ctrl+left", "'b "}, "b one a two"},
		{"taking a word away", []string{"'one zwei", "alt+backspace"}, "one "},
		{"taking the line away", []string{"'one", "ctrl+j", "'two", "ctrl+u"}, "one\n"},
		{"taking the rest away", []string{"'one two", "home", "right", "ctrl+k"}, "o"},
		{"home and end", []string{"'bc", "home", "'a", "end", "'d"}, "abcd"},
		{"lines", []string{"'abc", "ctrl+j", "'de", "up", "'x", "down", "'y"}, "abxc\ndey"},
		{"delete", []string{"'abc", "home", "delete"}, "bc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, `{"type":"string"}`, form.Options{}).press(c.keys...)
			d.wants(value.JSON(c.want))
		})
	}
}

func TestPasting(t *testing.T) {
	t.Parallel()
	d := drive(t, `{"type":"string"}`, form.Options{})
	d.Update(tea.PasteMsg{Content: "one\r\ntwo\rthree\x1b[2J\x00\tend\xff"})
	d.wants(value.JSON("one\ntwo\nthree[2J\tend\uFFFD"))
	d.Update(tea.PasteMsg{Content: strings.Repeat("x", 65_536)})
	d.shows("64 KiB were not taken: an answer takes at most 64 KiB").wants(value.JSON("one\ntwo\nthree[2J\tend\uFFFD"))

	large := drive(t, `{"type":"string"}`, form.Options{Width: 40, Height: 12})
	large.Update(tea.PasteMsg{Content: strings.Repeat("日本語のテキスト ", 2_600)})
	large.press("'x", "home", "up", "'y", "ctrl+right").shows("日本語")
	answer, _ := large.Answer()
	if text, _ := answer.(string); !strings.HasPrefix(text, "y日") {
		t.Errorf("got %.40q", text)
	}

	number := drive(t, "figure", form.Options{})
	number.Update(tea.PasteMsg{Content: " 7\n"})
	number.wants("7")
	country := drive(t, "campaign", form.Options{}).press("tab", "tab", "tab", "tab")
	country.Update(tea.PasteMsg{Content: "Finl"})
	country.press("enter")
	if answer, _ := country.Answer(); !strings.Contains(value.JSON(answer), "Finland") {
		t.Errorf("got %s", value.JSON(answer))
	}
}

func TestTheEditor(t *testing.T) {
	t.Parallel()
	var opened []string
	options := form.Options{Editor: func(text, extension string) tea.Cmd {
		opened = append(opened, text+extension)
		return func() tea.Msg { return form.EditedMsg{Text: text + " and more\n"} }
	}}
	d := drive(t, "brief", options).press("'a", "tab", "'Long")
	cmd := d.send(tea.Key{Code: 'e', Mod: tea.ModCtrl})
	if cmd == nil || len(opened) != 1 || opened[0] != "Long.md" {
		t.Fatalf("opened %q", opened)
	}
	d.press("shift+tab") // what was edited goes to its own field, wherever the person is
	d.Update(cmd())
	d.wants(`{"verdict":"approve","note":"Long and more"}`)
	d.press("tab").send(tea.Key{Code: 'e', Mod: tea.ModCtrl})
	d.Update(form.EditedMsg{Err: errors.New("exit status 1\x1b[2J")})
	d.shows("The editor failed, and the text is as it was: exit status 1␛[2J").wants(`{"verdict":"approve","note":"Long and more"}`)
	d.send(tea.Key{Code: 'e', Mod: tea.ModCtrl})
	d.Update(form.EditedMsg{Text: strings.Repeat("x", 300_000)})
	d.shows("The text is as it was").wants(`{"verdict":"approve","note":"Long and more"}`)
	d.Update(form.EditedMsg{Text: "nobody asked"})
	d.wants(`{"verdict":"approve","note":"Long and more"}`)
	if drive(t, "brief", form.Options{}).press("tab").send(tea.Key{Code: 'e', Mod: tea.ModCtrl}) != nil {
		t.Error("there is no editor to open")
	}
}

func TestWordsOfASchemaSteerNoTerminal(t *testing.T) {
	t.Parallel()
	d := drive(t, `{"type":"object","description":"\u001b]0;x\u0007","required":["a"],"properties":{
		"a":{"title":"\u001b[2JTitle","description":"two\nlines\u009b1m","enum":["\u001b[31mred","b"],"default":"\u001b","examples":["\u0007"]},
		"t":{"type":"string","title":"`+strings.Repeat("long ", 200)+`"}}}`, form.Options{Width: 60, Height: 20})
	for _, keys := range [][]string{nil, {"right", "space"}, {"tab"}, {"ctrl+s"}} {
		shown := d.press(keys...).screen()
		for _, r := range shown {
			if r < 0x20 && r != '\n' && r != '\x1b' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%U is shown: %q", r, shown)
			}
		}
		for _, sequence := range []string{"\x1b]", "\x1b[2J", "\x1b[31mred"} {
			if strings.Contains(shown, sequence) {
				t.Fatalf("%q steers the terminal", shown)
			}
		}
	}
	d.shows(`"a": "\u001b[31mred"`)
}

func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	var properties []string
	for i := range 200 {
		properties = append(properties, `"field_`+strconv.Itoa(i)+`":{"type":"string","maxLength":40,"description":"The figure of this row"}`)
	}
	many := drive(t, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`, form.Options{Width: 40, Height: 12})
	for i := range 200 {
		many.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		if i%10 == 0 {
			many.shows("▌ Field "+strconv.Itoa(i), "│ x")
		}
		many.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	}
	many.shows("[ Review ]").press("tab").shows("▌ Field 0")

	var values []string
	for i := range 1000 {
		values = append(values, `"SKU-`+strconv.Itoa(10_000+i)+`"`)
	}
	drive(t, `{"enum":[`+strings.Join(values, ",")+`]}`, form.Options{}).press("'10777", "enter").wants(`"SKU-10777"`)

	deep := `{"type":"string"}`
	for range 20 {
		deep = `{"type":"object","properties":{"in":` + deep + `}}`
	}
	drive(t, deep, form.Options{Width: 40, Height: 12}).shows("JSON, since it nests too").press(`'{"in":1}`).shows("✗")
	tooDeep := strings.Repeat(`{"properties":{"a":`, 50) + "{}" + strings.Repeat("}}", 50)
	drive(t, tooDeep, form.Options{Width: 40, Height: 12}).shows("JSON")
}

func BenchmarkKey(b *testing.B) {
	var properties []string
	for i := range 200 {
		properties = append(properties, `"field_`+strconv.Itoa(i)+`":{"type":"string","maxLength":400}`)
	}
	f := form.New(parse(b, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`), form.Options{Width: 100, Height: 40})
	for range 100 {
		f.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	}
	for b.Loop() {
		f.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		f.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		_ = f.View()
	}
}

func BenchmarkLargeText(b *testing.B) {
	f := form.New(parse(b, `{"type":"string"}`), form.Options{Width: 100, Height: 40})
	f.Update(tea.PasteMsg{Content: strings.Repeat("日本語のテキスト words ", 2_000)})
	for b.Loop() {
		f.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		f.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		_ = f.View()
	}
}

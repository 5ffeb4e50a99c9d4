package tui

// This file is the table of keys. The inbox obeys it, its help lines and its help
// screen are made from it, and so is the table in the documentation.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/theme"
)

// screen is what the person looks at.
type screen int

const (
	listScreen screen = iota
	readerScreen
	formScreen
	cancelScreen // asks whether to cancel
	quitScreen   // asks whether to quit with answers that were not sent
	helpScreen
	filterScreen // the list while a filter is typed
)

// action is what a key does.
type action int

const (
	none action = iota
	moveUp
	moveDown
	pageUp
	pageDown
	goFirst
	goLast
	openRequest
	answerRequest
	nextRequest
	previousRequest
	startFilter
	clearFilter
	keepFilter
	switchScope
	switchOrder
	cancelRequest
	copyRun
	copyDraft
	showHelp
	goBack
	agree
	drawAnew
	quit
	quitAtOnce
)

// binding is a row of the table.
type binding struct {
	does  action
	on    []screen
	keys  []string // as Bubble Tea names them
	short string   // in a help line; empty for what is in the help screen only
	long  string   // in the help screen and the documentation
}

// everywhere are the screens on which a person may be.
var everywhere = []screen{listScreen, readerScreen, formScreen, cancelScreen, quitScreen, helpScreen, filterScreen}

// bindings is the table, in the order of the help: what matters most comes first.
var bindings = []binding{
	{openRequest, []screen{listScreen}, []string{"enter", "l", "right"}, "read", "Read the request"},
	{answerRequest, []screen{readerScreen}, []string{"a", "enter"}, "answer", "Answer it in a form made from its answer schema"},
	{answerRequest, []screen{listScreen}, []string{"a"}, "answer", "Answer it in a form made from its answer schema"},
	{startFilter, []screen{listScreen}, []string{"/"}, "filter", "Filter by function, party, run id and message, as you type"},
	{keepFilter, []screen{filterScreen}, []string{"enter", "down", "up"}, "keep", "Keep the filter and go to the list"},
	{clearFilter, []screen{filterScreen}, []string{"esc"}, "clear", "Clear the filter"},
	{moveDown, []screen{readerScreen, helpScreen}, []string{"down", "j"}, "scroll", "Go down"},
	{moveDown, []screen{listScreen}, []string{"down", "j"}, "", "Go down"},
	{moveUp, []screen{listScreen, readerScreen, helpScreen}, []string{"up", "k"}, "", "Go up"},
	{pageDown, []screen{listScreen, readerScreen, helpScreen}, []string{"pgdown", "space", "ctrl+d"}, "", "Go down a page"},
	{pageUp, []screen{listScreen, readerScreen, helpScreen}, []string{"pgup", "b", "ctrl+u"}, "", "Go up a page"},
	{goFirst, []screen{listScreen, readerScreen, helpScreen}, []string{"g", "home"}, "", "Go to the start"},
	{goLast, []screen{listScreen, readerScreen, helpScreen}, []string{"G", "end"}, "", "Go to the end"},
	{nextRequest, []screen{readerScreen}, []string{"n", "J"}, "next", "Read the next request"},
	{previousRequest, []screen{readerScreen}, []string{"p", "K"}, "", "Read the one before"},
	{switchScope, []screen{listScreen}, []string{"m", "tab"}, "mine", "List what waits on you and on anyone, or all"},
	{switchOrder, []screen{listScreen}, []string{"s"}, "sort", "List the newest first, or what expires soonest"},
	{cancelRequest, []screen{listScreen, readerScreen}, []string{"c"}, "cancel", "Cancel the request, after a question"},
	{copyRun, []screen{listScreen, readerScreen}, []string{"y"}, "copy id", "Copy the run id (with OSC 52, also over ssh)"},
	{copyDraft, []screen{readerScreen}, []string{"Y"}, "", "Copy as JSON what you typed and did not send"},
	{copyDraft, []screen{formScreen}, []string{"ctrl+y"}, "", "Copy as JSON what you typed"},
	{agree, []screen{cancelScreen, quitScreen}, []string{"y"}, "yes", "Yes, do it"},
	{goBack, []screen{cancelScreen, quitScreen}, []string{"n", "esc", "q"}, "no", "No, go back"},
	{goBack, []screen{readerScreen, helpScreen}, []string{"esc", "q", "h", "left"}, "back", "Go back; nothing is decided"},
	{clearFilter, []screen{listScreen}, []string{"esc"}, "", "Clear the filter"},
	{showHelp, []screen{listScreen, readerScreen}, []string{"?", "f1"}, "help", "Show every key"},
	{showHelp, []screen{formScreen}, []string{"f1"}, "", "Show every key"},
	{drawAnew, []screen{listScreen, readerScreen}, []string{"ctrl+l"}, "", "Draw the screen anew and read the requests again"},
	{quit, []screen{listScreen}, []string{"q"}, "quit", "Quit; asks when an answer was typed and not sent"},
	{quitAtOnce, everywhere, []string{"ctrl+c"}, "", "Quit at once; what was typed and not sent is printed"},
}

// actionOf gives what a key does on a screen.
func actionOf(on screen, key string) action {
	for i := range bindings {
		if slices.Contains(bindings[i].on, on) && slices.Contains(bindings[i].keys, key) {
			return bindings[i].does
		}
	}
	return none
}

// shown are the names of keys for people.
var shown = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "page up", "pgdown": "page down",
	"f1": "F1",
}

func keyName(key string) string {
	if name, ok := shown[key]; ok {
		return name
	}
	return key
}

// hint is a key in a help line.
type hint struct{ key, does string }

// hintsOf gives the help line of a screen.
func hintsOf(on screen) []hint {
	var hints []hint
	for _, b := range bindings {
		if b.short != "" && slices.Contains(b.on, on) {
			hints = append(hints, hint{keyName(b.keys[0]), b.short})
		}
	}
	return hints
}

// helpLine draws hints in a line of a width. Where there is no room for all, the last
// ones go first, but the ways out and to the help stay.
func helpLine(hints []hint, width int, t *theme.Theme) string {
	for drop := len(hints) - 1; drop > 0 && measuredHints(hints) > width; drop-- {
		if h := hints[drop]; h.key != "esc" && h.does != "help" && h.does != "quit" {
			hints = slices.Delete(slices.Clone(hints), drop, drop+1)
		}
	}
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = t.Key.Render(h.key) + " " + t.Dim.Render(h.does)
	}
	return cells.Fill(" "+strings.Join(parts, "  "), width)
}

func measuredHints(hints []hint) int {
	wide := 1
	for _, h := range hints {
		wide += cells.Width(h.key) + 1 + cells.Width(h.does) + 2
	}
	return wide - 2
}

// screens are the parts of the help, in its order.
var screens = []struct {
	on   screen
	name string
}{
	{listScreen, "The list"},
	{filterScreen, "While a filter is typed"},
	{readerScreen, "A request"},
	{formScreen, "The form"},
	{cancelScreen, "A question"},
	{helpScreen, "This help"},
}

// keysOf gives the keys of a row for people.
func keysOf(b *binding) string {
	names := make([]string, len(b.keys))
	for i, key := range b.keys {
		names[i] = keyName(key)
	}
	return strings.Join(names, ", ")
}

// helpLines draws the help screen's text, and says at which line each part begins.
func helpLines(width int, t *theme.Theme, form []hint) (lines []string, parts map[screen]int) {
	const column = 26
	wide := min(column, width/3+2)
	parts = map[screen]int{}
	row := func(keys, does string) {
		names, says := cells.Wrap(keys, wide-1), cells.Wrap(does, max(width-wide, 10))
		for i := range max(len(names), len(says)) {
			line := strings.Repeat(" ", wide)
			if i < len(names) {
				line = cells.Fill(t.Key.Render(names[i]), wide)
			}
			if i < len(says) {
				line += says[i]
			}
			lines = append(lines, line)
		}
	}
	for _, part := range screens {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		parts[part.on] = len(lines)
		lines = append(lines, t.Heading.Render(part.name))
		if part.on == formScreen {
			for _, h := range form {
				row(h.key, h.does)
			}
		}
		for i := range bindings {
			if slices.Contains(bindings[i].on, part.on) {
				row(keysOf(&bindings[i]), bindings[i].long)
			}
		}
	}
	lines = append(lines, "", t.Heading.Render("The mouse"))
	row("click", "Choose a request; click it again to read it. In a form, go to a field or take an option; a click never sends")
	row("wheel", "Scroll what is under it")
	return lines, parts
}

// KeyTable is the table of keys as Markdown, for the documentation.
func KeyTable() string {
	var b strings.Builder
	for i, part := range screens {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("**" + part.name + "**\n\n| Key | What it does |\n| --- | --- |\n")
		if part.on == formScreen {
			for _, h := range formHints() {
				b.WriteString("| " + codes(h.key) + " | " + h.does + " |\n")
			}
		}
		for i := range bindings {
			if slices.Contains(bindings[i].on, part.on) {
				b.WriteString("| " + codes(keysOf(&bindings[i])) + " | " + bindings[i].long + " |\n")
			}
		}
	}
	return b.String()
}

func codes(keys string) string {
	return "`" + strings.ReplaceAll(keys, ", ", "`, `") + "`"
}

package mcp

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/beonauto/auto/engine/tool/transport"
)

// This file keeps the last of what a program writes to its standard error, and
// tells which lines of it say why the program does not answer.

// tail keeps the end of what is written to it.
type tail struct {
	lock sync.Mutex
	last []byte
	cut  bool // something was written before it
}

const (
	tailSize = 4 << 10
	// longestWords is the most bytes of a line of it that are told.
	longestWords = 300
)

func (t *tail) Write(text []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	whole := len(t.last) + len(text)
	t.last = append(t.last, text[max(0, len(text)-tailSize):]...)
	t.last = append([]byte(nil), t.last[max(0, len(t.last)-tailSize):]...)
	t.cut = t.cut || whole > tailSize
	return len(text), nil
}

// lines gives the lines that say something. Of one whose start is gone the rest is
// told only where there is nothing else, after an ellipsis.
func (t *tail) lines() []string {
	t.lock.Lock()
	defer t.lock.Unlock()
	text := t.last
	if t.cut {
		if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
			text = text[end:]
		} else {
			text = append([]byte("…"), text...)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", "\n"), "\n") {
		if line = transport.Line(withoutColours(line), longestWords); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// withoutColours leaves out what colours a line on a terminal.
func withoutColours(line string) string {
	const start = "\x1b["
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(line, start)
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		line = strings.TrimLeft(after, "0123456789;:?")
		if line != "" && line[0] >= '@' && line[0] <= '~' {
			line = line[1:]
		}
	}
}

// errorSigns are in the lines by which programs say what went wrong, before all
// they write about where.
var errorSigns = []string{"error:", "error [", "exception:", "fatal:", "panic:", "panicked"}

// lastWords is the last lines, and before them the one that names an error, where
// another does.
func (t *tail) lastWords(count int) string {
	lines := t.lines()
	from := max(0, len(lines)-count)
	words := lines[from:]
	for i := from - 1; i >= 0; i-- {
		if isError(lines[i]) && !slices.ContainsFunc(words, isError) {
			words = append([]string{lines[i]}, words...)
			break
		}
	}
	return strings.Join(words, " | ")
}

func isError(line string) bool {
	lower := strings.ToLower(line)
	return slices.ContainsFunc(errorSigns, func(sign string) bool { return strings.Contains(lower, sign) })
}

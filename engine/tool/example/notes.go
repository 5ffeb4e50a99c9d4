// Package example is two small MCP servers that a newcomer can call without any
// account: notes, which it lists, reads, searches, adds and appends to, and a team
// chat, which it posts to and reads, and where a person answers.
//
// The notes are kept in memory, so that whatever is tried with them is gone when
// their server ends: it never writes a file. The chat is kept in the one file that
// its server is told, which is the same chat for every process that is. Neither
// opens a connection.
package example

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// This file is the notes: where they come from, and what can be done with them.

// The bounds of the notes.
const (
	mostNotes    = 1000
	longestTitle = 200      // bytes
	longestText  = 64 << 10 // bytes
	largestSeed  = 4 << 20  // bytes
)

// Notes are texts under titles, in the order they were added. They are safe for
// concurrent use.
type Notes struct {
	lock   sync.Mutex
	titles []string
	texts  map[string]string
}

// New gives no notes yet.
func New() *Notes { return &Notes{texts: map[string]string{}} }

// Load reads the notes that a server starts with: a folder, each of whose .md
// files is a note under the file's name, or a JSON file that is one object of
// titles and texts.
func Load(path string) (*Notes, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the notes cannot be read: %w", err)
	}
	if info.IsDir() {
		return loadFolder(path)
	}
	return loadFile(path)
}

func loadFolder(path string) (*Notes, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("the notes cannot be read: %w", err)
	}
	n := New()
	for _, entry := range entries {
		title, isNote := strings.CutSuffix(entry.Name(), ".md")
		if !isNote || entry.IsDir() {
			continue
		}
		text, err := read(filepath.Join(path, entry.Name()))
		if err != nil {
			return nil, err
		}
		if err := n.add(title, strings.TrimSpace(string(text))); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
	}
	return n, nil
}

func loadFile(path string) (*Notes, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(text, 2)
	notes, ok := v.(*value.Object)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s: expected a JSON object of titles and texts", path)
	}
	n := New()
	for i := range notes.Len() {
		title, v := notes.At(i)
		text, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("%s: expected the note %q to be text", path, title)
		}
		if err := n.add(title, text); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return n, nil
}

func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("the notes may not be read: %w", err)
		}
		return nil, fmt.Errorf("the notes cannot be read: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestSeed+1))
	if err == nil && len(text) > largestSeed {
		err = fmt.Errorf("%s is larger than %d MiB", path, largestSeed>>20)
	}
	return text, err
}

// refusal is what a caller may put right, in words for it.
type refusal string

func (r refusal) Error() string { return string(r) }

func (n *Notes) add(title, text string) error {
	n.lock.Lock()
	defer n.lock.Unlock()
	_, exists := n.texts[title]
	switch {
	case strings.TrimSpace(title) == "":
		return refusal("A note needs a title")
	case len(title) > longestTitle:
		return refusal(fmt.Sprintf("A title has at most %d bytes", longestTitle))
	case len(text) > longestText:
		return refusal(fmt.Sprintf("A note has at most %d KiB", longestText>>10))
	case exists:
		return refusal(fmt.Sprintf("There is a note titled %q already; append_note adds to it", title))
	case len(n.titles) == mostNotes:
		return refusal(fmt.Sprintf("There are %d notes already, and no more are kept", mostNotes))
	}
	n.titles = append(n.titles, title)
	n.texts[title] = text
	return nil
}

func (n *Notes) extend(title, text string) (string, error) {
	n.lock.Lock()
	defer n.lock.Unlock()
	old, err := n.find(title)
	if err != nil {
		return "", err
	}
	whole := strings.TrimPrefix(old+"\n"+text, "\n")
	if len(whole) > longestText {
		return "", refusal(fmt.Sprintf("A note has at most %d KiB", longestText>>10))
	}
	n.texts[title] = whole
	return whole, nil
}

func (n *Notes) read(title string) (string, error) {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.find(title)
}

// find gives a note's text, under the lock.
func (n *Notes) find(title string) (string, error) {
	text, ok := n.texts[title]
	if ok {
		return text, nil
	}
	if near, ok := problem.Nearest(title, n.titles); ok {
		return "", refusal(fmt.Sprintf("There is no note titled %q", title) + problem.DidYouMean(strconv.Quote(near)))
	}
	return "", refusal(fmt.Sprintf("There is no note titled %q; list_notes gives the titles", title))
}

// note is a note's title and a part of its text.
type note struct{ title, text string }

func (n *Notes) list() []note {
	n.lock.Lock()
	defer n.lock.Unlock()
	all := make([]note, 0, len(n.titles))
	for _, title := range n.titles {
		line, _, _ := strings.Cut(n.texts[title], "\n")
		all = append(all, note{title, line})
	}
	return all
}

// search gives the notes that hold every word, the ones with a word in the title
// first, with the line that holds the first word.
func (n *Notes) search(words string, limit int) []note {
	wanted := strings.Fields(strings.ToLower(words))
	n.lock.Lock()
	defer n.lock.Unlock()
	var inTitle, inText []note
	for _, title := range n.titles {
		text := n.texts[title]
		low := strings.ToLower(title + "\n" + text)
		if slices.ContainsFunc(wanted, func(word string) bool { return !strings.Contains(low, word) }) {
			continue
		}
		found := note{title, lineOf(text, wanted)}
		if slices.ContainsFunc(wanted, func(word string) bool { return strings.Contains(strings.ToLower(title), word) }) {
			inTitle = append(inTitle, found)
		} else {
			inText = append(inText, found)
		}
	}
	all := append(inTitle, inText...)
	return all[:min(limit, len(all))]
}

// lineOf gives the first line of a text that holds one of the words, else its
// first line.
func lineOf(text string, words []string) string {
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		low := strings.ToLower(line)
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(low, word) }) {
			return line
		}
	}
	return lines[0]
}

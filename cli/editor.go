package cli

// This file opens text in the person's own editor while the inbox steps aside.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/tui/form"
)

// editor gives the command that opens text in the editor of VISUAL or EDITOR. Away is
// true while the editor has the terminal.
func (a *app) editor(away *atomic.Bool) func(text, extension string) tea.Cmd {
	words, named := a.editorWords()
	return func(text, extension string) tea.Cmd {
		return func() tea.Msg {
			path, err := editedFile(text, extension)
			if err != nil {
				return form.EditedMsg{Err: err}
			}
			edit := exec.Command(words[0], append(words[1:len(words):len(words)], path)...)
			began := a.Now()
			away.Store(true)
			return tea.ExecProcess(edit, func(err error) tea.Msg {
				away.Store(false)
				if errors.Is(err, exec.ErrNotFound) && !named {
					err = fmt.Errorf("%w; set EDITOR to the one you use", err)
				}
				edited, err := takeEdited(path, text, err)
				return form.EditedMsg{Text: edited, Err: err, AtOnce: a.Now().Sub(began) < atOnce}
			})()
		}
	}
}

// atOnce is how soon an editor ends that did not wait for the person.
const atOnce = time.Second

// editorWords is the command of the person's editor, and whether they named one. What
// a shell would read in another way than word by word is left to the shell, as git
// does it.
func (a *app) editorWords() (words []string, named bool) {
	for _, name := range [...]string{"VISUAL", "EDITOR"} {
		command := strings.TrimSpace(a.Env(name))
		switch {
		case command == "":
		case runtime.GOOS != "windows" && strings.ContainsAny(command, "\"'\\$`~|&;<>()*?[#="):
			return []string{"sh", "-c", command + ` "$@"`, "sh"}, true
		default:
			return strings.Fields(command), true
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}, false
	}
	return []string{"vi"}, false
}

// editedFile writes text into a new file that only the person may read.
func editedFile(text, extension string) (path string, err error) {
	file, err := os.CreateTemp("", "auto-answer-*"+extension)
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(file, text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return file.Name(), err
}

// takeEdited reads back what an editor made of a text, and removes the file. What was
// saved and cannot be taken, since the editor failed or there is too much of it, stays in
// its file, and the error says where.
func takeEdited(path, text string, failed error) (edited string, err error) {
	edited, err = readEdited(path)
	changed := err == nil && edited != text
	if failed != nil {
		err = failed
	}
	if err == nil && len(edited) > form.MostEdited {
		err = fmt.Errorf("it left more than %d KiB", form.MostEdited>>10)
	}
	if err == nil {
		os.Remove(path)
		return edited, nil
	}
	if !changed {
		os.Remove(path)
		return "", err
	}
	return "", fmt.Errorf("%w; what it saved is kept in %s", err, path)
}

// readEdited reads the text back, as much of it as shows that there is too much. What is
// no file any more is not opened: reading it might never end.
func readEdited(path string) (string, error) {
	about, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !about.Mode().IsRegular() {
		return "", errors.New("it left no file behind")
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, form.MostEdited+1))
	return string(text), err
}

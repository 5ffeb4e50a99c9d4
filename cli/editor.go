package cli

// This file opens text in the person's own editor while the inbox steps aside.

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/tui/form"
)

// mostEdited is the most bytes that are read back from an editor: more than any
// answer may take, so that the form can say so.
const mostEdited = 1 << 20

// editor gives the command that opens text in the editor of VISUAL or EDITOR.
func (a *app) editor() func(text, extension string) tea.Cmd {
	words := strings.Fields(a.Env("VISUAL"))
	if len(words) == 0 {
		words = strings.Fields(a.Env("EDITOR"))
	}
	if len(words) == 0 {
		words = []string{"vi"}
		if runtime.GOOS == "windows" {
			words = []string{"notepad"}
		}
	}
	return func(text, extension string) tea.Cmd {
		return func() tea.Msg {
			path, err := editedFile(text, extension)
			if err != nil {
				return form.EditedMsg{Err: err}
			}
			edit := exec.Command(words[0], append(words[1:len(words):len(words)], path)...)
			return tea.ExecProcess(edit, func(err error) tea.Msg {
				defer os.Remove(path)
				if err != nil {
					return form.EditedMsg{Err: err}
				}
				edited, err := readEdited(path)
				return form.EditedMsg{Text: edited, Err: err}
			})()
		}
	}
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

func readEdited(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostEdited))
	return string(text), err
}

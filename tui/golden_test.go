package tui

// This file compares the screens with goldens, at several sizes and in several
// themes. -update writes them anew.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/beonauto/auto/tui/desk"
)

var update = flag.Bool("update", false, "write the goldens anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
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
	if got != string(want) {
		t.Errorf("%s differs; got\n%s\nwant\n%s", path, got, want)
	}
}

// visible writes escapes so that a golden shows them.
func visible(text string) string { return strings.ReplaceAll(text, "\x1b", "␛") + "\n" }

// views are the screens of the goldens: how one gets there from the list.
var views = []struct {
	name  string
	reach func(*driver)
}{
	{"list", func(*driver) {}},
	{"filter", func(r *driver) { r.press("/"); r.write("legal") }},
	{"no-match", func(r *driver) { r.press("/"); r.write("nothing here") }},
	{"reader", func(r *driver) { r.press("enter") }},
	{"reader-end", func(r *driver) { r.press("enter", "G") }},
	{"notification", func(r *driver) { r.inbox.list.Select(r.desk.requests[4].RunID); r.press("enter") }},
	{"form", func(r *driver) { r.press("a") }},
	{"review", func(r *driver) {
		r.press("a", "r", "enter")
		r.write("Name the job role")
		r.press("ctrl+s")
	}},
	{"fact", func(r *driver) { r.press("a", "a", "ctrl+s", "enter") }},
	{"answered-elsewhere", func(r *driver) {
		r.press("a", "a", "enter")
		r.write("Name the job role")
		r.desk.end(r.desk.requests[3].RunID, &desk.Ending{How: desk.Answered, Answer: schemaOf(`{"verdict":"revise"}`), By: "Sam", AnswerID: 7})
		r.pass(2 * time.Second)
	}},
	{"cancel", func(r *driver) { r.press("c") }},
	{"help", func(r *driver) { r.press("?") }},
	{"held", func(r *driver) { r.desk.failing = errHeld; r.pass(time.Second) }},
	{"ended", func(r *driver) {
		r.desk.end(r.desk.requests[1].RunID, &desk.Ending{How: desk.Expired})
		r.desk.end(r.desk.requests[2].RunID, &desk.Ending{How: desk.Answered, Answer: schemaOf(`{"verdict":"approve"}`), By: "Ada"})
		r.pass(90 * time.Second)
	}},
}

func TestScreens(t *testing.T) {
	t.Parallel()
	sizes := []struct {
		name          string
		width, height int
	}{{"40x12", 40, 12}, {"80x24", 80, 24}, {"120x40", 120, 40}}
	for _, size := range sizes {
		for _, view := range views {
			t.Run(size.name+"/"+view.name, func(t *testing.T) {
				t.Parallel()
				r := drive(t, office(), size.width, size.height, plain())
				view.reach(r)
				r.whole()
				golden(t, size.name+"/"+view.name, r.screen()+"\n")
			})
		}
	}
}

func TestThemes(t *testing.T) {
	t.Parallel()
	themes := map[string]Options{
		"no-colour": {Profile: colorprofile.ASCII},
		"sixteen":   {Profile: colorprofile.ANSI},
		"dark":      {Profile: colorprofile.TrueColor},
		"light":     {Profile: colorprofile.TrueColor, Light: true},
	}
	for name, options := range themes {
		for _, view := range []int{0, 1, 3} {
			t.Run(name+"/"+views[view].name, func(t *testing.T) {
				t.Parallel()
				r := drive(t, office(), 80, 24, options)
				views[view].reach(r)
				r.whole()
				golden(t, "themes/"+name+"-"+views[view].name, visible(r.inbox.View().Content))
			})
		}
	}
}

package desk_test

// This file asks a runtime with a real store.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/desk"
)

const document = `---
description: Asks the campaign owner to approve a brief
to: '{{ input.owner }}'
expires: P2D
deliver: agent
input: { schema: { type: object, required: [owner], properties: { owner: { type: string } } } }
output:
  schema:
    type: object
    required: [verdict]
    properties: { verdict: { type: string, enum: [approve, revise] } }
---
The brief of {{ input.owner }} is ready.
`

// place is a playbook with a desk.
type place struct {
	t       testing.TB
	desk    *desk.Runtime
	runtime *engine.Runtime
	now     time.Time
}

func newPlace(t testing.TB) *place {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, engine.SettingsFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, now: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)}
	variables := map[string]string{"AUTO_EMAIL": "Priya@acme.example"}
	p.runtime = engine.Open(engine.Options{
		Folder: folder, Command: "auto inbox", Now: func() time.Time { return p.now },
		Lookup: func(name string) (string, bool) { text, set := variables[name]; return text, set },
	})
	t.Cleanup(func() { p.runtime.Close() })
	p.desk = &desk.Runtime{Engine: p.runtime}
	return p
}

func (p *place) ask(id, owner string) {
	p.t.Helper()
	input := value.NewObject(1)
	input.Set("owner", owner)
	_, err := p.runtime.Run(p.t.Context(), engine.RunRequest{ID: id, Type: "interaction", Name: "approve-brief", Source: []byte(document), Input: input})
	if err != nil {
		p.t.Fatal(err)
	}
}

func verdict(word string) value.Value {
	o := value.NewObject(1)
	o.Set("verdict", word)
	return o
}

func TestAStoreThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	stamp, err := p.desk.Stamp()
	if err != nil || stamp != (desk.Stamp{}) {
		t.Errorf("the stamp is %v, %v", stamp, err)
	}
	if rows, err := p.desk.List(); err != nil || len(rows) != 0 {
		t.Errorf("it lists %v, %v", rows, err)
	}
	if messages, _, err := p.desk.Messages(""); err != nil || len(messages) != 0 {
		t.Errorf("it has the messages %v, %v", messages, err)
	}
}

func TestRequestsAndTheirEndings(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-mine", "priya@acme.example")
	p.ask("r-anyone", "#launches")
	p.ask("r-other", "sam@acme.example")
	before, err := p.desk.Stamp()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := p.desk.List()
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, row := range rows {
		got += fmt.Sprint(row.RunID, " ", row.Waits, " ")
	}
	if want := fmt.Sprint("r-other ", desk.OnOthers, " r-anyone ", desk.OnAnyone, " r-mine ", desk.OnMe, " "); got != want {
		t.Errorf("it lists %s, want %s", got, want)
	}
	messages, next, err := p.desk.Messages("")
	if err != nil || next != "" || len(messages) != 3 || messages[2].Text != "The brief of priya@acme.example is ready." {
		t.Errorf("the messages are %v, %q, %v", messages, next, err)
	}
	if ending, err := p.desk.Ending("r-mine"); ending != nil || err != nil {
		t.Errorf("an open request ended as %v, %v", ending, err)
	}

	var rejection *problem.Rejection
	if _, err := p.desk.Answer("r-mine", verdict("perhaps")); !errors.As(err, &rejection) || len(rejection.Issues) != 1 || rejection.Issues[0].Pointer != "/answer/verdict" {
		t.Errorf("an answer that does not match gives %v", err)
	}
	p.now = p.now.Add(time.Minute)
	given, err := p.desk.Answer("r-mine", verdict("approve"))
	if err != nil || !given.Mine || given.AnswerID == 0 || !given.At.Equal(p.now) {
		t.Fatalf("answering gives %+v, %v", given, err)
	}
	ending, err := p.desk.Ending("r-mine")
	if err != nil || ending.How != desk.Answered || ending.By != engine.LocalDeveloper().Name || !value.Equal(ending.Answer, verdict("approve")) {
		t.Errorf("it ended as %+v, %v", ending, err)
	}
	if _, err := p.desk.Answer("r-mine", verdict("revise")); !errors.As(err, &rejection) || rejection.Status != 409 {
		t.Errorf("another answer gives %v", err)
	}

	cancelled, err := p.desk.Cancel("r-anyone")
	if err != nil || cancelled.How != desk.Cancelled || !cancelled.Mine {
		t.Errorf("cancelling gives %+v, %v", cancelled, err)
	}
	if ending, err := p.desk.Ending("r-anyone"); err != nil || ending.How != desk.Cancelled {
		t.Errorf("it ended as %+v, %v", ending, err)
	}

	p.now = p.now.Add(72 * time.Hour)
	if err := p.runtime.Work(t.Context(), engine.WorkOptions{Once: true}); err != nil {
		t.Fatal(err)
	}
	if ending, err := p.desk.Ending("r-other"); err != nil || ending.How != desk.Expired || ending.Detail == "" {
		t.Errorf("it ended as %+v, %v", ending, err)
	}
	if rows, err := p.desk.List(); err != nil || len(rows) != 0 {
		t.Errorf("it lists %v, %v", rows, err)
	}
	if after, err := p.desk.Stamp(); err != nil || after == before {
		t.Errorf("the stamp is still %v, %v", after, err)
	}

	if err := p.runtime.DeleteRun("r-other"); err != nil {
		t.Fatal(err)
	}
	if ending, err := p.desk.Ending("r-other"); err != nil || ending.How != desk.Gone {
		t.Errorf("it ended as %+v, %v", ending, err)
	}
}

// filled gives a place with open requests, put into its store at once.
func filled(b *testing.B, count int) *place {
	b.Helper()
	p := newPlace(b)
	p.ask("r-first", "#launches")
	template, err := p.runtime.RequestOf("r-first")
	if err != nil {
		b.Fatal(err)
	}
	s := store.At(p.runtime.StoreFile(), store.Options{})
	owner, err := s.Own("auto run")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { owner.Close() })
	for i := range count {
		id := fmt.Sprint("r-", i)
		if _, _, err := owner.Start(store.Beginning{ID: id, Type: "interaction", Name: "approve-brief", Source: []byte(document), Input: value.NewObject(0)}); err != nil {
			b.Fatal(err)
		}
		if _, err := owner.Ask(id, store.Asking{
			To: "#launches", Answerer: "#launches", Message: template.Message, AnswerSchema: template.AnswerSchema, Expires: p.now.Add(time.Hour),
		}); err != nil {
			b.Fatal(err)
		}
	}
	return p
}

func BenchmarkList(b *testing.B) {
	p := filled(b, 1000)
	for b.Loop() {
		if rows, err := p.desk.List(); err != nil || len(rows) != 1001 {
			b.Fatal(len(rows), err)
		}
	}
}

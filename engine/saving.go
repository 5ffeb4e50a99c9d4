package engine

// This file saves definitions: what is checked before, what a person may be asked
// for, and the writing (interaction format, "How a request reaches its party" and
// "The overview").

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of what is told of a definition, in bytes (interaction format, "The
// overview").
const (
	MostOverview = 16_384
	MostDiagram  = 8_192
)

// NoDiagram is what stands in a diagram's place when a picture would add nothing.
const NoDiagram = "none"

// Saving is a document that is to be saved.
type Saving struct {
	New        bool   // it must not be there yet; otherwise it must
	Type, Name string // Type is one of Types
	Source     string
	// Overview is Markdown; nil keeps the one that was saved before.
	Overview *string
	Diagram  string // Mermaid source, or NoDiagram
	// Digest is the Digest of the document that the writer read, which must be the
	// one that is there; empty for any.
	Digest string
	// Ask is given a refused document that leaves out what a person chooses, and may
	// give it back with what they chose; nil asks nobody.
	Ask func(ctx context.Context, refused *Refused) (*Refused, error)
}

// Refused is a document that is not saved as it is.
type Refused struct {
	Problems []problem.Problem // sorted, with the warnings
	Unsaid   Unsaid
	// Ways are the connections that can carry the request, for a request those that
	// can also read its replies.
	Ways []Way
}

// Unsaid is what a document leaves out that a person chooses.
type Unsaid struct {
	Deliver      bool // how the request or the notification reaches its party
	Notification bool // it takes no answer, so no agent holds it
	SignIn       bool // it asks a person to sign in, and then:
	Site         string
	IfSignedOut  bool // what a run does when they are not signed in
	Expires      bool // how long a request waits
}

// Any tells whether there is anything to ask.
func (u Unsaid) Any() bool { return u.Deliver || u.IfSignedOut || u.SignIn && u.Expires }

// Way is a connection that can carry a request to its party.
type Way = definition.Way

// SaveDefinition checks a document and writes it to its file in the playbook, keeps
// it as a version with what is told of it, and gives it as it was saved.
//
// The error is a *problem.Rejection, *NotFoundError or *AmbiguousError for a
// document that is not saved. Any other error is the store's or the file system's.
func (r *Runtime) SaveDefinition(ctx context.Context, s Saving) (*SavedDefinition, error) {
	file, before, err := r.placeToSave(&s)
	if err != nil {
		return nil, err
	}
	if issues := s.untold(); len(issues) > 0 {
		return nil, problem.NewRejection(problem.InvalidInput, "The definition was not saved", issues...)
	}
	around, err := r.checkToSave(ctx, &s)
	if err != nil {
		return nil, err
	}
	// The document gets its name while the store is held for it, so that of several
	// processes that save one at once each finds what the one before it left.
	var unwritten error
	version, told, err := r.store.SaveTold(s.Type, s.Name, []byte(s.Source), s.Overview, s.Diagram, func() error {
		if s.New {
			unwritten = playbook.Create(r.folder, file, []byte(s.Source))
		} else {
			unwritten = playbook.Replace(r.folder, filepath.Join(r.folder, filepath.FromSlash(file)), before, []byte(s.Source))
		}
		return unwritten
	})
	switch {
	case unwritten != nil:
		return nil, s.notWritten(file, unwritten)
	case err != nil:
		return nil, fmt.Errorf("saving %s: %w", file, err)
	}
	// It is told from what was saved: the file may be another's already, whose digest
	// would let this writer overwrite what they never read.
	saved := &SavedDefinition{Type: s.Type, Name: s.Name, Path: file, Source: s.Source, Version: version.Number, Overview: told}
	saved.judge(around)
	if saved.Overview.Text == "" {
		saved.Written = writtenOverview(saved.compiled, saved.Name)
	}
	return saved, nil
}

// placeToSave gives the file that a document goes to, in the playbook and with
// slashes, and what it holds.
func (r *Runtime) placeToSave(s *Saving) (file string, before []byte, err error) {
	if !slices.Contains(Types(), s.Type) {
		return "", nil, problem.NewRejection(problem.InvalidInput, "The definition was not saved",
			problem.Issue{Pointer: "/type", Detail: "Expected one of " + strings.Join(Types(), ", ")})
	}
	all, err := r.standing()
	if err != nil {
		return "", nil, err
	}
	found, err := named(all, r.folder, s.Type, s.Name)
	var missing *NotFoundError
	switch {
	case s.New && errors.As(err, &missing), s.New && err == nil && found.file == "":
		file, expected := PathOfNew(s.Type, s.Name)
		if expected != "" {
			return "", nil, problem.NewRejection(problem.InvalidInput, "The definition was not saved", problem.Issue{Pointer: "/name", Detail: expected})
		}
		root, _ := playbook.Root(r.folder)
		if own, _ := playbook.Root(filepath.Dir(filepath.Join(r.folder, filepath.FromSlash(file)))); own != root {
			return "", nil, problem.NewRejection(problem.Conflict, fmt.Sprintf("Nothing was written: the folder %s is a playbook of its own", s.Type))
		}
		return file, nil, nil
	case err != nil:
		return "", nil, err
	case s.New:
		return "", nil, problem.NewRejection(problem.Conflict, fmt.Sprintf("There is a definition %s/%s already; update_definition saves a change of it", s.Type, s.Name))
	case found.file == "":
		return "", nil, problem.NewRejection(problem.Conflict, fmt.Sprintf("The definition %s/%s is retired: its document went away; create_definition makes it anew", s.Type, s.Name))
	}
	before, err = playbook.ReadWithin(r.folder, found.file, playbook.MostDocument)
	if err != nil {
		return "", nil, s.notWritten(found.Path, err)
	}
	if s.Digest != "" && s.Digest != digestOf(before) {
		return "", nil, s.changed()
	}
	return found.Path, before, nil
}

// PathOfNew gives where a new definition's document goes, from the playbook's folder
// on and with slashes, or what was expected of a name that none can go by.
func PathOfNew(typeName, name string) (file, expected string) {
	file, ok := playbook.PathOf(typeName, name)
	switch {
	case ok:
		return file, ""
	case playbook.ValidName(name):
		return "", fmt.Sprintf("Expected another name: a file named %s.md is no definition on every system", name)
	}
	return "", fmt.Sprintf("Expected at most %d lowercase letters, digits and hyphens, a letter first, such as approve-campaign-brief", playbook.MostNameBytes)
}

func (s *Saving) changed() error {
	return problem.NewRejection(problem.Conflict, fmt.Sprintf("The document of %s/%s was changed since it was read; get_definition gives it as it is now", s.Type, s.Name))
}

// notWritten gives the rejection of a document that could not be written, where the
// caller can do something about it.
func (s *Saving) notWritten(file string, err error) error {
	var (
		refused *playbook.UnwritableError
		none    *playbook.NotFileError
	)
	switch {
	case errors.As(err, &none):
		return problem.NewRejection(problem.Conflict, fmt.Sprintf("Nothing was written: %s is %s", file, none.Found))
	case errors.As(err, &refused):
		return problem.NewRejection(problem.Conflict, fmt.Sprintf("Nothing was written: %s is %s", refused.Path, refused.Found))
	case errors.Is(err, playbook.ErrChanged), errors.Is(err, fs.ErrNotExist):
		return s.changed()
	case errors.Is(err, fs.ErrExist):
		return problem.NewRejection(problem.Conflict, "Nothing was written: there is a file "+file+" already")
	case errors.Is(err, fs.ErrPermission):
		return problem.NewRejection(problem.Conflict, "Nothing was written: "+file+" may not be written by this program")
	}
	return fmt.Errorf("writing %s: %w", file, err)
}

// untold gives what is wrong with the overview and the diagram.
func (s *Saving) untold() []problem.Issue {
	var issues []problem.Issue
	if s.Overview != nil && (*s.Overview == "" || len(*s.Overview) > MostOverview) {
		issues = append(issues, problem.Issue{Pointer: "/overview", Detail: "Expected Markdown of 1 character to " + value.Grouped(MostOverview) + " bytes"})
	}
	switch {
	case s.Diagram == "":
		issues = append(issues, problem.Issue{Pointer: "/diagram", Detail: "Missing key: give Mermaid source of a flowchart or a state diagram, or the word none when a picture would add nothing"})
	case len(s.Diagram) > MostDiagram:
		issues = append(issues, problem.Issue{Pointer: "/diagram", Detail: "Expected at most " + value.Grouped(MostDiagram) + " bytes"})
	case s.Diagram != NoDiagram && !drawn(s.Diagram):
		issues = append(issues, problem.Issue{Pointer: "/diagram", Detail: "Expected Mermaid source whose first line is flowchart, graph or stateDiagram, such as flowchart TD, or the word none"})
	}
	return issues
}

// drawn tells whether a diagram's first line is one that can be drawn.
func drawn(diagram string) bool {
	first, _, _ := strings.Cut(diagram, "\n")
	words := strings.Fields(first)
	return len(words) > 0 && slices.Contains([]string{"flowchart", "graph", "stateDiagram", "stateDiagram-v2"}, words[0])
}

func tooLarge() problem.Problem {
	return problem.Problem{
		Line: 1, Rule: problem.TooLarge, Severity: problem.Refused,
		Message: fmt.Sprintf("Expected a file of at most %d MiB", playbook.MostDocument>>20),
	}
}

// checkToSave gives the rejection of a document that may not be saved, and else what
// it was checked by. The tool servers are asked where what they say decides
// something.
func (r *Runtime) checkToSave(ctx context.Context, s *Saving) (around Surroundings, err error) {
	if len(s.Source) > playbook.MostDocument {
		return around, problem.Rejects([]problem.Problem{tooLarge()})
	}
	source := []byte(s.Source)
	around = Around(r.folder)
	result := check(source, s.Type, around)
	if asksServers(result) && len(around.ToolServers) > 0 {
		around = r.Ask(ctx)
		result = check(source, s.Type, around)
	}
	rejection := problem.Rejects(result.Problems)
	if rejection == nil || s.Ask == nil {
		return around, orNone(rejection)
	}
	refused := &Refused{Problems: result.Problems, Unsaid: unsaid(source, result.Problems)}
	if !refused.Unsaid.Any() {
		return around, rejection
	}
	if around.Connections == nil {
		around = r.Ask(ctx)
	}
	refused.Ways = around.Ways(!refused.Unsaid.Notification && !refused.Unsaid.SignIn)
	refused, err = s.Ask(ctx, refused)
	if err != nil {
		return around, err
	}
	return around, problem.Rejects(problem.Sort(refused.Problems))
}

// orNone keeps a rejection that there is not from being an error.
func orNone(rejection *problem.Rejection) error {
	if rejection == nil {
		return nil
	}
	return rejection
}

// asksServers tells whether the tool servers have a say in whether a document may
// be saved, or in the words that refuse it.
func asksServers(result *definition.Result) bool {
	if slices.ContainsFunc(result.Problems, func(p problem.Problem) bool { return p.Rule == problem.NoDelivery }) {
		return true
	}
	if result.Definition == nil {
		return false // it is refused whatever they say
	}
	switch function := result.Definition.Function.(type) {
	case *definition.Interaction:
		return function.Call != nil
	case *definition.Lookup:
		return true
	}
	return false
}

// unsaid reads what a refused document leaves out that a person chooses.
func unsaid(source []byte, problems []problem.Problem) Unsaid {
	document, _ := frontmatter.Read(source)
	if document == nil || document.Root == nil {
		return Unsaid{}
	}
	signIn := document.Root.Get("sign_in")
	u := Unsaid{SignIn: signIn != nil, Notification: signIn == nil && document.Root.Get("output").Get("schema") == nil}
	for _, p := range problems {
		switch {
		case p.Rule == problem.NoDelivery:
			u.Deliver = true
		case p.Rule == problem.MissingKey && p.Pointer == "/sign_in/if_signed_out":
			u.IfSignedOut = true
		case p.Rule == problem.MissingKey && p.Pointer == "/expires":
			u.Expires = u.SignIn
		}
	}
	if u.SignIn {
		u.Site, _ = signIn.Get("site").Value().(string)
	}
	if u.IfSignedOut {
		// They are missing only once a run is to wait, which is not known yet.
		u.Deliver, u.Expires = document.Root.Get("deliver") == nil, document.Root.Get("expires") == nil
	}
	return u
}

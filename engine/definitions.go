package engine

// This file lists a playbook's definitions and gives one whole. Saving one is in
// saving.go.

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
)

// Overview is what a definition's author tells of it.
type Overview = store.Overview

// SavedDefinition is a definition of the playbook as it stands.
type SavedDefinition struct {
	Type, Name string
	// Path is the document's, in the playbook and with slashes; empty for a retired
	// definition.
	Path string
	// Source is the document, or the last version of a retired definition; empty in a
	// list, and for a file that cannot be read or is too large for a document.
	Source      string
	Digest      string // SHA-256 of the document, in hexadecimal; empty for such a file
	Description string // empty when it has none
	// Version is the number that the store keeps this document under; 0 for one that
	// was neither saved nor run since it changed.
	Version  int
	Retired  bool // its document went away
	Overview Overview
	// Written is an overview made from the document of a reasoning function, for one
	// whose author gave none.
	Written string
	// Problems are what refuses the document, and its warnings, sorted.
	Problems []problem.Problem

	compiled *definition.Definition // nil where problems refuse the document
}

// DefinitionFilter says which definitions a page holds, by type and name.
type DefinitionFilter struct {
	Type   string // only those of a type
	Cursor string // those after the page that gave it; empty for the first page
	Limit  int    // the most of one page; 0 is 100, and no page has more than 1,000
}

// The most definitions of a page.
const (
	usualDefinitions = 100
	mostDefinitions  = 1000
)

// ListDefinitions gives a page of the playbook's own definitions, without those of
// playbooks inside it and with those whose documents went away, and the cursor of
// the page after it, empty at the end. It asks no tool server. It gives ErrCursor.
func (r *Runtime) ListDefinitions(filter DefinitionFilter) (page []SavedDefinition, cursor string, err error) {
	if filter.Cursor != "" && !isKey(filter.Cursor) {
		return nil, "", ErrCursor
	}
	all, err := r.standing()
	if err != nil {
		return nil, "", err
	}
	limit := filter.Limit
	if limit <= 0 {
		limit = usualDefinitions
	}
	limit = min(limit, mostDefinitions)
	slices.SortFunc(all, func(a, b standing) int { return cmp.Compare(a.key(), b.key()) })
	var chosen []standing
	for i := range all {
		if filter.Type != "" && all[i].Type != filter.Type || filter.Cursor != "" && all[i].key() <= filter.Cursor {
			continue
		}
		if len(chosen) == limit {
			cursor = chosen[limit-1].key()
			break
		}
		chosen = append(chosen, all[i])
	}
	page, err = r.described(chosen, false)
	return page, cursor, err
}

// DefinitionNamed gives one definition of the playbook. The error is a
// *NotFoundError or an *AmbiguousError where the name decides it.
func (r *Runtime) DefinitionNamed(typeName, name string) (*SavedDefinition, error) {
	all, err := r.standing()
	if err != nil {
		return nil, err
	}
	found, err := named(all, r.folder, typeName, name)
	if err != nil {
		return nil, err
	}
	described, err := r.described([]standing{*found}, true)
	if err != nil {
		return nil, err
	}
	if len(described) == 0 {
		return nil, &NotFoundError{Name: typeName + "/" + name, Folder: r.folder} // its last version was deleted just now
	}
	one := &described[0]
	if one.Overview.Text == "" {
		one.Written = writtenOverview(one.compiled, one.Name)
	}
	return one, nil
}

// standing is a definition by what the folder or the store tells of it.
type standing struct {
	Type, Name, Path string
	file             string // the document's; empty for a retired definition
	latest           int    // the version of a retired one
}

// key is what definitions are listed by.
func (s *standing) key() string { return s.Type + "/" + s.Name + " " + s.Path }

// isKey tells whether a text has the form of a key.
func isKey(text string) bool {
	_, rest, ok := strings.Cut(text, "/")
	return ok && strings.Contains(rest, " ")
}

// standing gives every definition of the playbook, those that went away among them.
func (r *Runtime) standing() ([]standing, error) {
	found, err := playbook.Definitions(r.folder)
	if err != nil {
		return nil, err
	}
	root, _ := playbook.Root(r.folder)
	var all []standing
	present := map[string]bool{}
	for _, one := range found {
		if one.Playbook != root {
			continue // it belongs to a playbook inside this one
		}
		path, err := filepath.Rel(r.folder, one.Path)
		if err != nil {
			path = one.Path
		}
		all = append(all, standing{Type: one.Type, Name: one.Name, Path: filepath.ToSlash(path), file: one.Path})
		present[one.Type+"/"+one.Name] = true
	}
	kept, err := r.store.Definitions()
	if err != nil {
		return nil, err
	}
	for _, one := range kept {
		if !present[one.Type+"/"+one.Name] {
			all = append(all, standing{Type: one.Type, Name: one.Name, latest: one.Latest})
		}
	}
	return all, nil
}

// named gives the one definition of a type and a name.
func named(all []standing, folder, typeName, name string) (*standing, error) {
	var matches []*standing
	var known []string
	for i := range all {
		of := &all[i]
		known = append(known, of.Type+"/"+of.Name)
		if of.Type == typeName && of.Name == name {
			matches = append(matches, of)
		}
	}
	switch len(matches) {
	case 0:
		slices.Sort(known)
		return nil, &NotFoundError{Name: typeName + "/" + name, Folder: folder, Known: slices.Compact(known)}
	case 1:
		return matches[0], nil
	}
	candidates := make([]playbook.Found, len(matches))
	for i, match := range matches {
		candidates[i] = playbook.Found{Path: match.Path, Place: Place{Playbook: folder, Type: typeName, Name: name}}
	}
	return nil, &AmbiguousError{Name: typeName + "/" + name, Candidates: candidates}
}

// described reads the documents of definitions and says what is known of each. Only
// one that is wanted whole keeps its document: a page of a thousand may be large.
func (r *Runtime) described(chosen []standing, whole bool) ([]SavedDefinition, error) {
	around := Around(r.folder)
	described := make([]SavedDefinition, 0, len(chosen))
	contents := make([]store.Content, 0, len(chosen))
	for _, of := range chosen {
		one := SavedDefinition{Type: of.Type, Name: of.Name, Path: of.Path, Retired: of.file == ""}
		if one.Retired {
			version, err := r.store.Version(of.Type, of.Name, of.latest)
			if errors.Is(err, store.ErrNotFound) {
				continue // it was deleted just now
			}
			if err != nil {
				return nil, err
			}
			one.Source = version.Source
			one.judge(around)
		} else if source, err := playbook.ReadWithin(r.folder, of.file, playbook.MostDocument); err != nil {
			one.Problems = []problem.Problem{{Line: 1, Rule: problem.Encoding, Severity: problem.Refused, Message: "The file cannot be read: " + reasonOf(err)}}
		} else {
			one.Source = string(source)
			one.judge(around)
		}
		contents = append(contents, store.Content{Type: one.Type, Name: one.Name, Digest: sha256.Sum256([]byte(one.Source))})
		if !whole {
			one.Source, one.compiled = "", nil
		}
		described = append(described, one)
	}
	known, err := r.store.Known(contents...)
	if err != nil {
		return nil, err
	}
	for i := range described {
		described[i].Version, described[i].Overview = known[i].Version, known[i].Overview
	}
	return described, nil
}

// judge says what a document's content tells.
func (d *SavedDefinition) judge(around Surroundings) {
	if len(d.Source) > playbook.MostDocument {
		d.Source, d.Problems = "", []problem.Problem{tooLarge()}
		return
	}
	d.Digest = digestOf([]byte(d.Source))
	t, known := definition.TypeNamed(d.Type)
	if !known {
		return // of a type that an earlier program knew
	}
	result := definition.Check([]byte(d.Source), t, around)
	d.Problems = result.Problems
	if result.Definition != nil {
		d.Description, d.compiled = result.Definition.Description, result.Definition
	}
}

func digestOf(source []byte) string {
	digest := sha256.Sum256(source)
	return hex.EncodeToString(digest[:])
}

// reasonOf gives why a file cannot be read, without its path.
func reasonOf(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

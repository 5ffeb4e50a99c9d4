// Package playbook knows folders of definitions: which playbook a file belongs
// to, what type and name its path gives it, and where a definition of a name
// is. It reads folders and never a document's content.
package playbook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/settings"
)

// Place is where a definition stands: its playbook, its type and its name.
type Place struct {
	Playbook string // the folder that holds auto.yaml; empty when there is none
	Type     string // such as reasoning
	Name     string
}

// UnknownTypeError is a file whose type its path does not tell.
type UnknownTypeError struct{ Path string }

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("the type of %s cannot be told from its path: put it in a folder of its type, such as reasoning/%s, or name it %s.reasoning.md; or give --type",
		e.Path, filepath.Base(e.Path), strings.TrimSuffix(filepath.Base(e.Path), filepath.Ext(e.Path)))
}

// longestPath is the most bytes of a path that can lead anywhere.
const longestPath = 32 << 10

// Root gives the nearest parent folder of a path that holds auto.yaml, the
// path itself counted, and false when there is none.
func Root(path string) (string, bool) {
	folder, err := filepath.Abs(path)
	if err != nil || len(folder) > longestPath {
		return "", false
	}
	for {
		if isPlaybook(folder) {
			return folder, true
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", false
		}
		folder = parent
	}
}

// isPlaybook tells whether a folder holds auto.yaml as a file, or as a link to
// one.
func isPlaybook(folder string) bool {
	info, err := os.Stat(filepath.Join(folder, settings.FileName))
	return err == nil && info.Mode().IsRegular()
}

// Identify tells the playbook, the type and the name of a file by its path. The
// error is an *UnknownTypeError for a file that is no definition by its path.
func Identify(path string) (Place, error) {
	root, _ := Root(filepath.Dir(path))
	return IdentifyIn(root, path)
}

// IdentifyIn is Identify for a file whose playbook is known, or known to be
// none, in which case the nearest folder's name counts.
func IdentifyIn(root, path string) (Place, error) {
	place := Place{Playbook: root}
	file, isMarkdown := strings.CutSuffix(filepath.Base(path), ".md")
	if !isMarkdown || file == "" {
		return place, &UnknownTypeError{Path: path}
	}
	if dot := strings.LastIndexByte(file, '.'); dot > 0 {
		if _, known := definition.TypeNamed(file[dot+1:]); known {
			place.Type, place.Name = file[dot+1:], file[:dot]
			return place, nil
		}
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return place, fmt.Errorf("finding %s: %w", path, err)
	}
	folder := filepath.Dir(absolute)
	_, known := definition.TypeNamed(filepath.Base(folder))
	inPlaybook := root == "" || filepath.Dir(folder) == root
	if !known || !inPlaybook || strings.EqualFold(file, "readme") {
		return place, &UnknownTypeError{Path: path}
	}
	place.Type, place.Name = filepath.Base(folder), file
	return place, nil
}

// Found is a definition that Find met.
type Found struct {
	Path string
	Place
}

// NotFoundError is a name that no definition under a folder has.
type NotFoundError struct {
	Name   string
	Folder string
	Known  []string // the names there are, as type/name, sorted
}

func (e *NotFoundError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("there is no definition named %s: no definitions were found under %s", e.Name, e.Folder)
	}
	return fmt.Sprintf("there is no definition named %s under %s", e.Name, e.Folder)
}

// AmbiguousError is a name that more than one definition has.
type AmbiguousError struct {
	Name       string
	Candidates []Found
}

func (e *AmbiguousError) Error() string {
	paths := make([]string, len(e.Candidates))
	for i, found := range e.Candidates {
		paths[i] = found.Path
	}
	return fmt.Sprintf("%s stands for more than one definition; give the file: %s", e.Name, strings.Join(paths, ", "))
}

// Definitions gives every definition under a folder, sorted by path. Hidden
// folders and node_modules are passed over.
func Definitions(folder string) ([]Found, error) {
	var found []Found
	root, _ := Root(folder)
	roots := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if entry != nil && entry.IsDir() && errors.Is(err, fs.ErrPermission) {
				return fs.SkipDir
			}
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			if path != folder && (strings.HasPrefix(name, ".") || name == "node_modules") {
				return fs.SkipDir
			}
			within := root
			if parent, ok := roots[filepath.Dir(path)]; ok && path != folder {
				within = parent
			}
			if isPlaybook(path) {
				if within, err = filepath.Abs(path); err != nil {
					return err
				}
			}
			roots[path] = within
			return nil
		}
		if place, err := IdentifyIn(roots[filepath.Dir(path)], path); err == nil {
			found = append(found, Found{Path: path, Place: place})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for definitions in %s: %w", folder, err)
	}
	return found, nil
}

// Find gives the definition that a name, or type/name, stands for in the
// playbook around a folder, or under the folder when it is in none. The error
// is a *NotFoundError or an *AmbiguousError where the name decides it.
func Find(folder, name string) (Found, error) {
	if root, ok := Root(folder); ok {
		folder = root
	}
	all, err := Definitions(folder)
	if err != nil {
		return Found{}, err
	}
	wantedType, wanted, typed := strings.Cut(name, "/")
	if !typed {
		wantedType, wanted = "", name
	}
	var matches []Found
	var known []string
	for _, one := range all {
		known = append(known, one.Type+"/"+one.Name)
		if one.Name == wanted && (!typed || one.Type == wantedType) {
			matches = append(matches, one)
		}
	}
	switch len(matches) {
	case 0:
		slices.Sort(known)
		return Found{}, &NotFoundError{Name: name, Folder: folder, Known: slices.Compact(known)}
	case 1:
		return matches[0], nil
	}
	return Found{}, &AmbiguousError{Name: name, Candidates: matches}
}

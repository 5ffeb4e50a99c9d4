package lint

// This file turns the paths a command names into the files to check.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
)

// SettingsType is the type that a playbook's settings file is reported as. It
// is no type of definition.
const SettingsType = "settings"

// A Target is one file to check.
type Target struct {
	Path  string // as it is shown, with forward slashes
	Type  string
	file  string // what to open
	stdin bool
	err   error // why the folder that this is cannot be read

	playbook string // the folder of the playbook it is in; empty for none
	name     string // the definition's; empty where its path does not give one
}

// An ArgumentError is a path that nothing can be checked at, such as one that
// does not exist: the command was used wrongly.
type ArgumentError struct {
	Path   string
	Reason string // what is wrong with it, without the path
}

func (e *ArgumentError) Error() string { return e.Path + ": " + e.Reason }

// Find gives the files to check: the paths in the order they are named, and
// inside a folder its entries in the order of their names, each file once.
//
// A file named directly is always among them. Inside a folder only files that
// the engine takes for definitions are; entries that .gitignore files or
// .git/info/exclude leave out, hidden ones and node_modules are passed over,
// and links to folders are not followed. Folders that cannot be read are given
// as targets too, so that the check can say so. The error joins an
// *ArgumentError for each path that nothing can be checked at.
func Find(options Options) ([]Target, error) {
	finder := &finder{options: options, seen: map[string]bool{}, walked: map[string]bool{}}
	paths := options.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var wrong []error
	for _, path := range paths {
		if err := finder.argument(path); err != nil {
			wrong = append(wrong, err)
		}
	}
	return finder.targets, errors.Join(wrong...)
}

type finder struct {
	options Options
	targets []Target
	seen    map[string]bool // absolute paths already among the targets
	walked  map[string]bool // absolute paths of the folders that were gone through
}

// argument adds what one path of the command line stands for.
func (f *finder) argument(path string) error {
	if path == "-" {
		return f.stdin()
	}
	if path == "" {
		return &ArgumentError{Path: `""`, Reason: "Expected a file or a folder"}
	}
	file := path
	if !filepath.IsAbs(file) {
		file = filepath.Join(f.options.Dir, file)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &ArgumentError{Path: path, Reason: "No such file or folder"}
	case err != nil:
		f.add(Target{Path: filepath.ToSlash(filepath.Clean(path)), file: file})
		return nil
	case info.IsDir():
		f.folder(filepath.Clean(path), file)
		return nil
	}
	target, err := f.identify(path, file)
	if err != nil {
		return err
	}
	target.Path, target.file = filepath.ToSlash(filepath.Clean(path)), file
	f.add(target)
	return nil
}

func (f *finder) stdin() error {
	shown := f.options.StdinFilename
	if shown == "" {
		if f.options.Type == "" {
			return &ArgumentError{Path: "-", Reason: "Expected --stdin-filename or --type, which tell the type of the document"}
		}
		root, _ := engine.PlaybookRoot(absolute(f.options.Dir))
		f.add(Target{Path: StdinPath, Type: f.options.Type, stdin: true, playbook: root})
		return nil
	}
	file := shown
	if !filepath.IsAbs(file) {
		file = filepath.Join(f.options.Dir, file)
	}
	target, err := f.identify(shown, file)
	if err != nil {
		return err
	}
	target.Path, target.stdin = filepath.ToSlash(shown), true
	f.add(target)
	return nil
}

// identify tells the type, the name and the playbook of a file that was named
// directly.
func (f *finder) identify(shown, file string) (Target, error) {
	place, err := engine.Identify(file)
	target := Target{Type: place.Type, name: place.Name, playbook: place.Playbook}
	switch {
	case f.options.Type != "":
		target.Type = f.options.Type
	case filepath.Base(file) == engine.SettingsFile:
		target.Type = SettingsType
	case err != nil:
		reason := UntoldType() + problem.DidYouMean(meantPath(place.Playbook, file))
		return Target{}, &ArgumentError{Path: shown, Reason: reason}
	}
	return target, nil
}

// UntoldType says how the type of a file is told.
func UntoldType() string { return NoDefinition() + "; or give --type" }

// NoDefinition says what a definition's path looks like.
func NoDefinition() string {
	types := engine.Types()
	last := len(types) - 1
	return fmt.Sprintf("Expected <type>/<name>.md directly in the playbook, or <name>.<type>.md; the type is %s or %s",
		strings.Join(types[:last], ", "), types[last])
}

// add adds a target that is not among the targets yet.
func (f *finder) add(target Target) {
	key := "-"
	if !target.stdin {
		key = absolute(target.file)
	}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.targets = append(f.targets, target)
}

// folder adds the definitions and the settings inside a folder.
func (f *finder) folder(shown, folder string) {
	full := absolute(folder)
	root, _ := engine.PlaybookRoot(full)
	f.walk(place{shown, folder, root}, rulesAbove(full))
}

// place is a folder of a walk.
type place struct {
	shown    string // as the reader would write it
	folder   string // what to open
	playbook string // the playbook it is in, empty for none
}

// walk adds what there is to check inside a folder that passed the rules so far.
func (f *finder) walk(at place, above *rulesAt) {
	full := absolute(at.folder)
	if f.walked[full] {
		return
	}
	f.walked[full] = true
	entries, err := os.ReadDir(at.folder)
	if err != nil {
		f.add(Target{Path: filepath.ToSlash(at.shown), file: at.folder, err: err})
		return
	}
	rules := above
	for _, entry := range entries {
		switch entry.Name() {
		case ".gitignore":
			rules = above.with(filepath.Join(at.folder, ".gitignore"))
		case engine.SettingsFile:
			if root, ok := engine.PlaybookRoot(at.folder); ok {
				at.playbook = root
			}
		}
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") || name == "node_modules" {
			continue
		}
		if !entry.IsDir() {
			f.walkedFile(at, entry, rules)
			continue
		}
		if inner := rules.enter(name); !inner.ignored(true) {
			f.walk(place{filepath.Join(at.shown, name), filepath.Join(at.folder, name), at.playbook}, inner)
		}
	}
}

// walkedFile adds a file found in a folder when it is a definition or holds
// settings.
func (f *finder) walkedFile(at place, entry fs.DirEntry, rules *rulesAt) {
	file := filepath.Join(at.folder, entry.Name())
	found, err := engine.IdentifyIn(at.playbook, file)
	settings := entry.Name() == engine.SettingsFile
	if rules.enter(entry.Name()).ignored(false) {
		return
	}
	if err != nil && !settings {
		f.passedOver(at, entry, file)
		return
	}
	if !entry.Type().IsRegular() {
		// A link counts when it leads to a file; pipes and devices never do.
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			return
		}
	}
	typeName, definitionName := found.Type, found.Name
	switch {
	case settings:
		typeName = SettingsType
	case f.options.Type != "":
		typeName = f.options.Type
	}
	shown := filepath.ToSlash(filepath.Join(at.shown, entry.Name()))
	f.add(Target{Path: shown, Type: typeName, file: file, playbook: at.playbook, name: definitionName})
}

// passedOver tells of a file that is no definition where its author may take it
// for one.
func (f *finder) passedOver(at place, entry fs.DirEntry, file string) {
	if f.options.PassedOver == nil || !entry.Type().IsRegular() {
		return
	}
	meant := meantPath(at.playbook, file)
	if meant != "" || looksMeant(at.playbook, file) {
		f.options.PassedOver(filepath.ToSlash(filepath.Join(at.shown, entry.Name())), meant)
	}
}

// meantPath gives the path that would make a file a definition, as engine.MeantPath
// does; empty where it does not look like one. Outside of a playbook only the
// folder that it stands in counts, as it does for definitions.
func meantPath(playbook, file string) string {
	if ext := filepath.Ext(file); ext != ".md" && ext != ".markdown" {
		return ""
	}
	full := absolute(file)
	if playbook == "" {
		playbook = filepath.Dir(filepath.Dir(full))
	}
	way, err := filepath.Rel(playbook, full)
	if err != nil {
		return ""
	}
	head, err := engine.ReadFile(file, engine.DocumentHead)
	if err != nil {
		return ""
	}
	meant := engine.MeantPath(filepath.ToSlash(way), head)
	if meant == filepath.ToSlash(way) {
		return ""
	}
	return meant
}

// looksMeant tells whether a file that is no definition stands where its author
// may take it for one: Markdown, other than a README, somewhere below a folder of
// the playbook that is named as a type is, but for case.
func looksMeant(playbook, file string) bool {
	name, isMarkdown := strings.CutSuffix(filepath.Base(file), ".md")
	if !isMarkdown || playbook == "" || strings.EqualFold(name, "readme") {
		return false
	}
	way, err := filepath.Rel(playbook, absolute(file))
	if err != nil {
		return false
	}
	first, _, below := strings.Cut(filepath.ToSlash(way), "/")
	return below && slices.ContainsFunc(engine.Types(), func(t string) bool { return strings.EqualFold(t, first) })
}

// absolute is a path from the root of the file system, or the path itself
// where the working folder is gone.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

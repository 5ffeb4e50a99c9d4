package lint

// This file knows which .gitignore files count for a place in a repository,
// and in which order.

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/lint/ignore"
)

// rulesAt are the rules that count at one place of a walk. They are immutable:
// a deeper place makes its own from them.
type rulesAt struct {
	path  []string // names from the root of the walk's rules down to this place
	files []ignoreFile
}

// ignoreFile is one file of patterns with the depth of the folder it is in.
type ignoreFile struct {
	rules *ignore.Rules
	depth int
}

// enter gives the rules for an entry of this place.
func (r *rulesAt) enter(name string) *rulesAt {
	path := make([]string, len(r.path)+1)
	copy(path, r.path)
	path[len(r.path)] = name
	return &rulesAt{path: path, files: r.files}
}

// mostRules is the most bytes of a file of patterns: each is held against each
// entry of a walk.
const mostRules = 512 << 10

// with gives the rules of this place and those of its own file on top. A file
// that cannot be read, or is longer than mostRules, has none.
func (r *rulesAt) with(file string) *rulesAt {
	text, err := engine.ReadFile(file, mostRules)
	if err != nil || len(text) > mostRules {
		return r
	}
	files := make([]ignoreFile, len(r.files), len(r.files)+1)
	copy(files, r.files)
	return &rulesAt{path: r.path, files: append(files, ignoreFile{ignore.Parse(string(text)), len(r.path)})}
}

// ignored tells whether the rules leave this place out: the deepest file with
// a pattern for it decides.
func (r *rulesAt) ignored(folder bool) bool {
	for i := len(r.files) - 1; i >= 0; i-- {
		file := r.files[i]
		switch file.rules.Decide(r.path[file.depth:], folder) {
		case ignore.Ignored:
			return true
		case ignore.Kept:
			return false
		}
	}
	return false
}

// rulesAbove gives the rules that count in a folder before its own file is
// read: the repository's exclude file and every .gitignore file above, up to
// the repository's root. Outside a repository there are none.
func rulesAbove(folder string) *rulesAt {
	root, ok := repositoryRoot(folder)
	if !ok {
		return &rulesAt{}
	}
	rules := (&rulesAt{}).with(filepath.Join(commonGitFolder(root), "info", "exclude"))
	inside, err := filepath.Rel(root, folder)
	if err != nil || inside == "." {
		return rules
	}
	at := root
	for name := range strings.SplitSeq(inside, string(filepath.Separator)) {
		rules = rules.with(filepath.Join(at, ".gitignore")).enter(name)
		at = filepath.Join(at, name)
	}
	return rules
}

// repositoryRoot is the nearest folder at or above folder that holds .git.
func repositoryRoot(folder string) (string, bool) {
	for {
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder, true
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", false
		}
		folder = parent
	}
}

// mostPath is the most bytes of a file that holds a path.
const mostPath = 16 << 10

// commonGitFolder is where the repository at root keeps what its working
// trees share: .git itself, or what the .git file of a further working tree
// leads to.
func commonGitFolder(root string) string {
	git := filepath.Join(root, ".git")
	text, err := engine.ReadFile(git, mostPath)
	if err != nil {
		return git
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return git
	}
	folder := resolve(root, target)
	if common, err := engine.ReadFile(filepath.Join(folder, "commondir"), mostPath); err == nil {
		return resolve(folder, strings.TrimSpace(string(common)))
	}
	return folder
}

func resolve(base, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

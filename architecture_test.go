// Package auto_test keeps the promises that ARCHITECTURE.md makes of the
// whole module: which package may import which, and how packages are named.
package auto_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/beonauto/auto/"

// layers is the order of the packages, lowest first. A package may import
// those of the layers before its own, and the packages inside its own folder.
var layers = []string{
	"engine/effort",
	"engine/patience",
	"engine/clock",
	"engine/value",
	"engine/problem",
	"engine/frontmatter",
	"engine/liquid",
	"engine/schema",
	"engine/definition",
	"engine/settings",
	"engine/playbook",
	"engine/store",
	"engine/model",
	"engine/tool",
	"engine/request",
	"engine/run",
	"engine/worker",
	"engine",
	"engine/mcp",
	"lint",
	"tui",
	"cli",
	"cmd",
}

// apart are layers that stand beside each other: neither may import the other.
var apart = [][2]string{{"lint", "tui"}, {"lint", "engine/mcp"}, {"tui", "engine/mcp"}}

// meaningless are names that say nothing of what a package holds.
var meaningless = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base"}

// layer is the place of a package's folder in layers: the longest entry that
// is the folder or above it; -1 when there is none. The packages below engine
// are listed one by one.
func layer(folder string) int {
	best := -1
	for i, name := range layers {
		if folder != name && (name == "engine" || !strings.HasPrefix(folder, name+"/")) {
			continue
		}
		if best < 0 || len(name) > len(layers[best]) {
			best = i
		}
	}
	return best
}

// sources calls visit with each Go file of the module.
func sources(t *testing.T, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(name, ".go") {
			visit(filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	files := token.NewFileSet()
	seen := 0
	sources(t, func(path string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		// A test may look from above at what it tests, from outside its package.
		if folder == "." || strings.HasPrefix(folder, "fixtures") || strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(files, path, nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		from := layer(folder)
		if from < 0 {
			t.Errorf("%s: the folder %s has no place in the order of packages", path, folder)
			return
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			target, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			seen++
			to := layer(target)
			switch {
			case to > from:
				t.Errorf("%s: %s may not import %s", path, folder, target)
			case to >= 0 && slices.ContainsFunc(apart, func(pair [2]string) bool {
				a, b := layers[from], layers[to]
				return pair == [2]string{a, b} || pair == [2]string{b, a}
			}):
				t.Errorf("%s: %s and %s stand beside each other", path, folder, target)
			}
		}
	})
	if seen == 0 {
		t.Error("no import of the module was seen")
	}
}

func TestPackagesAreNamedByWhatTheyHold(t *testing.T) {
	t.Parallel()
	files := token.NewFileSet()
	documented := map[string]bool{}
	sources(t, func(path string) {
		file, err := parser.ParseFile(files, path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		if slices.Contains(meaningless, file.Name.Name) {
			t.Errorf("%s: a package named %s says nothing of what it holds", path, file.Name.Name)
		}
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") && folder != "." {
			return
		}
		documented[folder] = documented[folder] || file.Doc != nil
	})
	for folder, has := range documented {
		if !has {
			t.Errorf("%s: no file has a package comment", folder)
		}
	}
}

// TestTheMapIsComplete wants every package in the map of ARCHITECTURE.md, by
// its own folder or by one that it is a part of.
func TestTheMapIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := func(folder string) bool {
		for ; strings.Contains(folder, "/"); folder = folder[:strings.LastIndexByte(folder, '/')] {
			if strings.Contains(string(text), "| `"+folder+"` |") {
				return true
			}
		}
		return strings.Contains(string(text), "| `"+folder+"` |") && folder != "engine"
	}
	folders := map[string]bool{}
	sources(t, func(path string) { folders[filepath.ToSlash(filepath.Dir(path))] = true })
	for folder := range folders {
		if folder != "." && folder != "engine" && !strings.HasPrefix(folder, "fixtures") && !named(folder) {
			t.Errorf("the map of ARCHITECTURE.md has no row for `%s`", folder)
		}
	}
}

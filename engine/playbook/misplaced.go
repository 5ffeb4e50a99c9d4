package playbook

// This file tells of files that are named or placed otherwise than their author
// meant: it looks at the first lines of a document and no further.

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
)

// CheckName warns of a definition's name that not every system tells from others
// or can hold, such as one with a capital letter or a space. A run takes it all
// the same.
func CheckName(name string) []problem.Problem {
	plain := strings.NewReplacer("_", "-", ".", "-").Replace(name)
	if ValidName(plain) || len(plain) > MostNameBytes && ValidName(plain[:MostNameBytes]) {
		return nil
	}
	message := "Expected a name of lowercase letters, digits and hyphens, a letter first"
	if such := nameLike(name); such != "" {
		message += ", such as " + such
	}
	return []problem.Problem{{Line: 1, Rule: problem.FileName, Severity: problem.Warning, Message: message}}
}

// nameLike gives the name that one was most likely meant as; empty for none.
func nameLike(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
	if like := strings.Join(words, "-"); ValidName(like) {
		return like
	}
	return ""
}

// goodName gives a name as it is where it is one, or the one it was meant as.
func goodName(name string) string {
	if CheckName(name) == nil {
		return name
	}
	return cmp.Or(nameLike(name), name)
}

// HeadBytes is how much of a document MeantPath looks at.
const HeadBytes = 2 << 10

// MeantPath gives the path, from its playbook's folder on, that a Markdown file
// should have had to be a definition; empty where it looks like none. The path is
// the file's own, from the same folder on and with slashes; the head is the file's
// first HeadBytes.
func MeantPath(path string, head []byte) string {
	folder, file, nested := cutLast(path, "/")
	name, isMarkdown := strings.CutSuffix(file, ".md")
	if !isMarkdown {
		if name, isMarkdown = strings.CutSuffix(file, ".markdown"); !isMarkdown {
			return ""
		}
	}
	if name == "" || strings.EqualFold(name, "readme") {
		return ""
	}
	// A folder or an ending that is nearly a type's tells the type.
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		if typeName := nearType(name[dot+1:]); typeName != "" && looksDefined(head) {
			return join(folder, goodName(name[:dot])+"."+typeName+".md", nested)
		}
	}
	name = goodName(name)
	if typeName := nearType(filepath.Base(folder)); nested && typeName != "" && looksDefined(head) {
		return typeName + "/" + name + ".md"
	}
	if typeName := typeByKeys(head); typeName != "" {
		return typeName + "/" + name + ".md"
	}
	return ""
}

func cutLast(path, separator string) (before, after string, found bool) {
	if at := strings.LastIndex(path, separator); at >= 0 {
		return path[:at], path[at+len(separator):], true
	}
	return "", path, false
}

func join(folder, file string, nested bool) string {
	if !nested {
		return file
	}
	return folder + "/" + file
}

// nearType gives the type that a word stands for, mistyped or in the plural.
func nearType(word string) string {
	lower := strings.ToLower(word)
	names := definition.TypeNames()
	if slices.Contains(names, lower) {
		return lower
	}
	near, _ := problem.Nearest(lower, names)
	return near
}

// looksDefined tells whether a document begins with front matter that has a key
// of a definition.
func looksDefined(head []byte) bool {
	return anyKey(head, "model", "config", "input", "output", "to", "expires", "deliver", "call", "sign_in", "tools", "provider_options")
}

// typeByKeys gives the type of a document by keys that hardly stand together in
// the front matter of any other page; empty for none.
func typeByKeys(head []byte) string {
	switch {
	case anyKey(head, "to") && (anyKey(head, "expires") || anyKey(head, "deliver")), anyKey(head, "sign_in") && anyKey(head, "deliver"):
		return "interaction"
	case anyKey(head, "model") && anyKey(head, "input", "output", "config"):
		return "reasoning"
	}
	return ""
}

// anyKey tells whether the front matter at the start of a document has one of a
// few keys at its top level.
func anyKey(head []byte, keys ...string) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return false
	}
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if bytes.HasPrefix(line, []byte("---")) {
			return false
		}
		if key, _, isKey := bytes.Cut(line, []byte(":")); isKey && slices.Contains(keys, string(key)) {
			return true
		}
	}
	return false
}

package playbook

// This file writes documents into a playbook: whole or not at all, and never
// outside it.

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/settings"
)

// MostNameBytes is the most bytes of a new definition's name.
const MostNameBytes = 64

// ValidName tells whether a name is one that a new definition can go by: 1 to
// MostNameBytes lowercase letters, digits and hyphens, a letter first. Such a name
// is the same on every file system and holds nothing of a path.
func ValidName(name string) bool {
	if name == "" || len(name) > MostNameBytes || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-'
	})
}

// MostDocument is the most bytes of a document's file that is read.
const MostDocument = 8 << 20

// UnwritableError is a path in a playbook that leads out of it, or to something that
// no document is written to.
type UnwritableError struct {
	Path  string // in the playbook, with slashes
	Found string // what is there, such as a link that leads out of the playbook
}

func (e *UnwritableError) Error() string {
	return fmt.Sprintf("nothing was written: %s is %s", e.Path, e.Found)
}

// ErrChanged is a document that is no longer what its writer read.
var ErrChanged = errors.New("the document was changed since it was read")

// PathOf gives where a new definition's document goes, from the playbook's folder
// on: in the folder of its type. It is false for a name that such a file does not
// give, such as readme, or cannot have on every system, such as con.
func PathOf(typeName, name string) (string, bool) {
	file := path.Join(typeName, name+".md")
	place, err := IdentifyIn("", filepath.Join(string(filepath.Separator), filepath.FromSlash(file)))
	return file, err == nil && ValidName(name) && !device(name) && place.Type == typeName && place.Name == name
}

// device tells whether a name is a device's on Windows, whatever its ending.
func device(name string) bool {
	if len(name) == 4 && name[3] >= '0' && name[3] <= '9' {
		return name[:3] == "com" || name[:3] == "lpt"
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, name)
}

// Create writes a new document to the path that PathOf gave, and makes the folder
// of its type where it is missing. The file has all of the document from the moment
// it has its name. The error is fs.ErrExist where there is a file, and an
// *UnwritableError where the folder leads elsewhere.
func Create(folder, file string, source []byte) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	within, name := path.Split(file)
	within = path.Clean(within)
	info, err := root.Lstat(within)
	if errors.Is(err, fs.ErrNotExist) {
		if err = root.Mkdir(within, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			info, err = root.Lstat(within)
		}
	}
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return &UnwritableError{Path: within, Found: "a link to another folder"}
	case !info.IsDir():
		return &UnwritableError{Path: within, Found: "no folder"}
	}
	of, err := root.OpenRoot(within)
	if err != nil {
		return err
	}
	defer of.Close()
	if _, err := of.Lstat(name); err == nil {
		return &fs.PathError{Op: "create", Path: file, Err: fs.ErrExist}
	}
	return write(of, name, source, 0o666, func(fresh string) error {
		err := of.Link(fresh, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			of.Remove(fresh)
			return err
		}
		// A file system without links.
		taken, err := of.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		taken.Close()
		return of.Rename(fresh, name)
	})
}

// Replace writes a document in the place of the one in a file of the playbook,
// whose path is as Definitions gives it, and keeps the file's mode. A reader finds
// the old document or the new one, whenever the writing is cut off. A link to
// another file of the playbook stays one, and that file is written. The error is
// ErrChanged where the file does not hold before any more, and an *UnwritableError
// where it leads out of the playbook, is no regular file or may only be read.
func Replace(folder, file string, before, source []byte) error {
	return replace(folder, file, before, source, (*os.Root).Rename)
}

func replace(folder, file string, before, source []byte, rename func(root *os.Root, from, to string) error) error {
	shown := shownIn(folder, file)
	real, relative, err := followed(folder, file)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return err
	}
	defer root.Close()
	of, err := root.OpenRoot(filepath.Dir(relative))
	if err != nil {
		return err
	}
	defer of.Close()
	name := filepath.Base(relative)
	info, err := of.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &UnwritableError{Path: shown, Found: "no regular file"}
	}
	if info.Mode().Perm()&0o222 == 0 {
		return &UnwritableError{Path: shown, Found: "a file that may only be read"}
	}
	return write(of, name, source, info.Mode().Perm(), func(fresh string) error {
		if err := of.Chmod(fresh, info.Mode().Perm()); err != nil {
			return err
		}
		replacing.Lock()
		defer replacing.Unlock()
		now, err := readIn(of, name)
		switch {
		case err != nil:
			return err
		case !bytes.Equal(now, before):
			return ErrChanged
		}
		return rename(of, fresh, name)
	})
}

// replacing lets one writer of this process at a time compare a document and give
// another its name, so that of two who read the same one only the first is taken.
var replacing sync.Mutex

// shownIn is a file of a folder as a person names it: from the folder on, with slashes.
func shownIn(folder, file string) string {
	if relative, err := filepath.Rel(folder, file); err == nil {
		file = relative
	}
	return filepath.ToSlash(file)
}

// followed follows the links to a playbook and to a file of it, and gives the file
// from the folder on. The error is an *UnwritableError where it leads out.
func followed(folder, file string) (real, relative string, err error) {
	if real, err = filepath.EvalSymlinks(folder); err != nil {
		return "", "", err
	}
	refused := func(found string) error { return &UnwritableError{Path: shownIn(folder, file), Found: found} }
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		var gone *fs.PathError
		switch info, of := os.Lstat(file); {
		case of != nil || info.Mode()&fs.ModeSymlink == 0:
			return "", "", err
		case errors.Is(err, fs.ErrNotExist):
			return "", "", refused("a link that leads nowhere")
		case !errors.As(err, &gone):
			return "", "", refused("a link that leads to itself") // which has no error of its own
		}
		return "", "", err
	}
	relative, err = filepath.Rel(real, target)
	if err != nil || !filepath.IsLocal(relative) {
		return "", "", refused("a link that leads out of the playbook")
	}
	if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 && private(relative) {
		return "", "", refused("a link to a file that holds no document")
	}
	return real, relative, nil
}

// private tells whether a file of a playbook is its operator's: the settings, and
// what is hidden, such as the record of runs and a file of secrets.
func private(relative string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(relative), "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return filepath.Base(relative) == settings.FileName
}

// ReadWithin is ReadFile for a file of a playbook, for a reader who must see nothing
// else: one that leads out of it is a *NotFileError.
func ReadWithin(folder, file string, most int64) ([]byte, error) {
	real, relative, err := followed(folder, file)
	var out *UnwritableError
	switch {
	case errors.As(err, &out):
		return nil, &NotFileError{Found: out.Found}
	case err != nil:
		return nil, err
	}
	return ReadFile(filepath.Join(real, relative), most)
}

func readIn(folder *os.Root, name string) ([]byte, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MostDocument+1))
}

// write writes a file of another name beside the one that is meant and makes it
// durable, lets place give it its name, and makes that durable too. What place did
// not take is removed.
func write(folder *os.Root, name string, source []byte, mode fs.FileMode, place func(fresh string) error) (err error) {
	fresh := freshName(name)
	file, err := folder.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			folder.Remove(fresh)
		}
	}()
	_, err = file.Write(source)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		sweep(folder, file)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := place(fresh); err != nil {
		return err
	}
	syncFolder(folder)
	return nil
}

// A fresh file's name is hidden, and no definition's.
const freshSuffix = ".tmp"

func freshName(name string) string { return "." + name + "." + rand.Text() + freshSuffix }

// isFresh tells whether a name is one that freshName gives.
func isFresh(name string) bool {
	name, ok := strings.CutSuffix(name, freshSuffix)
	at := strings.LastIndexByte(name, '.')
	if !ok || at < 0 || name[0] != '.' || !strings.HasSuffix(name[:at], ".md") || len(name[at+1:]) < 26 {
		return false
	}
	return !strings.ContainsFunc(name[at+1:], func(c rune) bool { return (c < 'A' || c > 'Z') && (c < '2' || c > '7') })
}

// abandoned is how much older than a fresh file another is that nobody writes any
// more. Both are dated by the file system.
const abandoned = time.Minute

// sweep removes the fresh files in a folder whose writers were cut off, of whatever
// document. What it cannot remove does no harm.
func sweep(folder *os.Root, fresh *os.File) {
	info, err := fresh.Stat()
	if err != nil {
		return
	}
	opened, err := folder.Open(".")
	if err != nil {
		return
	}
	defer opened.Close()
	names, _ := opened.Readdirnames(-1)
	for _, other := range names {
		if !isFresh(other) {
			continue
		}
		if old, err := folder.Lstat(other); err == nil && old.Mode().IsRegular() && info.ModTime().Sub(old.ModTime()) > abandoned {
			folder.Remove(other)
		}
	}
}

// syncFolder makes the names in a folder durable where the system can.
func syncFolder(folder *os.Root) {
	if opened, err := folder.Open("."); err == nil {
		_ = opened.Sync() // some systems refuse it for folders, and the document is written
		opened.Close()
	}
}

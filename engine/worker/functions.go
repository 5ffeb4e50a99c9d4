package worker

// This file finds the functions whose requests are worked on: the versions of their
// documents that the store keeps, compiled.

import (
	"errors"
	"fmt"
	"sync"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/store"
)

// mostFunctions is how many compiled functions are kept at once.
const mostFunctions = 256

// functions keeps compiled documents, which never change, by their versions.
type functions struct {
	lock sync.Mutex
	kept map[versionKey]*definition.Definition
}

type versionKey struct {
	typeName, name string
	number         int
}

// unusable is a document that cannot be worked from: this program does not know its
// type or finds problems in it that the one that ran it did not.
type unusable string

func (u unusable) Error() string { return string(u) }

// function gives the function that asked a request, as it stood then. The error is
// unusable, or the store's.
func (w *Worker) function(asked *store.Request) (*definition.Definition, *definition.Interaction, error) {
	key := versionKey{asked.Type, asked.Name, asked.Version}
	w.functions.lock.Lock()
	found := w.functions.kept[key]
	w.functions.lock.Unlock()
	if found == nil {
		var err error
		if found, err = w.compile(key); err != nil {
			return nil, nil, err
		}
		w.functions.lock.Lock()
		if w.functions.kept == nil || len(w.functions.kept) >= mostFunctions {
			w.functions.kept = map[versionKey]*definition.Definition{}
		}
		w.functions.kept[key] = found
		w.functions.lock.Unlock()
	}
	interaction, ok := found.Function.(*definition.Interaction)
	if !ok {
		return nil, nil, unusable(fmt.Sprintf("%s/%s asks nobody", asked.Type, asked.Name))
	}
	return found, interaction, nil
}

func (w *Worker) compile(key versionKey) (*definition.Definition, error) {
	version, err := patient(w, func() (*store.Version, error) { return w.store.Version(key.typeName, key.name, key.number) })
	if errors.Is(err, store.ErrNotFound) {
		return nil, unusable(fmt.Sprintf("Version %d of %s/%s is not kept", key.number, key.typeName, key.name))
	}
	if err != nil {
		return nil, err
	}
	t, known := definition.TypeNamed(key.typeName)
	if !known {
		return nil, unusable("This version of auto knows no type " + key.typeName)
	}
	result := definition.Check([]byte(version.Source), t, definition.Surroundings{})
	if result.Definition == nil {
		return nil, unusable(fmt.Sprintf("Version %d of %s/%s has problems for this version of auto", key.number, key.typeName, key.name))
	}
	return result.Definition, nil
}

package engine

// This file lists a playbook's definitions, gives one whole, and saves one.

import (
	"path/filepath"

	"github.com/beonauto/auto/engine/playbook"
)

// DefinitionPlaces gives the places of the runtime's playbook's own definitions,
// without those of playbooks inside it, sorted by path.
func (r *Runtime) DefinitionPlaces() ([]Place, error) {
	found, err := r.ownDefinitions()
	if err != nil {
		return nil, err
	}
	places := make([]Place, len(found))
	for i, one := range found {
		places[i] = one.Place
	}
	return places, nil
}

func (r *Runtime) ownDefinitions() ([]playbook.Found, error) {
	found, err := playbook.Definitions(r.folder)
	if err != nil {
		return nil, err
	}
	root, _ := playbook.Root(r.folder)
	own := found[:0]
	for _, one := range found {
		if one.Playbook == root || filepath.Clean(one.Playbook) == root {
			own = append(own, one)
		}
	}
	return own, nil
}

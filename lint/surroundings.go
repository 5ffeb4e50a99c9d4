package lint

// This file tells what is known of the playbook that a document stands in, once
// a playbook.

import (
	"context"
	"sync"

	"github.com/beonauto/auto/engine"
)

// neighbourhoods are what is known of the playbooks of one check. Nothing is
// read, and no server asked, before a document of the playbook is checked.
type neighbourhoods struct {
	connect func(context.Context, string) engine.Surroundings // nil: the files alone tell

	lock  sync.Mutex
	known map[string]func() engine.Surroundings
}

func (n *neighbourhoods) of(ctx context.Context, playbook string) engine.Surroundings {
	if playbook == "" {
		return engine.Surroundings{}
	}
	n.lock.Lock()
	find, ok := n.known[playbook]
	if !ok {
		find = sync.OnceValue(func() engine.Surroundings {
			if n.connect != nil {
				return n.connect(ctx, playbook)
			}
			return engine.Around(playbook)
		})
		if n.known == nil {
			n.known = map[string]func() engine.Surroundings{}
		}
		n.known[playbook] = find
	}
	n.lock.Unlock()
	return find()
}

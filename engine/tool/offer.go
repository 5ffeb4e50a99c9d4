package tool

import (
	"context"
	"slices"
	"sync"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/tool/transport"
)

// This file makes the list of tools that a run's model is offered.

// longestDescription is the most bytes of a description that a model is given.
const longestDescription = 4 << 10

// Offered is a tool as a run's model is offered it. Its InputSchema is sent
// unchanged.
type Offered struct {
	Tool
	// ModelName is the tool's name for the model, unique among those offered.
	ModelName string
	// ModelDescription is the description, cut to 4 KiB.
	ModelDescription string
}

// Offer asks the servers for the tools that a document names, in its order and
// each once, and gives them as the model sees them. The failure is that of the
// first name in the document that cannot be used; what can be told without asking
// a server is told before any is asked.
func (s *Servers) Offer(ctx context.Context, wanted []definition.Tool) ([]Offered, *Failure) {
	servers := []string{}
	for _, w := range wanted {
		if _, ok := s.byName[w.Server]; !ok {
			return nil, notConfigured(w.Server, s.names)
		}
		if w.Name != definition.EveryTool {
			if failure := s.Check(w.Server, w.Name); failure != nil {
				return nil, failure
			}
		}
		if !slices.Contains(servers, w.Server) {
			servers = append(servers, w.Server)
		}
	}
	lists, failures := s.lists(ctx, servers)
	var offered []Offered
	seen := map[string]bool{}
	add := func(t Tool) {
		if !seen[t.String()] {
			seen[t.String()] = true
			offered = append(offered, Offered{Tool: t, ModelDescription: transport.Cut(t.Description, longestDescription)})
		}
	}
	for _, w := range wanted {
		if failure := failures[w.Server]; failure != nil {
			return nil, failure
		}
		if w.Name == definition.EveryTool {
			for _, t := range lists[w.Server] {
				add(t)
			}
			continue
		}
		t, failure := s.find(lists[w.Server], w.Server, w.Name)
		if failure != nil {
			return nil, failure
		}
		add(*t)
	}
	full := make([]string, len(offered))
	for i := range offered {
		full[i] = offered[i].String()
	}
	for i, name := range ModelNames(full) {
		offered[i].ModelName = name
	}
	return offered, nil
}

// lists asks several servers for their tools at once.
func (s *Servers) lists(ctx context.Context, servers []string) (map[string][]Tool, map[string]*Failure) {
	var lock sync.Mutex
	lists, failures := map[string][]Tool{}, map[string]*Failure{}
	var all sync.WaitGroup
	for _, name := range servers {
		all.Go(func() {
			tools, failure := s.List(ctx, name)
			lock.Lock()
			defer lock.Unlock()
			lists[name], failures[name] = tools, failure
		})
	}
	all.Wait()
	return lists, failures
}

package engine

// This file says what each definition of a playbook needs of the settings before it
// can run, and what of that is missing.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/settings"
)

// Need is what one definition needs of the settings.
type Need struct {
	Type, Name  string
	Model       string   // the reference that it names; empty for one that asks no model
	ToolServers []string // the names of those whose tools it names, sorted
	// Missing is what keeps it from being run, each a sentence without a full stop
	// that says what to do; empty when it can run.
	Missing []string
}

// Needs gives what each definition of the playbook needs, by type and name. It calls
// nothing and reads no secret. The error is SettingsError, or that of a folder that
// cannot be read.
func (r *Runtime) Needs() ([]Need, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	found, err := playbook.Definitions(r.folder)
	if err != nil {
		return nil, err
	}
	root, _ := playbook.Root(r.folder)
	needs, around := []Need{}, Around(r.folder)
	for _, one := range found {
		if one.Playbook == root {
			needs = append(needs, r.need(one, around))
		}
	}
	slices.SortFunc(needs, func(a, b Need) int { return strings.Compare(a.Type+"/"+a.Name, b.Type+"/"+b.Name) })
	return needs, nil
}

func (r *Runtime) need(found playbook.Found, around Surroundings) Need {
	need := Need{Type: found.Type, Name: found.Name}
	source, err := playbook.ReadWithin(r.folder, found.Path, playbook.MostDocument)
	if err != nil {
		need.Missing = []string{"The file cannot be read: " + reasonOf(err)}
		return need
	}
	if len(source) > playbook.MostDocument {
		need.Missing = []string{tooLarge().Message}
		return need
	}
	result := check(source, found.Type, around)
	if result.Definition == nil {
		refused := 0
		for _, p := range result.Problems {
			if p.Severity == problem.Refused {
				refused++
			}
		}
		need.Missing = []string{"Its document has " + counted(refused, "problem") + "; auto lint shows them"}
		return need
	}
	switch function := result.Definition.Function.(type) {
	case *definition.Reasoning:
		need.Model = function.Model
		need.Missing = append(need.Missing, r.missingModel(function.Model)...)
		need.addTools(function.Tools...)
	case *definition.Lookup:
		need.addTools(function.Call.Tool)
	case *definition.Interaction:
		if function.Call != nil {
			need.addTools(function.Call.Tool)
		}
		if function.SignIn != nil {
			need.addTools(definition.Tool{Server: function.SignIn.Server})
		}
		if function.Deliver != nil {
			need.addTools(function.Deliver.Tool)
		}
	}
	need.Missing = append(need.Missing, r.missingServers(need.ToolServers)...)
	return need
}

func counted(count int, thing string) string {
	if count == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", count, thing)
}

func (n *Need) addTools(tools ...definition.Tool) {
	for _, one := range tools {
		n.ToolServers = append(n.ToolServers, one.Server)
	}
	slices.Sort(n.ToolServers)
	n.ToolServers = slices.Compact(n.ToolServers)
}

// missingModel says what keeps a model from being called, as far as the settings
// tell.
func (r *Runtime) missingModel(reference string) []string {
	_, err := r.client().Resolve(reference)
	failure, failed := model.AsFailure(err)
	if !failed {
		return nil
	}
	switch failure.Kind {
	case model.ModelNotAllowed:
		return []string{"allowed_models does not hold " + reference}
	case model.ProviderNotConfigured:
		return []string{r.notConfigured(failure.Provider)}
	}
	return []string{failure.Detail(model.Tools{})}
}

// notConfigured says what would configure a provider, and which are.
func (r *Runtime) notConfigured(provider string) string {
	words := "There is no provider named " + provider + ": name a gateway so under model_gateways in " + settings.FileName
	for _, fact := range r.settings.Facts() {
		if fact.Kind == settings.FactProvider && fact.Name == provider {
			words = provider + " is not configured: set " + problem.AllOf(fact.Missing)
		}
	}
	if others := r.Providers(); len(others) > 0 {
		words += ", or name a model of " + problem.AnyOf(others)
	}
	return words
}

// missingServers says which tool servers are not there.
func (r *Runtime) missingServers(names []string) []string {
	var missing []string
	for _, name := range names {
		if !slices.ContainsFunc(r.settings.ToolServers(), func(of settings.ToolServer) bool { return of.Name == name }) {
			missing = append(missing, "There is no tool server named "+name+": name one so under tool_servers in "+settings.FileName)
		}
	}
	return missing
}

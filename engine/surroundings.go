package engine

// This file tells what is known of the playbook a document stands in.

import (
	"context"
	"slices"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool"
)

// Around gives what the files alone tell of the playbook in a folder. It opens
// no tool server and reads no environment.
func Around(folder string) Surroundings {
	if folder == "" {
		return Surroundings{}
	}
	names := settings.NamesOf(folder)
	return Surroundings{ToolServers: names.ToolServers, Gateways: names.Gateways, Aliases: names.Aliases}
}

// Ask is Around with what the tool servers say when each is asked for its tools,
// all at once. A server that cannot be asked is given with the reason.
func (r *Runtime) Ask(ctx context.Context) Surroundings {
	around := Around(r.folder)
	var (
		found   []FoundTools
		allowed = map[string][]string{}
	)
	if r.settings != nil && len(around.ToolServers) > 0 {
		found = r.tools.servers().Search(ctx)
		for _, server := range r.settings.ToolServers() {
			allowed[server.Name] = server.Allowed
		}
	}
	around.Connections = []definition.Connection{}
	for _, name := range around.ToolServers {
		connection := definition.Connection{Server: name, Unusable: "The settings of the tool server " + name + " are invalid"}
		if at := slices.IndexFunc(found, func(of FoundTools) bool { return of.Server == name }); at >= 0 {
			connection = connectionOf(&found[at])
			connection.Allowed = allowed[name]
		}
		around.Connections = append(around.Connections, connection)
	}
	return around
}

func connectionOf(found *FoundTools) definition.Connection {
	connection := definition.Connection{Server: found.Server}
	if found.Failure != nil {
		connection.Unusable = found.Failure.Message
		return connection
	}
	for _, of := range found.LeftOut {
		if connection.LeftOut == nil {
			connection.LeftOut = map[string]string{}
		}
		connection.LeftOut[of.Tool] = of.Why
	}
	readers := tool.ReadersOfReplies(found.Tools)
	for i := range found.Tools {
		of := &found.Tools[i]
		connection.Tools = append(connection.Tools, definition.ConnectedTool{
			Name: of.Name, Reads: of.Reads, Sends: of.Sends(),
			ReadsReplies: slices.ContainsFunc(readers, func(reader tool.Tool) bool { return reader.Name == of.Name }),
		})
	}
	return connection
}

package mcp

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file makes the headers that the revision without a handshake repeats a
// request's parts in, for what stands between the client and the server.

// standardHeader adds the method and the tool of a request.
func standardHeader(header http.Header, method, name string) http.Header {
	all := http.Header{rpc.HeaderMethod: {method}}
	if name != "" {
		all.Set(rpc.HeaderName, rpc.HeaderText(name))
	}
	for key, values := range header {
		all[key] = values
	}
	return all
}

// mirror is an argument of a tool that goes as a header too: its place among the
// arguments, and the header's name.
type mirror struct {
	path   []string
	header string
}

// mirror keeps, of each tool, the arguments that its schema marks with
// x-mcp-header.
func (c *Client) mirror(tools []Tool) {
	if !c.stateless || c.settings.URL == "" {
		return
	}
	all := map[string][]mirror{}
	for _, tool := range tools {
		if found := mirrors(tool.InputSchema, nil, nil); len(found) > 0 {
			all[tool.Name] = found
		}
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.mirrored = all
}

// mirrorLevels is how deeply marks are looked for.
const mirrorLevels = 16

func mirrors(schema value.Value, path []string, found []mirror) []mirror {
	o, _ := schema.(*value.Object)
	properties, _ := o.Get("properties")
	named, _ := properties.(*value.Object)
	if len(path) >= mirrorLevels {
		return found
	}
	for i := range named.Len() {
		name, v := named.At(i)
		property, ok := v.(*value.Object)
		if !ok {
			continue
		}
		here := append(path[:len(path):len(path)], name)
		if mark, _ := property.Get("x-mcp-header"); mark != nil {
			if header, ok := mark.(string); ok && isHeaderName(header) {
				found = append(found, mirror{here, "Mcp-Param-" + header})
			}
		}
		found = mirrors(property, here, found)
	}
	return found
}

func isHeaderName(name string) bool {
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return name != ""
}

// mirroredHeader gives the headers of a call.
func (c *Client) mirroredHeader(tool string, arguments *value.Object) http.Header {
	c.lock.Lock()
	defer c.lock.Unlock()
	header := http.Header{}
	for _, m := range c.mirrored[tool] {
		var at value.Value = arguments
		for _, key := range m.path {
			o, _ := at.(*value.Object)
			at, _ = o.Get(key)
		}
		switch v := at.(type) {
		case string:
			header.Set(m.header, rpc.HeaderText(v))
		case bool:
			header.Set(m.header, strconv.FormatBool(v))
		case float64:
			if whole, ok := value.Whole(v); ok {
				header.Set(m.header, strconv.FormatInt(whole, 10))
			}
		}
	}
	return header
}

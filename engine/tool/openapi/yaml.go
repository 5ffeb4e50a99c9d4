package openapi

import (
	"errors"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/value"
)

// This file turns YAML into JSON values. Unlike front matter, an OpenAPI
// document may be long and may hold aliases.

// mostNodes is how many values a YAML document may hold, aliases followed.
const mostNodes = 1_000_000

var errNotRead = errors.New("the YAML cannot be read")

func readYAML(text []byte) (value.Value, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, errNotRead
	}
	left := mostNodes
	return yamlValue(root.Content[0], levels, &left)
}

func yamlValue(n *yaml.Node, depth int, left *int) (value.Value, error) {
	if *left--; *left < 0 || depth < 0 {
		return nil, errNotRead
	}
	switch n.Kind {
	case yaml.AliasNode:
		return yamlValue(n.Alias, depth-1, left)
	case yaml.SequenceNode:
		list := make([]value.Value, 0, len(n.Content))
		for _, item := range n.Content {
			v, err := yamlValue(item, depth-1, left)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		keys := make([]string, 0, len(n.Content)/2)
		values := make([]value.Value, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := yamlValue(n.Content[i+1], depth-1, left)
			if err != nil || n.Content[i].Kind != yaml.ScalarNode {
				return nil, errNotRead
			}
			keys, values = append(keys, n.Content[i].Value), append(values, v)
		}
		return value.Build(keys, values), nil
	case yaml.ScalarNode:
		return yamlScalar(n), nil
	}
	return nil, errNotRead
}

// yamlScalar reads a scalar by the core schema.
func yamlScalar(n *yaml.Node) value.Value {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Value
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	if number, ok := value.ReadNumber(n.Value); ok {
		return number
	}
	return n.Value
}

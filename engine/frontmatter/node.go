package frontmatter

// This file holds the tree that front matter is read into.

import (
	"sync/atomic"

	"github.com/beonauto/auto/engine/value"
)

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar  Kind = iota // null, a boolean, a number or text
	List                // a list of Items
	Mapping             // Items under Keys
)

// Node is one value of the front matter with its place in the file.
type Node struct {
	Kind Kind
	// Line and Column are where the value starts, from 1, the column in Unicode
	// code points; an empty value stands where its key does. Both are 0 in a node
	// that was made from a value.
	Line, Column int
	// Keys are a mapping's keys as they were written, each once: of a key that
	// appears twice the first counts. Keys[i] belongs to Items[i].
	Keys []Key
	// Items are a list's items, or a mapping's values.
	Items []*Node
	// Refused says that the value could not be made out: it is an alias, a number
	// that is not finite, a template without quotes, too deep or not YAML. A
	// problem was reported for it already, so nothing more is to be said about it,
	// whatever its Kind; its Value is null.
	Refused bool

	scalar value.Value
	style  style
	places map[string]int        // where each key is, in a mapping of many keys
	source *source               // the text it stands in, for Place
	indent int                   // the indentation of the block around it, for Place
	trail  atomic.Pointer[trail] // what Place has found out
}

// Key is a key of a mapping with its place in the file.
type Key struct {
	Name         string
	Line, Column int
}

// manyKeys is the number of keys from which a mapping keeps an index.
const manyKeys = 16

func (n *Node) find(key string) int {
	if n == nil || n.Kind != Mapping {
		return -1
	}
	if n.places != nil {
		if i, ok := n.places[key]; ok {
			return i
		}
		return -1
	}
	for i := range n.Keys {
		if n.Keys[i].Name == key {
			return i
		}
	}
	return -1
}

// Get gives the value of a mapping's key, and nil when n is nil, no mapping or
// without that key.
func (n *Node) Get(key string) *Node {
	if i := n.find(key); i >= 0 {
		return n.Items[i]
	}
	return nil
}

// KeyOf gives a mapping's key with its place, and whether it has that key.
func (n *Node) KeyOf(key string) (Key, bool) {
	if i := n.find(key); i >= 0 {
		return n.Keys[i], true
	}
	return Key{}, false
}

// Value gives the whole subtree as a JSON value, with null for a nil node and
// for what is Refused.
func (n *Node) Value() value.Value {
	if n == nil || n.Refused {
		return nil
	}
	switch n.Kind {
	case List:
		list := make([]value.Value, len(n.Items))
		for i, item := range n.Items {
			list[i] = item.Value()
		}
		return list
	case Mapping:
		keys, values := make([]string, len(n.Keys)), make([]value.Value, len(n.Keys))
		for i := range n.Keys {
			keys[i], values[i] = n.Keys[i].Name, n.Items[i].Value()
		}
		return value.Build(keys, values)
	}
	return n.scalar
}

// FromValue gives the tree of a JSON value that was never in a file. Its nodes
// have no lines.
func FromValue(v value.Value) *Node {
	switch v := v.(type) {
	case []value.Value:
		n := &Node{Kind: List, Items: make([]*Node, len(v))}
		for i, item := range v {
			n.Items[i] = FromValue(item)
		}
		return n
	case *value.Object:
		n := &Node{Kind: Mapping, Keys: make([]Key, v.Len()), Items: make([]*Node, v.Len())}
		for i := range v.Len() {
			key, item := v.At(i)
			n.Keys[i], n.Items[i] = Key{Name: key}, FromValue(item)
		}
		n.index()
		return n
	}
	return &Node{scalar: v}
}

// put adds a key that the mapping does not have.
func (n *Node) put(key Key, item *Node) {
	if n.places != nil {
		n.places[key.Name] = len(n.Keys)
	}
	n.Keys, n.Items = append(n.Keys, key), append(n.Items, item)
}

// index makes the look-up of a mapping of many keys.
func (n *Node) index() {
	if len(n.Keys) < manyKeys {
		return
	}
	n.places = make(map[string]int, len(n.Keys))
	for i := range n.Keys {
		n.places[n.Keys[i].Name] = i
	}
}

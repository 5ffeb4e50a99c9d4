// Package openapi makes tools of an HTTP API that an OpenAPI document of version
// 3 describes: one tool an operation.
//
// It reads the document and writes requests from a tool's arguments. It opens no
// file and no connection, follows no reference out of the document, checks no
// value against a schema, and does an amount of work that the size of the
// document bounds.
package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file reads a document: its version, its address and what its references
// lead to.

const (
	// MaxDocument is the most bytes of a document.
	MaxDocument = 16 << 20
	// MaxOperations is the most operations of a document.
	MaxOperations = 2000

	levels     = 200 // of objects and lists
	references = 16  // that lead to one another
)

// Document is a document that was read. It never changes.
type Document struct {
	Operations []*Operation
	// LeftOut are the operations that are no tools, at most MaxOperations of them.
	LeftOut  []LeftOut
	root     *value.Object
	nullable bool // version 3.0, whose schemas are not quite JSON Schema
	schemas  *schemas
}

// Read reads a document in JSON or YAML. headers are those that go with every
// request: a parameter of that name is no argument. The error is in words for
// the operator.
func Read(text []byte, headers []string) (*Document, error) {
	if len(text) > MaxDocument {
		return nil, fmt.Errorf("The OpenAPI document is larger than %d MiB", MaxDocument>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var (
		v   value.Value
		err error
	)
	switch trimmed := bytes.TrimSpace(text); {
	case len(trimmed) == 0:
	case trimmed[0] == '{':
		v, err = value.ParseJSON(text, levels)
	default:
		v, err = readYAML(text)
	}
	if err != nil {
		return nil, errors.New("The OpenAPI document is neither JSON nor YAML")
	}
	d := &Document{}
	d.root, _ = v.(*value.Object)
	version, _ := member(d.root, "openapi").(string)
	if !strings.HasPrefix(version, "3.") {
		return nil, errors.New("The OpenAPI document is not one of version 3")
	}
	d.nullable = strings.HasPrefix(version, "3.0")
	d.schemas = newSchemas(d)
	if err := d.read(headers); err != nil {
		return nil, err
	}
	return d, nil
}

// member gives a key's value; nil when v is no object or lacks it.
func member(v value.Value, key string) value.Value {
	o, _ := v.(*value.Object)
	found, _ := o.Get(key)
	return found
}

func objectOf(v value.Value) *value.Object {
	o, _ := v.(*value.Object)
	return o
}

func listOf(v value.Value) []value.Value {
	l, _ := v.([]value.Value)
	return l
}

func textOf(v value.Value) string {
	t, _ := v.(string)
	return t
}

func isTrue(v value.Value) bool { return v == true }

// follow gives what references lead to, and in words why they lead nowhere: out of
// the document, to nothing or round.
func (d *Document) follow(v value.Value) (o *value.Object, unread string) {
	for range references {
		o := objectOf(v)
		ref := textOf(member(o, "$ref"))
		if ref == "" {
			return o, ""
		}
		var ok bool
		if v, ok = d.lookup(ref); !ok {
			return nil, unreadReference(ref)
		}
	}
	return nil, "refers to itself"
}

// lookup gives what a reference within the document leads to.
func (d *Document) lookup(ref string) (value.Value, bool) {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, false
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	return value.Lookup(d.root, pointer)
}

// address gives the address that servers name first, with the defaults of its
// variables; empty when there is none.
func address(servers value.Value) string {
	list := listOf(servers)
	if len(list) == 0 {
		return ""
	}
	text := textOf(member(list[0], "url"))
	variables := objectOf(member(list[0], "variables"))
	for i := range variables.Len() {
		name, v := variables.At(i)
		text = strings.ReplaceAll(text, "{"+name+"}", textOf(member(v, "default")))
	}
	return text
}

// Base gives the address that requests of an operation start with: the
// operator's, or the one the document names, seen from where the document was
// read. It is an error in words when neither is an address.
func (d *Document) Base(o *Operation, operator, readFrom string) (string, error) {
	text := operator
	if text == "" {
		text = o.server
	}
	if text == "" {
		text = address(member(d.root, "servers"))
	}
	if text == "" {
		text = "/" // what a document without servers means
	}
	to, err := url.Parse(text)
	if err == nil && !to.IsAbs() {
		if from, failed := url.Parse(readFrom); failed == nil && from.Host != "" {
			to = from.ResolveReference(to)
		}
	}
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return "", errors.New("The OpenAPI document names no address of its API, so base_url must")
	}
	to.Fragment, to.RawQuery = "", ""
	return strings.TrimRight(to.String(), "/"), nil
}

package openapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file writes the request of an operation from a tool's arguments.

// Request is a request of an operation.
type Request struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte // nil when it has none
}

// ArgumentError is arguments that no request can be made of, in words for
// whoever gave them.
type ArgumentError struct{ Message string }

func (e *ArgumentError) Error() string { return e.Message }

func refuse(format string, arguments ...any) error {
	return &ArgumentError{fmt.Sprintf(format, arguments...)}
}

// Request writes the request of an operation under an address. The error is an
// *ArgumentError.
func (o *Operation) Request(base string, arguments *value.Object) (*Request, error) {
	known := map[string]bool{}
	path := o.Path
	var query []string
	header := http.Header{"Accept": {"application/json, */*;q=0.5"}}
	for i := range o.parameters {
		p := &o.parameters[i]
		known[p.argument] = true
		v, given := arguments.Get(p.argument)
		if !given || v == nil {
			if p.required {
				return nil, refuse("Expected the argument %s", p.argument)
			}
			continue
		}
		if p.asJSON {
			v = value.JSON(v)
		}
		switch p.in {
		case "path":
			text, err := p.pathText(v)
			if err != nil {
				return nil, err
			}
			path = strings.ReplaceAll(path, "{"+p.name+"}", text)
		case "query":
			pairs, err := p.queryPairs(v)
			if err != nil {
				return nil, err
			}
			query = append(query, pairs...)
		case "header":
			text, err := p.joined(v, ",", plain)
			if err != nil {
				return nil, err
			}
			if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return nil, refuse("Expected no control character in the argument %s", p.argument)
			}
			header.Set(p.name, text)
		}
	}
	request := &Request{Method: o.Method, Header: header}
	if o.body != nil {
		known[o.body.argument] = true
		if err := o.body.write(request, arguments); err != nil {
			return nil, err
		}
	}
	for _, name := range arguments.Keys() {
		if !known[name] {
			return nil, refuse("Unknown argument %s", name)
		}
	}
	if strings.ContainsAny(path, "{}") {
		return nil, refuse("The OpenAPI document names no parameter for a part of the path %s", o.Path)
	}
	request.URL = base + path
	if len(query) > 0 {
		request.URL += "?" + strings.Join(query, "&")
	}
	return request, nil
}

func plain(text string) string { return text }

// pathText writes an argument as part of the path. What a path would read as no
// segment, or as the one above, is refused: it would reach another operation.
func (p *parameter) pathText(v value.Value) (string, error) {
	prefix, separator := "", ","
	switch p.style {
	case "label":
		prefix = "."
		if p.explode {
			separator = "."
		}
	case "matrix":
		prefix = ";" + escapePath(p.name) + "="
		if p.explode {
			separator = prefix
		}
	}
	text, err := p.joined(v, separator, escapePath)
	if err != nil {
		return "", err
	}
	if p.style == "simple" && (text == "" || text == "." || text == "..") {
		return "", refuse("Expected the argument %s to be neither empty, . nor .., since it is part of the path", p.argument)
	}
	return prefix + text, nil
}

func escapePath(text string) string { return url.PathEscape(text) }

// queryPairs writes an argument as parts of the query.
func (p *parameter) queryPairs(v value.Value) ([]string, error) {
	escape := escapeQuery
	if p.reserved {
		escape = escapeReserved
	}
	name := escapeQuery(p.name)
	var pairs []string
	switch of := v.(type) {
	case *value.Object:
		if p.style != "deepObject" && !p.explode {
			break
		}
		for i := range of.Len() {
			key, v := of.At(i)
			text, err := p.joined(v, ",", escape)
			if err != nil {
				return nil, err
			}
			key = escapeQuery(key)
			if p.style == "deepObject" {
				key = name + "%5B" + key + "%5D"
			}
			pairs = append(pairs, key+"="+text)
		}
		return pairs, nil
	case []value.Value:
		if !p.explode {
			break
		}
		for _, item := range of {
			text, err := p.scalar(item)
			if err != nil {
				return nil, err
			}
			pairs = append(pairs, name+"="+escape(text))
		}
		return pairs, nil
	}
	separator := map[string]string{"spaceDelimited": "%20", "pipeDelimited": "%7C"}[p.style]
	if separator == "" {
		separator = ","
	}
	text, err := p.joined(v, separator, escape)
	return []string{name + "=" + text}, err
}

func escapeQuery(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

// escapeReserved keeps what may stand in a query, but for what ends it or parts
// its pairs.
func escapeReserved(text string) string {
	var kept strings.Builder
	for _, c := range []byte(text) {
		if strings.IndexByte(":/?@!$'()*,;", c) >= 0 {
			kept.WriteByte(c)
			continue
		}
		kept.WriteString(escapeQuery(string([]byte{c})))
	}
	return kept.String()
}

// joined writes an argument as one text: a list's items, or an object's keys and
// values, with a separator between.
func (p *parameter) joined(v value.Value, separator string, escape func(string) string) (string, error) {
	var texts []string
	add := func(v value.Value) error {
		text, err := p.scalar(v)
		texts = append(texts, escape(text))
		return err
	}
	switch of := v.(type) {
	case []value.Value:
		for _, item := range of {
			if err := add(item); err != nil {
				return "", err
			}
		}
	case *value.Object:
		for i := range of.Len() {
			key, v := of.At(i)
			text, err := p.scalar(v)
			if err != nil {
				return "", err
			}
			if p.explode {
				texts = append(texts, escape(key)+"="+escape(text))
			} else {
				texts = append(texts, escape(key), escape(text))
			}
		}
	default:
		if err := add(v); err != nil {
			return "", err
		}
	}
	return strings.Join(texts, separator), nil
}

// scalar writes one value as text.
func (p *parameter) scalar(v value.Value) (string, error) {
	switch of := v.(type) {
	case string:
		return of, nil
	case nil:
		return "", nil
	case []value.Value, *value.Object:
		return "", refuse("Expected no list or object inside the argument %s", p.argument)
	}
	return value.JSON(v), nil
}

// write adds the body to a request.
func (b *body) write(request *Request, arguments *value.Object) error {
	v, given := arguments.Get(b.argument)
	if !given {
		if b.required {
			return refuse("Expected the argument %s", b.argument)
		}
		return nil
	}
	request.Header.Set("Content-Type", b.mediaType)
	switch {
	case b.text:
		text, ok := v.(string)
		if !ok {
			return refuse("Expected the argument %s to be text", b.argument)
		}
		request.Body = []byte(text)
	case b.form:
		fields, ok := v.(*value.Object)
		if !ok {
			return refuse("Expected the argument %s to be an object", b.argument)
		}
		field := &parameter{argument: b.argument, style: "form", explode: true}
		var pairs []string
		for i := range fields.Len() {
			field.name, v = fields.At(i)
			if nested, isObject := v.(*value.Object); isObject {
				v = value.JSON(nested)
			}
			more, err := field.queryPairs(v)
			if err != nil {
				return err
			}
			pairs = append(pairs, more...)
		}
		request.Body = []byte(strings.Join(pairs, "&"))
	default:
		request.Body = value.AppendJSON(nil, v)
	}
	return nil
}

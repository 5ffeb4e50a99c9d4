package value

// This file reads and prints JSON.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// A SyntaxError is JSON text that cannot be read.
type SyntaxError struct {
	Line   int    // from 1
	Column int    // from 1, in bytes
	Reason string // what is wrong, in words
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// ErrTooDeep is JSON text that nests further than the reader was told to go.
var ErrTooDeep = errors.New("the JSON nests too deeply")

// ParseJSON reads one JSON value of at most depth levels of objects and lists.
// It gives a *SyntaxError for text that is not JSON, and ErrTooDeep.
func ParseJSON(text []byte, depth int) (Value, error) {
	reader := &jsonReader{decoder: json.NewDecoder(bytes.NewReader(text)), text: text}
	reader.decoder.UseNumber()
	v, err := reader.value(depth)
	if err != nil {
		return nil, reader.explain(err)
	}
	if _, err := reader.decoder.Token(); err != io.EOF {
		return nil, reader.at(reader.decoder.InputOffset(), "unexpected text after the JSON value")
	}
	return v, nil
}

type jsonReader struct {
	decoder *json.Decoder
	text    []byte
}

func (r *jsonReader) value(depth int) (Value, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, err
	}
	return r.from(token, depth)
}

func (r *jsonReader) from(token json.Token, depth int) (Value, error) {
	switch token := token.(type) {
	case json.Delim:
		if depth < 1 {
			return nil, ErrTooDeep
		}
		if token == '[' {
			return r.list(depth - 1)
		}
		return r.object(depth - 1)
	case json.Number:
		number, ok := ReadNumber(string(token))
		if !ok {
			// JSON.parse reads 1e400 as infinity, which no JSON value is.
			return nil, r.at(r.decoder.InputOffset(), "the number "+clip(string(token))+" is too large")
		}
		return number, nil
	case string, bool, nil:
		return token, nil
	}
	return nil, r.at(r.decoder.InputOffset(), "unexpected JSON")
}

func (r *jsonReader) list(depth int) (Value, error) {
	list := []Value{}
	for r.decoder.More() {
		item, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	_, err := r.decoder.Token()
	return list, err
}

func (r *jsonReader) object(depth int) (Value, error) {
	var keys []string
	var values []Value
	for r.decoder.More() {
		key, err := r.decoder.Token()
		if err != nil {
			return nil, err
		}
		item, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		keys, values = append(keys, key.(string)), append(values, item)
	}
	if _, err := r.decoder.Token(); err != nil {
		return nil, err
	}
	return Build(keys, values), nil
}

func (r *jsonReader) explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return r.at(r.offset(syntax), syntax.Error())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.at(int64(len(r.text)), "the JSON ends too early")
	}
	return err
}

// offset is where in the whole text a syntax error is. A decoder that is read
// token by token counts from somewhere else, so the text is read once more.
func (r *jsonReader) offset(found *json.SyntaxError) int64 {
	var whole json.RawMessage
	var again *json.SyntaxError
	if errors.As(json.Unmarshal(r.text, &whole), &again) {
		found = again
	}
	return max(found.Offset-1, 0)
}

func (r *jsonReader) at(offset int64, reason string) error {
	before := r.text[:min(int(offset), len(r.text))]
	return &SyntaxError{
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: reason,
	}
}

func clip(literal string) string {
	if len(literal) > 20 {
		return literal[:20] + "…"
	}
	return literal
}

// JSON prints v as JSON.stringify does: keys in order, no spaces, and no
// escapes but those JSON needs. Numbers that are not finite print as null.
func JSON(v Value) string { return string(AppendJSON(nil, v)) }

// AppendJSON appends JSON's text.
func AppendJSON(to []byte, v Value) []byte { return appendJSON(to, v, "", "") }

// IndentedJSON prints v as JSON.stringify with an indent does.
func IndentedJSON(v Value, indent string) string {
	return string(appendJSON(nil, v, indent, "\n"))
}

// JSONSize is how many bytes JSON takes for v. It stops counting when there are
// more than most, and gives some number above most then.
func JSONSize(v Value, most int) int {
	c := counter{most: most}
	c.value(v)
	return c.size
}

// LeastJSONSize is a number of bytes that JSON takes at least for what this JSON
// text says, each key that appears twice counted twice: its punctuation, one byte
// for a literal and one for each character of a text. It looks at each byte once.
func LeastJSONSize(text []byte) int {
	size := 0
	inText, inLiteral := false, false
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case inText && b == '\\':
			if i++; i < len(text) && text[i] == 'u' {
				i += 4
			}
			size++
		case inText:
			inText = b != '"'
			size++
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			inLiteral = false
		case b == '"' || b == ',' || b == ':' || b == '[' || b == ']' || b == '{' || b == '}':
			inText, inLiteral = b == '"', false
			size++
		case !inLiteral:
			inLiteral = true
			size++
		}
	}
	return size
}

// counter counts the bytes of a value without making its text.
type counter struct {
	size, most int
	scratch    []byte
}

func (c *counter) value(v Value) {
	switch v := v.(type) {
	case string:
		c.text(v)
	case []Value:
		c.size += 2 + max(len(v)-1, 0)
		for _, item := range v {
			if c.size > c.most {
				return
			}
			c.value(item)
		}
	case *Object:
		c.size += 2 + max(v.Len()-1, 0)
		for i, key := range v.Keys() {
			if c.size > c.most {
				return
			}
			c.size++
			c.text(key)
			c.value(v.values[i])
		}
	default:
		c.scratch = AppendJSON(c.scratch[:0], v)
		c.size += len(c.scratch)
	}
}

// text counts a quoted text, whole only while it may still be within most.
func (c *counter) text(text string) {
	if c.size+2+len(text) > c.most {
		// Every byte takes at least one, but for the bytes that are no UTF-8, which
		// take three.
		c.size += 2 + len(text)
		return
	}
	c.scratch = appendQuoted(c.scratch[:0], text)
	c.size += len(c.scratch)
}

func appendJSON(to []byte, v Value, indent, newline string) []byte {
	switch v := v.(type) {
	case nil:
		return append(to, "null"...)
	case bool:
		if v {
			return append(to, "true"...)
		}
		return append(to, "false"...)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(to, "null"...)
		}
		return AppendNumber(to, v)
	case Exact:
		return append(to, v...)
	case string:
		return appendQuoted(to, v)
	case []Value:
		return appendList(to, v, indent, newline)
	case *Object:
		return appendObject(to, v, indent, newline)
	}
	panic(fmt.Sprintf("value: %T is no JSON value", v))
}

func appendList(to []byte, list []Value, indent, newline string) []byte {
	if len(list) == 0 {
		return append(to, "[]"...)
	}
	inner := newline
	if indent != "" {
		inner += indent
	}
	to = append(to, '[')
	for i, item := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, inner...)
		to = appendJSON(to, item, indent, inner)
	}
	to = append(to, newline...)
	return append(to, ']')
}

func appendObject(to []byte, object *Object, indent, newline string) []byte {
	if object.Len() == 0 {
		return append(to, "{}"...)
	}
	inner := newline
	if indent != "" {
		inner += indent
	}
	to = append(to, '{')
	for i, key := range object.Keys() {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, inner...)
		to = appendQuoted(to, key)
		to = append(to, ':')
		if indent != "" {
			to = append(to, ' ')
		}
		to = appendJSON(to, object.values[i], indent, inner)
	}
	to = append(to, newline...)
	return append(to, '}')
}

const hexDigits = "0123456789abcdef"

// appendQuoted quotes text with JSON.stringify's escapes. Bytes that are no
// UTF-8 become U+FFFD.
func appendQuoted(to []byte, text string) []byte {
	to = append(to, '"')
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if b >= ' ' && b != '"' && b != '\\' {
				i++
				continue
			}
			to = append(to, text[start:i]...)
			switch b {
			case '"', '\\':
				to = append(to, '\\', b)
			case '\b':
				to = append(to, `\b`...)
			case '\f':
				to = append(to, `\f`...)
			case '\n':
				to = append(to, `\n`...)
			case '\r':
				to = append(to, `\r`...)
			case '\t':
				to = append(to, `\t`...)
			default:
				to = append(to, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			to = append(append(to, text[start:i]...), "\ufffd"...)
			start = i + size
		}
		i += size
	}
	return append(append(to, text[start:]...), '"')
}

// MarshalJSON lets an Object stand inside values that encoding/json prints.
func (o *Object) MarshalJSON() ([]byte, error) { return AppendJSON(nil, o), nil }

package plan

// This file says what a field is: its kind, what it takes, and how that is put
// into words.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
)

// Kind is how a field takes its value.
type Kind uint8

// The kinds of fields.
const (
	Choice Kind = iota + 1 // one of some values; yes or no among them
	Number                 // a number, by its digits
	Text                   // a text
	Object                 // fields of its own
	List                   // any number of items
	JSON                   // what no other kind can hold, as JSON
)

// String names a kind.
func (k Kind) String() string {
	return [...]string{"", "choice", "number", "text", "object", "list", "JSON"}[k]
}

// Field is one field of an answer. It never changes. Its words are fit for a
// terminal; its Key is not.
type Field struct {
	Kind  Kind
	Key   string // the property; empty for the root and for an item
	Label string // one line
	Hint  string // what the schema says of it; may have lines

	Required bool // the answer, or the object that holds it, must have it
	Nullable bool // null is a value of it, beside those of its kind

	Choices []Option // of a Choice

	Least, Most int64 // characters of a Text, items of a List; Most is -1 for no bound
	Long        bool  // a Text that may well take several lines
	Whole       bool  // a Number without a fraction

	Fields []*Field // of an Object, in the order of the schema
	Item   *Field   // of a List

	Expects  string        // its bounds in words, such as 0 to 2,000 characters; may be empty
	Usually  string        // the default of the schema in words; empty for none
	Examples []value.Value // those of the schema
	Because  string        // of JSON: why no other kind can hold it
}

// Option is one value of a choice.
type Option struct {
	Value value.Value
	Label string // one line
	Hint  string // what the schema says of it
}

// Fixed tells whether the field has one value only, which is given without asking.
func (f *Field) Fixed() bool { return f.Kind == Choice && f.Required && len(f.Choices) == 1 }

// Blank is what a field counts as while nothing is given in it.
type Blank uint8

// The meanings of a blank field.
const (
	LeftOut Blank = iota // it is not in the answer
	Empty                // it is an empty text, list or object
	Null                 // it is null
)

// Blanks gives what the field may count as while it is blank, the first being what
// it counts as unless somebody says otherwise: an optional field is left out, one
// that must be there and takes null is null, and a list or an object that must be
// there is empty. A text is never empty without being told to be.
func (f *Field) Blanks() []Blank {
	var blanks []Blank
	holds := f.Kind == List || f.Kind == Object
	switch {
	case !f.Required:
		blanks = append(blanks, LeftOut)
	case f.Nullable:
		blanks = append(blanks, Null)
	case !holds:
		blanks = append(blanks, LeftOut) // for the check to miss
	}
	if (f.Kind == Text && f.Least == 0) || (f.Kind == List && f.Least == 0) || f.Kind == Object || (holds && len(blanks) == 0) {
		blanks = append(blanks, Empty)
	}
	if f.Nullable && blanks[0] != Null {
		blanks = append(blanks, Null)
	}
	return blanks
}

// Bounds says in one line what the field expects, what is usual, and examples.
func (f *Field) Bounds() string {
	var parts []string
	if f.Kind == JSON {
		parts = append(parts, "JSON, since "+f.Because)
	}
	var expects []string
	switch {
	case f.Kind == Number && f.Whole:
		expects = append(expects, "an integer")
	case f.Kind == Number:
		expects = append(expects, "a number")
	}
	if f.Expects != "" {
		expects = append(expects, f.Expects)
	}
	if len(expects) > 0 {
		parts = append(parts, "Expected: "+strings.Join(expects, ", "))
	}
	if f.Usually != "" {
		parts = append(parts, "usually "+f.Usually)
	}
	if len(f.Examples) > 0 {
		var shown []string
		for _, each := range f.Examples[:min(len(f.Examples), 3)] {
			shown = append(shown, Shown(each))
		}
		parts = append(parts, "such as "+strings.Join(shown, ", "))
	}
	return strings.Join(parts, "; ")
}

// The most characters of a label and of a hint; a longer one is cut.
const (
	longestLabel = 120
	longestHint  = 600
)

func label(text string) string { return clip(strings.TrimSpace(cells.Line(text)), longestLabel) }

func hint(text string) string {
	return clip(strings.TrimSpace(strings.Join(cells.Lines(text), "\n")), longestHint)
}

func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// spoken makes a property's name read as words: job_role and jobRole are Job role.
func spoken(key string) string {
	var b strings.Builder
	previous := rune(0)
	for _, r := range key {
		switch {
		case r == '_' || r == '-':
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			b.WriteRune(' ')
			r = unicode.ToLower(r)
		}
		if b.Len() == 0 {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		previous = r
	}
	if words := label(b.String()); words != "" {
		return words
	}
	return "Without a name"
}

// Shown writes a value as a person would say it, on one line.
func Shown(v value.Value) string {
	switch v := v.(type) {
	case nil:
		return "Nothing"
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case string:
		if strings.TrimSpace(v) == "" {
			return label(value.JSON(v))
		}
		return label(v)
	}
	return label(value.JSON(v))
}

// counted says how many of something are expected.
func counted(least, most int64, one, many string) string {
	things := func(n int64) string {
		if n == 1 {
			return "1 " + one
		}
		return value.Grouped(n) + " " + many
	}
	switch {
	case most >= 0 && least == most:
		return things(most)
	case most >= 0 && least > 0:
		return value.Grouped(least) + " to " + things(most)
	case most >= 0:
		return "at most " + things(most)
	case least > 0:
		return "at least " + things(least)
	}
	return ""
}

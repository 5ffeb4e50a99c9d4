package definition

// This file reads single values, such as a text, a whole number or one of a few
// words, and reports those that are none.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// reader goes through one document and gathers what is wrong with it.
type reader struct {
	document   *frontmatter.Document
	definition *Definition
	around     Surroundings
	problems   []problem.Problem
	// partial says that the front matter is not YAML, and that only the keys
	// that could be read are known: one that is missing may just be broken.
	partial bool
	// account is shared by all that is rendered while the document is checked.
	account liquid.Account
}

// checkTime is how long what is rendered for a check may take. What takes longer
// is not judged before a run renders it.
const checkTime = 50 * time.Millisecond

// root is the front matter's mapping, or what could be read of it; false when
// nothing could, which the front matter's own problems already say.
func (r *reader) root() (place, bool) {
	root := r.document.Root
	if root == nil {
		root, r.partial = r.document.Partial, true
	}
	if root == nil || root.Kind != frontmatter.Mapping {
		return place{}, false
	}
	return place{node: root}, true
}

func join(pointer, key string) string { return value.Join(pointer, key) }

// mapping tells whether the place holds a mapping, and says so when not.
func (r *reader) mapping(at place) bool {
	if at.node.Kind != frontmatter.Mapping {
		r.refuse(at, problem.ValueType, "Expected a mapping")
		return false
	}
	return true
}

// list gives the items of a list.
func (r *reader) list(at place) []place {
	if at.node.Kind != frontmatter.List {
		r.refuse(at, problem.ValueType, "Expected a list")
		return nil
	}
	items := make([]place, len(at.node.Items))
	for i, item := range at.node.Items {
		items[i] = place{node: item, pointer: value.JoinIndex(at.pointer, i)}
	}
	return items
}

// scalar gives the value of a place that is no list and no mapping.
func scalar(at place) (value.Value, bool) {
	if at.node.Kind != frontmatter.Scalar {
		return nil, false
	}
	return at.node.Value(), true
}

// text reads a string.
func (r *reader) text(at place) (string, bool) {
	if v, ok := scalar(at); ok {
		if text, ok := v.(string); ok {
			return text, true
		}
	}
	r.refuse(at, problem.ValueType, "Expected string")
	return "", false
}

// textOf reads a string of so many characters.
func (r *reader) textOf(at place, least, most int) (string, bool) {
	text, ok := r.text(at)
	if !ok {
		return "", false
	}
	if count := value.Characters(text); count < least || count > most {
		r.refuse(at, problem.ValueRange, fmt.Sprintf("Expected %s to %s characters", value.Grouped(int64(least)), value.Grouped(int64(most))))
		return "", false
	}
	return text, true
}

// number reads a finite number. A number that is not finite is a problem of
// the front matter, reported where it is read.
func (r *reader) number(at place) *float64 {
	if v, ok := scalar(at); ok {
		if number, ok := value.Number(v); ok {
			return &number
		}
	}
	r.refuse(at, problem.ValueType, "Expected number")
	return nil
}

// whole reads a whole number between two bounds; most below zero means none.
func (r *reader) whole(at place, least, most int64) *int64 {
	number := r.number(at)
	if number == nil {
		return nil
	}
	if *number != math.Trunc(*number) || *number < float64(least) || (most >= 0 && *number > float64(most)) || math.Abs(*number) > 1<<53 {
		if most < 0 {
			r.refuse(at, problem.ValueRange, fmt.Sprintf("Expected a whole number of %d or more", least))
		} else {
			r.refuse(at, problem.ValueRange, fmt.Sprintf("Expected a whole number from %s to %s", value.Grouped(least), value.Grouped(most)))
		}
		return nil
	}
	whole := int64(*number)
	return &whole
}

// word reads one of a few words.
func (r *reader) word(at place, words []string) (string, bool) {
	if v, ok := scalar(at); ok {
		if text, ok := v.(string); ok && slices.Contains(words, text) {
			return text, true
		}
	}
	message := oneOf(words)
	if v, ok := scalar(at); ok {
		if text, ok := v.(string); ok {
			if curly(text) {
				message = straightMessage
			} else {
				message += problem.OrNear(text, words)
			}
		}
	}
	r.refuse(at, problem.ValueRange, message)
	return "", false
}

// straightMessage is the message for a value in quotes of a word processor, which
// YAML takes for part of the value.
const straightMessage = "Expected straight quotes around the value, or none"

// curly tells whether a text stands in quotes of a word processor.
func curly(text string) bool {
	for _, quotes := range [][2]string{{"“", "”"}, {"‘", "’"}, {"„", "“"}, {"«", "»"}} {
		if strings.HasPrefix(text, quotes[0]) && (strings.HasSuffix(text, quotes[1]) || !strings.Contains(text, quotes[1])) {
			return true
		}
	}
	return false
}

// description reads the field every type has.
func description(r *reader, at place) {
	r.definition.Description, _ = r.textOf(at, 1, 1000)
}

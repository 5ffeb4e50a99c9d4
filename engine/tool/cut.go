package tool

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// This file cuts what the model would see of a result, where there is no room for
// it.

// shortestRoom is the fewest bytes that a cut leaves: the words that say so.
const shortestRoom = 256

// Cut gives what fits into room bytes of a text that the model is to see
// (reasoning format, "Limits on calls"), and whether it is cut. A cut text says
// how much was left out, and what was JSON stays valid JSON. Room for less than
// 256 bytes is taken for that much.
func Cut(shown string, room int) (text string, cut bool) {
	room = max(room, shortestRoom)
	if len(shown) <= room {
		return shown, false
	}
	v, err := value.ParseJSON([]byte(shown), answerDepth)
	if _, isText := v.(string); err == nil && !isText {
		return cutJSON(shown, v, room), true
	}
	return cutText(shown, room), true
}

// cutText keeps the start of a text.
func cutText(shown string, room int) string {
	end := room - len(note(len(shown), len(shown), "less at once")) - len("\n[]")
	for end > 0 && !utf8.RuneStart(shown[end]) {
		end--
	}
	return shown[:end] + "\n[" + note(len(shown)-end, len(shown), "less at once") + "]"
}

func note(left, of int, ask string) string {
	return fmt.Sprintf("Cut: %d of %d bytes are left out, for want of room. Ask for %s", left, of, ask)
}

// cutJSON keeps what fits of a value, in an object beside the words about it.
func cutJSON(shown string, v value.Value, room int) string {
	wrap := func(kept value.Value, left int) string {
		return value.JSON(value.Build([]string{"note", "result"},
			[]value.Value{note(left, len(shown), "fewer rows, fields or levels"), kept}))
	}
	// The words about the cut are as long as they can be.
	room -= len(wrap(nil, len(shown)))
	kept := prune(v, room)
	return wrap(kept, max(len(shown)-len(value.JSON(kept)), 0))
}

// prune gives what fits of a value. Where that is enough, only the ends of its
// longest texts are left out, each after as many bytes; otherwise values are kept
// in their order while there is room.
func prune(v value.Value, room int) value.Value {
	kept := func(longest int) (value.Value, bool) {
		p := pruner{room: room, longest: longest}
		kept := p.keep(v)
		return kept, !p.dropped
	}
	if _, all := kept(longestWhole); !all {
		inOrder, _ := kept(0)
		return inOrder
	}
	// Each try goes through the value, so the length is found in few.
	step := max((room-longestWhole)/lengths, 1)
	past := sort.Search(lengths, func(n int) bool {
		_, all := kept(longestWhole + (n+1)*step)
		return !all
	})
	most, _ := kept(longestWhole + past*step)
	return most
}

// lengths are how many lengths of texts are told apart.
const lengths = 128

// pruner keeps values in their order while there is room.
type pruner struct {
	room    int
	longest int  // bytes of JSON of a text; 0 is as much as the room allows
	dropped bool // more than the ends of texts was left out
}

// longestWhole is how long a text inside a cut value may be before it is cut
// itself, in bytes.
const longestWhole = 256

// keep gives what fits of a value, and takes it off the room.
func (p *pruner) keep(v value.Value) value.Value {
	switch of := v.(type) {
	case []value.Value:
		kept := []value.Value{}
		p.room -= len("[]")
		for _, item := range of {
			if p.room < len(",null") {
				p.dropped = true
				break
			}
			p.room -= len(",")
			kept = append(kept, p.keep(item))
		}
		return kept
	case *value.Object:
		p.room -= len("{}")
		var keys []string
		var values []value.Value
		for i := range of.Len() {
			key, held := of.At(i)
			size := len(value.JSON(key)) + len(":,")
			if p.room < size+len("null") {
				p.dropped = true
				break
			}
			p.room -= size
			keys, values = append(keys, key), append(values, p.keep(held))
		}
		return value.Build(keys, values)
	case string:
		return p.text(of)
	}
	size := len(value.JSON(v))
	if size > p.room {
		p.dropped = true
		p.room -= len("null")
		return nil
	}
	p.room -= size
	return v
}

// text keeps a text, or the start of a long one.
func (p *pruner) text(text string) value.Value {
	limit := p.room
	if p.longest > 0 {
		limit = min(limit, p.longest)
	}
	if !fitsAsJSON(text, limit) {
		if p.longest == 0 {
			// What comes after it is to have some room too. Each byte of a text takes at
			// most six in JSON.
			limit = min(limit, max(longestWhole, p.room/6))
		}
		text = startOf(text, limit)
		if text == "" || p.longest > p.room {
			p.dropped = true
		}
		if text == "" {
			p.room -= len("null")
			return nil
		}
	}
	p.room -= len(value.JSON(text))
	return text
}

// fitsAsJSON tells whether a text takes at most so many bytes as JSON.
func fitsAsJSON(text string, limit int) bool {
	return len(text)+len(`""`) <= limit && len(value.JSON(text)) <= limit
}

// startOf is the longest start of a text that takes at most so many bytes as JSON,
// with a mark where it was cut; empty where nothing fits.
func startOf(text string, limit int) string {
	cut := func(end int) string {
		for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		return strings.ToValidUTF8(text[:end], "") + "…"
	}
	end := sort.Search(min(len(text), max(limit, 0)), func(n int) bool { return !fitsAsJSON(cut(n+1), limit) })
	if end == 0 || cut(end) == "…" {
		return ""
	}
	return cut(end)
}

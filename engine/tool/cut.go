package tool

import (
	"fmt"
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
	p := pruner{room: room - len(wrap(nil, len(shown)))}
	kept := p.keep(v)
	return wrap(kept, max(len(shown)-len(value.JSON(kept)), 0))
}

// pruner keeps values in their order while there is room.
type pruner struct{ room int }

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
		p.room -= len("null")
		return nil
	}
	p.room -= size
	return v
}

// text keeps a text, or the start of a long one.
func (p *pruner) text(text string) value.Value {
	size := len(value.JSON(text))
	if size > p.room {
		// Each byte of a text takes at most six in JSON.
		end := min(len(text), max(p.room-len(`"…"`), 0), max(longestWhole, p.room/6))
		for end > 0 && (end < len(text) && !utf8.RuneStart(text[end]) || len(value.JSON(text[:end]+"…")) > p.room) {
			end--
		}
		if end == 0 {
			p.room -= len("null")
			return nil
		}
		text = strings.ToValidUTF8(text[:end], "") + "…"
		size = len(value.JSON(text))
	}
	p.room -= size
	return text
}

package liquid

// This file holds the filters that write values in another form: json, HTML
// and base64, sentences and slugs.

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/value"
)

// jsonFilter prints a value as JSON, on one line or indented.
func jsonFilter(s *state, v any, args []any) any {
	start := len(s.scratch)
	w := &jsonWriter{s: s, to: s.scratch}
	w.indent, w.lines = jsonIndent(argument(args, 0))
	if !w.value(v, 0) {
		return undefined
	}
	s.scratch = w.to[:start]
	return string(w.to[start:])
}

// jsonIndent is JavaScript's space argument: up to ten spaces, or up to ten
// characters of a text. It also tells whether to write lines at all, which a
// number between 0 and 1 asks for without any indent.
func jsonIndent(v any) (string, bool) {
	if number, ok := numberOf(v); ok {
		if !(number > 0) {
			return "", false
		}
		return strings.Repeat(" ", int(min(10, math.Trunc(number)))), true
	}
	text, ok := v.(string)
	if !ok {
		return "", false
	}
	for units(text) > 10 {
		text = text[:pointOffset(text, float64(min(points(text)-1, 10)))]
	}
	return text, text != ""
}

// jsonWriter prints JSON, charging each value before it is printed.
type jsonWriter struct {
	s      *state
	to     []byte
	indent string
	lines  bool // whether each member stands on a line of its own
}

// value prints v, and gives false for undefined, which JSON leaves out.
func (w *jsonWriter) value(v any, depth int) bool {
	s := w.s
	switch v := v.(type) {
	case undefinedKind:
		return false
	case string:
		s.chargeText(v)
		w.text(v)
	case []any, *numberRange:
		list, _ := s.listOf(v)
		s.deep(depth)
		s.charge(float64(len(list)) + 1)
		w.list(list, depth)
	case *value.Object:
		s.deep(depth)
		s.charge(2)
		w.object(v, depth)
	case *loop:
		return w.value(v.object(), depth)
	case word:
		s.charge(2)
		w.to = append(w.to, "{}"...)
	default:
		start := len(w.to)
		if exact, ok := v.(value.Exact); ok {
			v = exact.Float()
		}
		w.to = value.AppendJSON(w.to, v)
		s.charge(float64(len(w.to) - start))
	}
	return true
}

func (w *jsonWriter) text(text string) {
	if !w.s.halves {
		w.to = value.AppendJSON(w.to, text)
		return
	}
	w.to = append(w.to, '"')
	for i := 0; i < len(text); {
		half := strings.IndexByte(text[i:], 0xED)
		for half >= 0 && !isHalf(text[i+half:]) {
			next := strings.IndexByte(text[i+half+1:], 0xED)
			if next < 0 {
				half = -1
			} else {
				half += 1 + next
			}
		}
		piece := text[i:]
		if half >= 0 {
			piece = text[i : i+half]
		}
		quoted := value.AppendJSON(nil, piece)
		w.to = append(w.to, quoted[1:len(quoted)-1]...)
		i += len(piece)
		if half >= 0 {
			r, size := decode(text[i:])
			w.to = append(w.to, '\\', 'u', hexDigit(r>>12), hexDigit(r>>8), hexDigit(r>>4), hexDigit(r))
			i += size
		}
	}
	w.to = append(w.to, '"')
}

func hexDigit(r rune) byte { return "0123456789abcdef"[r&15] }

// lineBreak starts a line at a depth, where there is an indent.
func (w *jsonWriter) lineBreak(depth int) {
	if !w.lines {
		return
	}
	w.to = append(w.to, '\n')
	w.s.step(1 + depth/64)
	if len(w.to) > w.s.textBound() {
		w.s.failMemory()
	}
	for range depth {
		w.to = append(w.to, w.indent...)
	}
}

func (w *jsonWriter) list(list []any, depth int) {
	w.to = append(w.to, '[')
	for i, item := range list {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		w.lineBreak(depth + 1)
		if !w.value(item, depth+1) {
			w.to = append(w.to, "null"...)
		}
	}
	if len(list) > 0 {
		w.lineBreak(depth)
	}
	w.to = append(w.to, ']')
}

func (w *jsonWriter) object(object *value.Object, depth int) {
	w.to = append(w.to, '{')
	printed := 0
	for i := range object.Len() {
		key, item := object.At(i)
		if item == undefined {
			continue
		}
		if printed > 0 {
			w.to = append(w.to, ',')
		}
		printed++
		w.lineBreak(depth + 1)
		w.text(key)
		w.to = append(w.to, ':')
		if w.lines {
			w.to = append(w.to, ' ')
		}
		w.value(item, depth+1)
	}
	if printed > 0 {
		w.lineBreak(depth)
	}
	w.to = append(w.to, '}')
}

var htmlEscapes = []string{"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;"}

func escapeFilter(s *state, v any, _ []any) any { return escapeHTML(s.charged(v)) }

func escapeOnceFilter(s *state, v any, _ []any) any {
	text := unescapeHTML(s.charged(v))
	s.chargeText(text)
	return escapeHTML(text)
}

func escapeHTML(text string) string {
	if !strings.ContainsAny(text, `&<>"'`) {
		return text
	}
	escaped := make([]byte, 0, len(text)+len(text)/8+16)
	for i := range len(text) {
		switch text[i] {
		case '&':
			escaped = append(escaped, "&amp;"...)
		case '<':
			escaped = append(escaped, "&lt;"...)
		case '>':
			escaped = append(escaped, "&gt;"...)
		case '"':
			escaped = append(escaped, "&#34;"...)
		case '\'':
			escaped = append(escaped, "&#39;"...)
		default:
			escaped = append(escaped, text[i])
		}
	}
	return string(escaped)
}

func unescapeHTML(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	plain := make([]byte, 0, len(text))
next:
	for i := 0; i < len(text); {
		if text[i] == '&' {
			for at := 0; at < len(htmlEscapes); at += 2 {
				if strings.HasPrefix(text[i:], htmlEscapes[at+1]) {
					plain = append(plain, htmlEscapes[at]...)
					i += len(htmlEscapes[at+1])
					continue next
				}
			}
		}
		plain = append(plain, text[i])
		i++
	}
	return string(plain)
}

func base64EncodeFilter(s *state, v any, _ []any) any {
	text := s.charged(v)
	if s.halves {
		text = string(joinHalves(nil, text, true))
	}
	return base64.StdEncoding.EncodeToString([]byte(text))
}

func base64DecodeFilter(s *state, v any, _ []any) any {
	text := strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\f' || r == '\r' || r == ' ' {
			return -1
		}
		return r
	}, s.charged(v))
	digits := text
	if len(text)%4 == 0 {
		digits = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	valid := len(digits)%4 != 1
	for i := range len(digits) {
		b := digits[i]
		valid = valid && (b == '+' || b == '/' || (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z'))
	}
	if !valid {
		s.refuse("base64_decode takes base64 text")
	}
	decoded, err := base64.RawStdEncoding.DecodeString(digits)
	if err != nil {
		s.refuse("base64_decode takes base64 text")
	}
	return cleanUTF8(string(decoded))
}

// sentenceFilter lists items as in "a, b, and c".
func sentenceFilter(s *state, v any, args []any) any {
	list := s.list(v)
	connector := s.text(argumentOr(args, 0, "and"))
	size := float64(units(connector) + 2*len(list))
	for _, item := range list {
		s.step(1)
		size += float64(units(s.text(item)))
	}
	s.charge(size)
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	case 2:
		return s.scriptText(list[0]) + " " + connector + " " + s.scriptText(list[1])
	}
	last := len(list) - 1
	return s.joinList(list[:last], ", ") + ", " + connector + " " + s.scriptText(list[last])
}

// slugifyFilter makes text fit for an address: what is no letter or digit
// becomes a dash, by one of several sets.
func slugifyFilter(s *state, v any, args []any) any {
	text := s.text(v)
	s.step(len(text) / 64)
	mode, _ := argumentOr(args, 0, "default").(string)
	if keep := slugKeeps(mode); keep != nil {
		if mode == "latin" {
			text = withoutAccents(text)
		}
		text = dashed(text, keep)
		text = strings.TrimSuffix(strings.TrimPrefix(text, "-"), "-")
	}
	if scriptTruthy(argument(args, 1)) {
		return text
	}
	return lower(text)
}

// slugKeeps tells which characters a mode keeps; nil when it keeps all.
func slugKeeps(mode string) func(r rune) bool {
	letter := func(r rune) bool { return unicode.In(r, unicode.M, unicode.L, unicode.Nd) }
	switch mode {
	case "raw":
		return func(r rune) bool { return !isSpace(r) }
	case "default", "latin":
		return letter
	case "pretty":
		return func(r rune) bool { return letter(r) || strings.ContainsRune("._~!$&'()+,;=@", r) }
	case "ascii":
		return func(r rune) bool { return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	}
	return nil
}

// dashed makes each run of characters that are not kept one dash.
func dashed(text string, keep func(r rune) bool) string {
	slug := make([]byte, 0, len(text))
	dash := false
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		if keep(r) {
			slug = append(slug, text[i:i+size]...)
			dash = false
		} else if !dash {
			slug = append(slug, '-')
			dash = true
		}
		i += size
	}
	return string(slug)
}

// withoutAccents writes the letters of western European languages without
// their marks.
func withoutAccents(text string) string {
	if isASCII(text) {
		return text
	}
	bare := make([]byte, 0, len(text))
	for _, r := range text {
		at := strings.IndexRune(accented, r)
		if at < 0 {
			bare = append(bare, string(r)...)
			continue
		}
		bare = append(bare, unaccented[points(accented[:at])]...)
	}
	return string(bare)
}

const accented = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýÿßœþẞŒÞ"

var unaccented = []string{
	"a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i", "d", "n",
	"o", "o", "o", "o", "o", "o", "u", "u", "u", "u", "y", "y", "ss", "oe", "th", "SS", "OE", "TH",
}

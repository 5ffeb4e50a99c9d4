package liquid

// This file holds the filters that change text. Each charges what it reads
// before it reads it.

import (
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// charged gives the text of a value, charged by its length.
func (s *state) charged(v any) string {
	text := s.text(v)
	s.chargeText(text)
	return text
}

// pair gives the texts of a value and an argument, charged together.
func (s *state) pair(v, argument any) (string, string) {
	text, other := s.text(v), s.text(argument)
	s.charge(float64(units(text) + units(other)))
	return text, other
}

func appendFilter(s *state, v any, args []any) any {
	text, more := s.pair(v, argument(args, 0))
	return s.joined(text + more)
}

func prependFilter(s *state, v any, args []any) any {
	text, more := s.pair(v, argument(args, 0))
	return s.joined(more + text)
}

func upcaseFilter(s *state, v any, _ []any) any   { return upper(s.charged(v)) }
func downcaseFilter(s *state, v any, _ []any) any { return lower(s.charged(v)) }

func capitalizeFilter(s *state, v any, _ []any) any {
	text := s.charged(v)
	if text == "" {
		return text
	}
	first, size := decode(text)
	if first > 0xFFFF { // one UTF-16 unit of it has no other case
		return text[:size] + lower(text[size:])
	}
	return upper(text[:size]) + lower(text[size:])
}

func lstripFilter(s *state, v any, args []any) any {
	text := s.charged(v)
	if set, ok := s.stripSet(args, false); ok {
		return trimSetStart(text, set)
	}
	return trimStart(text)
}

func rstripFilter(s *state, v any, args []any) any {
	text := s.charged(v)
	if set, ok := s.stripSet(args, false); ok {
		return trimSetEnd(text, set)
	}
	return trimEnd(text)
}

func stripFilter(s *state, v any, args []any) any {
	text := s.charged(v)
	if set, ok := s.stripSet(args, true); ok {
		return trimSetEnd(trimSetStart(text, set), set)
	}
	return trimSpace(text)
}

// stripSet gives the characters that a strip filter is told to take away, and
// false when it is told none.
func (s *state) stripSet(args []any, distinct bool) (map[rune]bool, bool) {
	chars := argument(args, 0)
	if !scriptTruthy(chars) {
		return nil, false
	}
	text := s.text(chars)
	if !distinct {
		s.chargeText(text)
	}
	set := make(map[rune]bool)
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		set[r] = true
		i += size
	}
	if distinct {
		s.charge(float64(len(set)))
	}
	return set, true
}

func trimSetStart(text string, set map[rune]bool) string {
	for text != "" {
		r, size := decode(text)
		if !set[r] {
			break
		}
		text = text[size:]
	}
	return text
}

func trimSetEnd(text string, set map[rune]bool) string {
	return strings.TrimRightFunc(text, func(r rune) bool { return set[r] })
}

func stripNewlinesFilter(s *state, v any, _ []any) any {
	text := s.charged(v)
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", ""), "\n", "")
}

func newlineToBrFilter(s *state, v any, _ []any) any {
	text := s.charged(v)
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "<br />\n")
}

func normalizeWhitespaceFilter(s *state, v any, _ []any) any { return squeeze(s.charged(v)) }

func squishFilter(s *state, v any, _ []any) any { return trimSpace(squeeze(s.charged(v))) }

// squeeze makes each run of white space one space.
func squeeze(text string) string {
	squeezed := make([]byte, 0, len(text))
	space := false
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		if isSpace(r) {
			if !space {
				squeezed = append(squeezed, ' ')
			}
			space = true
		} else {
			squeezed = append(squeezed, text[i:i+size]...)
			space = false
		}
		i += size
	}
	return string(squeezed)
}

func removeFilter(s *state, v any, args []any) any {
	text, part := s.pair(v, argument(args, 0))
	if part == "" {
		return text
	}
	return s.joined(strings.ReplaceAll(text, part, ""))
}

func removeFirstFilter(s *state, v any, args []any) any {
	text, part := s.pair(v, argument(args, 0))
	return s.joined(strings.Replace(text, part, "", 1))
}

func removeLastFilter(s *state, v any, args []any) any {
	text, part := s.pair(v, argument(args, 0))
	return s.joined(replaceLast(text, part, ""))
}

// replaceFilter charges the length of what it makes, which is known before
// anything is made.
func replaceFilter(s *state, v any, args []any) any {
	text, part := s.text(v), s.text(argument(args, 0))
	with := s.text(argument(args, 1))
	found := strings.Count(text, part)
	if part == "" {
		found = max(units(text)-1, 0)
	}
	s.charge(float64(units(text)) + float64(found)*float64(units(with)-units(part)))
	s.step(len(text) / 64)
	if part == "" {
		return s.joined(strings.Join(s.splitUnits(text), with))
	}
	return s.joined(strings.ReplaceAll(text, part, with))
}

func replaceFirstFilter(s *state, v any, args []any) any {
	text, part := s.text(v), s.text(argument(args, 0))
	with := s.text(argument(args, 1))
	s.charge(float64(units(text) + units(part) + units(with)))
	return s.joined(strings.Replace(text, part, with, 1))
}

func replaceLastFilter(s *state, v any, args []any) any {
	text, part := s.text(v), s.text(argument(args, 0))
	with := s.text(argument(args, 1))
	s.charge(float64(units(text) + units(part) + units(with)))
	return s.joined(replaceLast(text, part, with))
}

func replaceLast(text, part, with string) string {
	at := strings.LastIndex(text, part)
	if at < 0 {
		return text
	}
	return text[:at] + with + text[at+len(part):]
}

func splitFilter(s *state, v any, args []any) any {
	text := s.charged(v)
	separator := s.text(argument(args, 0))
	if separator == "" {
		return s.eachUnit(text)
	}
	parts := strings.Split(text, separator)
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	list := make([]any, len(parts))
	for i, part := range parts {
		s.step(1)
		list[i] = part
	}
	return list
}

// truncateFilter gives the value itself, not its text, when that is short.
func truncateFilter(s *state, v any, args []any) any {
	length := toNumber(s.primitive(argumentOr(args, 0, 50.0)))
	text, end := s.pair(v, argumentOr(args, 1, "..."))
	if float64(units(text)) <= length || pointOffset(text, length) >= len(text) {
		return v
	}
	return s.joined(text[:pointOffset(text, length-float64(points(end)))] + end)
}

func truncatewordsFilter(s *state, v any, args []any) any {
	limit := argumentOr(args, 0, 15.0)
	text, end := s.pair(v, argumentOr(args, 1, "..."))
	if toNumber(s.primitive(limit)) <= 0 {
		limit = 1.0
	}
	words := splitSpace(trimStart(text))
	kept := clampPlace(toInteger(s.primitive(limit)), len(words))
	short := strings.Join(words[:kept], " ")
	if float64(len(words)) >= toNumber(s.primitive(limit)) {
		short += end
	}
	return s.joined(short)
}

// splitSpace cuts text at each run of white space, with an empty last piece
// when it ends in one.
func splitSpace(text string) []string {
	pieces := []string{}
	start, space := 0, false
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		if isSpace(r) != space {
			if space = !space; space {
				pieces = append(pieces, text[start:i])
			} else {
				start = i
			}
		}
		i += size
	}
	if space {
		return append(pieces, "")
	}
	return append(pieces, text[start:])
}

func numberOfWordsFilter(s *state, v any, args []any) any {
	text := trimSpace(s.charged(v))
	if text == "" {
		return 0.0
	}
	mode := argument(args, 0)
	if mode == "cjk" || mode == "auto" {
		if ideographs, words := countIdeographs(text); mode == "cjk" || ideographs > 0 {
			return float64(ideographs + words)
		}
	}
	return float64(len(splitSpace(text)))
}

// countIdeographs counts Chinese, Japanese and Korean characters, and the runs
// of others between them and white space.
func countIdeographs(text string) (ideographs, words int) {
	inWord := false
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		switch {
		case isIdeograph(r):
			ideographs++
			inWord = false
		case isSpace(r):
			inWord = false
		case !inWord:
			words++
			inWord = true
		}
		i += size
	}
	return ideographs, words
}

func isIdeograph(r rune) bool {
	return (r >= 0x4E00 && r <= 0x9FFF) || (r >= 0xF900 && r <= 0xFAFF) || (r >= 0x3400 && r <= 0x4DBF) ||
		(r >= 0x3040 && r <= 0x30FF) || (r >= 0xAC00 && r <= 0xD7AF)
}

// clipFilter cuts text to a number of code points.
func clipFilter(s *state, v any, args []any) any {
	text := s.scriptText(v)
	s.chargeText(text)
	limit := argumentOr(args, 0, 400.0)
	total := points(text)
	if float64(total) <= toNumber(s.primitive(limit)) {
		return text
	}
	kept := clampPlace(toInteger(s.primitive(limit)), total)
	return text[:pointOffset(text, float64(kept))] + "…"
}

func wordsFilter(s *state, v any, _ []any) any {
	text := s.scriptText(v)
	s.chargeText(text)
	count := 0
	for _, piece := range splitSpace(trimStart(text)) {
		if piece != "" {
			count++
		}
	}
	return float64(count)
}

// defaultFilter stands in for what is missing, null, false or empty.
func defaultFilter(s *state, v any, args []any) any {
	fallback := argument(args, 0)
	v = plain(v)
	if text, ok := v.(string); ok {
		if text == "" {
			return fallback
		}
		return v
	}
	if length, ok := listLength(v); ok {
		if length == 0 {
			return fallback
		}
		return v
	}
	if v == false && len(args) > 1 && s.allowsFalse(args[1:]) {
		return false
	}
	if !truthy(v) {
		return fallback
	}
	return v
}

// allowsFalse looks for allow_false among named arguments. Anything else there
// is refused, as in the reference.
func (s *state) allowsFalse(args []any) bool {
	allowed := false
	for _, a := range args {
		if pair, ok := s.listOf(a); ok {
			if len(pair) > 1 && pair[0] == "allow_false" {
				allowed = scriptTruthy(pair[1])
			}
			continue
		}
		switch a.(type) {
		case *value.Object, word, *loop: // what JavaScript takes for a pair without a key
		default:
			s.refuse("default takes one value, and allow_false: true")
		}
	}
	return allowed
}

func identityFilter(_ *state, v any, _ []any) any { return v }

// sizeFilter gives the length of text and lists, and of whatever else has one.
func sizeFilter(s *state, v any, _ []any) any {
	switch v := v.(type) {
	case string:
		return float64(units(v))
	case []any:
		return float64(len(v))
	case *numberRange:
		return float64(v.count)
	case *loop:
		return float64(v.length)
	case *value.Object:
		if length, ok := v.Get("length"); ok && scriptTruthy(length) {
			return length
		}
	}
	return 0.0
}

// sliceFilter cuts a list, or text by code points. It charges the length it is
// asked for, however short the value is.
func sliceFilter(s *state, v any, args []any) any {
	v = plain(v)
	if isNil(v) {
		return []any{}
	}
	list, isList := s.listOf(v)
	text, total := "", len(list)
	if !isList {
		text = s.text(v)
		total = points(text)
	}
	begin, length := argument(args, 0), argumentOr(args, 1, 1.0)
	if below, _ := s.less(begin, 0.0); below {
		begin = s.add(float64(total), begin)
	}
	beginBelow, _ := s.less(begin, 0.0)
	lengthBelow, _ := s.less(length, 0.0)
	if beginBelow || lengthBelow {
		if isList {
			return []any{}
		}
		return ""
	}
	s.charge(toNumber(s.primitive(length)))
	if isList {
		part := slice(list, s.primitive(begin), s.add(begin, length))
		if part == nil {
			return []any{}
		}
		return part
	}
	start := pointOffset(text, toNumber(s.primitive(begin)))
	rest := text[start:]
	return rest[:pointOffset(rest, toNumber(s.primitive(length)))]
}

package wire

import (
	"strconv"
	"strings"
)

// This file is what requests need to know about families of OpenAI models.

// gpt is what a family of OpenAI models takes.
type gpt struct {
	reasons        bool     // it has a reasoning effort, and no sampling settings beside one
	efforts        []string // the efforts it takes; nil: every one
	samplesAtNone  bool     // it takes sampling settings at effort none
	developerWords bool     // instructions are the developer's, not the system's
}

// gptOf gives the family of a model id. A deployment with a name of its own
// belongs to none and is read as a model that does not reason.
func gptOf(model string) gpt {
	if _, _, ok := numberAfter(model, "o"); ok {
		return gpt{reasons: true, developerWords: true}
	}
	major, rest, ok := numberAfter(model, "gpt-")
	if !ok {
		return gpt{}
	}
	minor, versioned := 0, false
	if strings.HasPrefix(rest, ".") {
		if minor, rest, versioned = numberAfter(rest, "."); !versioned {
			return gpt{}
		}
	}
	variant := strings.TrimPrefix(rest, "-")
	if major < 5 || !versioned && strings.HasPrefix(variant, "chat") {
		return gpt{}
	}
	family := gpt{reasons: true, developerWords: true, samplesAtNone: major == 5 && minor >= 1}
	switch {
	case major >= 6:
		family.efforts = []string{"low", "medium", "high", "xhigh", "max"}
	case !isPlainVariant(variant):
	case minor == 0:
		family.efforts = []string{"minimal", "low", "medium", "high"}
	case minor == 1:
		family.efforts = []string{"none", "low", "medium", "high"}
	default:
		family.efforts = []string{"none", "low", "medium", "high", "xhigh", "max"}
		if minor < 6 {
			family.efforts = family.efforts[:5]
		}
	}
	return family
}

// numberAfter reads a whole number after a prefix, and what follows it: the
// end, a hyphen or a dot.
func numberAfter(text, prefix string) (int, string, bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return 0, "", false
	}
	end := 0
	for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
		end++
	}
	if end == 0 || end > 4 || end < len(rest) && rest[end] != '-' && rest[end] != '.' {
		return 0, "", false
	}
	found, _ := strconv.Atoi(rest[:end])
	return found, rest[end:], prefix != "o" || end == len(rest) || rest[end] == '-'
}

// isPlainVariant tells a size or a date, whose efforts are known, from a
// variant such as pro or codex.
func isPlainVariant(variant string) bool {
	if variant == "" || isDate(variant) {
		return true
	}
	size, date, dated := strings.Cut(variant, "-")
	switch size {
	case "mini", "nano", "sol", "luna", "terra":
		return !dated || isDate(date)
	}
	return false
}

func isDate(text string) bool {
	if len(text) != len("2026-01-01") || text[4] != '-' || text[7] != '-' {
		return false
	}
	return strings.Trim(text, "0123456789-") == ""
}

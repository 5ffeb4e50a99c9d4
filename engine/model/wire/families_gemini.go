package wire

import "strings"

// This file is what requests need to know about families of Google models.

// gemini is what a family of Google models takes.
type gemini struct {
	gemma       bool     // open weights: instructions stand in the first message
	third       bool     // Gemini 3 and later: JSON beside tools, signed calls
	levels      []string // thinking levels; nil: a thinking budget
	leastBudget int64    // tokens; 0: thinking can be off
	mostBudget  int64
	ours        bool // a Gemini model, whose JSON and tools exclude each other before Gemini 3
}

// geminiOf gives the family of a model id. A Gemini model that no rule knows is
// read as the newest ones are.
func geminiOf(model string) gemini {
	id := strings.ToLower(model)
	name, found := geminiName(id)
	family := gemini{gemma: strings.HasPrefix(id, "gemma-"), mostBudget: 24576, ours: found && !strings.Contains(name, "/")}
	if strings.Contains(id, "2.5-pro") {
		family.leastBudget = 128
	}
	if strings.Contains(id, "2.5-pro") || strings.Contains(id, "gemini-3-pro-image") {
		family.mostBudget = 32768
	}
	if !found || isOlderGemini(name) {
		return family
	}
	family.third = true
	if strings.Contains(model, "gemini-3-pro-image") {
		return family
	}
	family.levels = []string{"low", "medium", "high"}
	switch {
	case name == "gemini-4-hydrogen" || strings.HasPrefix(name, "gemini-4-hydrogen-"):
		family.levels = append(family.levels, "xhigh")
	case !leastIsLow(name):
		family.levels = append([]string{"minimal"}, family.levels...)
	}
	return family
}

// geminiName finds the part of an id that names a Gemini model: at its start,
// or after a slash or a dot.
func geminiName(id string) (string, bool) {
	for at := 0; ; {
		next := strings.Index(id[at:], "gemini-")
		if next < 0 {
			return "", false
		}
		at += next
		if at == 0 || id[at-1] == '/' || id[at-1] == '.' {
			return id[at:], true
		}
		at++
	}
}

// isOlderGemini tells the models before Gemini 3.
func isOlderGemini(name string) bool {
	for _, generation := range []string{"gemini-1", "gemini-2", "gemini-robotics-er-1.5"} {
		if rest, ok := strings.CutPrefix(name, generation); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return true
		}
	}
	return name == "gemini-pro" || name == "gemini-pro-vision"
}

// leastIsLow tells the models whose thinking goes down to low only: the pro
// models, and flash models from 3.7 on.
func leastIsLow(name string) bool {
	if name == "gemini-flash-latest" {
		return true
	}
	major, rest, ok := numberAfter(name, "gemini-")
	if !ok {
		return false
	}
	minor, versioned := 0, false
	if strings.HasPrefix(rest, ".") {
		if minor, rest, versioned = numberAfter(rest, "."); !versioned {
			return false
		}
	}
	if rest == "-pro" || strings.HasPrefix(rest, "-pro-") {
		return major >= 3
	}
	after, flash := strings.CutPrefix(rest, "-flash")
	if !flash || !versioned || after == "-lite" || strings.HasPrefix(after, "-lite-") || after != "" && after[0] != '-' {
		return false
	}
	return major > 3 || major == 3 && minor >= 7
}

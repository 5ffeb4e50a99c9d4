package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// This file gives tools the names that a model calls them by.

const (
	longestName = 64 // characters of a name
	hashLength  = 8
)

// ModelNames gives each tool, written server/tool, a name of its own for the
// model, in the same order (reasoning format, "What the model sees"). A tool has
// the same name whatever the order of the tools, but for clashes that its hash
// does not resolve.
func ModelNames(tools []string) []string {
	plain := make([]string, len(tools))
	shared := map[string]int{}
	for i, tool := range tools {
		plain[i] = plainName(tool)
		shared[plain[i]]++
	}
	names := make([]string, len(tools))
	taken := map[string]bool{}
	// The names that need no hash come first, so that none of them is changed.
	for i, name := range plain {
		if len(name) <= longestName && shared[name] == 1 {
			names[i] = name
			taken[name] = true
		}
	}
	for i, tool := range tools {
		if names[i] != "" {
			continue
		}
		digest := sha256.Sum256([]byte(tool))
		name := ending(plain[i], "_"+hex.EncodeToString(digest[:])[:hashLength])
		names[i] = name
		for n := 2; taken[names[i]]; n++ {
			names[i] = ending(name, "_"+strconv.Itoa(n))
		}
		taken[names[i]] = true
	}
	return names
}

// ending puts an ending to a name, which is cut to leave room for it.
func ending(name, end string) string {
	return name[:min(len(name), longestName-len(end))] + end
}

// plainName is server__tool in letters, digits and underscores.
func plainName(tool string) string {
	server, name, _ := strings.Cut(tool, "/")
	return plainText(server) + "__" + plainText(name)
}

func plainText(text string) string {
	return strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			return c
		}
		return '_'
	}, text)
}

package tool

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file keeps a server's secrets, and tokens that someone minted, out of what
// is kept, shown and said.

// Redacted stands where a secret or a token stood.
const Redacted = "[redacted]"

// shortestSecret is the length of a secret that is looked for, in characters: a
// shorter one would stand in ordinary words.
const shortestSecret = 8

// scrubber knows the secrets of one server.
type scrubber struct {
	forms []string // every form a secret may be echoed in, longest first
}

func newScrubber(secrets []settings.Secret) scrubber {
	var s scrubber
	add := func(text string) {
		if utf8.RuneCountInString(text) >= shortestSecret && !slices.Contains(s.forms, text) {
			s.forms = append(s.forms, text)
		}
	}
	for _, secret := range secrets {
		text := secret.Reveal()
		if isPath(text) {
			continue
		}
		whole := []string{text, strings.TrimSpace(text)}
		// A header's value is often a scheme and the secret.
		if _, after, ok := strings.Cut(text, " "); ok {
			whole = append(whole, strings.TrimSpace(after))
		}
		for _, text := range whole {
			quoted := value.JSON(text)
			add(text)
			add(quoted[1 : len(quoted)-1])
			add(url.QueryEscape(text))
			add(url.PathEscape(text))
		}
	}
	slices.SortStableFunc(s.forms, func(a, b string) int { return len(b) - len(a) })
	return s
}

// isPath tells a folder or a list of folders, such as that of PATH or HOME, from
// a secret: a program is given it by reference too, and its tools speak of the
// files there.
func isPath(text string) bool {
	places := filepath.SplitList(text)
	if len(places) == 0 || !filepath.IsAbs(places[0]) {
		return false
	}
	_, err := os.Stat(places[0])
	return err == nil
}

// secrets replaces the server's secrets in a text.
func (s scrubber) secrets(text string) string {
	for _, form := range s.forms {
		if strings.Contains(text, form) {
			text = strings.ReplaceAll(text, form, Redacted)
		}
	}
	return text
}

// words is everything for the runtime's own words, into which what a server says
// was put after it was cut: it replaces what is left of a secret there too.
func (s scrubber) words(text string) string {
	return s.withoutRests(s.everything(transport.Cut(text, longestWords)))
}

// longestWords is the most bytes of the runtime's own words that are scrubbed.
const longestWords = 16 << 10

// cutMark stands where a text was cut.
const cutMark = "…"

// shortestRest is the length, in bytes, of the part of a secret that is looked for
// where a text was cut.
const shortestRest = 4

// withoutRests replaces the start of a secret before a cut and the end of one
// after it.
func (s scrubber) withoutRests(text string) string {
	if len(s.forms) == 0 || !strings.Contains(text, cutMark) {
		return text
	}
	parts := strings.Split(text, cutMark)
	for i := range parts {
		if i < len(parts)-1 {
			if rest := s.rest(parts[i], strings.HasSuffix, func(form string, length int) string { return form[:length] }); rest > 0 {
				parts[i] = parts[i][:len(parts[i])-rest] + Redacted
			}
		}
		if i > 0 {
			if rest := s.rest(parts[i], strings.HasPrefix, func(form string, length int) string { return form[len(form)-length:] }); rest > 0 {
				parts[i] = Redacted + parts[i][rest:]
			}
		}
	}
	return strings.Join(parts, cutMark)
}

// rest is the length of the longest part of a secret that a text has at one end; 0
// for none.
func (s scrubber) rest(text string, has func(text, part string) bool, part func(form string, length int) string) int {
	longest := 0
	for _, form := range s.forms {
		for length := min(len(form)-1, len(text)); length >= max(shortestRest, longest+1); length-- {
			if has(text, part(form, length)) {
				longest = length
				break
			}
		}
	}
	return longest
}

// everything replaces the server's secrets, and whatever looks like a token.
func (s scrubber) everything(text string) string { return withoutTokens(s.secrets(text)) }

// listing replaces the server's secrets in what it says of its tools, which people,
// agents and models read. A tool whose name holds one cannot be named anywhere, and
// is left out. What only looks like a token stays: it may be an example.
func (s scrubber) listing(tools []Tool) []Tool {
	if len(s.forms) == 0 {
		return tools
	}
	tools = slices.DeleteFunc(tools, func(t Tool) bool { return s.secrets(t.Name) != t.Name })
	for i := range tools {
		t := &tools[i]
		t.Description = s.secrets(t.Description)
		if t.InputSchema != nil {
			t.InputSchema = each(t.InputSchema, s.secrets)
		}
	}
	return tools
}

// each gives a value with every text in it, keys among them, replaced.
func each(v value.Value, replace func(string) string) value.Value {
	switch of := v.(type) {
	case string:
		return replace(of)
	case []value.Value:
		list := make([]value.Value, len(of))
		for i, item := range of {
			list[i] = each(item, replace)
		}
		return list
	case *value.Object:
		if of == nil {
			return of
		}
		keys, values := make([]string, of.Len()), make([]value.Value, of.Len())
		for i := range of.Len() {
			key, v := of.At(i)
			keys[i], values[i] = replace(key), each(v, replace)
		}
		return value.Build(keys, values)
	}
	return v
}

// tokenStarts are what the tokens of well-known services start with. They are
// tried in this order.
var tokenStarts = []string{
	"sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_",
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glptt-",
	"xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-",
	"AKIA", "ASIA", "AIza", "ya29.", "GOCSPX-", "1//0",
	"npm_", "pypi-", "hf_", "gsk_", "xai-", "dop_v1_", "doo_v1_", "shpat_", "shpss_", "SG.", "lin_api_", "lin_oauth_",
	"figd_", "ntn_", "secret_", "sntrys_", "dp.pt.", "pat-na1-", "EAAC", "eyJ",
}

// shortestToken is the length of a token that is looked for, in bytes.
const shortestToken = 20

// withoutTokens replaces what looks like a minted token: one that starts as the
// tokens of a well-known service do, a JSON Web Token, what follows Bearer, and a
// private key in PEM form.
func withoutTokens(text string) string {
	text = withoutKeys(text)
	var kept strings.Builder
	from := 0 // what was not written yet
	for at := 0; at < len(text); {
		if !isTokenByte(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && isTokenByte(text[end]) {
			end++
		}
		if run := strings.TrimRight(text[at:end], "."); len(run) >= shortestToken && (looksMinted(run) || afterBearer(text[:at])) {
			kept.WriteString(text[from:at])
			kept.WriteString(Redacted)
			from = at + len(run)
		}
		at = end
	}
	if from == 0 {
		return text
	}
	kept.WriteString(text[from:])
	return kept.String()
}

func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_-.~+/", c) >= 0
}

func looksMinted(run string) bool {
	for _, start := range tokenStarts {
		if !strings.HasPrefix(run, start) {
			continue
		}
		if start == "eyJ" {
			return strings.Count(run, ".") >= 2
		}
		// Words joined by hyphens, such as sk-learn-tutorial-part-two, hold no digit.
		return strings.ContainsAny(run[len(start):], "0123456789")
	}
	return false
}

func afterBearer(before string) bool {
	const word = "bearer"
	before = strings.TrimRight(before, " \t:=\"'")
	return len(before) >= len(word) && strings.EqualFold(before[len(before)-len(word):], word)
}

// longestKeyHead is the most bytes of what a key in PEM form says of itself, such as
// RSA PRIVATE KEY.
const longestKeyHead = 64

// withoutKeys replaces private keys in PEM form. It goes through the text once,
// whatever stands in it.
func withoutKeys(text string) string {
	const begin = "-----BEGIN "
	if !strings.Contains(text, begin) {
		return text
	}
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(text, begin)
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		head, rest, ok := strings.Cut(after, "-----")
		if !ok || len(head) > longestKeyHead || !strings.HasSuffix(head, "PRIVATE KEY") {
			kept.WriteString(begin)
			text = after
			continue
		}
		kept.WriteString(Redacted)
		_, text, ok = strings.Cut(rest, "-----END "+head+"-----")
		if !ok {
			return kept.String()
		}
	}
}

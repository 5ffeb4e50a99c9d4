package model

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// This file keeps secrets and prompts out of what people read (model settings,
// "Provider messages").

// redactedLength is the shortest secret or message that is replaced, in
// characters: a shorter one would stand in ordinary words.
const redactedLength = 8

// echo is a form in which a text may be sent back, and what replaces it.
type echo struct{ form, by string }

// echoesOf gives every form that texts may be sent back in, longest first.
func echoesOf(texts []string, by string) []echo {
	all := []echo{}
	seen := map[string]bool{}
	for _, text := range texts {
		if utf8.RuneCountInString(text) < redactedLength {
			continue
		}
		quoted := value.JSON(text)
		quoted = quoted[1 : len(quoted)-1]
		for _, form := range []string{
			text, strings.TrimSpace(text), quoted, forPages.Replace(inASCII(quoted)), inASCII(quoted), forPages.Replace(quoted),
			// A text in single quotes keeps its double ones.
			strings.ReplaceAll(quoted, `\"`, `"`), html.EscapeString(text), url.QueryEscape(text), url.PathEscape(text),
		} {
			if utf8.RuneCountInString(form) >= redactedLength && !seen[form] {
				seen[form] = true
				all = append(all, echo{form, by})
			}
		}
	}
	slices.SortStableFunc(all, longestFirst)
	return all
}

func longestFirst(a, b echo) int { return len(b.form) - len(a.form) }

// forPages writes what some writers of JSON keep out of the text of a page.
var forPages = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)

// inASCII is JSON text as writers give it that write no other characters.
func inASCII(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// withCredentials adds to secrets the credential in each that names a scheme
// before it, as Bearer and a token: a provider may echo the token alone.
func withCredentials(secrets []string) []string {
	all := slices.Clone(secrets)
	for _, secret := range secrets {
		if scheme, credential, found := strings.Cut(strings.TrimSpace(secret), " "); found && scheme != "" {
			all = append(all, strings.TrimSpace(credential))
		}
	}
	return all
}

// redactor replaces what must not be read in the words of one call's provider.
type redactor struct {
	secrets []echo
	prompt  []string
}

// redactorOf knows the secrets of the settings and the parts of this prompt.
func (c *Client) redactorOf(prompt ...string) redactor { return redactor{c.secrets, prompt} }

// with knows more parts of the prompt.
func (r redactor) with(parts ...string) redactor {
	r.prompt = append(slices.Clip(r.prompt), parts...)
	return r
}

// clean replaces longer texts before shorter ones, whatever they are: a secret
// that stands in a prompt, as a team's name may, must not keep the prompt from
// being found.
func (r redactor) clean(text string) string {
	all := append(echoesOf(r.prompt, "[prompt]"), r.secrets...)
	slices.SortStableFunc(all, longestFirst)
	for _, one := range all {
		text = strings.ReplaceAll(text, one.form, one.by)
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// cut keeps at most limit characters.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit])
}

// The lengths of what is shown, in characters.
const (
	shownCode     = 64
	shownLine     = 300
	loggedMessage = 2000
)

// code is an error code as a caller reads it: one line, cut.
func (r redactor) code(code string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(r.clean(code)), "\n")
	return strings.TrimSpace(cut(printable(line), shownCode))
}

// line is what a caller reads of a provider's message: its first line, and
// nothing when that is empty, repeats the response or is a document itself.
func (r redactor) line(message, body string) string {
	if trimmed := strings.TrimSpace(body); trimmed != "" && strings.Contains(message, trimmed) {
		return ""
	}
	// A prompt of many lines is only found in a message that is still whole.
	line, _, _ := strings.Cut(strings.ReplaceAll(r.clean(message), "\r", "\n"), "\n")
	line = strings.TrimSpace(line)
	if line == "" || isDocument(line) {
		return ""
	}
	return cut(printable(line), shownLine)
}

// printable leaves out what would steer a terminal.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, line)
}

// isDocument tells JSON, HTML and XML from a sentence.
func isDocument(line string) bool {
	if strings.HasPrefix(line, "<") || strings.HasPrefix(line, "{") {
		return true
	}
	if !strings.HasPrefix(line, "[") && !strings.HasPrefix(line, `"`) {
		return false
	}
	_, err := value.ParseJSON([]byte(line), 100)
	return err == nil
}

// logged is what the operator reads of a provider's message: never the body of
// the request.
func (r redactor) logged(message string, sent []byte) string {
	if len(sent) > 0 {
		message = strings.ReplaceAll(message, string(sent), "[prompt]")
	}
	return cut(r.clean(message), loggedMessage)
}

package model

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// This file keeps secrets and prompts out of what people read (model settings,
// "Provider messages").

// redactedLength is the shortest secret or message that is replaced, in
// characters: a shorter one would stand in ordinary words.
const redactedLength = 8

// redactable gives every form a secret may be echoed in, longest first.
func redactable(texts []string) []string {
	forms := []string{}
	for _, text := range texts {
		quoted := value.JSON(text)
		for _, form := range []string{text, strings.TrimSpace(text), quoted[1 : len(quoted)-1], url.QueryEscape(text), url.PathEscape(text)} {
			if utf8.RuneCountInString(form) >= redactedLength && !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return forms
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
	secrets []string
	prompt  []string
}

// redactorOf knows the secrets of the settings and the parts of this prompt.
func (c *Client) redactorOf(prompt ...string) redactor {
	return redactor{c.secrets, redactable(prompt)}
}

func (r redactor) clean(text string) string {
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, "[redacted]")
	}
	for _, part := range r.prompt {
		text = strings.ReplaceAll(text, part, "[prompt]")
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

package model

import (
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// This file reads the entries of a provider's list, and decides which are kept.

// listedPage is one page of a list, and the query of the next one.
type listedPage struct {
	entries []value.Value
	next    string
}

// listPage reads a page. It is false for an answer that is no list of models.
func listPage(route wire.Route, root value.Value) (listedPage, bool) {
	page := listedPage{}
	var ok bool
	if route == wire.Google {
		// A list with no models at all comes without its member.
		within, is := root.(*value.Object)
		models, has := within.Get("models")
		page.entries, ok = models.([]value.Value)
		ok = is && (ok || !has)
		if token := member(root, "nextPageToken"); token != "" {
			page.next = "pageToken=" + url.QueryEscape(token)
		}
		return page, ok
	}
	entries, _ := value.Lookup(root, "/data")
	if page.entries, ok = entries.([]value.Value); !ok && route == wire.Gateway {
		page.entries, ok = root.([]value.Value)
	}
	if more, _ := value.Lookup(root, "/has_more"); route == wire.Anthropic && more == true {
		if last := member(root, "last_id"); last != "" {
			page.next = "after_id=" + url.QueryEscape(last)
		}
	}
	return page, ok
}

func member(v value.Value, key string) string {
	within, _ := v.(*value.Object)
	found, _ := within.Get(key)
	text, _ := found.(string)
	return text
}

// listedOf reads an entry. It is false for one that is left out.
func listedOf(provider *Provider, entry value.Value) (Listed, bool) {
	id, name := member(entry, "id"), ""
	model := Listed{}
	switch provider.Route {
	case wire.Anthropic:
		name, model.Created = member(entry, "display_name"), timeOf(entry, "created_at")
		model.MaxInputTokens, model.MaxOutputTokens = tokens(entry, "max_input_tokens"), tokens(entry, "max_tokens")
	case wire.OpenAI:
		if !isConversational(id) {
			return model, false
		}
		model.Created = timeOf(entry, "created")
	case wire.Google:
		if !generates(entry) {
			return model, false
		}
		id, name = strings.TrimPrefix(member(entry, "name"), "models/"), member(entry, "displayName")
		model.MaxInputTokens, model.MaxOutputTokens = tokens(entry, "inputTokenLimit"), tokens(entry, "outputTokenLimit")
	case wire.Gateway:
		if kind := member(entry, "type"); kind != "" && kind != "language" {
			return model, false
		}
		name, model.Created = member(entry, "name"), timeOf(entry, "created")
		model.MaxInputTokens, model.MaxOutputTokens = tokens(entry, "context_window"), tokens(entry, "max_tokens")
	}
	if !IsModelID(id) {
		return model, false
	}
	model.Model = provider.Endpoint.Provider + "/" + id
	if utf8.RuneCountInString(name) <= longestName && !strings.ContainsFunc(name, breaksLine) {
		model.Name = name
	}
	return model, true
}

// IsModelID tells whether a model id may be listed or declared: 1 to 256
// characters, without a space, a control character or a *, and no ARN.
func IsModelID(id string) bool {
	if id == "" || utf8.RuneCountInString(id) > longestID || isARN(id) {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return r == '*' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
}

// breaksLine tells what may not stand in a name that is shown on one line.
func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

func tokens(entry value.Value, key string) *int64 {
	within, _ := entry.(*value.Object)
	found, _ := within.Get(key)
	whole, ok := value.Whole(found)
	if !ok || whole <= 0 {
		return nil
	}
	return &whole
}

// timeOf reads a time given as text or in seconds.
func timeOf(entry value.Value, key string) string {
	within, _ := entry.(*value.Object)
	found, _ := within.Get(key)
	if text, ok := found.(string); ok {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return at.UTC().Format(time.RFC3339)
		}
		return ""
	}
	whole, ok := value.Whole(found)
	if !ok || whole <= 0 || whole > 1<<40 {
		return ""
	}
	return time.Unix(whole, 0).UTC().Format(time.RFC3339)
}

func generates(entry value.Value) bool {
	methods, _ := value.Lookup(entry, "/supportedGenerationMethods")
	list, _ := methods.([]value.Value)
	for _, method := range list {
		if method == "generateContent" {
			return true
		}
	}
	return false
}

// otherWork are parts of OpenAI ids that, by its naming, are not for a
// conversation.
var otherWork = [...]string{
	"embedding", "audio", "tts", "speech", "transcribe", "whisper", "image", "dall-e", "sora", "video", "moderation", "realtime",
}

func isConversational(id string) bool {
	if strings.HasPrefix(id, "ft:") || id == "babbage-002" || id == "davinci-002" {
		return false
	}
	for _, part := range otherWork {
		if strings.Contains(id, part) {
			return false
		}
	}
	return true
}

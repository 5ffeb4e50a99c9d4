package request

// This file reads an answer from the words of a reply, by the function's reply
// rule, and says what the party is told when it is none.

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// MaxReply is the most bytes of a reply's words (interaction format, "Bounds").
const MaxReply = 8 << 10

// Refused is why a reply was no answer, in the word that reply_refused carries.
type Refused string

// The reasons.
const (
	ReplyUnread    Refused = "unread"           // the rule finds no answer in the words
	ReplyNoMatch   Refused = "does_not_match"   // the answer schema takes no such answer
	ReplyTooLarge  Refused = "too_large"        // more than MaxReply
	ReplyAmbiguous Refused = "several_requests" // it names none of several open requests
)

// Refusal is a reply that was no answer. It holds none of the reply's words.
type Refusal struct {
	Because Refused
	// Telling is what the party is told, as the message of replies.tell.
	Telling string
}

// ReadReply takes the answer from the words of a reply (interaction format,
// "Answering by reply"). The answer matches the schema. A refusal is a reply that
// is no answer; the error is schema.ErrTooMuchWork.
//
// A part that reads the rest, and finds nothing after the first word, gives no
// value for its property.
func ReadReply(rule *definition.ReplyRule, answer *schema.Schema, words string) (*value.Object, *Refusal, error) {
	if len(words) > MaxReply {
		return nil, refuse(rule, ReplyTooLarge, fmt.Sprintf("Expected a reply of at most %d KiB", MaxReply>>10)), nil
	}
	words = strings.TrimSpace(words)
	if words == "" {
		return nil, refuse(rule, ReplyUnread), nil
	}
	first, rest := words, ""
	if end := strings.IndexFunc(words, isSpace); end >= 0 {
		first, rest = words[:end], strings.TrimSpace(words[end:])
	}
	given := value.NewObject(len(rule.Parts))
	for _, part := range rule.Parts {
		switch part.From {
		case "word":
			meant, ok := meaning(&part, first)
			if !ok {
				return nil, refuse(rule, ReplyUnread), nil
			}
			given.Set(part.Property, meant)
		case "rest":
			if rest != "" {
				given.Set(part.Property, rest)
			}
		case "text":
			given.Set(part.Property, words)
		}
	}
	issues, err := answer.Validate(given)
	if err != nil {
		return nil, nil, err
	}
	if len(issues) > 0 {
		return nil, refuse(rule, ReplyNoMatch, problemsOf(issues)...), nil
	}
	return given, nil, nil
}

// RefuseAmbiguous is the refusal of a reply that answers no single request, since
// several are open in its conversation.
func RefuseAmbiguous() *Refusal {
	return &Refusal{Because: ReplyAmbiguous, Telling: "Several questions are open here; to answer one, reply to its message"}
}

func isSpace(c rune) bool { return strings.TrimSpace(string(c)) == "" }

// meaning gives the value that a word means for a part. A value that is written
// exactly counts first: values may differ in case or in punctuation alone, and a
// word that is all punctuation folds to nothing.
func meaning(part *definition.ReplyPart, word string) (string, bool) {
	if slices.Contains(part.Values, word) {
		return word, true
	}
	folded := definition.FoldWord(word)
	meant, ok := part.Words[folded]
	if !ok || folded == "" {
		return "", false
	}
	for _, v := range part.Values {
		if v != meant && definition.FoldWord(v) == folded {
			return "", false
		}
	}
	return meant, true
}

// problemsOf says what the answer schema found, each with the property it is
// about.
func problemsOf(issues []schema.Issue) []string {
	said := make([]string, 0, len(issues))
	for i, issue := range issues {
		if i == problem.ShownProblems {
			said = append(said, fmt.Sprintf("%d more problems are not shown", len(issues)-i))
			break
		}
		about, _ := value.Tokens(issue.Pointer)
		if len(about) == 0 {
			said = append(said, issue.Message)
			continue
		}
		said = append(said, strings.Join(about, "/")+": "+issue.Message)
	}
	return said
}

func refuse(rule *definition.ReplyRule, because Refused, problems ...string) *Refusal {
	return &Refusal{Because: because, Telling: strings.Join(append(problems, HowToAnswer(rule)), ". ")}
}

// HowToAnswer says in words what a reply must hold, such as: To answer, reply
// with one of approve, revise; what follows is kept as the note.
func HowToAnswer(rule *definition.ReplyRule) string {
	kept := map[string][]string{}
	var words []string
	for _, part := range rule.Parts {
		if part.From != "word" {
			kept[part.From] = append(kept[part.From], part.Property)
		} else if words == nil {
			words = wordsFor(rule, &part)
		}
	}
	text := "To answer, reply in your own words"
	switch {
	case len(words) == 1:
		text = "To answer, reply with " + words[0]
	case len(words) > 1:
		text = "To answer, reply with one of " + strings.Join(words, ", ")
	}
	if names := kept["rest"]; len(names) > 0 {
		text += "; what follows" + afterNothing(words) + " is kept as the " + strings.Join(names, " and the ")
	}
	if names := kept["text"]; len(names) > 0 {
		text += "; the whole reply is kept as the " + strings.Join(names, " and the ")
	}
	return text
}

// afterNothing says what it is that something follows, when no word was named.
func afterNothing(words []string) string {
	if len(words) == 0 {
		return " the first word"
	}
	return ""
}

// mostWords is the most words a telling lists.
const mostWords = 20

// wordsFor gives the words that a reply may begin with: for each value the value
// itself, or the first of its words where the value is no single word. A word that
// another part of the rule cannot read is left out.
func wordsFor(rule *definition.ReplyRule, of *definition.ReplyPart) []string {
	var words []string
	for _, v := range of.Values {
		candidates := []string{v}
		for word, means := range of.Words {
			if means == v && word != definition.FoldWord(v) {
				candidates = append(candidates, word)
			}
		}
		sort.Strings(candidates[1:])
		for _, word := range candidates {
			if readByAll(rule, of, v, word) {
				words = append(words, word)
				break
			}
		}
	}
	if len(words) > mostWords {
		left := len(words) - (mostWords - 1)
		words = append(words[:mostWords-1], value.Grouped(int64(left))+" others")
	}
	return words
}

func readByAll(rule *definition.ReplyRule, of *definition.ReplyPart, means, word string) bool {
	if word == "" || strings.ContainsFunc(word, isSpace) {
		return false
	}
	if meant, ok := meaning(of, word); !ok || meant != means {
		return false
	}
	return !slices.ContainsFunc(rule.Parts, func(part definition.ReplyPart) bool {
		_, ok := meaning(&part, word)
		return part.From == "word" && !ok
	})
}

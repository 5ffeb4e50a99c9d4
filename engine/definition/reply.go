package definition

// This file reads the rule by which a reply becomes an answer, or makes it from
// the answer's schema.

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// ReplyRule is how the words of a reply become an answer (interaction format,
// "Answering by reply"). It is the rule a document writes, or the one made
// from its answer schema.
type ReplyRule struct {
	Parts []ReplyPart
	Made  bool // made from the schema
}

// ReplyPart is where the value of one property comes from.
type ReplyPart struct {
	Property string
	From     string            // one of ReplySources
	Values   []string          // for word: the values it may mean, as the schema lists them
	Words    map[string]string // for word: each word that counts, folded, with the value it means
}

// ReplySources are the parts of a reply a value may come from.
var ReplySources = []string{"word", "rest", "text"}

// The bounds of a reply rule.
const (
	replyValues    = 16
	replyWords     = 16 // for one value
	replyWordBytes = 64
)

// FoldWord gives the form in which words are compared: without case and
// without punctuation around them. Symbols around a word, such as those that a
// chat marks it with, count as punctuation; a word of symbols alone, such as 👍, is
// what it says. How a symbol is drawn, as text or in which colour, does not count.
func FoldWord(word string) string {
	word = strings.Map(func(c rune) rune {
		if c == textStyle || c == pictureStyle || lightSkin <= c && c <= darkSkin {
			return -1
		}
		return c
	}, word)
	isAround := func(c rune) bool { return unicode.IsPunct(c) || unicode.IsSpace(c) }
	bare := strings.TrimFunc(word, func(c rune) bool { return isAround(c) || unicode.IsSymbol(c) })
	if bare == "" {
		bare = strings.TrimFunc(word, isAround)
	}
	return strings.ToLower(bare)
}

// The characters that say how the symbol before them is drawn.
const (
	textStyle    = '\ufe0e'
	pictureStyle = '\ufe0f'
	lightSkin    = '\U0001f3fb'
	darkSkin     = '\U0001f3ff'
)

// readReplyRule reads reply, or makes the rule from the answer schema, and
// reports a function that reads replies without either.
func readReplyRule(r *reader, root place, into *Interaction) {
	answer, _ := answerPlace(root)
	if at, has := root.child("reply"); has {
		into.Reply = r.replyRule(at, answer)
		return
	}
	into.Reply = madeRule(answer)
	if into.Reply == nil && root.node.Get("replies") != nil {
		r.missingAs(problem.ReplyRule, root, "reply",
			"Missing key: no reply rule can be made from the answer schema; write reply, such as reply: { verdict: word, note: rest }")
	}
}

// answerProperties gives the properties of the answer that are strings, each
// with its enum, in the order they are written.
func answerProperties(answer place) (properties []answerProperty) {
	all := answer.node.Get("properties")
	if all == nil || all.Kind != frontmatter.Mapping {
		return nil
	}
	for i, key := range all.Keys {
		node := dereference(answer.node, all.Items[i])
		properties = append(properties, answerProperty{name: key.Name, isText: isText(node), values: enumTexts(node)})
	}
	return properties
}

// answerProperty is a top-level property of the answer schema.
type answerProperty struct {
	name   string
	isText bool
	values []string // its enum, when it has one
}

// dereference follows a $ref to a definition of the same schema.
func dereference(root, node *frontmatter.Node) *frontmatter.Node {
	for range 10 {
		reference, ok := node.Get("$ref").Value().(string)
		if !ok {
			return node
		}
		next := root
		tokens, _ := value.Tokens(strings.TrimPrefix(reference, "#"))
		for _, token := range tokens {
			next = next.Get(token)
		}
		if next == nil {
			return node
		}
		node = next
	}
	return node
}

// isText tells whether a property's schema lets it be a string.
func isText(node *frontmatter.Node) bool {
	switch types := node.Get("type").Value().(type) {
	case string:
		return types == "string"
	case []value.Value:
		return slices.Contains(types, value.Value("string"))
	}
	return len(enumTexts(node)) > 0
}

// enumTexts gives the texts of an enum or of a const.
func enumTexts(node *frontmatter.Node) []string {
	var texts []string
	values, _ := node.Get("enum").Value().([]value.Value)
	if only := node.Get("const"); only != nil {
		values = append(values, only.Value())
	}
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// madeRule makes the rule of an answer with one required property that is a
// string: its first word when it has an enum, the whole reply when not.
func madeRule(answer place) *ReplyRule {
	required, _ := answer.node.Get("required").Value().([]value.Value)
	if len(required) != 1 {
		return nil
	}
	for _, property := range answerProperties(answer) {
		if property.name != required[0] || !property.isText {
			continue
		}
		part := ReplyPart{Property: property.name, From: "text"}
		if len(property.values) > 0 {
			part.From, part.Values, part.Words = "word", property.values, make(map[string]string)
			for _, v := range property.values {
				part.Words[FoldWord(v)] = v
			}
		}
		return &ReplyRule{Parts: []ReplyPart{part}, Made: true}
	}
	return nil
}

// replyRule reads the rule a document writes.
func (r *reader) replyRule(at, answer place) *ReplyRule {
	if !r.mapping(at) {
		return nil
	}
	if count := len(at.node.Keys); count == 0 || count > replyValues {
		r.refuse(at, problem.ReplyRule, fmt.Sprintf("Expected 1 to %d values", replyValues))
		return nil
	}
	rule := &ReplyRule{}
	properties := answerProperties(answer)
	texts := make([]string, 0, len(properties))
	for _, property := range properties {
		if property.isText {
			texts = append(texts, property.name)
		}
	}
	for i, key := range at.node.Keys {
		part := place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}
		known := slices.IndexFunc(properties, func(p answerProperty) bool { return p.name == key.Name })
		if known < 0 || !properties[known].isText {
			message := key.Name + " is no property of output.schema" + problem.OrNear(key.Name, texts)
			if known >= 0 {
				message = key.Name + " is no string in output.schema"
			}
			r.refuseKey(at, key.Name, problem.ReplyRule, message)
			continue
		}
		rule.Parts = append(rule.Parts, r.replyPart(part, properties[known]))
	}
	r.warnUnread(at, answer)
	return rule
}

// warnUnread warns of a required property that the rule reads from nowhere:
// no reply can then ever be an answer.
func (r *reader) warnUnread(at, answer place) {
	required, _ := answer.node.Get("required").Value().([]value.Value)
	for _, name := range required {
		if name, ok := name.(string); ok && at.node.Get(name) == nil {
			r.add(problem.Problem{
				Line: at.key.Line, Column: at.key.Column, Pointer: at.pointer, Rule: problem.ReplyRule, Severity: problem.Warning,
				Message: "No reply can be an answer: output.schema requires " + name + ", which the rule does not read",
			})
		}
	}
}

// replyPart reads one part of the rule: word, rest or text, or an object with
// from and words.
func (r *reader) replyPart(at place, property answerProperty) ReplyPart {
	part := ReplyPart{Property: property.name}
	var words place
	if at.node.Kind == frontmatter.Mapping {
		read(r, at, partFields, &part)
		words, _ = at.child("words")
	} else {
		part.From, _ = r.word(at, ReplySources)
	}
	if part.From != "word" {
		if words.node != nil && part.From != "" {
			r.refuseKey(at, "words", problem.ReplyRule, "words is not allowed with "+part.From+": only word takes words")
		}
		return part
	}
	if len(property.values) == 0 {
		r.refuse(at, problem.ReplyRule, "word needs an enum: "+property.name+" has none in output.schema")
		return part
	}
	part.Values, part.Words = property.values, make(map[string]string, len(property.values))
	for _, v := range property.values {
		word := FoldWord(v)
		if other, taken := part.Words[word]; taken && other != v {
			r.refuse(at, problem.ReplyRule, v+" means "+other+" already: a word means one value only")
			continue
		}
		part.Words[word] = v
	}
	if words.node != nil {
		r.replyWords(words, property, part.Words)
	}
	return part
}

var partFields = []field[ReplyPart]{
	{name: "from", required: true, takes: "word, rest or text", read: func(r *reader, at place, into *ReplyPart) {
		into.From, _ = r.word(at, ReplySources)
	}},
	{name: "words", takes: "For word: more words for each value", read: func(r *reader, at place, _ *ReplyPart) { r.mapping(at) }},
}

// replyWords reads the words that stand for the values of an enum.
func (r *reader) replyWords(at place, property answerProperty, into map[string]string) {
	if at.node.Kind != frontmatter.Mapping {
		return // its own field says so
	}
	if len(at.node.Keys) > replyValues {
		r.refuse(at, problem.ReplyRule, fmt.Sprintf("Expected at most %d values", replyValues))
		return
	}
	for i, key := range at.node.Keys {
		if !slices.Contains(property.values, key.Name) {
			r.refuseKey(at, key.Name, problem.ReplyRule, key.Name+" is none of the values of "+property.name+problem.OrNear(key.Name, property.values))
			continue
		}
		list := place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}
		items := r.list(list)
		if len(items) > replyWords {
			r.refuse(list, problem.ReplyRule, fmt.Sprintf("Expected at most %d words", replyWords))
			continue
		}
		for _, item := range items {
			r.replyWord(item, key.Name, into)
		}
	}
}

func (r *reader) replyWord(at place, means string, into map[string]string) {
	text, ok := r.text(at)
	if !ok {
		return
	}
	word := FoldWord(text)
	switch other, taken := into[word]; {
	case word == "" || len(strings.Fields(text)) != 1:
		r.refuse(at, problem.ReplyRule, "Expected one word")
	case len(text) > replyWordBytes:
		r.refuse(at, problem.ReplyRule, fmt.Sprintf("Expected a word of at most %d bytes", replyWordBytes))
	case taken && other != means:
		r.refuse(at, problem.ReplyRule, text+" means "+other+" already: a word means one value only")
	default:
		into[word] = means
	}
}

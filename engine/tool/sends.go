package tool

import (
	"slices"
	"strings"
)

// This file tells the tools that can carry a request to its party.

var (
	// A word that is also the plural of a thing, such as replies or posts, says
	// what a tool reads more often than what it does.
	sendingWords = []string{"send", "sends", "post", "publish", "publishes", "reply", "comment", "mail", "email"}
	makingWords  = []string{"create", "creates", "write", "writes", "add", "adds"}
	messageWords = []string{"message", "messages", "comment", "comments", "mail", "mails", "email", "emails"}
	otherWords   = []string{
		"update", "edit", "modify", "change", "set", "delete", "remove", "clear", "archive", "unarchive", "pin", "unpin",
		"list", "get", "read", "fetch", "search", "find", "query", "count", "check", "view", "show", "mark", "move", "copy",
		"schedule", "cancel", "draft", "react", "like", "hide", "report", "resolve", "lock", "unlock", "subscribe", "unsubscribe",
	}
)

// Sends tells whether a tool can send a request to its party (interaction format,
// "How a request reaches its party"): its name says that it sends, posts,
// publishes, replies, comments or mails, or creates or writes a message, a
// comment or mail, and names no other operation; it deletes nothing, and no
// OpenAPI document says that it answers without a body.
func (t *Tool) Sends() bool {
	if t.Reads || t.Deletes || t.WithoutBody {
		return false
	}
	words := wordsOf(t.Name)
	has := func(of []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of, word) })
	}
	return !has(otherWords) && (has(sendingWords) || has(makingWords) && has(messageWords))
}

// ReadsReplies tells whether a tool can read the replies to a request: it is
// marked as one that reads.
func (t *Tool) ReadsReplies() bool { return t.Reads }

// replyWords are words in the names of tools that list messages.
var replyWords = []string{
	"reply", "replies", "thread", "threads", "message", "messages", "comment", "comments", "mail", "mails", "email", "emails",
	"conversation", "conversations", "inbox",
}

// ReadersOfReplies gives the tools of one server that read the replies to a
// request: of those that can, the ones whose names speak of messages, and where none
// does, all of them, if the server has a tool that sends one.
func ReadersOfReplies(tools []Tool) []Tool {
	var can, speak []Tool
	sends := false
	for _, t := range tools {
		sends = sends || t.Sends()
		if !t.ReadsReplies() {
			continue
		}
		can = append(can, t)
		if slices.ContainsFunc(wordsOf(t.Name), func(word string) bool { return slices.Contains(replyWords, word) }) {
			speak = append(speak, t)
		}
	}
	if len(speak) > 0 || !sends {
		return speak
	}
	return can
}

// wordsOf splits a name at what is no letter or digit, and at capitals.
func wordsOf(name string) []string {
	var words []string
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'):
			flush(i)
			start = i + 1
		case 'A' <= c && c <= 'Z' && i > start && 'a' <= name[i-1] && name[i-1] <= 'z':
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return words
}

package request

// This file reads the messages of a conversation from a reading tool's answer, and
// finds the open request that each one answers (interaction format,
// "replies.read").

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of what is read (interaction format, "Bounds").
const (
	MaxRead     = 64 << 10 // bytes of a read's result as JSON
	MaxIdentity = 256      // bytes of an identity, such as a message's or a sender's
)

// The reads that fail though the tool answered. The reading goes on.
var (
	ErrReadTooLarge = fmt.Errorf("expected an answer of at most %d KiB as JSON", MaxRead>>10)
	ErrNoList       = errors.New("expected a list of messages where read.list points")
)

// Message is one message of a conversation.
type Message struct {
	ID string
	// Sender is who wrote it; empty for a message that is no reply whatever it says,
	// since it has no usable sender or answers what is no message.
	Sender string
	Text   string
	To     string // the message it replies to; empty when it names none
}

// Messages gives the messages of a reading tool's answer, oldest first, and the id
// of the newest as the tool gave it, a text or a number, which the next read is told
// as since; nil when there is none. A message without a usable id is passed over. It
// gives ErrReadTooLarge and ErrNoList.
func Messages(read *definition.ReadReplies, answer value.Value) (messages []Message, since value.Value, err error) {
	if value.JSONSize(answer, MaxRead) > MaxRead {
		return nil, nil, ErrReadTooLarge
	}
	at, _ := value.Lookup(answer, read.List)
	list, ok := at.([]value.Value)
	if !ok {
		return nil, nil, ErrNoList
	}
	if read.Order == "newest_first" {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	for _, item := range list {
		if m, usable := messageOf(&read.Each, item); usable {
			messages = append(messages, m)
			since, _ = value.Lookup(item, read.Each.ID)
		}
	}
	return messages, since, nil
}

func messageOf(each *definition.EachReply, item value.Value) (m Message, usable bool) {
	m.ID, usable = identityAt(item, each.ID)
	m.Sender, _ = identityAt(item, each.Sender)
	if words, _ := value.Lookup(item, each.Text); words != nil {
		m.Text, _ = words.(string)
	}
	if each.To != "" {
		// A server that has no null says by an empty text that there is nothing.
		if to, _ := value.Lookup(item, each.To); to != nil && to != value.Value("") {
			if m.To, _ = Identity(to); m.To == "" {
				m.Sender = "" // it answers something, which is no request
			}
		}
	}
	return m, usable
}

func identityAt(v value.Value, pointer string) (string, bool) {
	at, ok := value.Lookup(v, pointer)
	if !ok {
		return "", false
	}
	return Identity(at)
}

// Identity gives a value as the identity of a message, a sender or a conversation:
// a text or a whole number of 1 to 256 bytes without a control character.
func Identity(v value.Value) (string, bool) {
	text, ok := v.(string)
	if !ok {
		if _, isNumber := value.Number(v); !isNumber {
			return "", false
		}
		text = value.JSON(v)
		if strings.ContainsAny(text, ".eE") {
			return "", false
		}
	}
	if text == "" || len(text) > MaxIdentity || strings.ContainsFunc(text, unicode.IsControl) {
		return "", false
	}
	return text, true
}

// Asked is what counts of an open request for the messages of its conversation.
type Asked struct {
	RunID    string
	SentID   string // the id of its message
	Answerer string
	After    string // the newest message that was listed before it joined; empty before any
}

// Match says what a message of a conversation is to the requests open in it,
// oldest first. Answers is the one it answers, nil for a message that is passed
// over: the playbook's own, one of nobody or of somebody who is no answerer, or one in
// a thread that began with none of the requests. Several says that it names none of
// several open requests, and so is refused, for the oldest whose answerer wrote it.
// IsOwn tells the ids of messages that the playbook sent in the conversation.
func Match(m *Message, open []Asked, isOwn func(id string) bool) (answers *Asked, several bool) {
	if isOwn(m.ID) {
		return nil, false
	}
	for i := range open {
		asked := &open[i]
		if m.ID == asked.SentID {
			return nil, false
		}
	}
	for i := range open {
		asked := &open[i]
		if m.Sender == "" || m.Sender != asked.Answerer || m.To != "" && m.To != asked.SentID {
			continue
		}
		return asked, m.To == "" && len(open) > 1
	}
	return nil, false
}

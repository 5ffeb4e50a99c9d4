package example

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file is the chat: its messages and what can be done with them.

// The bounds of the chat.
const (
	longestName    = 256      // bytes of a channel's or a user's
	longestMessage = 16 << 10 // bytes
	largestChat    = 16 << 20 // bytes of its file
)

// Chat is a team chat that is kept in a file. It holds nothing itself, so that any
// number of processes may have the same chat at once. It is safe for concurrent
// use.
type Chat struct{ path string }

// OpenChat gives the chat of a file, which need not be there yet.
func OpenChat(path string) *Chat { return &Chat{path} }

// message is one message of the chat. Its thread is the ts of the message that it
// replies to, empty for one that is no reply.
type message struct{ ts, channel, user, text, thread string }

// root is the ts of the message that a message's thread begins with.
func (m *message) root() string {
	if m.thread != "" {
		return m.thread
	}
	return m.ts
}

// The messages are numbered, not dated, so that the same calls give the same
// answers whenever they are made. A number reads like the times that the messages
// of well-known chats are named by.
const (
	firstSecond = 1764460800
	apart       = 100 // millionths of a second
)

// tsOf gives the ts of a number, from 1.
func tsOf(number int) string {
	millionths := number * apart
	return fmt.Sprintf("%d.%06d", firstSecond+millionths/1e6, millionths%1e6)
}

// nextTS gives the ts after that of the last message.
func nextTS(before []message) string {
	if len(before) == 0 {
		return tsOf(1)
	}
	var second, millionth int
	// All that are read are written so.
	_, _ = fmt.Sscanf(before[len(before)-1].ts, "%d.%d", &second, &millionth)
	return tsOf(((second-firstSecond)*1e6+millionth)/apart + 1)
}

// post adds a message under the next number. Thread is empty for no reply, and may
// name any message of the thread.
func (c *Chat) post(channel, user, text, thread string) (*message, error) {
	switch {
	case !isName(channel):
		return nil, refusal(fmt.Sprintf("Expected the channel to be 1 to %d bytes without a control character", longestName))
	case !isName(user):
		return nil, refusal(fmt.Sprintf("Expected the user to be 1 to %d bytes without a control character", longestName))
	case strings.TrimSpace(text) == "":
		return nil, refusal("A message needs a text")
	case len(text) > longestMessage:
		return nil, refusal(fmt.Sprintf("A message has at most %d KiB", longestMessage>>10))
	}
	return c.add(func(before []message) (*message, error) {
		posted := &message{ts: nextTS(before), channel: channel, user: user, text: text}
		if thread == "" {
			return posted, nil
		}
		to, err := find(before, channel, thread)
		if err != nil {
			return nil, err
		}
		posted.thread = to.root()
		return posted, nil
	})
}

// newest is how a person names the thread that began last.
const newest = "newest"

// find gives a message of a channel by its ts, or the newest that is no reply.
func find(all []message, channel, ts string) (*message, error) {
	known := []string{}
	for i := len(all) - 1; i >= 0; i-- {
		m := &all[i]
		if m.channel == channel && (m.ts == ts || ts == newest && m.thread == "") {
			return m, nil
		}
		if !slices.Contains(known, m.channel) {
			known = append(known, m.channel)
		}
	}
	if !slices.Contains(known, channel) {
		return nil, refusal(fmt.Sprintf("There is no message in %s; list_channels gives the channels", channel))
	}
	return nil, refusal(fmt.Sprintf("There is no message %s in %s; channel_history gives the messages", ts, channel))
}

// thread gives the first messages of a thread that come after a ts, and whether
// more follow.
func (c *Chat) thread(channel, ts, after string, limit int) (found []message, more bool, err error) {
	all, err := c.all()
	if err != nil {
		return nil, false, err
	}
	of, err := find(all, channel, ts)
	if err != nil {
		return nil, false, err
	}
	return pageOf(all, after, limit, func(m *message) bool { return m.channel == channel && m.root() == of.root() })
}

// history gives the first messages of a channel that are no replies and come after
// a ts, each with the number of its replies, and whether more follow.
func (c *Chat) history(channel, after string, limit int) (found []message, replies map[string]int, more bool, err error) {
	all, err := c.all()
	if err != nil {
		return nil, nil, false, err
	}
	replies = map[string]int{}
	for i := range all {
		if all[i].thread != "" {
			replies[all[i].thread]++
		}
	}
	found, more, err = pageOf(all, after, limit, func(m *message) bool { return m.channel == channel && m.thread == "" })
	return found, replies, more, err
}

// channels gives the channels in the order of their first messages, and how many
// messages each has.
func (c *Chat) channels() (names []string, messages map[string]int, err error) {
	all, err := c.all()
	messages = map[string]int{}
	for i := range all {
		if messages[all[i].channel]++; messages[all[i].channel] == 1 {
			names = append(names, all[i].channel)
		}
	}
	return names, messages, err
}

func pageOf(all []message, after string, limit int, wanted func(*message) bool) (found []message, more bool, err error) {
	if after != "" && after != "0" && !isTS(after) {
		return nil, false, refusal("Expected oldest to be the ts of a message, such as " + tsOf(1))
	}
	for i := range all {
		if all[i].ts <= after || !wanted(&all[i]) {
			continue
		}
		if len(found) == limit {
			return found, true, nil
		}
		found = append(found, all[i])
	}
	return found, false, nil
}

func isName(name string) bool {
	isControl := func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }
	return strings.TrimSpace(name) != "" && len(name) <= longestName && !strings.ContainsFunc(name, isControl)
}

// isTS tells whether a text is written as a ts, all of which have one length.
func isTS(text string) bool {
	if len(text) != len(tsOf(0)) {
		return false
	}
	for i := range len(text) {
		if isPoint := i == len("1764460800"); isPoint != (text[i] == '.') || !isPoint && (text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return true
}

// listed is a message as it is listed in its channel.
func (m *message) listed() *value.Object {
	o := object("ts", m.ts, "user", m.user, "text", m.text)
	if m.thread != "" {
		o.Set("thread_ts", m.thread)
	}
	return o
}

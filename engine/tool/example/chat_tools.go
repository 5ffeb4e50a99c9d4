package example

import (
	"fmt"

	"github.com/beonauto/auto/engine/value"
)

// This file is the chat's tools, as the server lists and calls them.

const (
	mostMessages  = 100
	usualMessages = 20
	program       = "auto" // who posts
)

func (c *Chat) tools() []tool {
	channel := argument{name: "channel", description: "The channel, such as #campaigns, or a person's address for a conversation with them", required: true}
	text := argument{name: "text", description: "The text of the message", required: true}
	oldest := argument{name: "oldest", description: "The ts of a message: only those after it are given; all when left out or 0"}
	limit := argument{name: "limit", description: fmt.Sprintf("The most messages to give, from 1 to %d; %d when left out", mostMessages, usualMessages), whole: true}
	return []tool{
		{"post_message", "Posts a message in a channel, or in the thread of a message", false, []argument{
			channel, text,
			{name: "thread_ts", description: "The ts of the message to reply to; no reply when left out"},
		}, func(given *value.Object) (*value.Object, error) {
			return posted(c.post(stringOf(given, "channel"), program, stringOf(given, "text"), stringOf(given, "thread_ts")))
		}},
		{"reply_as", "What a person would type into the chat: replies in a thread as someone", false, []argument{
			channel,
			{name: "user", description: "Who replies, such as priya@acme.example", required: true},
			text,
			{name: "thread_ts", description: "The ts of the message to reply to; the newest one of the channel when left out"},
		}, func(given *value.Object) (*value.Object, error) {
			return posted(c.post(stringOf(given, "channel"), stringOf(given, "user"), stringOf(given, "text"), or(stringOf(given, "thread_ts"), newest)))
		}},
		{"thread_replies", "Lists the messages of a thread, oldest first, from the one that it began with", true, []argument{
			channel,
			{name: "ts", description: "The ts of a message of the thread; the newest thread of the channel when left out"},
			oldest, limit,
		}, func(given *value.Object) (*value.Object, error) {
			most, err := limitOf(given)
			if err != nil {
				return nil, err
			}
			found, more, err := c.thread(stringOf(given, "channel"), or(stringOf(given, "ts"), newest), stringOf(given, "oldest"), most)
			if err != nil {
				return nil, err
			}
			messages := []value.Value{}
			for i := range found {
				o := found[i].listed()
				o.Set("thread_ts", found[i].root())
				messages = append(messages, o)
			}
			return object("messages", messages, "has_more", more), nil
		}},
		{"channel_history", "Lists the messages of a channel that are no replies, oldest first", true, []argument{channel, oldest, limit},
			func(given *value.Object) (*value.Object, error) {
				most, err := limitOf(given)
				if err != nil {
					return nil, err
				}
				found, replies, more, err := c.history(stringOf(given, "channel"), stringOf(given, "oldest"), most)
				if err != nil {
					return nil, err
				}
				messages := []value.Value{}
				for i := range found {
					o := found[i].listed()
					o.Set("replies", float64(replies[found[i].ts]))
					messages = append(messages, o)
				}
				return object("messages", messages, "has_more", more), nil
			}},
		{"list_channels", "Lists the channels that hold a message", true, nil,
			func(*value.Object) (*value.Object, error) {
				names, messages, err := c.channels()
				if err != nil {
					return nil, err
				}
				channels := []value.Value{}
				for _, name := range names {
					channels = append(channels, object("channel", name, "messages", float64(messages[name])))
				}
				return object("channels", channels), nil
			}},
	}
}

// posted is what the tools that post answer.
func posted(m *message, err error) (*value.Object, error) {
	if err != nil {
		return nil, err
	}
	o := object("channel", m.channel, "ts", m.ts)
	if m.thread != "" {
		o.Set("thread_ts", m.thread)
	}
	return o, nil
}

func limitOf(given *value.Object) (int, error) {
	v, ok := given.Get("limit")
	if !ok {
		return usualMessages, nil
	}
	whole, _ := value.Whole(v)
	if whole < 1 || whole > mostMessages {
		return 0, refusal(fmt.Sprintf("Expected limit to be from 1 to %d", mostMessages))
	}
	return int(whole), nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

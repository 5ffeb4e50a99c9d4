package worker

// This file is what a request was delivered as, and the conversation that the
// replies to it are read in (interaction format, "deliver.sent" and "replies").

import (
	"strings"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// sentOf reads what a message was delivered as from its tool's answer. It is nil
// where one of the two is no identity.
func sentOf(pointers *definition.Sent, result *tool.Result) *store.Sent {
	answer, _ := result.Answer()
	sent := &store.Sent{}
	read := func(pointer string, text *string, isNumber *bool) bool {
		at, _ := value.Lookup(answer, pointer)
		found, ok := request.Identity(at)
		_, isText := at.(string)
		*text, *isNumber = found, !isText
		return ok
	}
	if !read(pointers.Conversation, &sent.Conversation, &sent.ConversationIsNumber) || !read(pointers.ID, &sent.ID, &sent.IDIsNumber) {
		return nil
	}
	return sent
}

// joining gives the conversation that a request's replies are read in; nil where
// none are, or its key is no identity.
func joining(replies *definition.Replies, asked *store.Request, sent *store.Sent) *store.Joining {
	if replies == nil {
		return nil
	}
	key := sent.Conversation
	if replies.Conversation != nil {
		rendered, err := replies.Conversation.Render(aboutSent(asked.To, sent), liquid.Limits{})
		if err != nil {
			return nil
		}
		key = rendered.Message
	}
	key = strings.TrimSpace(key)
	if _, ok := request.Identity(key); !ok {
		return nil
	}
	return &store.Joining{Tool: replies.Tool, Key: key, Wait: replies.Wait, Due: nextRead}
}

// nextRead gives when a conversation is read next.
func nextRead(r *store.Reading) time.Time {
	return request.NextRead(request.Reading{
		Joined: r.Joined, Since: r.SinceJoined, Started: r.Started, Ended: r.Ended, RetryAfter: r.RetryAfter, Wait: r.Wait,
	})
}

// aboutSent are the names that every template of replies reads.
func aboutSent(to string, sent *store.Sent) map[string]value.Value {
	return map[string]value.Value{"to": to, "sent": sent.Value()}
}

// largeArguments are arguments that may not be sent.
const largeArguments = unusable("The arguments pass 16 KiB")

// bounded renders arguments that may be sent. The error says why they may not.
func bounded(with *definition.Arguments, variables map[string]value.Value) (*value.Object, error) {
	arguments, err := with.Render(variables)
	if err == nil && tool.ArgumentBytes(arguments) > tool.MostArguments {
		return nil, largeArguments
	}
	return arguments, err
}

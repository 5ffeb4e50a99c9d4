package store

// This file holds what a conversation is in the store, and what its messages are
// matched by.

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// Conversation is what requests share whose replies are read together (interaction
// format, "replies").
type Conversation struct {
	Server string
	Tool   string // the one that reads
	Key    string // 1 to 256 bytes
}

// Reading is a conversation as it stands. It is there from the first request that
// was delivered in it until the last run that asked in it is deleted, so that what
// was read once is not taken twice.
type Reading struct {
	Conversation
	// Since is the id of the newest message that was listed, a text or a number;
	// empty text before any.
	Since       value.Value
	Joined      time.Time // when the last request joined; UTC, in milliseconds
	SinceJoined int       // how many reads were started since then
	Reads       int       // and how many of all
	// Started and Ended are of the last read; Ended is zero while it is in progress
	// or cut off.
	Started, Ended time.Time
	RetryAfter     time.Duration // how long the server asked in it to be left alone; 0 when it did not
	Wait           time.Duration // the longest shortest time between two reads of the open requests
	Due            time.Time     // when it is read next; zero when no request in it is open
	Open           int           // how many requests in it are open

	requests int // how many there are, open or not
	seen     int // how many messages it remembers
	order    uint64
}

// WorkKey names the reading among all that can be due.
func (r *Reading) WorkKey() string { return workKey("reading", r.order) }

func workKey(kind string, order uint64) string {
	return kind + " " + numberText(order)
}

// Participant is an open request in a conversation.
type Participant struct {
	RunID    string
	SentID   string // the id of its message
	Answerer string
	Wait     time.Duration
	// After is the id of the newest message that was listed before the request joined;
	// empty before any.
	After string
}

// Joining is how a request that was delivered joins a conversation.
type Joining struct {
	Tool string        // the one that reads
	Key  string        // 1 to 256 bytes
	Wait time.Duration // the shortest time between two reads
	// Due says when the conversation is read next, now that the request has joined.
	Due func(*Reading) time.Time
}

// key is what a conversation stands under. None of its parts holds a control
// character.
func (c *Conversation) key() []byte { return []byte(c.Server + "\x00" + c.Tool + "\x00" + c.Key) }

func conversationOf(key []byte) Conversation {
	parts := strings.SplitN(string(key), "\x00", 3)
	if len(parts) < 3 {
		return Conversation{}
	}
	return Conversation{parts[0], parts[1], parts[2]}
}

func (r *Reading) dueKey() []byte { return pairKey(millis(r.Due), r.order) }

// claimName names the reading among claims. It is by its number, so that a claim
// never passes to a later conversation of the same key.
func (r *Reading) claimName() string { return numberText(r.order) }

// numberText writes a number of the sequence.
func numberText(order uint64) string { return strconv.FormatUint(order, 36) }

func pairKey(first, second uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, first), second)
}

func seenKey(order uint64, id string) []byte { return append(orderBytes(order), id...) }

func (r *Reading) encode() []byte {
	return sealObject(object(
		"server", r.Server, "tool", r.Tool, "key", r.Key, "since", r.Since,
		"joined", writtenTime(r.Joined), "since_joined", float64(r.SinceJoined), "reads", float64(r.Reads),
		"started", writtenTime(r.Started), "ended", writtenTime(r.Ended), "retry_after_ms", float64(r.RetryAfter.Milliseconds()),
		"wait_ms", float64(r.Wait.Milliseconds()), "due", writtenTime(r.Due),
		"open", float64(r.Open), "requests", float64(r.requests), "seen", float64(r.seen), "order", float64(r.order),
	))
}

func decodeReading(sealed []byte) (*Reading, error) {
	r := unsealObject(sealed)
	reading := &Reading{
		Conversation: Conversation{r.text("server"), r.text("tool"), r.text("key")},
		Joined:       r.time("joined"), SinceJoined: int(r.whole("since_joined", maxCount)), Reads: int(r.whole("reads", maxCount)),
		Started: r.time("started"), Ended: r.time("ended"), RetryAfter: r.duration("retry_after_ms"),
		Wait: r.duration("wait_ms"), Due: r.time("due"),
		Open: int(r.whole("open", maxCount)), requests: int(r.whole("requests", maxCount)), seen: int(r.whole("seen", maxCount)),
		order: uint64(r.whole("order", maxOrder)),
	}
	reading.Since, _ = r.object.Get("since")
	if _, _, ok := identity(reading.Since); !ok {
		r.fault("since")
	}
	if r.err != nil {
		return nil, r.err
	}
	return reading, nil
}

// duration gives a number of milliseconds.
func (r *reader) duration(key string) time.Duration {
	return time.Duration(r.whole(key, maxOrder/int64(time.Millisecond))) * time.Millisecond
}

func (p *Participant) encode() []byte {
	return sealObject(object("run_id", p.RunID, "sent_id", p.SentID, "answerer", p.Answerer, "wait_ms", float64(p.Wait.Milliseconds()), "after", p.After))
}

func decodeParticipant(sealed []byte) (Participant, error) {
	r := unsealObject(sealed)
	p := Participant{RunID: r.text("run_id"), SentID: r.text("sent_id"), Answerer: r.text("answerer"), Wait: r.duration("wait_ms")}
	// Records that were written before messages were told apart by it lack this.
	if r.object.Has("after") {
		p.After = r.text("after")
	}
	return p, r.err
}

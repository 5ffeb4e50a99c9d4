package store

// This file holds what a request is in the store, whole and as a list shows it.

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// Request is a request that a run made of its party, as it stands. It is the run's
// own: its run waits for it, and it goes away with its run.
type Request struct {
	RequestSummary
	Answerer string // the party whose reply counts
	Message  string
	// AnswerSchema is the JSON Schema of the answer as it was when the request was
	// asked; nil for a notification, which takes none.
	AnswerSchema value.Value
	// Server and Tool send the request; both empty for one held for an agent.
	Server, Tool string
	SignIn       *value.Object // of a sign-in: its server, site and link; nil otherwise
	// Due is when somebody next has to work on the request.
	Due      time.Time
	Attempts []Attempt // in order; only the last one may be unfinished
	GivenUp  bool      // its delivery failed, and is not tried again
	Sent     *Sent     // what it was delivered as; nil when that is not known
	// Conversation is the key that its replies are read by, and ReadBy the tool that
	// reads them; empty when none are.
	Conversation string
	ReadBy       string
	Refused      int       // how many of its replies were refused
	Told         int       // of how many of those its party is told
	Closed       time.Time // when it was answered or ended; zero while it is open
	AnswerID     uint64    // the event request_answered; 0 without an answer
}

// RequestSummary is what a list shows of an open request.
type RequestSummary struct {
	RunID       string
	Type, Name  string // the definition that asked
	Version     int
	To          string
	TakesAnswer bool
	Asked       time.Time // UTC, in milliseconds
	Expires     time.Time
	Delivery    Delivery
	// Beginning is how the message begins, at most MostBeginning bytes of it; empty
	// for a request that an earlier version listed.
	Beginning string

	order uint64
}

// MostBeginning is the most bytes of a message that a list has of it: enough for a
// line of a wide terminal, and little beside the rest of a page.
const MostBeginning = 160

// beginningOf gives how a message begins, in whole characters.
func beginningOf(message string) string {
	message = strings.TrimLeft(message, " \t\n")
	if len(message) <= MostBeginning {
		return message
	}
	end := MostBeginning
	for end > 0 && !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end]
}

// Delivery is how the delivery of an open request stands (interaction format,
// "Listing requests"). A cancel closes a request at once, so none is cancelling.
type Delivery string

// How a delivery may stand.
const (
	HeldForAnAgent Delivery = "held_for_an_agent"
	ToDeliver      Delivery = "to_deliver"
	Delivering     Delivery = "delivering"
	Delivered      Delivery = "delivered"
	Retrying       Delivery = "retrying"
	Undelivered    Delivery = "undelivered"
)

// deliveryBytes are the ways in an index record. The numbers are part of the
// format.
var deliveryBytes = map[Delivery]byte{
	HeldForAnAgent: 1, ToDeliver: 2, Delivering: 3, Delivered: 4, Retrying: 5, Undelivered: 6,
}

func deliveryOf(b byte) (Delivery, bool) {
	for delivery, number := range deliveryBytes {
		if number == b {
			return delivery, true
		}
	}
	return "", false
}

// Attempt is one attempt to deliver a request.
type Attempt struct {
	Started time.Time // UTC, in milliseconds
	Ended   time.Time // zero while it is in progress or cut off
	// Until is when it counts as cut off, if its process is gone.
	Until time.Time
	// Because is why it failed, such as timed_out; empty when it has not.
	Because string
	// RetryAfter is how long the server asked to be left alone; 0 when it did not.
	RetryAfter time.Duration
}

// Sent is what a request was delivered as.
type Sent struct {
	Conversation string
	ID           string
	// ConversationIsNumber and IDIsNumber say that the tool gave a number.
	ConversationIsNumber, IDIsNumber bool
}

// Value is what the templates of replies and tell read as sent: each as the tool
// gave it.
func (s *Sent) Value() *value.Object {
	return object("conversation", identityValue(s.Conversation, s.ConversationIsNumber), "id", identityValue(s.ID, s.IDIsNumber))
}

func identityValue(text string, isNumber bool) value.Value {
	if isNumber {
		if v, err := value.ParseJSON([]byte(text), 1); err == nil {
			return v
		}
	}
	return text
}

// identity gives a text or a number as text.
func identity(v value.Value) (text string, isNumber, ok bool) {
	if text, isText := v.(string); isText {
		return text, false, true
	}
	if _, isNumber := value.Number(v); isNumber {
		return value.JSON(v), true, true
	}
	return "", false, false
}

// conversation is the one that the replies to the request are read in.
func (r *Request) conversation() Conversation {
	return Conversation{Server: r.Server, Tool: r.ReadBy, Key: r.Conversation}
}

// unfinished tells whether the last attempt has not ended.
func (r *Request) unfinished() bool {
	return len(r.Attempts) > 0 && r.Attempts[len(r.Attempts)-1].Ended.IsZero()
}

func (r *Request) isOpen() bool { return r.Closed.IsZero() }

// delivery says how the delivery stands, from the attempts.
func (r *Request) delivery() Delivery {
	switch {
	case r.Server == "":
		return HeldForAnAgent
	case r.unfinished():
		return Delivering
	case r.GivenUp:
		return Undelivered
	case len(r.Attempts) == 0:
		return ToDeliver
	case r.Attempts[len(r.Attempts)-1].Because == "":
		return Delivered
	}
	return Retrying
}

func (r *Request) encode() []byte {
	attempts := make([]value.Value, len(r.Attempts))
	for i, a := range r.Attempts {
		attempts[i] = object("started", writtenTime(a.Started), "ended", writtenTime(a.Ended), "until", writtenTime(a.Until),
			"because", optionalText(a.Because), "retry_after_ms", float64(a.RetryAfter.Milliseconds()))
	}
	var sent *value.Object
	if r.Sent != nil {
		sent = r.Sent.Value()
	}
	return sealObject(object(
		"run_id", r.RunID, "type", r.Type, "name", r.Name, "definition_version", float64(r.Version),
		"to", r.To, "answerer", r.Answerer, "message", r.Message,
		"takes_answer", r.TakesAnswer, "answer_schema", r.AnswerSchema,
		"server", r.Server, "tool", r.Tool, "sign_in", optionalObject(r.SignIn),
		"asked", writtenTime(r.Asked), "expires", writtenTime(r.Expires), "due", writtenTime(r.Due),
		"attempts", attempts, "given_up", r.GivenUp,
		"sent", optionalObject(sent), "conversation", r.Conversation, "read_by", r.ReadBy, "refused", float64(r.Refused), "told", float64(r.Told),
		"closed", writtenTime(r.Closed), "answer_id", float64(r.AnswerID), "order", float64(r.order),
	))
}

func decodeRequest(sealed []byte) (*Request, error) {
	r := unsealObject(sealed)
	q := &Request{
		RequestSummary: RequestSummary{
			RunID: r.text("run_id"), Type: r.text("type"), Name: r.text("name"),
			Version: int(r.whole("definition_version", maxCount)),
			To:      r.text("to"), TakesAnswer: r.flag("takes_answer"),
			Asked: r.time("asked"), Expires: r.time("expires"),
			order: uint64(r.whole("order", maxOrder)),
		},
		Answerer: r.text("answerer"), Message: r.text("message"),
		Server: r.text("server"), Tool: r.text("tool"), SignIn: r.optional("sign_in"),
		Due: r.time("due"), Attempts: r.attempts("attempts"), GivenUp: r.flag("given_up"),
		Conversation: r.text("conversation"), Refused: int(r.whole("refused", maxCount)),
		Closed: r.time("closed"), AnswerID: uint64(r.whole("answer_id", maxOrder)),
	}
	q.AnswerSchema, _ = r.object.Get("answer_schema")
	// Records that were written before replies were read lack these.
	if r.object.Has("read_by") {
		q.ReadBy, q.Told = r.text("read_by"), int(r.whole("told", maxCount))
	}
	if sent := r.optional("sent"); sent != nil {
		q.Sent = r.sent(sent)
	}
	if r.err != nil {
		return nil, r.err
	}
	q.Delivery, q.Beginning = q.delivery(), beginningOf(q.Message)
	return q, nil
}

// sent gives what a request was delivered as.
func (r *reader) sent(of *value.Object) *Sent {
	conversation, _ := of.Get("conversation")
	id, _ := of.Get("id")
	s, usable, has := &Sent{}, false, false
	s.Conversation, s.ConversationIsNumber, usable = identity(conversation)
	s.ID, s.IDIsNumber, has = identity(id)
	if !usable || !has {
		r.fault("sent")
	}
	return s
}

// attempts gives a list of attempts.
func (r *reader) attempts(key string) []Attempt {
	held, _ := r.object.Get(key)
	list, ok := held.([]value.Value)
	if !ok {
		r.fault(key)
		return nil
	}
	var attempts []Attempt
	for _, item := range list {
		within := &reader{}
		if within.object, ok = item.(*value.Object); !ok {
			r.fault(key)
			return nil
		}
		attempts = append(attempts, Attempt{
			Started: within.time("started"), Ended: within.time("ended"), Until: within.time("until"), Because: within.optionalText("because"),
			RetryAfter: time.Duration(within.whole("retry_after_ms", maxOrder/int64(time.Millisecond))) * time.Millisecond,
		})
		if within.err != nil {
			r.fault(key)
		}
	}
	return attempts
}

// The index record of an open request: how its delivery stands, whether it takes
// an answer, when it was asked and expires in milliseconds, its version, and its
// texts, each behind its length. Earlier versions wrote four texts, without the
// beginning of the message.
const requestHead = 1 + 1 + 8 + 8 + 4

func (s *RequestSummary) encode() []byte {
	record := make([]byte, 0, requestHead+64+len(s.RunID)+len(s.Name)+len(s.To)+len(s.Beginning))
	takes := byte(0)
	if s.TakesAnswer {
		takes = 1
	}
	record = append(record, deliveryBytes[s.Delivery], takes)
	record = binary.BigEndian.AppendUint64(record, millis(s.Asked))
	record = binary.BigEndian.AppendUint64(record, millis(s.Expires))
	record = binary.BigEndian.AppendUint32(record, uint32(s.Version))
	texts := []string{s.RunID, s.Type, s.Name, s.To}
	if s.Beginning != "" {
		texts = append(texts, s.Beginning)
	}
	for _, text := range texts {
		record = binary.AppendUvarint(record, uint64(len(text)))
		record = append(record, text...)
	}
	return seal(record)
}

// requestGlance is the index record of an open request while it still lies in the
// file.
type requestGlance struct {
	record []byte    // its head
	whole  []byte    // its texts as they lie behind one another
	texts  [5][]byte // run id, type, name, party, and the beginning of the message
	ends   [5]int    // where each ends in whole
}

func (g *requestGlance) at(sealed []byte) error {
	record, err := unseal(sealed)
	if err != nil {
		return err
	}
	if len(record) < requestHead {
		return damage("an index record is too short")
	}
	g.record, record = record[:requestHead], record[requestHead:]
	g.whole = record
	for i := range g.texts {
		if beginning := len(g.texts) - 1; i == beginning && len(record) == 0 {
			g.texts[i], g.ends[i] = nil, len(g.whole)
			break
		}
		size, used := binary.Uvarint(record)
		if used <= 0 || size > uint64(len(record)-used) {
			return damage("an index record has no usable texts")
		}
		g.texts[i] = record[used : used+int(size)]
		record = record[used+int(size):]
		g.ends[i] = len(g.whole) - len(record)
	}
	return nil
}

func (g *requestGlance) summary(order uint64) (RequestSummary, error) {
	delivery, ok := deliveryOf(g.record[0])
	if !ok {
		return RequestSummary{}, damage("an index record has no usable delivery")
	}
	whole := string(g.whole) // one piece of memory for all texts: a list is made of thousands
	text := func(i int) string { return whole[g.ends[i]-len(g.texts[i]) : g.ends[i]] }
	return RequestSummary{
		RunID: text(0), Type: text(1), Name: text(2), To: text(3),
		Version: int(binary.BigEndian.Uint32(g.record[18:])), TakesAnswer: g.record[1] == 1,
		Asked:    fromMillis(binary.BigEndian.Uint64(g.record[2:])),
		Expires:  fromMillis(binary.BigEndian.Uint64(g.record[10:])),
		Delivery: delivery, Beginning: text(4), order: order,
	}, nil
}

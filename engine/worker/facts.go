package worker

// This file is what a worker says of the things it did.

import (
	"time"

	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// Did is what was done, in one word.
type Did string

// The things that are done.
const (
	Delivered       Did = "delivered"        // a request reached its party
	DeliveryFailed  Did = "delivery_failed"  // an attempt failed
	DeliveryRefused Did = "delivery_refused" // it cannot be sent, and is not tried
	Expired         Did = "expired"          // nobody answered in time, and the run ended
	Undelivered     Did = "undelivered"      // a notification was given up, and its run ended
	Answered        Did = "answered"         // a reply was taken as the answer, and the run ended
	ReplyRefused    Did = "reply_refused"    // a reply was no answer
	ReadingFailed   Did = "reading_failed"   // a conversation could not be read
	Told            Did = "told"             // the party was told how to answer
	TellingFailed   Did = "telling_failed"   // that could not be sent
)

// Fact is one thing that a worker did. It is recorded in the store when it is told.
type Fact struct {
	Did  Did
	Time time.Time
	// The request; of a read, the oldest of its conversation.
	RunID      string
	Type, Name string
	To         string
	// The tool that was called; empty where none was.
	Server, Tool string
	Attempt      int    // of a delivery, from 1
	Because      string // why something failed or was refused, in the word of its event
	Words        string // and in words; empty where there are none
	Reply        string // the identity of the reply
	// Next is when it is tried again; zero when it is not.
	Next time.Time
}

// tell hands a fact out.
func (w *Worker) tell(asked *store.Request, fact Fact) {
	if w.told == nil {
		return
	}
	fact.Time = w.clock.Now().UTC()
	fact.RunID, fact.Type, fact.Name, fact.To = asked.RunID, asked.Type, asked.Name, asked.To
	w.telling.Lock()
	defer w.telling.Unlock()
	w.told(fact)
}

// Value is the fact as JSON; what does not apply is null.
func (f *Fact) Value() *value.Object {
	text := func(text string) value.Value {
		if text == "" {
			return nil
		}
		return text
	}
	at := func(t time.Time) value.Value {
		if t.IsZero() {
			return nil
		}
		return t.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	o := value.NewObject(14)
	o.Set("time", at(f.Time))
	o.Set("did", string(f.Did))
	o.Set("run_id", f.RunID)
	o.Set("type", f.Type)
	o.Set("name", f.Name)
	o.Set("to", f.To)
	o.Set("server", text(f.Server))
	o.Set("tool", text(f.Tool))
	o.Set("attempt", nil)
	if f.Attempt > 0 {
		o.Set("attempt", float64(f.Attempt))
	}
	o.Set("because", text(f.Because))
	o.Set("message", text(f.Words))
	o.Set("reply", text(f.Reply))
	o.Set("next_attempt_at", at(f.Next))
	return o
}

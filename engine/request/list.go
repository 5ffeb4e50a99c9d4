package request

// This file is an open request as a list of them shows it.

import (
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// Shown is an open request as list_interactions shows it (interaction format,
// "Listing requests").
func Shown(r *store.Request) *value.Object {
	o := value.NewObject(16)
	o.Set("run_id", r.RunID)
	o.Set("type", r.Type)
	o.Set("name", r.Name)
	o.Set("definition_version", float64(r.Version))
	o.Set("to", r.To)
	o.Set("delivery", deliveryOf(r.Server, r.Tool))
	o.Set("message", r.Message)
	o.Set("takes_answer", r.TakesAnswer)
	o.Set("asked_at", moment(r.Asked))
	o.Set("expires_at", moment(r.Expires))
	o.Set("attempts", float64(len(r.Attempts)))
	o.Set("delivery_state", string(r.Delivery))
	o.Set("answer_schema", r.AnswerSchema)
	o.Set("replies", repliesOf(r))
	o.Set("sign_in", signInOf(r))
	return o
}

// deliveryOf names the tool that sends a request, null for one held for an agent.
func deliveryOf(server, tool string) value.Value {
	if server == "" {
		return nil
	}
	o := value.NewObject(2)
	o.Set("server", server)
	o.Set("tool", tool)
	return o
}

// repliesOf says how the replies to a request are read, null when none are.
func repliesOf(r *store.Request) value.Value {
	if r.Conversation == "" {
		return nil
	}
	o := value.NewObject(3)
	o.Set("conversation", r.Conversation)
	o.Set("answerer", r.Answerer)
	o.Set("refused", float64(r.Refused))
	return o
}

func signInOf(r *store.Request) value.Value {
	if r.SignIn == nil {
		return nil
	}
	return r.SignIn
}

package store

// This file checks the conversations and the tellings.

import "time"

// inspectReadings sees that each conversation has the requests, and the place among
// those that are due, that its record says.
func (t transaction) inspectReadings(fault faultFunc) {
	due, open, seen := 0, 0, 0
	requests := map[Conversation]int{}
	t.each(bucketRequests, func(_, sealed []byte) {
		if request, err := decodeRequest(sealed); err == nil && request.ReadBy != "" {
			requests[request.conversation()]++
		}
	})
	t.each(bucketReadings, func(key, sealed []byte) {
		r, err := decodeReading(sealed)
		if err != nil {
			fault("the conversation %q: %v", key, err)
			return
		}
		if string(r.key()) != string(key) {
			fault("the conversation %q is recorded as another", key)
			return
		}
		if r.requests != requests[r.Conversation] || r.requests == 0 {
			fault("the conversation %q has %d requests and the store %d", key, r.requests, requests[r.Conversation])
		}
		delete(requests, r.Conversation)
		participants, err := t.participants(r)
		if err != nil || len(participants) != r.Open {
			fault("the conversation %q lists %d open requests, and there are %d", key, r.Open, len(participants))
		}
		for _, p := range participants {
			if request, err := t.request(p.RunID); err == nil && (request == nil || !request.isOpen() || request.conversation() != r.Conversation) {
				fault("the conversation %q lists the request of run %s, which is not open in it", key, p.RunID)
			}
		}
		remembered := 0
		_ = t.eachOf(bucketReadingsSeen, r.order, func(_, held []byte) error {
			if len(held) != seenSize {
				fault("the conversation %q remembers a message wrongly", key)
			}
			remembered++
			return nil
		})
		if remembered != r.seen {
			fault("the conversation %q remembers %d messages, and there are %d", key, r.seen, remembered)
		}
		if r.Open > 0 {
			due++
		}
		if (r.Open > 0) == r.Due.IsZero() || r.Open > 0 && string(t.get(bucketReadingsDue, r.dueKey())) != string(key) {
			fault("the conversation %q is not due as it is recorded", key)
		}
		open, seen = open+r.Open, seen+r.seen
	})
	for of := range requests {
		fault("the conversation %q of a request is missing", of.key())
	}
	for bucket, want := range map[string]int{string(bucketReadingsDue): due, string(bucketReadingsOpen): open, string(bucketReadingsSeen): seen} {
		if listed := t.each([]byte(bucket), func([]byte, []byte) {}); listed != want {
			fault("the list %s has %d and the store %d", bucket, listed, want)
		}
	}
	t.inspectTellings(fault)
}

func (t transaction) inspectTellings(fault faultFunc) {
	t.each(bucketTellings, func(key, sealed []byte) {
		g, err := decodeTelling(key, sealed)
		if err != nil {
			fault("the telling %x: %v", key, err)
			return
		}
		if claimed := t.get(bucketClaims, claimKey(claimTelling, numberText(g.order))) != nil; claimed == g.Started.Equal(time.Time{}) {
			fault("the telling %x is not claimed as it is recorded", key)
		}
	})
}

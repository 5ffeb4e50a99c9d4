package store

// This file is the messages of a conversation that are remembered: the playbook's own,
// and those that were dealt with.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// seenKind says what a remembered message is. The numbers are part of the format.
type seenKind byte

const (
	seenOwn   seenKind = 1 // the playbook sent it
	seenTaken seenKind = 2 // it was taken as an answer, or refused
)

const seenSize = 1 + 8 // the kind, and the order in which it was remembered

// mostSeen is how many messages of a conversation are remembered at most. A read
// lists at most 64 KiB, in which a message takes 16 bytes at least, so the oldest of
// more than these are in no list of the newest.
const mostSeen = 4096

// passOver remembers a reply that was dealt with: a tool that lists it again does not
// make it an answer to another request.
func (t transaction) passOver(r *Reading, reply string) error {
	if r == nil {
		return nil
	}
	if err := t.remember(r, reply, seenTaken); err != nil {
		return err
	}
	return t.putReading(r, r.Due)
}

// Seen tells which of these messages of a conversation were sent by the playbook or
// dealt with before.
func (s *Store) Seen(of Conversation, ids []string) (map[string]bool, error) {
	seen := map[string]bool{}
	err := s.read(func(t transaction) error {
		r, err := t.reading(of)
		if err != nil || r == nil {
			return err
		}
		for _, id := range ids {
			if t.remembers(r, id) {
				seen[id] = true
			}
		}
		return nil
	})
	return seen, err
}

// remember keeps the id of a message. The caller writes the reading after it.
func (t transaction) remember(r *Reading, id string, kind seenKind) error {
	if t.remembers(r, id) {
		return nil
	}
	if r.seen >= mostSeen {
		if err := t.forgetOldest(r); err != nil {
			return err
		}
	}
	order, err := t.next()
	if err != nil {
		return err
	}
	r.seen++
	return t.put(bucketReadingsSeen, seenKey(r.order, id), binary.BigEndian.AppendUint64([]byte{byte(kind)}, order))
}

func (t transaction) remembers(r *Reading, id string) bool {
	return r != nil && t.get(bucketReadingsSeen, seenKey(r.order, id)) != nil
}

// forgetOldest forgets the older half of the messages.
func (t transaction) forgetOldest(r *Reading) error {
	type message struct {
		key   []byte
		order uint64
	}
	var all []message
	err := t.eachOf(bucketReadingsSeen, r.order, func(key, held []byte) error {
		if len(held) != seenSize {
			return damage("a remembered message has no order")
		}
		all = append(all, message{bytes.Clone(key), binary.BigEndian.Uint64(held[1:])})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b message) int { return cmp.Compare(a.order, b.order) })
	for _, m := range all[:len(all)/2] {
		if err := t.remove(bucketReadingsSeen, m.key); err != nil {
			return err
		}
	}
	r.seen = len(all) - len(all)/2
	return nil
}

package store

// This file holds claims: who works on what must happen once.

import (
	"strings"
	"time"
)

// claimKind is a kind of work that is claimed. Each kind has keys of its own.
type claimKind string

const (
	claimRun      claimKind = "run"      // a run, by its id
	claimDelivery claimKind = "delivery" // the attempt to deliver a request that is being made, by its run's id
	claimReading  claimKind = "reading"  // the read of a conversation that is being made, by the conversation's number
	claimTelling  claimKind = "telling"  // the telling that is being sent, by its number
)

// claim is one claim as it stands in the file.
type claim struct {
	owner string
	since time.Time
}

func claimKey(kind claimKind, of string) []byte {
	return []byte(string(kind) + "\x00" + of)
}

// claimOf gives the claim of something, and nil when nobody has claimed it.
func (t transaction) claimOf(kind claimKind, of string) (*claim, error) {
	sealed := t.get(bucketClaims, claimKey(kind, of))
	if sealed == nil {
		return nil, nil
	}
	return decodeClaim(sealed)
}

func decodeClaim(sealed []byte) (*claim, error) {
	r := unsealObject(sealed)
	c := &claim{owner: r.text("owner"), since: r.time("since")}
	if r.err == nil && (c.owner == "" || strings.ContainsAny(c.owner, `/\`)) {
		r.fault("owner")
	}
	return c, r.err
}

func (t transaction) claimFor(kind claimKind, of string, owner *Owner) error {
	return t.put(bucketClaims, claimKey(kind, of), sealObject(object("owner", owner.name, "since", writtenTime(t.store.moment()))))
}

func (t transaction) release(kind claimKind, of string) error {
	return t.remove(bucketClaims, claimKey(kind, of))
}

// cutOff tells whether a claim's owner is gone.
func (t transaction) cutOff(c *claim) (bool, error) {
	alive, err := t.store.lives(c.owner)
	return !alive, err
}

// claimed gives what is claimed of a kind, by its key, with its claim.
func (t transaction) claimed(kind claimKind) (map[string]*claim, error) {
	all := map[string]*claim{}
	c := t.cursor(bucketClaims)
	if c == nil {
		return all, nil
	}
	prefix := string(claimKey(kind, ""))
	for key, sealed := c.Seek([]byte(prefix)); strings.HasPrefix(string(key), prefix); key, sealed = c.Next() {
		found, err := decodeClaim(sealed)
		if err != nil {
			return nil, err
		}
		all[string(key[len(prefix):])] = found
	}
	return all, nil
}

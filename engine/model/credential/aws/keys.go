package aws

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// This file says what the chain gives, and what it says when it gives nothing.

// keys are what a request is signed with. A zero expiry means never.
type keys struct {
	id, secret, token string
	expires           time.Time
}

func (k keys) complete() bool { return k.id != "" && k.secret != "" }

// way is one way to keys, ready to be taken.
type way struct {
	name    string // as an operator knows it
	without []string
	fetch   func(context.Context) (keys, error)
	// outlives is how long expired keys are used while there are no new ones.
	outlives time.Duration
}

// NoCredentials is a chain that gave no keys: the way it took, why that gave
// none, and why no way before it was taken. It holds no secret.
type NoCredentials struct {
	From    string
	Cause   error
	Without []string
}

func (e *NoCredentials) Error() string {
	text := fmt.Sprintf("%s: %v", e.From, e.Cause)
	if len(e.Without) > 0 {
		text += " (before it: " + strings.Join(e.Without, "; ") + ")"
	}
	return text
}

// Unwrap gives the cause.
func (e *NoCredentials) Unwrap() error { return e.Cause }

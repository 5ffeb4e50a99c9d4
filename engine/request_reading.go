package engine

// This file names what the readers of requests meet beside the requests.

import "github.com/beonauto/auto/engine/store"

type (
	// StoreHeldError is a store that others kept locked for as long as a call waits.
	StoreHeldError = store.HeldError
	// RequestAttempt is one attempt to deliver a request.
	RequestAttempt = store.Attempt
)

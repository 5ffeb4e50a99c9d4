package engine

import "github.com/beonauto/auto/engine/store"

// StoreHeldError is a store that others kept locked for as long as a call waits.
type StoreHeldError = store.HeldError

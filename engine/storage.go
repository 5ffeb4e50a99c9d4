package engine

// This file looks after the store's file.

import "github.com/beonauto/auto/engine/store"

// StoreReport is what a check of the store found.
type StoreReport = store.Report

// StoreDamagedError is a file that is no store, or no longer a whole one.
type StoreDamagedError = store.DamagedError

// The errors of looking after the store.
var (
	ErrNoStore      = store.ErrNotFound // nothing was recorded yet
	ErrBackupExists = store.ErrExists   // there is a file where the backup should go
)

// CheckStore looks at every page and record of the store and changes nothing.
func (r *Runtime) CheckStore() (*StoreReport, error) { return r.store.Check() }

// BackupStore copies the store as it stands into a new file.
func (r *Runtime) BackupStore(to string) error { return r.store.Backup(to) }

// CompactStore writes the store anew without the room that deleted records left,
// and gives its sizes in bytes before and after.
func (r *Runtime) CompactStore() (before, after int64, err error) {
	done, err := r.store.Compact()
	return done.Before, done.After, err
}

package engine

import "errors"

var (
	// ErrReadOnly is returned when a transaction started by View is asked to change something.
	ErrReadOnly = errors.New("engine: change in a View")
	// ErrNotNamed is returned when a transaction asks for a set whose key was not among the keys it started with.
	ErrNotNamed = errors.New("engine: key was not named when the transaction started")
	// ErrNoSet is returned when a set that is to be renamed or copied does not exist.
	ErrNoSet = errors.New("engine: no such set")
	// ErrTime is returned for a time at which no set can expire: before 1970 or after the year 9999.
	ErrTime = errors.New("engine: not a time to expire at")
	// ErrMemoryLimit is returned by Preload when the sets it reads would not fit in Options.MemoryLimit, and by Update of an engine
	// in memory only when the sets that the transaction changes would take more than before, and all more than that. Nothing has
	// changed. Removing always goes.
	ErrMemoryLimit = errors.New("engine: no room for more under the memory limit")
	// ErrTooManySets is returned by Update when there would be more sets than Options.MaxSets. Nothing has changed.
	ErrTooManySets = errors.New("engine: too many sets")
	// ErrKeyTooLong is returned when a key of a set, or a private key, is longer than MaxKey.
	ErrKeyTooLong = errors.New("engine: key is too long")
	// ErrTooManyKeys is returned when a transaction names more than MaxKeys keys.
	ErrTooManyKeys = errors.New("engine: transaction names too many keys")
	// ErrConflict is returned by Expect, ExpectScore and ExpectAbsent when somebody else was faster: read again and retry.
	ErrConflict = errors.New("engine: conflict")
	// ErrTxDone is returned when a transaction is used after its closure has returned.
	ErrTxDone = errors.New("engine: transaction is over")
)

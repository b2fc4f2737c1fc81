package txn

import (
	"errors"

	"github.com/zrankdb/zrank/engine/internal/residency"
)

// The errors of transactions; package engine says of each when it is returned.
var (
	ErrReadOnly    = errors.New("engine: change in a View")
	ErrNotNamed    = errors.New("engine: key was not named when the transaction started")
	ErrNoSet       = errors.New("engine: no such set")
	ErrTime        = errors.New("engine: not a time to expire at")
	ErrMemoryLimit = residency.ErrMemoryLimit
	ErrTooManySets = errors.New("engine: too many sets")
	ErrKeyTooLong  = errors.New("engine: key is too long")
	ErrTooManyKeys = errors.New("engine: transaction names too many keys")
	ErrConflict    = errors.New("engine: conflict")
	ErrTxDone      = errors.New("engine: transaction is over")
	ErrRestart     = errors.New("engine: the transaction restarts")
	ErrUndecided   = errors.New("engine: the transaction has happened, and is not known to be durable")
)

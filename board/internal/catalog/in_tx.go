package catalog

import (
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// IsMoved reports whether an error says that a transaction needs other keys than those that it has locked.
func IsMoved(err error) bool {
	return errors.Is(err, state.ErrMoved) || errors.Is(err, board.ErrMigrating) || errors.Is(err, engine.ErrNotNamed)
}

// In makes a call in a transaction of the caller's, with its keys locked. If the call needs other keys by then, the transaction restarts.
func (e *Env) In(tx *engine.Tx, keys func() ([]string, error), call func() error) error {
	if err := e.Lock(tx, keys); err != nil {
		return err
	}
	err := call()
	if err == state.ErrAgain || IsMoved(err) {
		return e.Restart(tx, keys, err)
	}
	return err
}

// Lock locks the keys that keys returns in a transaction of the caller's. keys may return ErrAgain, or an error of IsMoved, if what it looks at changes meanwhile: then it
// is asked again, while nothing is locked.
func (e *Env) Lock(tx *engine.Tx, keys func() ([]string, error)) error {
	return e.Owner.Lock(tx, e.settled(keys))
}

// Restart makes a transaction of the caller's restart, with the keys that keys returns then: see Lock.
func (e *Env) Restart(tx *engine.Tx, keys func() ([]string, error), why error) error {
	return e.Owner.Restart(tx, e.settled(keys), why)
}

// settled returns a function that asks keys until it has an answer. In a closure it does not ask again, but returns engine.ErrInTx.
func (e *Env) settled(keys func() ([]string, error)) func() ([]string, error) {
	return func() ([]string, error) {
		for {
			all, err := keys()
			if err != state.ErrAgain && !IsMoved(err) {
				return all, err
			}
			if err := e.CheckNotInTx(); err != nil {
				return nil, err
			}
		}
	}
}

// End makes a transaction of the caller's end with an error, whatever its closure returns: a part of a call is made. It returns the error.
func (e *Env) End(tx *engine.Tx, err error) error {
	e.Owner.Restart(tx, func() ([]string, error) { return nil, err }, err) //nolint:errcheck // the transaction does not run again
	return err
}

package catalog

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// HasNamed reports whether a transaction of the caller's has named a key.
func HasNamed(tx *engine.Tx, key string, f engine.Form) bool {
	_, err := tx.IntSet(key, f)
	return !errors.Is(err, engine.ErrNotNamed)
}

// NamedEarlier reports whether a transaction of the caller's has named the key that the ranking of a period had under an earlier version of the board:
// the board has been migrated since. O(versions).
func NamedEarlier(tx *engine.Tx, st *state.State, t *state.Timeline, period string) bool {
	for version := st.Version - 1; version > 0; version-- {
		if HasNamed(tx, boardkey.Key{Board: st.Name, Kind: t.Window.Name, Period: period, Version: version}.String(), st.Form) {
			return true
		}
	}
	return false
}

// IsMoved reports whether an error says that a transaction needs other keys than those that it has locked.
func IsMoved(err error) bool {
	return errors.Is(err, state.ErrMoved) || errors.Is(err, board.ErrMigrating) || errors.Is(err, engine.ErrNotNamed)
}

// InError returns the error of a call on a period in a transaction of the caller's. For one that concerns the keys which the transaction has named, it
// returns ErrMoved, ErrMigrating or engine.ErrNotNamed, with what the caller must do.
func InError(err error, tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot) error {
	switch {
	case err == nil:
		return nil
	case err == state.ErrAgain:
		err = board.ErrMigrating
	case err == state.ErrMoved:
	case !errors.Is(err, engine.ErrNotNamed):
		return err
	case slot.Parts != nil && slot.Parts.Limit > 0 && HasNamed(tx, slot.Key, st.Form):
		err = state.ErrMoved
	case NamedEarlier(tx, st, t, slot.Name):
		err = board.ErrMigrating
	default:
		return fmt.Errorf("%w: Hints.Read returns the keys of %s of %q, window %s", err, slot.Name, st.Name, t.Window.Name)
	}
	return fmt.Errorf("%w: %s of %q, window %s", err, slot.Name, st.Name, t.Window.Name)
}

package rolling

import (
	"errors"
	"math"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// SettleIn removes the results that have left by the time of a transaction of the caller's, which
// has named the keys of AppendKeys. O(1) if nothing is
// due. Errors: ErrMoved if something is due in a View, which can remove nothing; those of Board.CheckWritable then, and of the engine.
func SettleIn(tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline) error {
	b, st, t = origin(b, st, t)
	now := tx.Now().UnixMicro()
	if now < t.Roll.Next() {
		return nil
	}
	entries, err := tx.IntSet(Key(t), st.Form)
	if err != nil {
		return err
	}
	s, err := Open(tx, b, st, t, entries)
	if err != nil || s.head() > now {
		return err
	}
	if err := b.CheckWritable(st); err != nil {
		return err
	}
	err = b.Owner().In(tx, func() error {
		_, _, err := s.Expire(math.MaxInt)
		return err
	})
	if errors.Is(err, engine.ErrReadOnly) {
		err = state.ErrMoved
	}
	return err
}

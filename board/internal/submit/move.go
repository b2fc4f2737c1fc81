package submit

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Moved is an entry that has left a ranking because its member was hidden, or has come back into it.
type Moved struct {
	Window, Period string
	Row            board.Row // with its ordinal rank in the ranking, from 1, and without metadata
}

// MoveAnd hides a member in every period that accepts results, or shows it there. also is called at the end of the transaction with the entries; no period is
// closed meanwhile, and MoveAnd returns ErrAgain if the time of an open one is up. In rolling windows results of a hidden member leave as those of others do. Errors: ErrAgain, those of also and of the engine.
func MoveAnd(ctx context.Context, b *catalog.Board, st *state.State, member string, hide bool, also func(*engine.Tx, []Moved) error) error {
	var moved []Moved
	named := func(all []openPeriod) (keys []string) {
		for _, o := range all {
			keys = append(o.appendKeys(keys, member), o.t.HiddenKey(o.slot.Name))
			keys = following.AppendKeys(keys, b, o.t, o.slot, []byte(member))
		}
		return keys
	}
	all, err := changeAll(ctx, b, st, true, named, func(tx *engine.Tx, all []openPeriod) error {
		moved = moved[:0]
		for _, o := range all {
			row, ok, err := o.move(tx, b, st, member, hide)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			moved = append(moved, Moved{o.t.Window.Name, o.slot.Name, row})
			if err := o.noteMoved(tx, b, st, member, &row, hide); err != nil {
				return err
			}
		}
		return also(tx, slices.Clone(moved))
	})
	if err != nil {
		return unblock(ctx, err, b, st, periodsOf(all), 1)
	}
	ctx = context.WithoutCancel(ctx) // it is committed
	maintainParts(ctx, b, st, all)
	maintainTails(ctx, b, st, all, member)
	return nil
}

// move moves the entry of a member between the ranking of a period and the set beside it. It returns the row that the entry has in the ranking, and false
// if there is no entry. Errors: ErrMoved, ErrShort of package tail, those of the engine.
func (o openPeriod) move(tx *engine.Tx, b *catalog.Board, st *state.State, member string, hide bool) (row board.Row, ok bool, err error) {
	if o.division != nil && !o.slot.Parts.Is(o.division) {
		return row, false, errs.ErrMoved
	}
	if rolling.IsRolling(o.t) {
		if _, err := OpenRolling(tx, st, o.t); err != nil {
			return row, false, err
		}
	}
	var e rules.Entry
	if !hide {
		if _, e, ok, err = o.removeHidden(tx, st, member); err != nil || !ok {
			return row, ok, err
		}
		if row, err = o.put(tx, b, st, member, e); err != nil {
			return row, ok, err
		}
		return row, ok, following.Apply(tx, b, o.t, o.slot, following.Change{Member: []byte(member), Has: true, After: e.Score, Hides: true, Reached: tx.Now().UnixMicro()})
	}
	at := o.placeOf(member)
	if err := at.Open(tx, b, st, nil); err != nil {
		return row, false, err
	}
	if row, e, ok, err = take(tx, st, &at); err == nil && ok {
		if err = o.putHidden(tx, st, member, e); err == nil {
			err = o.followRemoval(tx, b, member, e, true)
		}
	}
	return row, ok, err
}

// put gives a member that has none an entry in the ranking, and returns its row.
func (o openPeriod) put(tx *engine.Tx, b *catalog.Board, st *state.State, member string, e rules.Entry) (row board.Row, err error) {
	at := o.placeOf(member)
	if err := at.Open(tx, b, st, nil); err != nil {
		return row, err
	}
	score, tie := st.Rules.Encode(make([]byte, 0, rules.MaxTie), e)
	_, after, err := at.Put(tie, score)
	if err != nil {
		return row, err
	}
	return at.Row(tx, st, after, &e, place.Is)
}

// maintainTails makes the steps that the entry of a member that has come back has made due.
func maintainTails(ctx context.Context, b *catalog.Board, st *state.State, all []openPeriod, member string) {
	for _, o := range all {
		if tail.Has(o.t) {
			at := o.placeOf(member)
			at.Maintain(ctx, b, st)
		}
	}
}

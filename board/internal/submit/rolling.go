package submit

import (
	"context"
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

const (
	// expireOwn is the number of results that a transaction of this package removes from a rolling window: those that have become due since
	// Settle. If there are more, it begins again.
	expireOwn = 64
	// expireAll is the number in a transaction of the caller's, which cannot begin again.
	expireAll = 1 << 30
)

// openRolling opens the sets of the rolling windows, and removes the results that have left. Errors: ErrAgain, those of the engine.
func (p *plan) openRolling(tx *engine.Tx) (err error) {
	limit := expireOwn
	if p.within {
		limit = expireAll
	}
	p.rolls = p.rolls[:0]
	for i := range p.outcomes {
		o, t := &p.outcomes[i], p.lines[i]
		if !rolling.IsRolling(t) {
			continue
		}
		if len(p.rolls) == 0 {
			p.rolls = slices.Grow(p.rolls, len(p.outcomes)) // so that append moves none of them
		}
		p.rolls = append(p.rolls, rolled{})
		o.roll = &p.rolls[len(p.rolls)-1]
		if o.roll.Sets, err = p.openSets(tx, t, o.Ranking()); err != nil {
			return err
		}
		if o.roll.due, err = expire(&o.roll.Sets, limit); err != nil {
			return err
		}
	}
	return nil
}

// openSets opens the sets of a rolling window. A member is hidden in a transaction that begins after Hides knows of it, so without hidden members there are none
// until the end of this one. Error: ErrMoved if there are hidden members by now.
func (p *plan) openSets(tx *engine.Tx, t *state.Timeline, entries *engine.IntSet) (rolling.Sets, error) {
	if p.hides {
		return rolling.Open(tx, p.st, t, entries)
	}
	s, err := rolling.OpenShown(tx, p.st, t, entries)
	if err == nil && p.b.Hides.Any() {
		err = errs.ErrMoved
	}
	return s, err
}

// expire removes the results that have left, up to limit of them. If there are more, it returns errBehind.
func expire(s *rolling.Sets, limit int) (rolling.Due, error) {
	d, more, err := s.Expire(limit)
	if err == nil && more {
		err = errBehind
	}
	return d, err
}

// errBehind makes a call begin again after Settle: more results have left than its transaction removes.
var errBehind = errors.New("board: behind")

// settleIf calls Settle and returns ErrAgain if err is errBehind, and otherwise returns err.
func settleIf(ctx context.Context, err error, b *catalog.Board, st *state.State) error {
	if err != errBehind {
		return err
	}
	if err := rolling.SettleAll(ctx, b, st); err != nil {
		return err
	}
	return errs.ErrAgain
}

// raiseDue notes what the transaction has found out, once it has been committed.
func (p *plan) raiseDue() {
	for i := range p.rolls {
		p.rolls[i].due.Raise()
	}
}

// OpenRolling opens the sets of a rolling window for a change of a member, and removes what has left. UnblockClosed handles the error that says that too much
// has. Errors: those of the engine.
func OpenRolling(tx *engine.Tx, st *state.State, t *state.Timeline) (s rolling.Sets, err error) {
	entries, err := tx.IntSet(rolling.Key(t), st.Form)
	if err != nil {
		return s, err
	}
	return openRolling(tx, st, t, entries, expireOwn)
}

// openRolling opens the sets of a rolling window, and removes the results that have left, up to limit of them. Errors: errBehind, those of the engine.
func openRolling(tx *engine.Tx, st *state.State, t *state.Timeline, entries *engine.IntSet, limit int) (rolling.Sets, error) {
	s, err := rolling.Open(tx, st, t, entries)
	if err == nil {
		_, err = expire(&s, limit)
	}
	return s, err
}

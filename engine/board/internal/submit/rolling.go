package submit

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/rolling"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/rules"
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
	for i := range p.outcomes {
		o, t := &p.outcomes[i], p.st.Timelines[i]
		if o.isRolling = rolling.IsRolling(t); !o.isRolling {
			continue
		}
		if o.roll, err = rolling.Open(tx, p.st, t, o.set); err != nil {
			return err
		}
		if err := expire(tx, &o.roll, limit); err != nil {
			return err
		}
	}
	return nil
}

// expire removes the results that have left, up to limit of them. If there are more, it returns ErrAgain.
func expire(tx *engine.Tx, s *rolling.Sets, limit int) error {
	more, err := s.Expire(tx.Now().UnixMicro(), limit)
	if err == nil && more {
		err = errs.ErrAgain
	}
	return err
}

// addRolling stores the submission's result in a rolling window.
func (p *plan) addRolling(o *outcome) error {
	err := o.roll.Add(p.member, o.sub, o.next)
	if errors.Is(err, rules.ErrOverflow) {
		err = p.ruleError(err)
	}
	return err
}

// openToRemove opens the sets of a rolling window for a removal, and removes the results that have left. Errors: ErrAgain, those of the engine.
func openToRemove(tx *engine.Tx, st *state.State, t *state.Timeline, entries *engine.IntSet) (rolling.Sets, error) {
	s, err := rolling.Open(tx, st, t, entries)
	if err == nil {
		err = expire(tx, &s, expireOwn)
	}
	return s, err
}

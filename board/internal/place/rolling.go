package place

import (
	"errors"
	"math"

	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// inRolling is a place in the ranking of a rolling window. Whoever opens it, beside the ranking
// too, removes the results that have left.
type inRolling struct{ oneSet }

// expireOwn is the number of results that a transaction removes from a rolling window: those that
// have become due since Settle. If there are more, it begins again. One of the caller's removes all
// of them, since it cannot.
const expireOwn = 64

// errBehind makes a call begin again after Settle: more results have left than its transaction
// removes.
var errBehind = errors.New("board: behind")

func (p inRolling) appendKeys(dst []string, _ bool) []string {
	return append(dst, p.Slot.Key, p.T.Roll.Timers, p.T.Roll.Results)
}

func (p inRolling) open(tx *engine.Tx) error {
	if err := p.oneSet.open(tx); err != nil {
		return err
	}
	return p.openResults(tx)
}

// version implements kind: it rises with every result that is stored.
func (p inRolling) version() uint64 { return p.roll.Version() }

// openResults opens the sets beside a rolling ranking, which is open, and removes the results that
// have left. Errors: errBehind, those of the observers and of the engine.
func (p *Place) openResults(tx *engine.Tx) (err error) {
	s := &p.memory().roll
	if *s, err = rolling.Open(tx, p.Board, p.State, p.T, p.ranking); err != nil {
		return err
	}
	limit := expireOwn
	if p.Within {
		limit = math.MaxInt
	}
	more := false
	if p.due, more, err = s.Expire(limit); err == nil && more {
		err = errBehind
	}
	p.roll = s
	return err
}

// Results returns the results of a rolling window, nil of another one.
func (p *Place) Results() *rolling.Sets { return p.roll }

// Add adds a result, which makes the entry next, if the window is a rolling one: there it is kept.
func (p *Place) Add(sub, next rules.Entry) error {
	if p.roll == nil {
		return nil
	}
	return p.roll.Add(p.Member, sub, next)
}

// Refuses returns an error if a result cannot be added to an entry that the member has: see
// rolling.Sets.Refuses.
func (p *Place) Refuses(was rules.Entry, had bool) error {
	if p.roll == nil {
		return nil
	}
	return p.roll.Refuses(was, had)
}

// Committed notes what the transaction has found out, once it has been committed.
func (p *Place) Committed() { p.due.Raise() }

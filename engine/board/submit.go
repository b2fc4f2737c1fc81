package board

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// errAgain says that a plan is out of date.
var errAgain = errors.New("board: again")

// outcome is what a submission makes of a member's entry in one window.
type outcome struct {
	set       *engine.IntSet
	old, next rules.Entry
	had       bool
	changed   bool
}

// run applies the plan's submission in a transaction and says what it has done.
func (p *plan) run(tx *engine.Tx) (Change, error) {
	c := Change{}
	outcomes, err := p.apply(tx, &c)
	if err != nil {
		return Change{}, err
	}
	for i := range outcomes {
		if err := p.after(c.move(i), &outcomes[i]); err != nil {
			return Change{}, err
		}
	}
	return c, p.keepBest(tx, &c)
}

// apply applies the submission to every window. All outcomes are worked out before one is stored, so that an error of the board's
// leaves every window alone. c, if not nil, is told how things are before.
func (p *plan) apply(tx *engine.Tx, c *Change) ([]outcome, error) {
	if err := p.current(); err != nil {
		return nil, err
	}
	again, err := p.again(tx)
	if err != nil {
		return nil, err
	}
	outcomes, err := p.open(tx)
	if err != nil {
		return nil, err
	}
	if c != nil {
		c.Others = make([]Move, len(outcomes)-1)
		c.Duplicate = again
		for i := range outcomes {
			if err := p.before(c.move(i), i, &outcomes[i]); err != nil {
				return nil, err
			}
		}
	}
	if again {
		return outcomes, nil
	}
	skip, err := p.decide(tx, outcomes)
	if err != nil {
		return nil, err
	}
	if skip {
		if c != nil {
			c.Skipped = true
		}
		return outcomes, nil
	}
	return outcomes, p.store(tx, outcomes)
}

// current returns errAgain if the board has another spec by now, or is about to.
func (p *plan) current() error {
	if p.b.frozen.Load() || p.b.state.Load() != p.st {
		return errAgain
	}
	return nil
}

// open finds the member's entries.
func (p *plan) open(tx *engine.Tx) ([]outcome, error) {
	outcomes := make([]outcome, len(p.slots))
	for i, x := range p.slots {
		s, err := tx.IntSet(x.key, p.st.form)
		if err != nil {
			return nil, err
		}
		o := &outcomes[i]
		o.set = s
		if score, tie, had := s.Get([]byte(p.sub.Member)); had {
			o.old, o.had = p.st.rules.Decode(score, tie), true
		}
		o.next = o.old
	}
	return outcomes, nil
}

// decide works out what becomes of the entries, or that the submission does not count. The periods are locked by now: so a
// period that takes the submission is closed after it.
func (p *plan) decide(tx *engine.Tx, outcomes []outcome) (skip bool, err error) {
	if err := p.inTime(tx); err != nil {
		return false, err
	}
	first := &outcomes[0]
	sub := rules.Entry{Score: p.sub.Score, Reached: p.sub.At.UnixMicro()}
	if p.score != nil {
		was, _, _, err := p.st.look(first.set).find(p.sub.Member)
		if err != nil {
			return false, err
		}
		score, ok := p.score(was, first.had)
		if !ok {
			return true, nil
		}
		sub.Score = score
	}
	counts, err := p.counts(first, sub.Score)
	if err != nil || !counts {
		return !counts, err
	}
	for i := range outcomes {
		o := &outcomes[i]
		sub.Arrival = o.set.Version()
		if o.next, o.changed, err = p.st.rules.Apply(o.old, o.had, sub); err != nil {
			return false, fmt.Errorf("%w: %q, member %q", err, p.st.name, p.sub.Member)
		}
	}
	return false, nil
}

// counts reports whether the submission's condition holds.
func (p *plan) counts(first *outcome, score Score) (bool, error) {
	switch p.sub.If {
	case IfNew:
		return !first.had, nil
	case IfRanked:
		return first.had, nil
	case IfBetter:
		own, err := p.st.rules.Check(score)
		if err != nil {
			return false, fmt.Errorf("%w: %q, member %q", err, p.st.name, p.sub.Member)
		}
		return !first.had || p.st.rules.Compare(own, first.old.Score) < 0, nil
	}
	return true, nil
}

// inTime returns the error of a period that takes no more results. A submission of now whose period has just ended is one of the
// next period.
func (p *plan) inTime(tx *engine.Tx) error {
	now := tx.Now()
	for i, x := range p.slots {
		s := p.st.spans[i]
		if s.takes(x, now) {
			continue
		}
		if live, err := s.cal.At(now); p.implicit && err == nil && live.Name != x.Name {
			return errAgain
		}
		return s.shut(x, p.sub.At, now)
	}
	return nil
}

// store writes the outcomes down.
func (p *plan) store(tx *engine.Tx, outcomes []outcome) error {
	if err := p.remember(tx); err != nil {
		return err
	}
	var room [rules.MaxTie]byte
	for i := range outcomes {
		o := &outcomes[i]
		if !o.changed {
			continue
		}
		score, tie := p.st.rules.Encode(room[:0], o.next)
		if _, err := o.set.AddTied([]byte(p.sub.Member), tie, score); err != nil {
			return err
		}
		if err := p.keepMeta(tx, i); err != nil {
			return err
		}
	}
	return nil
}

// look returns what a ranking of the board shows, in ordinal ranks and without metadata.
func (st *state) look(s *engine.IntSet) *look { return &look{v: s.IntView, rules: st.rules} }

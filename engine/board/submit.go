package board

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// outcome is what a submission makes of a member's entry in one window.
type outcome struct {
	set       *engine.IntSet
	old, next rules.Entry
	had       bool
	changed   bool
}

// run applies the plan's submission in a transaction and says what it has done.
func (p *plan) run(tx *engine.Tx, c *Change) error {
	*c = Change{}
	if err := p.apply(tx, c); err != nil {
		return err
	}
	for i := range p.outcomes {
		if err := p.after(c.move(i), &p.outcomes[i]); err != nil {
			return err
		}
	}
	return p.keepBest(tx, c)
}

// apply applies the submission to every window. All outcomes are worked out before one is stored, so that an error of the board's
// leaves every window alone. c, if not nil, is told how things are before.
func (p *plan) apply(tx *engine.Tx, c *Change) error {
	if err := p.b.current(p.st); err != nil {
		return err
	}
	duplicate, err := p.again(tx)
	if err != nil {
		return err
	}
	if err := p.open(tx); err != nil {
		return err
	}
	if c != nil {
		c.Duplicate = duplicate
		if err := p.before(c); err != nil {
			return err
		}
	}
	if duplicate {
		return nil
	}
	skip, err := p.decide(tx)
	if err == nil && !skip {
		return p.store(tx)
	}
	if c != nil {
		c.Skipped = skip
	}
	return err
}

// open finds the member's entries.
func (p *plan) open(tx *engine.Tx) error {
	p.outcomes = p.outcomes[:0]
	for _, x := range p.slots {
		s, err := tx.IntSet(x.key, p.st.form)
		if err != nil {
			return err
		}
		o := outcome{set: s}
		if score, tie, had := s.Get(p.member); had {
			o.old, o.had = p.st.rules.Decode(score, tie), true
		}
		o.next = o.old
		p.outcomes = append(p.outcomes, o)
	}
	return nil
}

// decide works out what becomes of the entries, or that the submission does not count.
func (p *plan) decide(tx *engine.Tx) (skip bool, err error) {
	now := tx.Now()
	if err := p.inTime(now); err != nil {
		return false, err
	}
	first := &p.outcomes[0]
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
	for i := range p.outcomes {
		o := &p.outcomes[i]
		sub.Arrival = o.set.Version()
		if o.next, o.changed, err = p.st.rules.Apply(o.old, o.had, sub); err != nil {
			return false, p.fault(err)
		}
	}
	return false, p.enter(now)
}

// fault is an error of the rules.
func (p *plan) fault(err error) error {
	return p.blame(fmt.Errorf("%w: %q, member %q", err, p.st.name, p.sub.Member))
}

// blame is an error that the submission itself has, and not the board or the engine: a *BatchError, unless it is errAgain.
func (p *plan) blame(err error) error {
	if err == errAgain {
		return err
	}
	return &BatchError{p.index, err}
}

// unblame returns the error of a submission alone.
func unblame(err error) error {
	if of, ok := err.(*BatchError); ok {
		return of.Err
	}
	return err
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
			return false, p.fault(err)
		}
		return !first.had || p.st.rules.Compare(own, first.old.Score) < 0, nil
	}
	return true, nil
}

// inTime returns the error of a period that takes no more results, blamed on the submission.
func (p *plan) inTime(now time.Time) error {
	for i, x := range p.slots {
		if s := p.st.spans[i]; !s.takes(x, now) {
			return p.blame(p.refused(s, x, now))
		}
	}
	return nil
}

// refused is what to answer when a period takes no more results: a submission of now is one of the next period, if that has begun
// since the call asked for the time.
func (p *plan) refused(s *span, x *slot, now time.Time) error {
	if p.implicit && s.left(x, p.b.bs.Now()) {
		return errAgain
	}
	return s.shut(x, p.sub.At, now)
}

// enter notes the periods that the submission changes, and looks again whether it may: from now on a transaction that closes one of them, or
// migrates the board, finds it and waits for its lock.
func (p *plan) enter(now time.Time) error {
	entered := false
	for i, x := range p.slots {
		if p.outcomes[i].changed {
			p.st.spans[i].note(x)
			entered = true
		}
	}
	if !entered {
		return nil
	}
	if err := p.b.current(p.st); err != nil {
		return err
	}
	return p.inTime(now)
}

// store writes the outcomes down.
func (p *plan) store(tx *engine.Tx) error {
	if err := p.remember(tx); err != nil {
		return err
	}
	var room [rules.MaxTie]byte
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if !o.changed {
			continue
		}
		score, tie := p.st.rules.Encode(room[:0], o.next)
		if _, err := o.set.AddTied(p.member, tie, score); err != nil {
			return err
		}
		if err := p.keepMeta(tx, i); err != nil {
			return err
		}
	}
	return nil
}

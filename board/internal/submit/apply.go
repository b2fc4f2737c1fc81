package submit

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// run applies the plan's submission in a transaction, and fills in the Change.
func (p *plan) run(tx *engine.Tx, c *board.Change) error {
	*c = board.Change{}
	if err := p.apply(tx, c); err != nil {
		return err
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		switch {
		case p.rankLater(o):
			continue
		case o.at.IsOneSet():
			if err := p.after(moveOf(c, i), o); err != nil {
				return err
			}
			continue
		}
		var memory counts
		done, err := p.inParts(tx, o, &memory.look)
		if err == nil {
			err = p.afterParts(moveOf(c, i), o, &memory)
			done()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// apply applies the submission to every window. It computes all outcomes before it stores one, so
// that an error of the board changes no window. Unless c is nil, it also fills in the windows and
// what they were before.
func (p *plan) apply(tx *engine.Tx, c *board.Change) error {
	if err := p.b.CheckWritable(p.st); err != nil {
		return err
	}
	duplicate, err := p.isDuplicate(tx)
	if err != nil {
		return err
	}
	if err := p.readEntries(tx); err != nil {
		return err
	}
	if c != nil {
		c.Duplicate = duplicate
		p.before(c)
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

// readEntries reads the member's entries. It first looks the member up in all windows with nothing
// in between, so that their cache misses overlap.
func (p *plan) readEntries(tx *engine.Tx) (err error) {
	if err := p.checkHidden(); err != nil {
		return err
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if o.changed, o.ignored, o.stepDue, o.keeps = false, "", false, nil; p.hidden {
			err = o.at.OpenWithRanking(tx)
		} else {
			err = o.at.Open(tx)
		}
		if err != nil {
			return err
		}
	}
	for i := range p.outcomes {
		p.outcomes[i].at.Get()
	}
	keeps := place.KeepsAny(p.st)
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if o.at.Find(&o.Change); !o.Had {
			o.kept, o.Was = place.Kept{}, rules.Entry{}
		} else if keeps {
			if o.kept, err = o.at.Kept(); err != nil {
				return err
			}
		}
		o.Has, o.Is, o.Hidden = o.Had, o.Was, p.hidden
	}
	return nil
}

// checkHidden returns ErrMoved if the member has been hidden or shown since fill looked, or is
// about to be: the submission needs other keys.
func (p *plan) checkHidden() error {
	if is, changes := p.b.Hides.Of(p.member); changes || is != p.hidden {
		return state.ErrMoved
	}
	return nil
}

// decide computes the outcomes. It reports skip if the submission does not count.
func (p *plan) decide(tx *engine.Tx) (skip bool, err error) {
	now := tx.Now()
	if err := p.mayChange(now); err != nil {
		return false, err
	}
	if p.implicit && now.After(p.sub.At) && p.areIn(now) { // so that what others have committed while the call waited for its locks is older
		p.sub.At = now
	}
	first := &p.outcomes[0]
	sub := rules.Entry{Score: p.sub.Score, Reached: p.sub.At.UnixMicro()}
	if p.score != nil {
		was, err := p.was()
		if err != nil {
			return false, err
		}
		score, ok := p.score(was, first.Had)
		if !ok {
			return true, nil
		}
		sub.Score = score
	}
	meets, err := entry.Meets(p.st.Rules, p.sub.If, first.Had, first.Was.Score, sub.Score)
	if err != nil {
		return false, p.ruleError(err)
	}
	if !meets {
		return true, nil
	}
	number, err := p.beginRow(tx, sub)
	if err != nil {
		return false, err
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		// With a journal the number of its row makes the arrivals of two submissions differ
		// although the first has changed nothing: after a revert its result may count.
		if sub.Arrival = o.at.Version(); number > 0 && o.at.Division() == nil {
			sub.Arrival += number
			p.rowBefore(o).Arrival = sub.Arrival
		}
		var err error
		o.Is, o.changed, o.keeps, o.ignored, err = entry.Apply(p.st.Rules, o.Was, o.Had, o.kept.Value, sub)
		if err == nil {
			err = o.at.Refuses(o.Was, o.Had)
		}
		if err == nil && number > 0 {
			p.rowBefore(o).Kept, err = o.at.KeptBefore(o.kept.Value, sub)
		}
		if err != nil {
			return false, p.ruleError(err)
		}
		if o.Has = o.Had || o.changed; o.T.Roll != nil {
			o.result = sub
		}
	}
	return false, p.noteOpen(now)
}

// areIn reports whether no period of the submission has ended by a time.
func (p *plan) areIn(at time.Time) bool {
	for _, slot := range p.periods {
		if !slot.IsIn(at) {
			return false
		}
	}
	return true
}

// was returns the member's row in the first window before the submission; it is zero if the member
// is not ranked.
func (p *plan) was() (row board.Row, err error) {
	first := &p.outcomes[0]
	if !first.Had {
		return row, nil
	}
	return first.at.Row(first.at.Rank(), &first.Was, place.Was)
}

// noteOpen notes the periods that the submission changes as open. Then it checks again whether the
// submission may change them, and where the member's entries are: a closing, a migration, or a call
// that hides the member that begins after the check finds these periods, and waits for the locks of
// their sets.
func (p *plan) noteOpen(now time.Time) error {
	noted := false
	for i := range p.outcomes {
		if o := &p.outcomes[i]; o.changed {
			o.T.NoteOpen(o.Slot)
			noted = true
		}
	}
	if !noted {
		return nil
	}
	if err := p.b.CheckWritable(p.st); err != nil {
		return err
	}
	if err := p.checkHidden(); err != nil {
		return err
	}
	return p.mayChange(now)
}

// store writes the outcomes to the sets.
func (p *plan) store(tx *engine.Tx) error {
	if err := p.storeOnce(tx); err != nil {
		return err
	}
	if err := p.storeRow(); err != nil {
		return err
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if err := o.at.PutKept(o.kept, o.keeps); err != nil {
			return err
		}
		if err := o.at.Add(o.result, o.Is); err != nil {
			return err
		}
		if !o.changed {
			continue
		}
		o.Reached, o.Skill = p.sub.At.UnixMicro(), p.sub.Skill
		if err := o.at.Change(&o.Change); err != nil {
			return p.changeError(tx, err)
		}
		o.stepDue = o.at.IsStepDue(o.Had)
		if p.sub.Meta == nil {
			continue
		}
		if err := o.at.PutMeta(p.sub.Meta); err != nil {
			return err
		}
	}
	return nil
}

// changeError returns the error of a change. The transaction ends if a group cannot have its score.
func (p *plan) changeError(tx *engine.Tx, err error) error {
	if refused := new(rules.ScoreError); !errors.As(err, &refused) {
		return err
	}
	if err = p.ruleError(err); p.within {
		return p.b.Env().End(tx, unwrapBatch(err))
	}
	return err
}

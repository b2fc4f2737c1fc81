package submit

import (
	"errors"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/ranking"
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
		if p.rankLater(i) {
			continue
		}
		if err := p.afterIn(tx, i, moveOf(c, i)); err != nil {
			return err
		}
	}
	return p.storeBest(tx, c)
}

// afterIn fills in the Move of window i in the transaction.
func (p *plan) afterIn(tx *engine.Tx, i int, m *board.Move) error {
	if p.isOneSet(i) {
		return p.after(m, &p.outcomes[i])
	}
	var memory counts
	done, err := p.inParts(tx, i, &memory.look)
	if err != nil {
		return err
	}
	defer done()
	return p.afterParts(m, &p.outcomes[i], &memory)
}

// apply applies the submission to every window. It computes all outcomes before it stores one, so that an error of the board changes no
// window. Unless c is nil, it also fills in the windows and what they were before.
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

// readEntries reads the member's entries. It first looks the member up in all windows with nothing in between, so that their cache misses
// overlap.
func (p *plan) readEntries(tx *engine.Tx) error {
	if err := p.checkHidden(); err != nil {
		return err
	}
	p.tails = p.tails[:0]
	for i := range p.outcomes {
		o := &p.outcomes[i]
		o.old, o.changed, o.ignored, o.roll, o.stepDue = rules.Entry{}, false, "", nil, false
		if err := p.open(tx, i, o); err != nil {
			return err
		}
	}
	if err := p.openRolling(tx); err != nil {
		return err
	}
	for i := range p.outcomes {
		_, _, p.outcomes[i].had = p.outcomes[i].Get()
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if o.had {
			score, tie, _ := o.Get()
			o.old = p.st.Rules.Decode(score, tie)
		}
		o.next = o.old
	}
	return p.readKept(tx)
}

// decide computes the outcomes. It reports skip if the submission does not count.
func (p *plan) decide(tx *engine.Tx) (skip bool, err error) {
	now := tx.Now()
	if err := p.mayChange(now); err != nil {
		return false, err
	}
	if p.implicit && now.After(p.sub.At) && AreIn(p.slots, now) { // so that what others have committed while the call waited for its locks is older
		p.sub.At = now
	}
	first := &p.outcomes[0]
	sub := rules.Entry{Score: p.sub.Score, Reached: p.sub.At.UnixMicro()}
	if p.score != nil {
		was, err := p.was(tx)
		if err != nil {
			return false, err
		}
		score, ok := p.score(was, first.had)
		if !ok {
			return true, nil
		}
		sub.Score = score
	}
	holds, err := p.conditionHolds(first, sub.Score)
	if err != nil || !holds {
		return !holds, err
	}
	number, err := p.beginRow(tx, sub)
	if err != nil {
		return false, err
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		// With a journal the number of its row makes the arrivals of two submissions differ although the first has changed nothing: after a revert its
		// result may count.
		switch {
		case o.roll != nil:
			sub.Arrival = o.roll.Version()
		case p.slots[i].Parts != nil:
			sub.Arrival = 0 // the versions of two parts cannot be compared
		default:
			sub.Arrival = o.Version() + number
		}
		if number > 0 {
			p.rowBefore(i).Arrival = sub.Arrival
		}
		if err = p.applyRules(i, sub); err == nil && o.roll != nil {
			err = o.roll.Refuses(o.old, o.had)
		}
		if err != nil {
			return false, p.ruleError(err)
		}
		if o.roll != nil {
			o.roll.sub = sub
		}
	}
	return false, p.noteOpen(now)
}

// AreIn reports whether no period has ended by a time.
func AreIn(slots []*state.Slot, at time.Time) bool {
	return !slices.ContainsFunc(slots, func(s *state.Slot) bool { return !s.End.IsZero() && !at.Before(s.End) })
}

// was returns the member's row in the first window before the submission; it is zero if the member is not ranked.
func (p *plan) was(tx *engine.Tx) (row board.Row, err error) {
	first := &p.outcomes[0]
	switch {
	case !first.had:
	case p.hidden:
		ranking.SetRow(&row, p.st.Rules, 0, p.sub.Member, &first.old)
	case !p.isOneSet(0):
		return p.rowInParts(tx)
	default:
		first.SetRow(&row, p.st, p.sub.Member, first.Rank(), &first.old, place.Was)
	}
	return row, nil
}

// conditionHolds reports whether the submission's condition holds.
func (p *plan) conditionHolds(first *outcome, score rules.Score) (bool, error) {
	switch p.sub.If {
	case board.IfNew:
		return !first.had, nil
	case board.IfRanked:
		return first.had, nil
	case board.IfBetter:
		own, err := p.st.Rules.Check(score)
		if err != nil {
			return false, p.ruleError(err)
		}
		return !first.had || p.st.Rules.Compare(own, first.old.Score) < 0, nil
	}
	return true, nil
}

// noteOpen notes the periods that the submission changes as open. Then it checks again whether the submission may change them, and where the member's
// entries are: a closing, a migration, or a call that hides the member that begins after the check finds these periods, and waits for the locks of their sets.
func (p *plan) noteOpen(now time.Time) error {
	noted := false
	for i, slot := range p.slots {
		if p.outcomes[i].changed {
			p.lines[i].NoteOpen(slot)
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
	if err := p.storeKept(tx); err != nil {
		return err
	}
	var tieArray [rules.MaxTie]byte
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if o.roll != nil {
			if err := o.roll.Add(p.member, o.roll.sub, o.next); err != nil {
				return err
			}
		}
		if !o.changed {
			continue
		}
		score, tie := p.st.Rules.Encode(tieArray[:0], o.next)
		var err error
		if o.before, o.after, err = o.Put(tie, score); err != nil {
			return err
		}
		o.stepDue = o.IsStepDue(o.had)
		if err := p.storeMeta(tx, i); err != nil {
			return err
		}
		if t := p.lines[i]; t.HasCohorts && !o.had {
			if err := leagues.Place(tx, p.st, t, p.slots[i], p.member, p.sub.Skill); err != nil {
				return err
			}
		}
		if err := p.follow(tx, i, o); err != nil {
			return err
		}
	}
	return p.noteEvents(tx)
}

// follow makes the boards that follow do so after the entry in window i has changed.
func (p *plan) follow(tx *engine.Tx, i int, o *outcome) error {
	if p.hidden || !following.HasFollowers(p.b) {
		return nil
	}
	err := following.Apply(tx, p.b, p.lines[i], p.slots[i], following.Change{Member: p.member, Had: o.had, Before: o.old.Score, Has: true, After: o.next.Score, Reached: p.sub.At.UnixMicro()})
	if err == nil {
		return nil
	}
	refused := new(rules.ScoreError)
	switch {
	case !errors.As(err, &refused):
		return err
	case p.within:
		return p.b.Env().End(tx, unwrapBatch(p.ruleError(err)))
	}
	return p.ruleError(err)
}

package place

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// Coming returns a change that is about to be made: for the keys of its observers.
func (p *Place) Coming(why feed.Kind) catalog.Change {
	return catalog.Change{State: p.State, T: p.T, Slot: p.Slot, Closed: p.Closed, Member: p.Member, Why: why, Before: -1, After: -1}
}

// BeginChange sets c to the change that takes away the entry which the place has. O(1).
func (p *Place) BeginChange(c *catalog.Change, why feed.Kind) {
	*c = p.Coming(why)
	c.Hidden, c.Reached = p.isBeside, p.tx.Now().UnixMicro()
	p.Find(c)
}

// Find sets what a change says of the entry that the place has. O(1).
func (p *Place) Find(c *catalog.Change) {
	score, tie, ok := p.Get()
	if c.Had = ok; ok {
		c.Was = p.State.Rules.Decode(score, tie)
	}
}

// Change stores what a change says, c.Is or no entry, once for each Open, sets the ranks of c and
// its Ranking, and tells the observers. An entry that goes is removed with what is kept beside it,
// unless the member is hidden or shown. Errors: tail.ErrShort, those of the observers and of the
// engine.
func (p *Place) Change(c *catalog.Change) (err error) {
	if c.Has {
		err = p.putIs(c)
	} else if c.Before, c.After = p.Rank(), -1; c.Hides {
		err = p.Take()
	} else {
		err = p.Remove()
	}
	if err != nil {
		return err
	}
	c.Ranking = p.ranking
	return p.Board.Changed(p.tx, c)
}

// putIs stores the entry that the member has from now on. In parts its rank is counted only where
// it is kept, by submissions that have all parts locked.
func (p *Place) putIs(c *catalog.Change) (err error) {
	score, tie := p.State.Rules.Encode(p.tie[:0], c.Is)
	if c.Before, c.After, err = p.Put(tie, score); err != nil || p.isBeside || c.After >= 0 || !p.State.Spec.BestRanks || c.Why != feed.Submitted {
		return err
	}
	row, err := p.Row(-1, &c.Is, Is)
	c.After = row.Rank - 1
	return err
}

// Remove removes the entry and what is kept beside it, once for each Open. Errors: those of Take.
func (p *Place) Remove() error {
	if err := p.Take(); err != nil {
		return err
	}
	if p.roll != nil {
		if err := p.roll.Remove(p.Member); err != nil {
			return err
		}
	}
	return p.DeleteBeside(p.tx)
}

// Leave makes the change that takes away the entry, if there is one: c.Had says so. It returns the
// row that the entry had. Errors: those of Change.
func (p *Place) Leave(why feed.Kind, hides bool) (row board.Row, c catalog.Change, err error) {
	p.BeginChange(&c, why)
	if !c.Had {
		return row, c, nil
	}
	if row, err = p.Row(p.Rank(), &c.Was, Was); err == nil {
		c.Hides = hides
		err = p.Change(&c)
	}
	return row, c, err
}

// Hide moves the entry from the ranking to the place beside it, and Show moves it back. They return
// the row that it has in the ranking, and false if there is no entry. Errors: those of Open and of
// Change.
func (p *Place) Hide(tx *engine.Tx) (row board.Row, ok bool, err error) {
	if err := p.Open(tx); err != nil {
		return row, false, err
	}
	row, c, err := p.Leave(feed.Hidden, true)
	if err != nil || !c.Had {
		return row, false, err
	}
	if err := p.OpenHidden(tx); err != nil {
		return row, false, err
	}
	score, tie := p.State.Rules.Encode(p.tie[:0], c.Was)
	_, _, err = p.Put(tie, score)
	return row, true, err
}

// Show is the inverse of Hide.
func (p *Place) Show(tx *engine.Tx) (row board.Row, ok bool, err error) {
	if err := p.Open(tx); err != nil { // what has left a rolling window leaves
		return row, false, err
	}
	if err := p.OpenHidden(tx); err != nil {
		return row, false, err
	}
	var c catalog.Change
	if p.BeginChange(&c, feed.Shown); !c.Had {
		return row, false, nil
	}
	if err := p.Take(); err != nil {
		return row, true, err
	}
	if err := p.Open(tx); err != nil {
		return row, true, err
	}
	c.Had, c.Has, c.Is, c.Hidden, c.Hides = false, true, c.Was, false, true
	if err := p.Change(&c); err != nil {
		return row, true, err
	}
	row, err = p.Row(c.After, &c.Is, Is)
	return row, true, err
}

// MayBeHidden reports whether the entry may be beside the ranking.
func (p *Place) MayBeHidden() bool {
	is, changes := p.Board.Hides.Of(p.Member)
	return is || changes
}

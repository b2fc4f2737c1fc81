package groups

import (
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// HasFollowers reports whether other boards follow a board. O(1).
func HasFollowers(b *catalog.Board) bool { return len(b.Followers()) > 0 }

// Observer makes the boards that follow a board do so: it is told of the changes of members'
// entries.
type Observer struct{}

// Changed implements catalog.Observer. The transaction has noted the period as open, or nobody else
// closes or changes closed periods of the board and of those that follow it. Nothing of a hidden
// member counts for a group; its base goes with its entry. In a closed period a group whose score
// would be out of range keeps the one that it has. Errors: ErrMoved if the group has other sets by
// now, ErrAgain if the period that follows a closed one is open yet, a *rules.ScoreError for a group
// whose score is out of range, those of the engine.
func (Observer) Changed(tx *engine.Tx, b *catalog.Board, c *catalog.Change) error {
	for _, d := range b.Followers() {
		p, ok, err := follows(d, c)
		if err == nil && ok {
			err = p.changed(tx, c)
		}
		if err != nil && !keeps(c, err) {
			return err
		}
	}
	return nil
}

// keeps reports whether a group of a closed period keeps the score that it has, because that of err
// is out of range.
func keeps(c *catalog.Change, err error) bool {
	outOfRange := new(rules.ScoreError)
	return c.Closed && errors.As(err, &outOfRange)
}

// follows returns the period of a derived board that follows a change, and false if there is none.
func follows(d *catalog.Board, c *catalog.Change) (p period, ok bool, err error) {
	if c.Closed {
		return closedPeriodOf(d, c.T, c.Slot)
	}
	p, ok = periodOf(d, c.T, c.Slot)
	return p, ok, nil
}

// changed makes a derived board follow a change.
func (p *period) changed(tx *engine.Tx, c *catalog.Change) (err error) {
	var g *catalog.Group
	if !c.Hidden {
		if g, err = p.groupOf(tx, c.Member); err != nil {
			return err
		}
	}
	if c.Closed {
		p.b.Env().Idle.NoteRead(p.b.Engine().Now(), p.t.SetKeys(p.slot.Name)...) // the evictor evicts them again
		if err := p.carry(tx, c); err != nil {
			return err
		}
	}
	switch {
	case g == nil:
	case p.f.Totals.ByMember():
		err = p.rescore(tx, g, p.reachedBy(c), func(was rules.Score) (rules.Score, int64, error) { return p.best(tx, g, was, c) })
	default:
		err = p.applyChange(tx, g, c)
	}
	if (err == nil || keeps(c, err)) && c.Had && !c.Has && !c.Hides && p.keepsPoints() {
		err = p.moveBase(tx, g, c)
	}
	return err
}

// groupOf returns the group that a member is in, or was in when a closed period closed; nil for none.
// It waits for a transaction that is about to move the member, or to dissolve its group: it locks
// what that has locked.
func (p *period) groupOf(tx *engine.Tx, member []byte) (*catalog.Group, error) {
	if p.past {
		return p.groupThen(tx, string(member))
	}
	k := p.f.Groups
	for {
		g, changes := k.Of(tx, member)
		if !changes {
			return g, nil
		}
		err := p.b.Owner().Lock(tx, func() ([]string, error) {
			switch moves, ends := k.Undecided(member); {
			case moves:
				return []string{boardkey.MemberLock(k.Name, string(member))}, nil
			case ends != nil:
				return []string{boardkey.GroupLock(k.Name, ends.Name)}, nil
			}
			return nil, nil
		})
		if err != nil {
			return nil, err
		}
	}
}

// reachedBy returns when a group reaches its score by a change. In a closed period that is not when
// moderation makes the change.
func (p *period) reachedBy(c *catalog.Change) int64 {
	if p.past {
		return c.Is.Reached
	}
	return c.Reached
}

// applyChange adds a change of a member to the score of its group.
func (p *period) applyChange(tx *engine.Tx, g *catalog.Group, c *catalog.Change) error {
	var x totals.Total
	if err := p.add(tx, &x, g, c); err != nil {
		return err
	}
	_, err := p.change(tx, g, p.reachedBy(c), &x)
	return err
}

// change adds to the Total of a group. In a rolling window its score may stand for one beyond the
// end of the range: then change computes it from those of all members that the transaction sees,
// and reports whole.
func (p *period) change(tx *engine.Tx, g *catalog.Group, reached int64, by *totals.Total) (whole bool, err error) {
	at := p.borrow(g)
	defer at.giveBack()
	was, err := p.get(tx, at)
	if err != nil {
		return false, err
	}
	var score rules.Score
	if whole = was.exists && p.totals().IsAtEnd(was.score); whole {
		score, by.Members, err = p.tally(tx, g)
	} else {
		if was.exists {
			p.f.Totals.Plus(by, was.score)
		}
		if by.Members > 0 {
			score, err = p.totals().Score(by)
		}
	}
	if err != nil {
		return whole, err
	}
	return whole, p.put(tx, at, was, p.entryOf(score, by.Members), reached)
}

// rescore gives a group of an operator that goes by the best members the score and the number of
// members that best returns.
func (p *period) rescore(tx *engine.Tx, g *catalog.Group, reached int64, best func(was rules.Score) (rules.Score, int64, error)) error {
	at := p.borrow(g)
	defer at.giveBack()
	was, err := p.get(tx, at)
	if err != nil {
		return err
	}
	score, members, err := best(was.score)
	if err != nil {
		return err
	}
	return p.put(tx, at, was, p.entryOf(score, members), reached)
}

// add adds a change of a member to what the Total of its group is changed by.
func (p *period) add(tx *engine.Tx, x *totals.Total, g *catalog.Group, c *catalog.Change) error {
	if c.Had {
		p.f.Totals.Subtract(x, c.Was.Score)
		x.Members--
	}
	if c.Has {
		p.f.Totals.Add(x, c.Is.Score)
		x.Members++
	}
	if c.Had == c.Has || !p.keepsPoints() {
		return nil
	}
	points, err := p.readPoints(tx, c.Member)
	if err != nil {
		return err
	}
	base, ok := points.BaseOf(g.Number)
	if !ok {
		return nil
	}
	if c.Has {
		p.f.Totals.Subtract(x, base)
	} else {
		p.f.Totals.Add(x, base)
	}
	return nil
}

// best returns the score of a group of an operator that goes by the best members, and the number of
// members that have a score. O(1) for GroupBest unless the best member has fallen, else O(members
// of the group).
func (p *period) best(tx *engine.Tx, g *catalog.Group, was rules.Score, c *catalog.Change) (rules.Score, int64, error) {
	if members := p.f.Totals.Total; p.f.Totals.Derived.Op == board.GroupBest && was.Len() > 0 {
		n := members(was).Members
		switch {
		case c.Had && !c.Has:
			n--
		case !c.Had && c.Has:
			n++
		}
		switch {
		case n == 0:
			return was, 0, nil
		case c.Has && p.f.Totals.IsBetter(c.Is.Score, was):
			return p.f.Totals.WithMembers(c.Is.Score, n), n, nil
		case !c.Had || !p.f.Totals.IsBetter(c.Was.Score, was):
			return p.f.Totals.Recount(was, n), n, nil
		}
	}
	return p.tally(tx, g)
}

// tally computes the score of a group from those of all members that it has in the transaction.
func (p *period) tally(tx *engine.Tx, g *catalog.Group) (score rules.Score, members int64, err error) {
	of := p.f.Source.State()
	t, err := of.Timeline(p.t.Window.Name)
	if err != nil {
		return score, 0, err
	}
	name := p.slot.Name
	err = p.b.Owner().Lock(tx, func() ([]string, error) { return t.RankingKeys(name), nil })
	if err != nil {
		return score, 0, err
	}
	entries, err := place.Lookup(tx, p.f.Source, of, t, t.SlotFor(p.slot.Period))
	if err != nil {
		return score, 0, err
	}
	y := p.totals().Tally()
	err = p.eachMember(tx, g, func(name string) error {
		value, tie, ok, err := entries([]byte(name))
		if ok {
			var s rules.Score
			of.Rules.DecodeScore(&s, value, tie)
			y.Add(s)
		}
		return err
	})
	if err != nil || y.Members() == 0 {
		return score, 0, err
	}
	score, err = y.Score()
	return score, y.Members(), err
}

// eachMember calls fn with the members of a group, of a closed period with those of then.
func (p *period) eachMember(tx *engine.Tx, g *catalog.Group, fn func(name string) error) error {
	if !p.past {
		return p.eachPresent(tx, g, fn)
	}
	names, err := p.membersThen(tx, g)
	for _, name := range names {
		if err == nil {
			err = fn(name)
		}
	}
	return err
}

// moveBase forgets the base of a member whose entry is gone, or gives it to the member that has the
// entry. All that counts for the group of the first has a base of zero then, so that the other one
// can take its place in the group: see Source.Rename.
func (p *period) moveBase(tx *engine.Tx, g *catalog.Group, c *catalog.Change) error {
	points, err := p.readPoints(tx, c.Member)
	if err != nil {
		return err
	}
	base := points.Base
	if base != nil {
		points.Base = nil
		if err := p.storePoints(tx, c.Member, points); err != nil {
			return err
		}
	}
	switch {
	case c.To == nil:
		return nil
	case c.Merges:
		return p.mergeBase(tx, g, base, c)
	}
	if g != nil && (base == nil || base.Number != g.Number) {
		zero, err := p.f.Totals.Difference(c.Was.Score, c.Was.Score)
		if err != nil {
			return err
		}
		base = &totals.Part{Number: g.Number, Score: zero}
	}
	to, err := p.readPoints(tx, c.To)
	if err != nil || base == nil {
		return err
	}
	to.Base = base
	return p.storePoints(tx, c.To, to)
}

// mergeBase adds the base of a member to that of the one that gets its results, where results are
// added up: what has not counted of either does not count then. g is the group of the first.
func (p *period) mergeBase(tx *engine.Tx, g *catalog.Group, base *totals.Part, c *catalog.Change) error {
	if g == nil || base == nil || base.Number != g.Number || !p.f.Source.State().Rules.Sums() {
		return nil
	}
	into, err := p.groupOf(tx, c.To)
	if err != nil {
		return err
	}
	to, err := p.readPoints(tx, c.To)
	if err != nil || into == nil || to.Base == nil || to.Base.Number != into.Number {
		return err
	}
	if to.Base.Score, err = p.f.Totals.Sum(to.Base.Score, base.Score); err != nil {
		return err
	}
	if err := p.storePoints(tx, c.To, to); err != nil {
		return err
	}
	var by totals.Total
	p.f.Totals.Subtract(&by, base.Score)
	_, err = p.change(tx, into, p.reachedBy(c), &by)
	return err
}

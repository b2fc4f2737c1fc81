package following

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// HasFollowers reports whether other boards follow a board. O(1).
func HasFollowers(b *catalog.Board) bool { return len(b.Followers()) > 0 }

// AppendKeys appends the keys of the sets that a change of a member of a board in a period needs beside those of the period itself; nil stands for no member. If a
// transaction is about to move the member, or to dissolve its group, AppendKeys also appends the lock that this transaction has: Apply can do nothing before it ends.
func AppendKeys(dst []string, b *catalog.Board, t *state.Timeline, slot *state.Slot, member []byte) []string {
	for _, d := range b.Followers() {
		p, ok := periodOf(d, t, slot)
		if !ok {
			continue
		}
		var group []byte
		if member != nil {
			if dst = appendLock(dst, p.f.Groups, member); HasFollowers(d) {
				if g := p.f.Groups.Noted(nil, member); g != nil {
					group = g.Key
				}
			}
		}
		dst = AppendKeys(p.appendKeys(dst), d, p.t, p.slot, group)
	}
	return dst
}

// appendLock appends the lock of a transaction that is about to move a member, or to dissolve its group.
func appendLock(dst []string, k *catalog.Groups, member []byte) []string {
	switch moves, ends := k.Undecided(member); {
	case moves:
		return append(dst, boardkey.MemberLock(k.Name, string(member)))
	case ends != nil:
		return append(dst, boardkey.GroupLock(k.Name, ends.Name))
	}
	return dst
}

// Apply makes the boards that follow b do so. The transaction has changed the ranking, has named the keys of AppendKeys, and has noted the period as open.
// Errors: ErrMoved if that cannot be done now, a *rules.ScoreError for a group whose score is out of range, those of the engine.
func Apply(tx *engine.Tx, b *catalog.Board, t *state.Timeline, slot *state.Slot, c Change) error {
	for _, d := range b.Followers() {
		p, ok := periodOf(d, t, slot)
		if !ok {
			continue
		}
		g, changes := p.f.Groups.Of(tx, c.Member)
		if changes {
			return errs.ErrMoved
		}
		var err error
		switch {
		case g == nil:
		case p.f.Totals.ByMember():
			err = p.rescore(tx, g, c.Reached, func(was rules.Score) (rules.Score, int64, error) { return p.best(tx, slot, g, was, c) })
		default:
			err = p.applyChange(tx, g, &c)
		}
		if err == nil && c.Had && !c.Has && !c.Hides && p.keepsPoints() {
			err = p.moveBase(tx, g, &c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Forget forgets the base of a hidden member whose entry is gone. Nothing of it counts for a group.
func Forget(tx *engine.Tx, b *catalog.Board, t *state.Timeline, slot *state.Slot, member []byte) error {
	for _, d := range b.Followers() {
		p, ok := periodOf(d, t, slot)
		if !ok || !p.keepsPoints() {
			continue
		}
		if err := p.moveBase(tx, nil, &Change{Member: member}); err != nil {
			return err
		}
	}
	return nil
}

// applyChange adds a change of a member to the score of its group.
func (p *period) applyChange(tx *engine.Tx, g *membership.Group, c *Change) error {
	var x totals.Total
	if err := p.add(tx, &x, g, c); err != nil {
		return err
	}
	return p.change(tx, g, c.Reached, &x)
}

// change adds to the Total of a group. Then the boards that follow this one follow.
func (p *period) change(tx *engine.Tx, g *membership.Group, reached int64, by *totals.Total) error {
	s, err := p.open(tx)
	if err != nil {
		return err
	}
	was := p.get(s, g.Key)
	if was.exists {
		p.f.Totals.Plus(by, was.score)
	}
	var score rules.Score
	if by.Members > 0 {
		if score, err = p.f.Totals.Score(by); err != nil {
			return err
		}
	}
	return p.store(tx, s, g, was, score, by.Members, reached)
}

// rescore gives a group of an operator that goes by the best members the score and the number of members that best returns. Then the boards that follow this one
// follow.
func (p *period) rescore(tx *engine.Tx, g *membership.Group, reached int64, best func(was rules.Score) (rules.Score, int64, error)) error {
	s, err := p.open(tx)
	if err != nil {
		return err
	}
	was := p.get(s, g.Key)
	score, members, err := best(was.score)
	if err != nil {
		return err
	}
	return p.store(tx, s, g, was, score, members, reached)
}

// store stores the score of a group, and makes the boards that follow this one do so.
func (p *period) store(tx *engine.Tx, s sets, g *membership.Group, was entry, score rules.Score, members, reached int64) error {
	e, err := p.put(tx, s, g.Key, was, score, members, reached)
	if err != nil || e == was || !HasFollowers(p.b) {
		return err
	}
	return Apply(tx, p.b, p.t, p.slot, Change{Member: g.Key, Had: was.ranked, Before: was.score, Has: e.ranked, After: e.score, Reached: reached})
}

// add adds a change of a member to what the Total of its group is changed by.
func (p *period) add(tx *engine.Tx, x *totals.Total, g *membership.Group, c *Change) error {
	if c.Had {
		p.f.Totals.Subtract(x, c.Before)
		x.Members--
	}
	if c.Has {
		p.f.Totals.Add(x, c.After)
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

// best returns the score of a group of an operator that goes by the best members, and the number of members that have a score. The ranking of the members is one
// set, which the transaction has named. O(1) for GroupBest unless the best member has fallen, else O(members of the group).
func (p *period) best(tx *engine.Tx, slot *state.Slot, g *membership.Group, was rules.Score, c Change) (rules.Score, int64, error) {
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
		case c.Has && p.f.Totals.IsBetter(c.After, was):
			return p.f.Totals.WithMembers(c.After, n), n, nil
		case !c.Had || !p.f.Totals.IsBetter(c.Before, was):
			return p.f.Totals.Recount(was, n), n, nil
		}
	}
	return p.tally(tx, slot, g)
}

// tally computes the score of a group from those of all members that it has in the transaction.
func (p *period) tally(tx *engine.Tx, slot *state.Slot, g *membership.Group) (score rules.Score, members int64, err error) {
	of := p.f.Source.State()
	set, err := tx.IntSet(slot.Key, of.Form)
	if err != nil {
		return score, 0, err
	}
	y := p.f.Totals.Tally()
	const step = 256
	var names []string
	for last := ""; ; last = names[len(names)-1] {
		names = p.f.Groups.AppendMembers(tx, names[:0], g, last, step)
		for _, name := range names {
			if value, tie, ok := set.Get([]byte(name)); ok {
				var s rules.Score
				of.Rules.DecodeScore(&s, value, tie)
				y.Add(s)
			}
		}
		if len(names) < step {
			break
		}
	}
	if y.Members() == 0 {
		return score, 0, nil
	}
	score, err = y.Score()
	return score, y.Members(), err
}

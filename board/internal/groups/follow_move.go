package groups

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Scored is the groups that have their scores from all members whom a call moves, and that need no
// other one when the call comes to the next of these members.
type Scored map[scored]bool

// scored is a group in the ranking with a key.
type scored struct {
	key   string
	group int64
}

// held is what a period has of a member.
type held struct {
	score  rules.Score
	ranked bool
	hidden bool          // the entry is beside the ranking; false unless points of members are stored
	points totals.Points // none unless points of members are stored
}

// read returns what the period has of the member.
func (x *Source) read(tx *engine.Tx) (h held, err error) {
	if err := x.entry.Open(tx); err != nil {
		return h, err
	}
	value, tie, ranked := x.entry.Get()
	if h.ranked = ranked; !ranked && x.mayBeHidden() {
		if err := x.entry.OpenHidden(tx); err != nil {
			return h, err
		}
		value, tie, h.hidden = x.entry.Get()
	}
	if h.ranked || h.hidden {
		x.of.Rules.DecodeScore(&h.score, value, tie)
	}
	if x.keepsPoints() {
		h.points, err = x.readPoints(tx, x.member)
	}
	return h, err
}

// Move makes the member go from one group to another; nil stands for none. The transaction has
// locked the keys of the Source, and has moved the member, and all others of the call, in the kind.
// Nothing is done in a period that takes no more results. Errors: ErrAgain, ErrMoved, a
// *rules.ScoreError, those of the engine.
func (x *Source) Move(tx *engine.Tx, was, to *catalog.Group, m Scored) error {
	open, err := x.isOpen(tx)
	if err != nil || !open {
		return err
	}
	h, err := x.read(tx)
	if err == nil && was != nil {
		err = x.leave(tx, was, &h, m)
	}
	if err == nil && to != nil {
		var by totals.Total
		if err = x.putIn(&by, to, &h); err == nil && h.ranked {
			err = x.regroup(tx, to, &by, m)
		}
	}
	if err != nil || !x.keepsPoints() {
		return err
	}
	return x.storePoints(tx, x.member, h.points)
}

// leave takes the member out of a group.
func (x *Source) leave(tx *engine.Tx, g *catalog.Group, h *held, m Scored) (err error) {
	switch {
	case !h.ranked:
	case x.f.Totals.Derived.Points == board.Stay:
		left := totals.Part{Number: g.Number, Score: h.score}
		if base, ok := h.points.BaseOf(g.Number); ok {
			left.Score, err = x.f.Totals.Difference(h.score, base)
		}
		h.points.Left = append(h.points.Left, left)
	default:
		var by totals.Total
		x.takeOut(&by, g, h)
		err = x.regroup(tx, g, &by, m)
	}
	h.points.Base = nil
	return err
}

// takeOut subtracts what counts of the member, which is ranked, from what the Total of its group is
// changed by.
func (x *Source) takeOut(by *totals.Total, g *catalog.Group, h *held) {
	by.Members--
	x.f.Totals.Subtract(by, h.score)
	if base, ok := h.points.BaseOf(g.Number); ok {
		x.f.Totals.Add(by, base)
	}
}

// putIn adds the member to what the Total of a group is changed by. Nothing of a hidden one counts,
// but it has a base too.
func (x *Source) putIn(by *totals.Total, g *catalog.Group, h *held) (err error) {
	switch {
	case h.hidden:
		h.points.Base = &totals.Part{Number: g.Number, Score: h.score}
		return nil
	case !h.ranked:
		return nil
	case !x.keepsPoints():
		by.Members++
		x.f.Totals.Add(by, h.score)
		return nil
	}
	left, ok := h.points.TakeLeft(g.Number)
	h.points.Base = &totals.Part{Number: g.Number, Score: h.score}
	if ok { // it has come back: what it has left goes on
		h.points.Base.Score, err = x.f.Totals.Difference(h.score, left)
		return err
	}
	by.Members++
	return nil
}

// regroup changes the score of a group by a Total. With an operator that goes by the best members
// it computes it instead, once a call, from those that the group has then.
func (x *Source) regroup(tx *engine.Tx, g *catalog.Group, by *totals.Total, m Scored) (err error) {
	now := tx.Now().UnixMicro()
	key := scored{x.slot.Key, g.Number}
	if m[key] {
		return nil
	}
	if !x.f.Totals.ByMember() {
		m[key], err = x.change(tx, g, now, by)
		return err
	}
	m[key] = true
	return x.rescore(tx, g, now, func(rules.Score) (rules.Score, int64, error) { return x.tally(tx, g) })
}

// Rename gives the member's place in a group to the member of y, a Source of the same period, which
// is in no group. What it has left to groups goes to that member too. Its base stays with its
// entry: see catalog.Change. The transaction has locked the keys of both. Errors: those of Move.
func (x *Source) Rename(tx *engine.Tx, y *Source, g *catalog.Group, m Scored) error {
	open, err := x.isOpen(tx)
	if err != nil || !open {
		return err
	}
	from, err := x.read(tx)
	if err != nil {
		return err
	}
	to, err := y.read(tx)
	if err != nil {
		return err
	}
	var by totals.Total
	if from.ranked {
		x.takeOut(&by, g, &from)
	}
	switch base, renamed := to.points.BaseOf(g.Number); {
	case !renamed:
		err = y.putIn(&by, g, &to)
	case to.ranked: // its entry was renamed before
		by.Members++
		x.f.Totals.Add(&by, to.score)
		x.f.Totals.Subtract(&by, base)
	}
	if err == nil && (from.ranked || to.ranked) {
		err = x.regroup(tx, g, &by, m)
	}
	if err != nil || !x.keepsPoints() {
		return err
	}
	to.points.Left, from.points.Left = append(to.points.Left, from.points.Left...), nil
	if err := x.storePoints(tx, x.member, from.points); err != nil {
		return err
	}
	return x.storePoints(tx, y.member, to.points)
}

// Dissolve removes the entry of a group. Errors: ErrAgain, ErrMoved, those of the engine.
func (x *Source) Dissolve(tx *engine.Tx, g *catalog.Group) error {
	open, err := x.isOpen(tx)
	if err != nil || !open {
		return err
	}
	at := x.at(g.Name, g.Key)
	was, err := x.get(tx, &at)
	if err != nil {
		return err
	}
	return x.put(tx, &at, was, entry{}, tx.Now().UnixMicro())
}

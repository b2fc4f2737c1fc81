package following

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/membership"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/totals"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Move takes the member from one group to another; nil is none. The transaction has named the keys of the Source, and stores where the member is. Nothing is
// done in a period that takes no more results. Errors: ErrAgain, ErrMoved, a *rules.ScoreError, those of the engine.
func (x *Source) Move(tx *engine.Tx, was, to *membership.Group) error {
	open, err := x.isOpen(tx)
	if err != nil || !open {
		return err
	}
	if err := x.at.Open(tx, x.f.Source, x.of); err != nil {
		return err
	}
	value, tie, ranked := x.at.Get()
	var score rules.Score
	if ranked {
		x.of.Rules.DecodeScore(&score, value, tie)
	}
	var points totals.Points
	if x.keepsPoints() {
		if points, err = x.readPoints(tx, x.member); err != nil {
			return err
		}
	}
	if was != nil {
		if err := x.leave(tx, was, score, ranked, &points); err != nil {
			return err
		}
	}
	if to != nil && ranked {
		if err := x.join(tx, to, score, &points); err != nil {
			return err
		}
	}
	if !x.keepsPoints() {
		return nil
	}
	return x.storePoints(tx, x.member, points)
}

// leave takes the member out of a group.
func (x *Source) leave(tx *engine.Tx, g *membership.Group, score rules.Score, ranked bool, points *totals.Points) (err error) {
	base, hasBase := points.BaseOf(g.Number)
	points.Base = nil
	if !ranked {
		return nil
	}
	if x.f.Totals.Derived.Points == specs.Stay {
		left := totals.Part{Number: g.Number, Score: score}
		if hasBase {
			if left.Score, err = x.f.Totals.Difference(score, base); err != nil {
				return err
			}
		}
		points.Left = append(points.Left, left)
		return nil
	}
	if x.f.Totals.ByMember() {
		return x.rescore(tx, g, tx.Now().UnixMicro(), func(rules.Score) (rules.Score, int64, error) { return x.tally(tx, x.ofSlot, g, nil, x.member) })
	}
	by := totals.Total{Members: -1}
	x.f.Totals.Subtract(&by, score)
	if hasBase {
		x.f.Totals.Add(&by, base)
	}
	return x.change(tx, g, tx.Now().UnixMicro(), &by)
}

// join takes the member, which is ranked, into a group.
func (x *Source) join(tx *engine.Tx, g *membership.Group, score rules.Score, points *totals.Points) (err error) {
	if x.keepsPoints() {
		left, ok := points.TakeLeft(g.Number)
		points.Base = &totals.Part{Number: g.Number, Score: score}
		if ok { // it has come back: what it has left goes on
			points.Base.Score, err = x.f.Totals.Difference(score, left)
			return err
		}
	}
	if x.f.Totals.ByMember() {
		return x.rescore(tx, g, tx.Now().UnixMicro(), func(rules.Score) (rules.Score, int64, error) { return x.tally(tx, x.ofSlot, g, x.member, nil) })
	}
	by := totals.Total{Members: 1}
	if !x.keepsPoints() {
		x.f.Totals.Add(&by, score)
	}
	return x.change(tx, g, tx.Now().UnixMicro(), &by)
}

// Dissolve removes the entry of a group. Errors: ErrAgain, ErrMoved, those of the engine.
func (x *Source) Dissolve(tx *engine.Tx, g *membership.Group) error {
	open, err := x.isOpen(tx)
	if err != nil || !open {
		return err
	}
	s, err := x.open(tx)
	if err != nil {
		return err
	}
	name, reached := []byte(g.Name), tx.Now().UnixMicro()
	was := x.get(s, name)
	if _, err := x.put(tx, s, name, was, rules.Score{}, 0, reached); err != nil || !was.ranked {
		return err
	}
	return Apply(tx, x.b, x.t, x.slot, Change{Member: name, Had: true, Before: was.score, Reached: reached})
}

package groups

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// compute computes the scores of all groups in a transaction that has locked the keys of the source
// and those of the place. No member joins or leaves meanwhile. Error: a *rules.ScoreError.
// O(members).
func (x *Source) compute(tx *engine.Tx) (map[string]totals.Computed, error) {
	all := x.totals().Tallies()
	for _, key := range x.rankingKeys() {
		set, err := tx.IntSet(key, x.of.Form)
		if err != nil {
			return nil, err
		}
		for e := range set.Entries(0, set.Len()) {
			if err := x.tallyEntry(tx, all, e); err != nil {
				return nil, err
			}
		}
	}
	if x.keepsPoints() {
		if err := x.addLeft(tx, all); err != nil {
			return nil, err
		}
	}
	return all.Scores()
}

// tallyEntry adds an entry of a member of a group.
func (x *Source) tallyEntry(tx *engine.Tx, all *totals.Tallies, e zset.IntEntry) error {
	g, err := x.groupOf(tx, e.Member)
	if err != nil || g == nil {
		return err
	}
	var s rules.Score
	reached := x.of.Rules.DecodeScore(&s, e.Score, e.Tie)
	all.Add(g.Name, s, reached)
	if !x.keepsPoints() {
		return nil
	}
	points, err := x.readPoints(tx, e.Member)
	if base, ok := points.BaseOf(g.Number); ok {
		all.Of(g.Name).SubtractPart(base)
	}
	return err
}

// addLeft adds what members who have left groups have left there.
func (x *Source) addLeft(tx *engine.Tx, all *totals.Tallies) error {
	for kv, err := range tx.Scan(boardkey.PointsPrefix(x.st.Name, x.t.Window.Name, x.slot.Name)) {
		if err != nil {
			return err
		}
		points, err := totals.DecodePoints(kv.Value)
		if err != nil {
			return err
		}
		for _, l := range points.Left {
			g, err := x.numbered(tx, l.Number)
			if err != nil {
				return err
			}
			if g != nil {
				all.Of(g.Name).AddPart(l.Score, 1)
			}
		}
	}
	return nil
}

// numbered returns a group by its number; nil if it is gone, or was when a closed period closed.
func (x *Source) numbered(tx *engine.Tx, number int64) (*catalog.Group, error) {
	if x.past {
		return x.numberedThen(tx, number)
	}
	return x.f.Groups.Numbered(number), nil
}

// Fill computes the rankings of a new derived board. The boards that it follows are frozen, no
// transaction is in progress on them, and no member joins or leaves.
func Fill(ctx context.Context, b *catalog.Board) error {
	every := func(boardkey.Key) bool { return true }
	if err := b.Env().Deleter.DeleteSets(ctx, b.State().Name, every); err != nil { // a crash may have interrupted another Fill
		return err
	}
	for _, x := range Sources(b) {
		if err := x.fill(ctx); err != nil {
			return err
		}
	}
	return nil
}

// fill computes one ranking, in commits of some groups.
func (x *Source) fill(ctx context.Context) error {
	var all map[string]totals.Computed
	err := x.b.Engine().View(ctx, func(tx *engine.Tx) (err error) {
		all, err = x.compute(tx)
		return err
	}, x.Keys()...)
	names := slices.Sorted(maps.Keys(all))
	for part := range slices.Chunk(names, fillStep) {
		if err != nil {
			return err
		}
		err = x.update(ctx, func() []string { return x.appendKeys(nil, nil) }, func(tx *engine.Tx) error {
			for _, name := range part {
				if _, err := x.set(tx, name, all[name]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return err
}

// update runs a transaction that changes groups, again if entries are moved between sets meanwhile,
// and makes the steps that it has made due.
func (x *Source) update(ctx context.Context, keys func() []string, fn func(tx *engine.Tx) error) error {
	for {
		err := x.b.Owner().Update(ctx, keys(), fn)
		if err == nil {
			x.b.MakeDue()
			return nil
		}
		x.WaitForSteps()
		period := func(yield func(*state.Timeline, *state.Slot) bool) { yield(x.t, x.slot) }
		if again := place.Unblock(ctx, err, x.b, x.st, period, 1); again == err || again != state.ErrAgain {
			return again
		}
	}
}

// fillStep is the number of groups that a commit of Fill stores.
const fillStep = 1000

// Correct gives the groups of a derived board that nobody sees yet the scores that follow from
// their members, in open periods. The boards that it follows are frozen, no transaction is in
// progress on them, and no member joins or leaves. Error: a *rules.ScoreError. O(members).
func Correct(ctx context.Context, b *catalog.Board) error {
	for _, x := range Sources(b) {
		err := x.update(ctx, x.Keys, func(tx *engine.Tx) error {
			_, err := x.rebuild(tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Rebuild corrects the scores of all groups of a derived board in open periods, and returns how
// many it has corrected. Writers of the period wait meanwhile, and joins. O(members).
func Rebuild(ctx context.Context, b *catalog.Board) (corrected int, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return 0, err
	}
	if b.Following() == nil {
		return 0, fmt.Errorf("%w: %q", board.ErrNotDerived, b.State().Name)
	}
	if _, err := b.Readable(); err != nil {
		return 0, err
	}
	defer b.Following().Groups.Hold()()
	defer b.Following().Source.HoldState()()
	for _, x := range Sources(b) {
		if ctx.Err() != nil {
			return corrected, context.Cause(ctx)
		}
		n := 0
		err := x.update(ctx, x.Keys, func(tx *engine.Tx) error {
			n, x.moment = 0, x.f.Groups.Moment(tx.Now())
			ok, err := x.isOpen(tx)
			if err == nil && ok {
				n, err = x.rebuild(tx)
			}
			return err
		})
		if err != nil {
			return corrected, err
		}
		corrected += n
	}
	return corrected, nil
}

// rebuild gives all groups the scores that compute gives, and returns how many had others.
func (x *Source) rebuild(tx *engine.Tx) (n int, err error) {
	wants, err := x.compute(tx)
	if err != nil {
		return 0, err
	}
	names, err := x.names(tx, wants)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		changed, err := x.set(tx, name, wants[name])
		if err != nil {
			return 0, err
		}
		if changed {
			n++
		}
	}
	return n, nil
}

// set gives a group the score that compute has found, and reports whether it had another one.
func (x *Source) set(tx *engine.Tx, group string, c totals.Computed) (changed bool, err error) {
	at := x.at(group, []byte(group))
	was, err := x.get(tx, &at)
	if err != nil {
		return false, err
	}
	is := x.entryOf(c.Score, c.Members)
	return is != was, x.put(tx, &at, was, is, c.Reached)
}

// names returns the names of the groups that have an entry or are to have one, in order.
func (x *Source) names(tx *engine.Tx, wants map[string]totals.Computed) ([]string, error) {
	all := maps.Clone(wants)
	for _, key := range x.appendKeys(nil, nil) {
		set, err := tx.IntSet(key, x.st.Form)
		if err != nil {
			return nil, err
		}
		for e := range set.Entries(0, set.Len()) {
			all[string(e.Member)] = wants[string(e.Member)]
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

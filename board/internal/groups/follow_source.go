package groups

import (
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Source is an open period of the board that a derived board follows, with the place that follows
// it.
type Source struct {
	period
	of     *state.State
	ofT    *state.Timeline
	ofSlot *state.Slot

	member []byte
	entry  *place.Place // where the member has its entry

	moment catalog.Moment // of the transaction, once it has locked the sets: it says which periods take results

	closedAt int64 // of a closed period, see ClosedSource: when it was closed, in microseconds after 1970
}

// setMoment gives Sources the moment of a transaction.
func setMoment(all []Source, now catalog.Moment) {
	for i := range all {
		all[i].moment = now
	}
}

// Sources returns the open periods of the board that a derived board follows, in the windows in
// which it does, and then those that only the derived board has open: no member has a score there
// any more, and what members have left to groups may be there.
func Sources(b *catalog.Board) (all []Source) {
	of := b.Following().Source.State()
	add := func(t *state.Timeline, slot *state.Slot) {
		if p, ok := periodOf(b, t, slot); ok {
			all = append(all, Source{period: p, of: of, ofT: t, ofSlot: slot})
		}
	}
	for _, t := range of.Timelines {
		for _, slot := range t.OpenSlots() {
			add(t, slot)
		}
	}
	for _, own := range b.State().Timelines {
		t, err := of.Timeline(own.Window.Name)
		if err != nil {
			continue // a migration is under way
		}
		for _, slot := range own.OpenSlots() {
			if !slices.ContainsFunc(all, func(x Source) bool { return x.ofT == t && x.slot.Name == slot.Name }) {
				add(t, t.SlotOf(slot.Period))
			}
		}
	}
	return all
}

// Of returns the Source for a member.
func (x Source) Of(member []byte) Source {
	at := place.Of(x.f.Source, x.of, x.ofT, x.ofSlot, string(member))
	at.AsIs = true // groups have the scores of the entries that there are
	x.member, x.entry = member, &at
	return x
}

// rankingKeys returns the keys of the sets of the ranking.
func (x *Source) rankingKeys() []string { return x.ofT.RankingKeys(x.ofSlot.Name) }

// Keys returns the keys of the sets of all members and of all groups.
func (x *Source) Keys() []string { return x.appendKeys(x.rankingKeys(), nil) }

// AppendKeys appends the keys of the sets that a transaction locks before it looks whether the
// period is open: those of the groups and, of one for a member, of those that have the entry of the
// member. groups are those whose scores change; nil stands for none.
func (x *Source) AppendKeys(dst []string, groups ...*catalog.Group) []string {
	if x.entry != nil {
		dst = x.entry.AppendKeys(dst, false)
		if x.mayBeHidden() {
			dst = append(dst, x.entry.HiddenKey())
		}
	}
	for _, g := range groups {
		if g != nil {
			dst = x.appendKeys(dst, g.Key)
		}
	}
	return dst
}

// mayBeHidden reports whether points of the member are stored, and its entry may be beside the
// ranking.
func (x *Source) mayBeHidden() bool { return x.keepsPoints() && x.entry.MayBeHidden() }

// WaitForSteps waits for what moves entries of the ranking between sets.
func (x *Source) WaitForSteps() { x.ofSlot.WaitForSteps() }

// isOpen reports whether the period takes results in a transaction. Error: ErrAgain if one of the
// boards has another state by now.
func (x *Source) isOpen(tx *engine.Tx) (bool, error) {
	if err := x.f.Source.CheckWritable(x.of); err != nil {
		return false, err
	}
	switch err := x.b.CheckWritable(x.st); {
	case errors.Is(err, board.ErrNoBoard): // it has been dropped since Sources
		return false, state.ErrAgain
	case err != nil:
		return false, err
	}
	return !x.moment.IsAfter(x.pastOf()), nil
}

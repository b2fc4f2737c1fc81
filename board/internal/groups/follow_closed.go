package groups

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// ClosedSource returns a closed period, which has a record, of a derived board with that of the board
// which it follows. Error: ErrNoPeriod if that one is not kept any more.
func ClosedSource(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (x Source, err error) {
	f := b.Following()
	of := f.Source.State()
	ofT, err := of.Timeline(t.Window.Name)
	if err != nil {
		return x, err
	}
	own, source := t.RecordOf(slot.Name), ofT.RecordOf(slot.Name)
	if own == nil || source == nil {
		return x, fmt.Errorf("%w: %s of %q, window %s, which %q follows: it was dropped", board.ErrNoPeriod, slot.Name, of.Name, t.Window.Name, st.Name)
	}
	p := period{b: b, f: f, st: st, t: t, slot: slot, closed: true}
	_, p.past = b.Past(t.Window.Name, slot.Middle())
	return Source{period: p, of: of, ofT: ofT, ofSlot: ofT.SlotOf(slot.Period), closedAt: own.ClosedAt.UnixMicro()}, nil
}

// Recompute gives the groups of a closed period the scores that follow from those of the members
// that they had then, and returns how many had others. Where that is not known it goes by the
// present members: groups that have been dissolved keep their scores then, and those that were made
// since get none. No member joins or leaves meanwhile, and no period of the board and of those that
// follow it is closed. Errors: ErrAgain, a *rules.ScoreError, those of the engine. O(members).
func (x *Source) Recompute(tx *engine.Tx) (groups int, err error) {
	if err := x.f.Source.CheckWritable(x.of); err != nil {
		return 0, err
	}
	wants, err := x.compute(tx)
	if err != nil {
		return 0, err
	}
	names, err := x.names(tx, wants)
	if err != nil {
		return 0, err
	}
	var c correction
	for _, name := range names {
		if g, err := x.f.Groups.Group(tx, name); !x.past && (err != nil || g.Created > x.closedAt) {
			continue
		}
		at := x.at(name, []byte(name))
		was, err := x.get(tx, &at)
		if err != nil {
			return 0, err
		}
		to := wants[name]
		if next := x.entryOf(to.Score, to.Members); next != was {
			err = x.correct(tx, &at, was, next, to.Reached, &c)
		}
		if err != nil {
			return 0, err
		}
	}
	return c.groups, x.storeRecord(tx, &c)
}

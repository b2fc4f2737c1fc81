package groups

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/engine"
)

// OfClosed returns a closed period, which has a record, of a derived board with that of the board
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
	return Source{period: period{b, f, st, t, slot}, of: of, ofT: ofT, ofSlot: ofT.SlotOf(slot.Period), closedAt: own.ClosedAt.UnixMicro()}, nil
}

// Corrected is what Recompute has changed.
type Corrected struct {
	Groups  int      // that had another entry, or none
	Members int      // how many groups more are ranked
	Beside  int      // how many more are beside the ranking
	Sum     uint64   // by which the digest of the ranking has risen
	Gone    []string // groups that have no entry any more
}

// Recompute gives the groups of a closed period the scores that follow from those of their present
// members. Groups that have been dissolved keep theirs, because nobody knows who was in them, and
// those that were made since get none. No member joins or leaves meanwhile. Errors: ErrAgain, a
// *rules.ScoreError, those of the engine. O(members).
func (x *Source) Recompute(tx *engine.Tx) (c Corrected, err error) {
	if err := x.f.Source.CheckWritable(x.of); err != nil {
		return c, err
	}
	wants, err := x.compute(tx)
	if err != nil {
		return c, err
	}
	names, err := x.names(tx, wants)
	if err != nil {
		return c, err
	}
	for _, name := range names {
		if g, err := x.f.Groups.Group(tx, name); err != nil || g.Created > x.closedAt {
			continue
		}
		if err := x.recompute(tx, name, wants[name], &c); err != nil {
			return c, err
		}
	}
	return c, nil
}

// recompute gives one group its score, and adds to what has changed.
func (x *Source) recompute(tx *engine.Tx, name string, to totals.Computed, c *Corrected) error {
	at := x.at([]byte(name))
	at.Closed = true
	was, err := x.get(tx, &at)
	if err != nil {
		return err
	}
	next := x.entryOf(to.Score, to.Members)
	if next == was {
		return nil
	}
	c.Groups++
	if was.exists {
		value, tie, _ := at.Get()
		c.count(was, -1, -x.b.Owner().EntryHash(value, tie, name))
	}
	if err := x.put(tx, &at, was, next, to.Reached); err != nil {
		return err
	}
	if !next.exists {
		c.Gone = append(c.Gone, name)
		return nil
	}
	if _, err := x.get(tx, &at); err != nil {
		return err
	}
	value, tie, _ := at.Get()
	c.count(next, 1, x.b.Owner().EntryHash(value, tie, name))
	return nil
}

// count counts an entry that has come or gone.
func (c *Corrected) count(e entry, n int, hash uint64) {
	if !e.ranked {
		c.Beside += n
		return
	}
	c.Members, c.Sum = c.Members+n, c.Sum+hash
}

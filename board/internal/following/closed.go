package following

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// OfClosed returns a closed period, which has a record, of a derived board with that of the board which it follows. Error: ErrNoPeriod if that one is not kept any more.
func OfClosed(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (x Source, err error) {
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

// Keys returns the keys of the sets that Recompute needs.
func (x *Source) Keys() []string { return x.appendKeys(x.rankingKeys()) }

// Corrected is what Recompute has changed.
type Corrected struct {
	Groups  int      // that had another entry, or none
	Members int      // how many groups more are ranked
	Beside  int      // how many more are beside the ranking
	Sum     uint64   // by which the digest of the ranking has risen
	Gone    []string // groups that have no entry any more
}

// Recompute gives the groups of a closed period the scores that follow from those of their present members. Groups that have been dissolved keep theirs, because nobody knows who was in
// them, and those that were made since get none. No member joins or leaves meanwhile. Errors: ErrAgain, a *rules.ScoreError, those of the engine. O(members).
func (x *Source) Recompute(tx *engine.Tx) (c Corrected, err error) {
	if err := x.f.Source.CheckWritable(x.of); err != nil {
		return c, err
	}
	wants, err := x.compute(tx)
	if err != nil {
		return c, err
	}
	s, err := x.open(tx)
	if err != nil {
		return c, err
	}
	for _, name := range s.names(wants) {
		if g, err := x.f.Groups.Group(tx, name); err != nil || g.Created > x.closedAt {
			continue
		}
		if err := x.recompute(tx, s, name, wants[name], &c); err != nil {
			return c, err
		}
	}
	return c, nil
}

// recompute gives one group its score, and adds to what has changed.
func (x *Source) recompute(tx *engine.Tx, s sets, name string, to totals.Computed, c *Corrected) error {
	group := []byte(name)
	was, next := x.get(s, group), x.entryOf(s, to.Score, to.Members)
	if next == was {
		return nil
	}
	c.Groups++
	if was.exists {
		value, tie, _ := s.of(was).Get(group)
		c.count(was, -1, -x.b.Owner().EntryHash(value, tie, name))
		if _, err := s.of(was).Remove(group); err != nil {
			return err
		}
	}
	if !next.exists {
		c.Gone = append(c.Gone, name)
		return nil
	}
	var array [rules.MaxTie]byte
	value, tie := x.st.Rules.Encode(array[:0], rules.Entry{Score: next.score, Reached: to.Reached, Arrival: s.ranked.Version()})
	c.count(next, 1, x.b.Owner().EntryHash(value, tie, name))
	_, err := s.of(next).Put(group, tie, value)
	return err
}

// count counts an entry that has come or gone.
func (c *Corrected) count(e entry, n int, hash uint64) {
	if !e.ranked {
		c.Beside += n
		return
	}
	c.Members, c.Sum = c.Members+n, c.Sum+hash
}

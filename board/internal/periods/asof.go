package periods

import (
	"context"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/zset"
)

// At returns the ranking of the period that a moment lies in, as it was then: see Board.AsOf.
func AsOf(ctx context.Context, b *catalog.Board, name string, at time.Time, check Check) (board.Ranking, error) {
	return begin(ctx, b, name, moment{at: at}, check, func(_ *state.State, t *state.Timeline) (window.Period, error) { return t.PeriodAt(at) })
}

// Row returns the ranking of a period as it was after a row of the journal: see Board.AsOfRow.
func RowAsOf(ctx context.Context, b *catalog.Board, name, period string, row uint64, check Check) (board.Ranking, error) {
	return begin(ctx, b, name, moment{isRow: true, row: row}, check, func(st *state.State, t *state.Timeline) (window.Period, error) {
		return Parse(st, t, period)
	})
}

// begin finds the period. The board is not migrated until begin returns.
func begin(ctx context.Context, b *catalog.Board, name string, m moment, check Check, find func(*state.State, *state.Timeline) (window.Period, error)) (board.Ranking, error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
	defer b.HoldState()()
	st, err := journal.Readable(b)
	if err != nil {
		return nil, err
	}
	t, err := st.Timeline(name)
	if err != nil {
		return nil, err
	}
	if rolling.IsRolling(t) {
		return nil, &board.UndoError{Board: st.Name, Window: name, Period: rolling.Period, Reason: board.UndoRolling}
	}
	p, err := find(st, t)
	if err != nil {
		return nil, err
	}
	c := &call{moment: m, b: b, st: st, t: t, window: slices.Index(st.Timelines, t), slot: t.SlotOf(p), period: p, check: check}
	for {
		r, err := c.run(ctx)
		if err != state.ErrAgain {
			return r, err
		}
	}
}

// run copies the ranking and undoes the rows. Error: ErrAgain if an operator has changed a member meanwhile.
func (c *call) run(ctx context.Context) (board.Ranking, error) {
	now := c.b.Engine().Now()
	before, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	z, err := Copy(ctx, c.b, c.st, c.t, c.slot)
	if c.t.IsClosed(c.slot) {
		c.b.Env().Idle.NoteRead(c.b.Engine().Now(), c.t.SetKeys(c.slot.Name)...) // the evictor evicts it again
	}
	if err != nil {
		return nil, err
	}
	u := &undo{call: c, out: before.out, entries: map[string]journal.Before{}}
	if err := u.read(ctx, now); err != nil {
		return nil, err
	}
	after, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	if after.audits != before.audits {
		return nil, state.ErrAgain
	}
	if err := u.apply(z); err != nil {
		return nil, err
	}
	if c.t.Top != nil {
		z.RemoveRange(c.t.Top.N, z.Len())
	}
	return ranking.NewPinned(z, nil, c.st.Rules, c.slot.Key, c.info(u.time())), nil
}

// apply gives the members of a copy the entries that they had.
func (u *undo) apply(z *zset.IntSet) error {
	for member, e := range u.entries {
		if !e.Had {
			z.Remove([]byte(member))
			continue
		}
		if _, err := z.AddTied([]byte(member), e.Tie, e.Score); err != nil {
			return err
		}
	}
	return nil
}

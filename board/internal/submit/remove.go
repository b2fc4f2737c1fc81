package submit

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Remove removes a member from every period that accepts results: see Board.Remove.
func Remove(ctx context.Context, b *catalog.Board, member string) (removed []board.Removed, err error) {
	if err := b.CheckSubmits(); err != nil {
		return nil, err
	}
	err = b.Retry(func(st *state.State) (err error) {
		removed, err = RemoveAnd(ctx, b, st, member, feed.Removed, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// RemoveAnd removes a member from every period that accepts results, which why is the event of.
// Unless also is nil it is called at the end of the transaction with the entries so far; no period is closed meanwhile, and RemoveAnd returns ErrAgain if
// the time of an open one is up. Errors: ErrAgain, those of also and of the engine.
func RemoveAnd(ctx context.Context, b *catalog.Board, st *state.State, member string, why feed.Kind,
	also func(*engine.Tx, []board.Removed) error) (removed []board.Removed, err error) {
	all, err := changeAll(ctx, b, st, member, also != nil, func(tx *engine.Tx, all []place.Place) (err error) {
		if removed, err = removeFromAll(tx, st, all, why); err != nil || also == nil {
			return err
		}
		return also(tx, removed)
	})
	if err != nil {
		return nil, place.Unblock(ctx, err, b, st, place.PeriodsOf(all), 1)
	}
	maintain(context.WithoutCancel(ctx), all) // it is committed
	return removed, nil
}

// removeFromAll removes the entries of a member from its places, if their periods accept results,
// and returns them.
func removeFromAll(tx *engine.Tx, st *state.State, all []place.Place, why feed.Kind) (removed []board.Removed, err error) {
	var gone []journal.Place
	for i := range all {
		p := &all[i]
		if !p.T.Accepts(p.Slot, tx.Now()) {
			continue
		}
		row, c, err := remove(tx, p, why)
		if err != nil {
			return nil, err
		}
		if !c.Had {
			continue
		}
		removed = append(removed, board.Removed{Window: p.T.Window.Name, Period: p.Slot.Name, Row: row, Hidden: c.Hidden})
		x := journal.Place{Window: slices.Index(st.Timelines, p.T), Period: p.Slot.Name, Had: true}
		x.Score, x.Tie = st.Rules.Encode(nil, c.Was)
		gone = append(gone, x)
	}
	if len(gone) == 0 || !st.HasJournal() {
		return removed, nil
	}
	return removed, journal.AppendRemoval(tx, st, all[0].Name, gone)
}

// remove removes the entry of a place, or the one beside the ranking.
func remove(tx *engine.Tx, p *place.Place, why feed.Kind) (row board.Row, c catalog.Change, err error) {
	if err := p.Open(tx); err != nil {
		return row, c, err
	}
	if row, c, err = p.Leave(why, false); err != nil || c.Had || !p.MayBeHidden() {
		return row, c, err
	}
	if err := p.OpenHidden(tx); err != nil {
		return row, c, err
	}
	return p.Leave(why, false)
}

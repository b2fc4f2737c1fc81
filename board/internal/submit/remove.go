package submit

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Remove removes a member from every period that accepts results: see Board.Remove.
func Remove(ctx context.Context, b *catalog.Board, member string) (removed []board.Removed, err error) {
	if err := b.CheckSubmits(); err != nil {
		return nil, err
	}
	err = b.Retry(func(st *state.State) (err error) {
		removed, err = RemoveAnd(ctx, b, st, member, feed.Removed, nil, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// RemoveAnd removes a member from every period that accepts results, which why is the event of. Unless also is nil it is called at the end of the transaction, which has named these
// further keys, with the entries so far; no period is closed meanwhile, and RemoveAnd returns ErrAgain if the time of an open one is up. Errors: ErrAgain,
// those of also and of the engine.
func RemoveAnd(ctx context.Context, b *catalog.Board, st *state.State, member string, why feed.Kind, keys []string, also func(*engine.Tx, []board.Removed) error) (removed []board.Removed, err error) {
	removed, all, err := removeAll(ctx, b, st, member, why, keys, also)
	if err != nil {
		return nil, unblock(ctx, err, b, st, periodsOf(all), 1)
	}
	maintainParts(context.WithoutCancel(ctx), b, st, all) // it is committed
	return removed, nil
}

// removeAll removes a member from the open periods, in one transaction, and returns them.
func removeAll(ctx context.Context, b *catalog.Board, st *state.State, member string, why feed.Kind, keys []string, also func(*engine.Tx, []board.Removed) error) (removed []board.Removed, all []openPeriod, err error) {
	named := func(all []openPeriod) []string { return appendRemoveKeys(slices.Clone(keys), b, st, all, member) }
	all, err = changeAll(ctx, b, st, also != nil, named, func(tx *engine.Tx, all []openPeriod) error {
		removed = nil
		if err := removeFromAll(tx, b, st, all, member, why, expireOwn, &removed); err != nil || also == nil {
			return err
		}
		return also(tx, removed)
	})
	return removed, all, err
}

// appendRemoveKeys appends the keys of the sets of periods that the removal of a member needs.
func appendRemoveKeys(dst []string, b *catalog.Board, st *state.State, all []openPeriod, member string) []string {
	for _, o := range all {
		if dst = o.appendKeys(dst, member); o.mayBeHidden(b, member) {
			dst = append(dst, o.t.HiddenKey(o.slot.Name))
		}
		dst = following.AppendKeys(dst, b, o.t, o.slot, []byte(member))
	}
	if st.HasJournal() {
		dst = append(dst, st.JournalKey)
	}
	return dst
}

// removeFromAll removes a member from open periods, and up to limit results that have left from each rolling window. It appends the entries to
// removed.
func removeFromAll(tx *engine.Tx, b *catalog.Board, st *state.State, all []openPeriod, member string, why feed.Kind, limit int, removed *[]board.Removed) error {
	var gone []journal.Place
	for _, o := range all {
		if o.division != nil && !o.slot.Parts.Is(o.division) {
			return errs.ErrMoved
		}
		e, ok, err := removeFrom(tx, b, st, o, member, why, limit, removed)
		if err != nil {
			return err
		}
		if ok && st.HasJournal() {
			p := journal.Place{Window: slices.Index(st.Timelines, o.t), Period: o.slot.Name, Had: true}
			p.Score, p.Tie = st.Rules.Encode(nil, e)
			gone = append(gone, p)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return journal.AppendRemoval(tx, st, member, gone)
}

// removeFrom removes a member from one ranking, if its period accepts results, appends the entry to removed, and returns it.
func removeFrom(tx *engine.Tx, b *catalog.Board, st *state.State, o openPeriod, member string, why feed.Kind, limit int, removed *[]board.Removed) (e rules.Entry, ok bool, err error) {
	if !o.t.Accepts(o.slot, tx.Now()) {
		return e, false, nil
	}
	at := o.placeOf(member)
	if err := at.Open(tx, b, st, nil); err != nil {
		return e, false, err
	}
	var roll rolling.Sets
	if rolling.IsRolling(o.t) {
		if roll, err = openRolling(tx, st, o.t, at.Ranking(), limit); err != nil {
			return e, false, err
		}
	}
	row, e, ok, err := take(tx, st, &at)
	if err == nil && ok {
		err = o.followRemoval(tx, b, member, e, false)
	}
	hidden := err == nil && !ok && o.mayBeHidden(b, member)
	if hidden {
		row, e, ok, err = o.removeHidden(tx, st, member)
		if err == nil && ok {
			err = following.Forget(tx, b, o.t, o.slot, []byte(member))
		}
	}
	if err != nil || !ok {
		return e, false, err
	}
	if rolling.IsRolling(o.t) {
		if err := roll.Remove([]byte(member)); err != nil {
			return e, false, err
		}
	}
	*removed = append(*removed, board.Removed{Window: o.t.Window.Name, Period: o.slot.Name, Row: row, Hidden: hidden})
	if !hidden {
		if err := o.noteRemoved(tx, b, st, member, &row, why, at.Set()); err != nil {
			return e, false, err
		}
	}
	if st.Rules.K() > 0 || st.Rules.Timed() > 0 {
		if err := tx.Delete(boardkey.Kept(st.Name, o.t.Window.Name, o.slot.Name, member)); err != nil {
			return e, false, err
		}
	}
	return e, true, tx.Delete(boardkey.Meta(st.Name, o.t.Window.Name, o.slot.Name, member))
}

// followRemoval makes the boards that follow do so after the entry of a member has left the ranking.
func (o openPeriod) followRemoval(tx *engine.Tx, b *catalog.Board, member string, e rules.Entry, hides bool) error {
	return following.Apply(tx, b, o.t, o.slot, following.Change{Member: []byte(member), Had: true, Before: e.Score, Hides: hides, Reached: tx.Now().UnixMicro()})
}

// maintainParts makes the steps that a removal has made due.
func maintainParts(ctx context.Context, b *catalog.Board, st *state.State, all []openPeriod) {
	for _, o := range all {
		if o.division == nil || o.slot.Parts.Limit == 0 || o.division.Sets() == 1 {
			continue
		}
		at := o.placeOf("")
		at.Maintain(ctx, b, st)
	}
}

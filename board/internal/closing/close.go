package closing

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// CloseNow closes the live period of a window: see Board.CloseNow.
func CloseNow(ctx context.Context, b *catalog.Board, window string) (info board.Info, err error) {
	err = b.Retry(func(st *state.State) error {
		if err := b.CheckSubmits(); err != nil {
			return err
		}
		t, err := st.Timeline(window)
		if err != nil {
			return err
		}
		now := b.Engine().Now()
		if err := b.Env().Jumps.Check(now); err != nil {
			return err
		}
		slot, err := t.Closable(now)
		if err != nil {
			return err
		}
		if slot.End.IsZero() {
			return fmt.Errorf("%w: %s of %q", board.ErrNoEnd, window, st.Name)
		}
		defer b.LockClosing()()
		if _, err := closeThrough(ctx, b, st, t, slot, true); err != nil {
			return err
		}
		if err := closeFollowers(ctx, b, t); err != nil {
			return err
		}
		info = st.Info(t, slot.Period)
		return dropSurplus(ctx, b, st, t)
	})
	return info, err
}

// closeFollowers closes the periods of followers of a board that are behind it in a window. Errors: ErrAgain, those of the engine.
func closeFollowers(ctx context.Context, b *catalog.Board, t *state.Timeline) error {
	for _, d := range b.Followers() {
		st := d.State()
		own, err := st.Timeline(t.Window.Name)
		if err != nil {
			continue // it does not follow this window
		}
		for _, slot := range behind(d, own) {
			if _, err := closeBehind(ctx, d, st, own, slot); err != nil {
				return err
			}
		}
		if err := closeFollowers(ctx, d, own); err != nil {
			return err
		}
	}
	return nil
}

// CloseBehind closes the periods of the boards that follow a board, and of their followers, whose sources are closed. The caller holds no lock of the boards. Errors: ErrAgain, those of
// the engine.
func CloseBehind(ctx context.Context, b *catalog.Board) error {
	for _, t := range b.State().Timelines {
		if err := closeFollowers(ctx, b, t); err != nil {
			return err
		}
	}
	return nil
}

// closeBehind closes a period whose source is closed. Errors: ErrAgain, those of the engine.
func closeBehind(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (closed int, err error) {
	if b.IsFrozen() {
		return 0, state.ErrAgain
	}
	defer b.LockClosing()()
	return closeThrough(ctx, b, st, t, slot, true)
}

// closeDuePeriod closes a period whose time is up. Errors: ErrAgain, those of the engine.
func closeDuePeriod(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (closed int, err error) {
	defer b.LockClosing()()
	return closeThrough(ctx, b, st, t, slot, false)
}

// closeThrough closes a period and the open ones before it, by hand or because their time is up, and returns the number of closed periods.
// Timeline describes the steps. The caller holds Board.closing. Errors: ErrAgain, those of the engine.
func closeThrough(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, byHand bool) (closed int, err error) {
	if t.IsClosed(slot) {
		return 0, nil
	}
	end := slot.End.UnixMicro()
	t.BeginClosing(end)
	defer t.EndClosing()
	open := t.OpenBefore(end)
	if len(open) == 0 || open[len(open)-1].Name != slot.Name {
		open = append(open, slot)
	}
	for _, due := range open {
		if err := closeOne(ctx, b, st, t, due, byHand); err != nil {
			return closed, err
		}
		closed++
	}
	return closed, nil
}

// closeOne closes a period that accepts no more results. One commit stores the time up to which the window is closed, a record of the period, and its
// settlement if it awards anything. Then closeOne evicts the period's set.
func closeOne(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, byHand bool) error {
	if !isSourceClosed(b, t, slot) {
		return state.ErrAgain
	}
	seal, beside, err := sealOf(b, t, slot)
	if err != nil {
		return err
	}
	r := &state.Record{Period: slot.Name, Start: slot.Start, End: slot.End, Members: seal.Members, Hidden: beside.hidden}
	if seal.Known {
		r.Digests = []state.Digest{{Version: st.Version, Sum: seal.Digest}}
	}
	var awards *state.Settling     // nil: the period awards nothing
	var promoting *state.Promoting // nil: it has no cohorts
	err = b.Owner().Update(ctx, nil, func(tx *engine.Tx) (err error) {
		if b.CheckWritable(st) != nil || !byHand && tx.Now().UnixMicro() < slot.Closes {
			return state.ErrAgain
		}
		r.ClosedAt = time.UnixMicro(tx.Now().UnixMicro())
		if plan := st.Spec.PlanOf(t.Window.Name); plan != nil && r.Members > 0 {
			awards = state.NewSettling(*plan, slot.End, r.ClosedAt)
			if err := settlement.PutFirst(tx, st.Name, t.Window.Name, slot.Name, awards); err != nil {
				return err
			}
		}
		if beside.inCohorts > 0 {
			if promoting, err = leagues.Close(tx, st, t, slot); err != nil {
				return err
			}
		}
		if err := events.Note(b.Owner(), tx, st, &feed.Event{Kind: feed.PeriodClosed, Window: t.Window.Name, Period: slot.Name, Count: r.Members}); err != nil {
			return err
		}
		return storeRecord(tx, st.Name, t.Window.Name, slot.End.UnixMicro(), r)
	})
	if err == state.ErrAgain || err != nil && !isStored(b, st, t, slot) {
		return err
	}
	if awards != nil { // before the record: a period with a record and without a settlement may be dropped
		t.AddSettlement(state.NewSettlement(st.Name, t.Window.Name, slot.Name, awards))
		b.Env().WakeAwards()
	}
	if promoting != nil { // likewise, and before the period leaves the open ones: see Timeline.IsNext
		t.AddPromoting(promoting)
	}
	if t.HasCohorts { // the next period may have a queue
		defer b.Env().WakeCohorts()
	}
	if t.MarkClosed(slot, r); !r.IsEmpty() {
		b.Env().WakeClosed()
		b.Log().Info("board: period closed", "board", st.Name, "window", t.Window.Name, "period", r.Period, "members", r.Members)
	}
	if promoting != nil { // its sets leave memory when the cohorts are settled
		return err
	}
	return errors.Join(err, b.Engine().Unload(t.SetKeys(slot.Name)...))
}

// besides is how many members the sets beside the ranking of a period have.
type besides struct{ hidden, inCohorts int }

// sealOf returns the number of members of a period and the digest of its ranking, the sum of the digests of its sets, and what is beside it. It
// waits for the locks of all sets of the period, and loads none.
func sealOf(b *catalog.Board, t *state.Timeline, slot *state.Slot) (all engine.Seal, beside besides, err error) {
	all.Known = true
	if slot.Tail != nil { // so that no step moves entries meanwhile
		slot.Tail.Steps.Lock()
		defer slot.Tail.Steps.Unlock()
	}
	if slot.Parts != nil { // as above
		slot.Parts.Steps.Lock()
		defer slot.Parts.Steps.Unlock()
	}
	keys := t.SetKeys(slot.Name)
	rankings := len(keys) - t.BesideCount()
	for i, key := range keys {
		set, err := b.Owner().Seal(key)
		if err != nil {
			return all, beside, err
		}
		switch {
		case i < rankings:
			all.Members, all.Digest, all.Known = all.Members+set.Members, all.Digest+set.Digest, all.Known && set.Known
		case key == t.HiddenKey(slot.Name):
			beside.hidden = set.Members
		case t.HasCohorts:
			beside.inCohorts = set.Members
		}
	}
	return all, beside, nil
}

// isStored reports whether a commit that returned an error has closed the period: see engine.ErrStalled.
func isStored(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) bool {
	text, _ := b.Env().Stored(boardkey.Window(st.Name, t.Window.Name))
	through, err := state.DecodeThrough(text)
	return err == nil && through >= slot.End.UnixMicro()
}

// storeRecord stores the time up to which a window is closed, and the record of the last closed period unless it is empty.
func storeRecord(tx *engine.Tx, boardName, window string, through int64, r *state.Record) error {
	if err := tx.Put(boardkey.Window(boardName, window), strconv.AppendInt(nil, through, 10)); err != nil || r.IsEmpty() {
		return err
	}
	text, err := r.Encode()
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Record(boardName, window, r.Period), text)
}

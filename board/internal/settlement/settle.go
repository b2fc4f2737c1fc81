package settlement

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// SettleDue settles the closed periods that are not settled, in the order in which they ended, and returns their number. It leaves out boards that are
// being migrated. Errors: that of ctx, those of the engine, joined.
func SettleDue(ctx context.Context, c *catalog.Catalog) (settled int, err error) {
	var failures []error
	for _, w := range find(c, unsettled) {
		switch err := w.settle(ctx); {
		case err == nil:
			settled++
		case ctx.Err() != nil:
			return settled, ctx.Err()
		case err != state.ErrAgain:
			failures = append(failures, fmt.Errorf("settling %s of %q, window %s: %w", w.s.Period, w.b.State().Name, w.s.Window, err))
		}
	}
	return settled, errors.Join(failures...)
}

// SettleBoard settles the closed periods of a board that are not settled. Errors: that of ctx, ErrClosed, ErrNoBoard, those of the engine.
func SettleBoard(ctx context.Context, b *catalog.Board) error {
	return b.Retry(func(st *state.State) error {
		for _, w := range works(b, st, unsettled) {
			if err := w.settle(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// IsSettled reports whether the awards of all closed periods of a board are settled.
func IsSettled(b *catalog.Board) bool {
	return len(works(b, b.State(), unsettled)) == 0
}

// CheckKept returns an error if a spec leaves out a window of the board with awards that wait. The caller has frozen the board. Error: awards.ErrUndelivered.
func CheckKept(b *catalog.Board, spec board.Spec) error {
	for _, t := range b.State().Timelines {
		if slices.ContainsFunc(spec.Windows, func(w window.Window) bool { return w.Label() == t.Window.Name }) {
			continue
		}
		for _, s := range t.Settlements() {
			if !AreClaimed(b, s) || !s.Now().Plan.Claim && s.Waiting.Load() > 0 {
				return fmt.Errorf("%w: %s of %q, window %s: deliver or withhold them before the window is removed", awards.ErrUndelivered, s.Period,
					b.State().Name, s.Window)
			}
		}
	}
	return nil
}

// settle settles a period. Error: ErrAgain if the board is being migrated or dropped, or the period was moderated meanwhile.
func (w work) settle(ctx context.Context) error {
	release, ok := w.b.TryHoldState()
	if !ok {
		return state.ErrAgain
	}
	defer release()
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	if w.s.Now().Settled || w.s.Dropped {
		return nil
	}
	return w.make(ctx)
}

// make makes the set of awards of a settlement that is not settled, and stores that it is settled. The caller holds the state and Working.
func (w work) make(ctx context.Context) error {
	old, err := w.before(ctx)
	if err != nil {
		return err
	}
	next, moderations := *w.s.Now(), w.t.Moderations()
	set, waiting, err := w.build(ctx, &next, old)
	if err != nil {
		return err
	}
	if moderations&1 != 0 || w.t.Moderations() != moderations { // the ranking may have changed between two pages
		w.b.Env().WakeAwards()
		return state.ErrAgain
	}
	if set.Len() == 0 {
		_, err = w.b.Owner().Delete(ctx, w.s.Key)
	} else {
		err = w.b.Owner().StoreInts(ctx, w.s.Key, set)
	}
	if err != nil {
		return err
	}
	if err := w.forgetFailures(ctx, set); err != nil {
		return err
	}
	next.Settled, next.Awards = true, set.Len()
	if err := w.put(ctx, nil, &next, waiting, w.settled); err != nil {
		return err
	}
	w.s.Next = 0
	if !w.s.Holds() {
		w.t.SetDueNow() // it may be dropped
	}
	w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key)
	w.b.Log().Info("board: period settled", "board", w.b.State().Name, "window", w.s.Window, "period", w.s.Period, "awards", next.Awards, "waiting", waiting)
	return nil
}

// settled writes the event that the period is settled.
func (w work) settled(tx *engine.Tx, s *state.Settling) error {
	return events.Note(w.b.Owner(), tx, w.b.State(), &feed.Event{Kind: feed.Settled, Window: w.s.Window, Period: w.s.Period, Count: s.Awards})
}

// forgetFailures deletes what is noted of failures of awards that have nothing to be granted in the set, or are not there (Y4).
func (w work) forgetFailures(ctx context.Context, set *zset.IntSet) error {
	var gone, keys []string
	for member := range w.s.Retries {
		if e, _ := entryOf(set.View(), member); e.flag != failed {
			gone = append(gone, member)
			keys = append(keys, boardkey.Note(w.b.State().Name, w.s.Window, w.s.Period, member))
		}
	}
	if err := catalog.DeleteKeys(ctx, w.b.Owner(), keys); err != nil {
		return err
	}
	for _, member := range gone {
		w.s.DropRetry(member)
	}
	return nil
}

// before returns a copy of the awards of earlier revisions, nil in the first one.
func (w work) before(ctx context.Context) (*zset.IntSet, error) {
	s := w.s.Now()
	if s.Revision == 1 {
		return nil, nil
	}
	return catalog.CopySets(ctx, w.b.Owner(), []string{w.s.Key}, s.Form())
}

// build returns the set of awards, and the number of those that wait.
func (w work) build(ctx context.Context, s *state.Settling, old *zset.IntSet) (set *zset.IntSet, waiting int, err error) {
	win, err := newWinners(ctx, w.b, w.s, s, old)
	if err != nil {
		return nil, 0, err
	}
	build, err := s.Form().Builder()
	if err != nil {
		return nil, 0, err
	}
	var tie [maxTie]byte
	err = win.walk(ctx, func(member string, _, is entry) error {
		if is.waits(s) {
			waiting++
		}
		if is.due == 0 && is.granted == 0 && is.flag != withheld {
			return nil
		}
		return build.AddTied([]byte(member), is.appendTie(tie[:0], s), is.place)
	})
	if err != nil {
		return nil, 0, err
	}
	return build.Set(), waiting, nil
}

// put stores the next state of a settlement with the number of awards that wait, unless that is negative, in a transaction that names keys. It makes the state
// the present one. also, which may be nil, is called in the transaction.
func (w work) put(ctx context.Context, keys []string, next *state.Settling, waiting int, also func(*engine.Tx, *state.Settling) error) error {
	text, err := next.Encode()
	if err != nil {
		return err
	}
	name := w.b.State().Name
	key := boardkey.Settlement(name, w.s.Window, w.s.Period)
	err = w.b.Owner().Update(ctx, keys, func(tx *engine.Tx) error {
		if waiting >= 0 {
			if err := putWaiting(tx, name, w.s, waiting); err != nil {
				return err
			}
		}
		if also != nil {
			if err := also(tx, next); err != nil {
				return err
			}
		}
		return tx.Put(key, text)
	})
	if err != nil && !w.b.Env().HasStored(key, text) {
		return err
	}
	if waiting >= 0 { // before the state: claims change the number as soon as the period is settled, and retention looks at both
		w.s.Waiting.Store(int64(waiting))
	}
	w.s.Set(next)
	return err
}

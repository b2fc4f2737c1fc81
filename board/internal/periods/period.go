package periods

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
)

// Live returns the ranking of whichever period of a window is live: see Board.Live.
func Live(b *catalog.Board, window string) (board.Ranking, error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	l := &live{b, st, t}
	if _, err := l.Subject(); err != nil {
		return nil, err
	}
	return ranking.NewLive(l, st.Rules), nil
}

// At returns the ranking of the period that a time lies in: see Board.At.
func At(b *catalog.Board, window string, at time.Time) (board.Ranking, error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	p, err := t.PeriodAt(at)
	if err != nil {
		return nil, err
	}
	return ofPeriod(b, st, t, p), nil
}

// Named returns the ranking of a period by its name: see Board.Period.
func Named(ctx context.Context, b *catalog.Board, window, period string) (board.Ranking, error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	p, err := Parse(st, t, period)
	if err != nil {
		return nil, err
	}
	if err := rolling.Settle(ctx, b, st, t); err != nil {
		return nil, err
	}
	exists, err := hasMembers(ctx, b, t, p.Name)
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, NoPeriod(st, t, p)
	}
	return ofPeriod(b, st, t, p), nil
}

// Parse returns a period of a window by its name. O(1). Error: ErrPeriodName.
func Parse(st *state.State, t *state.Timeline, name string) (window.Period, error) {
	p, err := t.Cal.Parse(name)
	if err != nil {
		return p, fmt.Errorf("%w: %q", err, st.Name)
	}
	return p, nil
}

// NoPeriod returns the error of a period that has no members.
func NoPeriod(st *state.State, t *state.Timeline, p window.Period) error {
	why := "nobody has scored in it"
	if t.IsClosed(t.SlotOf(p)) {
		why = "nobody has scored in it, or it is not kept any more"
	}
	return fmt.Errorf("%w: %s of %q, window %s: %s", board.ErrNoPeriod, p.Name, st.Name, t.Window.Name, why)
}

// LastClosed returns the ranking of a window's last closed period that had members: see Board.LastClosed.
func LastClosed(b *catalog.Board, name string) (board.Ranking, error) {
	st, t, err := b.Timeline(name)
	if err != nil {
		return nil, err
	}
	r := t.LastRecord()
	if r == nil {
		return nil, fmt.Errorf("%w: none of window %s of %q is closed", board.ErrNoPeriod, name, st.Name)
	}
	return ofPeriod(b, st, t, window.Period{Name: r.Period, Start: r.Start, End: r.End}), nil
}

// Latest returns the ranking of a window's latest period that has members: see Board.Latest.
func Latest(ctx context.Context, b *catalog.Board, name string) (board.Ranking, error) {
	st, t, err := b.Timeline(name)
	if err != nil {
		return nil, err
	}
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
	if err := rolling.Settle(ctx, b, st, t); err != nil {
		return nil, err
	}
	for _, p := range slices.Backward(t.Periods()) {
		exists, err := hasMembers(ctx, b, t, p.Name)
		if err != nil {
			return nil, err
		}
		if exists {
			return ofPeriod(b, st, t, p.Period), nil
		}
	}
	return nil, fmt.Errorf("%w: none of window %s of %q has members", board.ErrNoPeriod, name, st.Name)
}

// hasMembers reports whether the ranking of a period has members.
func hasMembers(ctx context.Context, b *catalog.Board, t *state.Timeline, period string) (ok bool, err error) {
	err = t.Read(period, func(keys []string) error {
		n, err := b.Engine().Exists(ctx, keys...)
		ok = n > 0
		return err
	})
	return ok, err
}

// NextReset returns the first moment of the window's next period, and false if there is none: see Board.NextReset.
func NextReset(b *catalog.Board, name string) (at time.Time, ok bool, err error) {
	_, t, err := b.Timeline(name)
	if err != nil {
		return time.Time{}, false, err
	}
	return t.NextReset(b.Engine().Now())
}

// Deadline returns the moment before which a result that happens at a time is accepted: see Board.Deadline.
func Deadline(b *catalog.Board, at time.Time) (until time.Time, ok bool, err error) {
	st, err := b.Readable()
	if err != nil {
		return time.Time{}, false, err
	}
	for _, t := range st.Timelines {
		p, err := t.PeriodAt(at)
		if err != nil {
			return time.Time{}, false, err
		}
		closes, ever := t.Cal.Closes(p)
		if rolling.IsRolling(t) {
			closes, ever = time.UnixMicro(t.Leaves(at.UnixMicro())).In(t.Cal.Zone()), true
		}
		if ever && (!ok || closes.Before(until)) {
			until, ok = closes, true
		}
	}
	return until, ok, nil
}

package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/ranking"
)

// Live returns the ranking of whichever period of a window is live: see board.Board.Live.
func (b *clusterBoard) Live(ctx context.Context, name string) (board.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(ctx); err != nil {
		return nil, err
	}
	l := &live{b, t}
	if _, err := l.Subject(); err != nil {
		return nil, err
	}
	return ranking.NewLive(l, b.st.Rules), nil
}

// At returns the ranking of the period that a time lies in: see board.Board.At.
func (b *clusterBoard) At(ctx context.Context, name string, at time.Time) (board.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	p, err := t.PeriodAt(at)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(ctx); err != nil {
		return nil, err
	}
	return b.ranking(t, p), nil
}

// Period returns the ranking of a period by its name. Errors: board.ErrNoWindow, board.ErrPeriodName, board.ErrNoPeriod, those of the servers.
func (b *clusterBoard) Period(ctx context.Context, name, of string) (board.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	p, err := periods.Parse(b.st, t, of)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(ctx); err != nil {
		return nil, err
	}
	s := b.setsOf(ctx, name, p.Name)
	if n := s.Len(); s.Err() != nil || n > 0 {
		return b.ranking(t, p), s.Err()
	}
	return nil, periods.NoPeriod(b.st, t, p)
}

// LastClosed returns the ranking of the last closed period of a window that had members: see board.Board.LastClosed. Errors: board.ErrNoWindow, board.ErrNoPeriod, those of the servers.
func (b *clusterBoard) LastClosed(ctx context.Context, name string) (board.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(ctx); err != nil {
		return nil, err
	}
	r := t.LastRecord()
	if r == nil {
		return nil, fmt.Errorf("%w: none of window %s of %q is closed", board.ErrNoPeriod, name, b.st.Name)
	}
	return b.ranking(t, period{Name: r.Period, Start: r.Start, End: r.End}), nil
}

// Periods returns the periods of a window that have members, in order of time. Errors: board.ErrNoWindow, those of the servers.
func (b *clusterBoard) Periods(ctx context.Context, name string) (all []board.Usage, err error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	had, err := b.refresh(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range had.inOrder(name) {
		s := b.setsOf(ctx, name, p.Name)
		if n := s.Len(); n > 0 {
			all = append(all, board.Usage{Info: b.st.Info(t, p), Members: n})
		}
		if s.Err() != nil {
			return nil, s.Err()
		}
	}
	return all, nil
}

// inOrder returns the periods of a window in order of time.
func (s shown) inOrder(name string) (all []period) {
	for _, p := range s[name] {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b period) int { return cmp.Compare(a.Start.UnixMicro(), b.Start.UnixMicro()) })
	return all
}

// NextReset returns the first moment of the next period of a window: see board.Board.NextReset.
func (b *clusterBoard) NextReset(ctx context.Context, name string) (at time.Time, ok bool, err error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return at, false, err
	}
	return t.NextReset(b.now())
}

// Deadline returns the moment before which a result that happens at a time is accepted: see board.Board.Deadline.
func (b *clusterBoard) Deadline(ctx context.Context, at time.Time) (until time.Time, ok bool, err error) {
	for _, t := range b.st.Timelines {
		p, err := t.PeriodAt(at)
		if err != nil {
			return time.Time{}, false, err
		}
		if closes, ever := t.Cal.Closes(p); ever && (!ok || closes.Before(until)) {
			until, ok = closes, true
		}
	}
	return until, ok, nil
}

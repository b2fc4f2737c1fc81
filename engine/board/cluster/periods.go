package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/periods"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/window"
)

// Live returns the ranking of whichever period of a window is live: see board.Board.Live.
func (b *Board) Live(name string) (ranking.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(context.Background()); err != nil {
		return nil, err
	}
	l := &live{b, t}
	if _, err := l.Subject(); err != nil {
		return nil, err
	}
	return ranking.NewLive(l, b.st.Rules), nil
}

// Period returns the ranking of a period by its name. Errors: board.ErrNoWindow, board.ErrPeriodName, board.ErrNoPeriod, those of the servers.
func (b *Board) Period(name, of string) (ranking.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	p, err := periods.Parse(b.st, t, of)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(context.Background()); err != nil {
		return nil, err
	}
	s := b.setsOf(context.Background(), name, p.Name)
	if n := s.Len(); s.Err() != nil || n > 0 {
		return b.ranking(t, p), s.Err()
	}
	return nil, periods.NoPeriod(b.st, t, p)
}

// LastClosed returns the ranking of the last closed period of a window that had members. Errors: board.ErrNoWindow, board.ErrNoPeriod, those of the servers.
func (b *Board) LastClosed(name string) (ranking.Ranking, error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return nil, err
	}
	if _, err := b.refresh(context.Background()); err != nil {
		return nil, err
	}
	r := t.LastRecord()
	if r == nil {
		return nil, fmt.Errorf("%w: none of window %s of %q is closed", errs.ErrNoPeriod, name, b.st.Name)
	}
	return b.ranking(t, period{Name: r.Period, Start: r.Start, End: r.End}), nil
}

// Periods returns the periods of a window that have members, in order of time. Errors: board.ErrNoWindow, those of the servers.
func (b *Board) Periods(name string) (all []periods.Usage, err error) {
	ctx := context.Background()
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
			all = append(all, periods.Usage{Info: b.st.Info(t, p), Members: n})
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
func (b *Board) NextReset(name string) (at time.Time, ok bool, err error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return at, false, err
	}
	p, err := t.Cal.At(b.now())
	if outside := new(window.OutsideError); errors.As(err, &outside) {
		if outside.After == nil {
			return at, false, nil
		}
		return outside.After.Start, true, nil
	}
	if err != nil {
		return at, false, err
	}
	next, ok := t.Cal.Next(p)
	return next.Start, ok, nil
}

// Deadline returns the moment before which a result that happens at a time is accepted: see board.Board.Deadline.
func (b *Board) Deadline(at time.Time) (until time.Time, ok bool, err error) {
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

// CloseNow closes the live period of a window by hand, and the earlier ones: see board.Board.CloseNow.
func (b *Board) CloseNow(name string) (info ranking.Info, err error) {
	ctx := context.Background()
	t, err := b.st.Timeline(name)
	if err != nil {
		return info, err
	}
	had, err := b.refresh(ctx)
	if err != nil {
		return info, err
	}
	slot, err := closable(t, b.now())
	if err != nil {
		return info, err
	}
	if slot.End.IsZero() {
		return info, fmt.Errorf("%w: %s of %q", errs.ErrNoEnd, name, b.st.Name)
	}
	_, err = b.closeThrough(ctx, t, slot, had)
	return b.st.Info(t, slot.Period), err
}

// closable returns the slot of the live period. If none is live, it returns the season that ended last, if that still takes late results.
func closable(t *state.Timeline, now time.Time) (*state.Slot, error) {
	slot, err := t.SlotAt(now)
	if outside := new(window.OutsideError); errors.As(err, &outside) && outside.Before != nil {
		if last := t.SlotOf(*outside.Before); t.Accepts(last, now) {
			return last, nil
		}
	}
	return slot, err
}

// closeDue closes the periods whose time is up.
func (b *Board) closeDue(ctx context.Context) (closed int, err error) {
	had, err := b.refresh(ctx)
	if err != nil {
		return 0, err
	}
	now := b.now().UnixMicro()
	for _, t := range b.st.Timelines {
		for _, p := range had.inOrder(t.Window.Name) {
			slot := t.SlotOf(p)
			if t.IsClosed(slot) && t.RecordOf(p.Name) != nil || slot.Closes > now {
				continue
			}
			n, err := b.closeThrough(ctx, t, slot, had)
			if closed += n; err != nil {
				return closed, err
			}
		}
	}
	return closed, nil
}

// closeThrough closes a period and those before it: all partitions refuse submissions first; then the numbers of members are final. It returns the number of periods that
// had members. Whoever calls it again does the rest of one that was cut short.
func (b *Board) closeThrough(ctx context.Context, t *state.Timeline, slot *state.Slot, had shown) (closed int, err error) {
	name, through := t.Window.Name, slot.End.UnixMicro()
	for k := b.partitions() - 1; k >= 0; k-- { // the first partition, which everybody reads, is the last one
		if _, err := b.servers.run(ctx, shut, []string{b.keys.fence(k)}, name, through); err != nil {
			return 0, err
		}
	}
	t.SetClosedThrough(through)
	now := b.now()
	for _, p := range had.inOrder(name) {
		if !t.IsClosed(t.SlotOf(p)) || t.RecordOf(p.Name) != nil {
			continue
		}
		s := b.setsOf(ctx, name, p.Name)
		r := &state.Record{Period: p.Name, Start: p.Start, End: p.End, ClosedAt: now, Members: s.Len()}
		if s.Err() != nil || r.IsEmpty() {
			if s.Err() != nil {
				return closed, s.Err()
			}
			continue
		}
		text, err := r.Encode()
		if err != nil {
			return closed, err
		}
		first, err := b.client().HSetNX(ctx, b.keys.records(), name+"/"+p.Name, text).Result()
		if err != nil {
			return closed, err
		}
		if t.AddRecord(r); first {
			closed++
		}
	}
	return closed, b.dropSurplus(ctx, t)
}

// dropSurplus drops the oldest closed periods of a window beyond those that it keeps.
func (b *Board) dropSurplus(ctx context.Context, t *state.Timeline) error {
	for r := t.Surplus(); r != nil; r = t.Surplus() {
		name, of := t.Window.Name, r.Period
		pipe := b.client().Pipeline()
		for k := range b.partitions() {
			pipe.Unlink(ctx, b.keys.ranking(k, name, of), b.keys.values(k, name, of))
			pipe.HDel(ctx, b.keys.fence(k), "p/"+name+"/"+of)
		}
		pipe.HDel(ctx, b.keys.records(), name+"/"+of)
		if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		t.RemoveRecord(r)
	}
	return nil
}

package cluster

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/internal/state"
)

// CloseNow closes the live period of a window by hand, and the earlier ones: see board.Board.CloseNow.
func (b *clusterBoard) CloseNow(ctx context.Context, name string) (info board.Info, err error) {
	t, err := b.st.Timeline(name)
	if err != nil {
		return info, err
	}
	if _, err := b.refresh(ctx); err != nil {
		return info, err
	}
	slot, err := t.Closable(b.now())
	if err != nil {
		return info, err
	}
	if slot.End.IsZero() {
		return info, fmt.Errorf("%w: %s of %q", board.ErrNoEnd, name, b.st.Name)
	}
	_, err = b.closeThrough(ctx, t, slot)
	return b.st.Info(t, slot.Period), err
}

// closeDue closes the periods whose time is up.
func (b *clusterBoard) closeDue(ctx context.Context) (closed int, err error) {
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
			n, err := b.closeThrough(ctx, t, slot)
			if closed += n; err != nil {
				return closed, err
			}
		}
	}
	return closed, nil
}

// closeThrough closes a period and those before it: all partitions refuse submissions first; then the numbers of members are final. It returns the number of periods that
// had members. Whoever calls it again does the rest of one that was cut short.
func (b *clusterBoard) closeThrough(ctx context.Context, t *state.Timeline, slot *state.Slot) (closed int, err error) {
	name, through := t.Window.Name, slot.End.UnixMicro()
	for k := b.partitions() - 1; k >= 0; k-- { // the first partition, which everybody reads, is the last one
		if err := b.writer.CloseThrough(ctx, k, name, through); err != nil {
			return 0, err
		}
	}
	had, err := b.refresh(ctx)
	if err != nil { // with what came before the fences
		return 0, err
	}
	now := b.now()
	for _, p := range had.inOrder(name) {
		if !t.IsClosed(t.SlotOf(p)) || t.RecordOf(p.Name) != nil {
			continue
		}
		r := &state.Record{Period: p.Name, Start: p.Start, End: p.End, ClosedAt: now}
		if r.Members, r.Hidden, err = b.membersOf(ctx, name, p.Name); err != nil {
			return closed, err
		}
		if r.IsEmpty() {
			continue
		}
		text, err := r.Encode()
		if err != nil {
			return closed, err
		}
		first, err := b.client().HSetNX(ctx, b.keys.Records(), layout.RecordField(name, p.Name), text).Result()
		if err != nil {
			return closed, err
		}
		if t.AddRecord(r); first {
			closed++
		}
	}
	return closed, b.dropSurplus(ctx, t)
}

// membersOf returns how many members a period has, and how many hidden ones more.
func (b *clusterBoard) membersOf(ctx context.Context, window, period string) (members, hidden int, err error) {
	ranked, all := make(sets.Sums, b.partitions()), make(sets.Sums, b.partitions())
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range ranked {
			ranked[k] = pipe.ZCard(ctx, b.keys.Ranking(k, window, period))
			all[k] = pipe.HLen(ctx, b.keys.Values(k, window, period))
		}
	})
	if err != nil {
		return 0, 0, err
	}
	return ranked.Val(), all.Val() - ranked.Val(), nil
}

// dropSurplus drops the oldest closed periods of a window beyond those that it keeps.
func (b *clusterBoard) dropSurplus(ctx context.Context, t *state.Timeline) error {
	for r := t.Surplus(); r != nil; r = t.Surplus() {
		name, of := t.Window.Name, r.Period
		err := b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
			for k := range b.partitions() {
				pipe.Unlink(ctx, b.keys.Ranking(k, name, of), b.keys.Values(k, name, of))
				pipe.HDel(ctx, b.keys.Fence(k), layout.PeriodField(name, of))
			}
			pipe.HDel(ctx, b.keys.Records(), layout.RecordField(name, of))
		})
		if err != nil {
			return err
		}
		t.RemoveRecord(r)
	}
	return nil
}

package cluster

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
)

// SaveBaseline stores a copy of the ranking of a window's live period under a name: see board.Board.SaveBaseline. Each partition is copied at one moment. O(members). Errors: those
// of board.Board.SaveBaseline, those of the servers; then call it again.
func (b *clusterBoard) SaveBaseline(ctx context.Context, window, name string) error {
	t, err := b.baselineWindow(window, name)
	if err != nil {
		return err
	}
	slot, err := t.SlotAt(b.now())
	if err != nil {
		return err
	}
	for k := range b.partitions() {
		if err := b.writer.SaveBaseline(ctx, k, window, slot.Name, name); err != nil {
			return err
		}
	}
	return nil
}

// DropBaseline deletes a baseline. Errors: those of board.Board.DropBaseline, those of the servers; then call it again.
func (b *clusterBoard) DropBaseline(ctx context.Context, window, name string) error {
	if _, err := b.baselineWindow(window, name); err != nil {
		return err
	}
	for k := range b.partitions() {
		if err := b.writer.DropBaseline(ctx, k, window, name); err != nil {
			return err
		}
	}
	return nil
}

// baselineWindow checks what a call with a baseline was given. Errors: board.ErrBaseline, board.ErrNoWindow.
func (b *clusterBoard) baselineWindow(window, name string) (*state.Timeline, error) {
	if err := periods.ValidateBaseline(name); err != nil {
		return nil, err
	}
	return b.st.Timeline(window)
}

// Baseline returns the ranking of a baseline, which is empty if there is none: see board.Board.Baseline. Errors: board.ErrBaseline, board.ErrNoWindow, those of the servers.
func (b *clusterBoard) Baseline(ctx context.Context, window, name string) (board.Ranking, error) {
	if _, err := b.baselineWindow(window, name); err != nil {
		return nil, err
	}
	if _, err := b.refresh(ctx); err != nil {
		return nil, err
	}
	info := board.Info{Board: b.st.Name, Window: window, Period: name, Closed: true}
	of := func(ctx context.Context) *sets.Sets { return b.baselineSets(ctx, window, name) }
	s := ranking.NewSubject(source{of, false}, b.keys.Baseline(0, window, name), func() board.Info { return info })
	return ranking.New(&s, b.st.Rules), nil
}

// baselineSets returns the ranking of a baseline.
func (b *clusterBoard) baselineSets(ctx context.Context, window, name string) *sets.Sets {
	return b.setsIn(ctx, false, func(k int) string { return b.keys.Baseline(k, window, name) }, func(k int) string { return b.keys.BaselineValues(k, window, name) })
}

// Baselines returns the names of a window's baselines that have members, in order. Errors: board.ErrNoWindow, those of the servers.
func (b *clusterBoard) Baselines(ctx context.Context, window string) (names []string, err error) {
	if _, err := b.st.Timeline(window); err != nil {
		return nil, err
	}
	all, err := b.baselines(ctx)
	for _, x := range all {
		if err != nil || x.window != window {
			continue
		}
		s := b.baselineSets(ctx, window, x.name)
		if s.Len() > 0 {
			names = append(names, x.name)
		}
		err = s.Err()
	}
	return names, err
}

// baselineEdits returns for each baseline an edit of a member, which stays as it is.
func (b *clusterBoard) baselineEdits(ctx context.Context, member []byte) (edits []commit.Edit, err error) {
	all, err := b.baselines(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	k, gets := b.keys.PartitionOf(member), make([]*redis.StringCmd, len(all))
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for i, x := range all {
			gets[i] = pipe.HGet(ctx, b.keys.BaselineValues(k, x.window, x.name), string(member))
		}
	})
	if err != nil {
		return nil, err
	}
	for i, x := range all {
		t, err := b.st.Timeline(x.window)
		if err != nil {
			return nil, fmt.Errorf("%w: baseline %q: %w", ErrCorrupt, x.name, err)
		}
		e := commit.Edit{Timeline: t, Baseline: x.name, Member: member}
		if e.Was, err = layout.DecodeValue(gets[i].Val(), b.st.Rules.TieWidth()); err != nil {
			return nil, err
		}
		e.Is = e.Was
		edits = append(edits, e)
	}
	return edits, nil
}

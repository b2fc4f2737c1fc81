package cluster

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/zset"
)

// clusterBoard is one board. Its methods may be called from any goroutine, and do what those of board.Board do.
type clusterBoard struct {
	unsupported
	servers *servers.Servers
	clock   func() time.Time
	st      *state.State // what is known of closed periods may be behind: see refresh
	keys    layout.Keys
	writer  commit.Writer
}

// Version implements board.Board. The spec of a board on a cluster does not change.
func (b *clusterBoard) Version() int { return b.st.Version }

func newBoard(v *servers.Servers, o Options, s layout.Board) (*clusterBoard, error) {
	st, err := state.New(s.Spec, 1)
	if err != nil {
		return nil, err
	}
	keys := layout.NewKeys(o.Prefix, s.Spec.Name, s.ID, s.Partitions)
	return &clusterBoard{servers: v, clock: o.Clock, st: st, keys: keys, writer: commit.Writer{Servers: v, Keys: keys, State: st}}, nil
}

// Name returns the name.
func (b *clusterBoard) Name() string { return b.st.Name }

// Spec returns the spec, with its defaults filled in.
func (b *clusterBoard) Spec() board.Spec { return b.st.Spec }

// Partitions returns the number of partitions.
func (b *clusterBoard) partitions() int { return b.keys.Partitions() }

// now returns the time, to the microsecond.
func (b *clusterBoard) now() time.Time { return b.clock().Truncate(time.Microsecond) }

// client returns the client for reads.
func (b *clusterBoard) client() redis.UniversalClient { return b.servers.Client }

// period is a period of a window.
type period = window.Period

// shown is the periods of each window that have had members, by window and name.
type shown map[string]map[string]period

// refresh reads the fences of all partitions, and notes up to when windows are closed. It returns the periods that have had members. Errors: board.ErrNoBoard, board.ErrRelocated,
// those of the servers.
func (b *clusterBoard) refresh(ctx context.Context) (shown, error) {
	all, moving, err := b.look(ctx)
	if to, left := layout.Destination(moving); left && err == nil {
		err = &board.RelocatedError{Board: b.st.Name, To: to.Address, Complete: true}
	}
	return all, err
}

// look is refresh, also of a board that has left: moving is the field of a fence that says so, or that of the first partition.
func (b *clusterBoard) look(ctx context.Context) (all shown, moving string, err error) {
	fences := make([]*redis.MapStringStringCmd, b.partitions())
	var records *redis.MapStringStringCmd
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range fences {
			fences[k] = pipe.HGetAll(ctx, b.keys.Fence(k))
		}
		records = pipe.HGetAll(ctx, b.keys.Records())
	})
	if err != nil {
		return nil, "", err
	}
	if err := b.noteRecords(records.Val()); err != nil {
		return nil, "", err
	}
	all = shown{}
	for k, fence := range fences {
		field := fence.Val()[layout.MovingField]
		if to, _ := layout.Destination(field); k == 0 || to.ID != "" {
			moving = field
		}
		for field, text := range fence.Val() {
			kind, name, of := layout.CutField(field)
			if kind == layout.DroppedField {
				return nil, "", commit.Dropped(b.st.Name)
			}
			t, err := b.st.Timeline(name)
			switch {
			case err != nil: // a spec of before
			case kind == layout.ClosedKind && k == 0: // the first partition is closed last
				commit.NoteClosed(t, text)
			case kind == layout.PeriodKind:
				if p, err := t.Cal.Parse(of); err == nil {
					all.add(name, p)
				}
			}
		}
	}
	return all, moving, nil
}

// noteRecords notes the records of closed periods.
func (b *clusterBoard) noteRecords(stored map[string]string) error {
	for field, text := range stored {
		name, _, _ := strings.Cut(field, "/")
		t, err := b.st.Timeline(name)
		if err != nil {
			continue // of a window that the spec does not have
		}
		r, err := state.DecodeRecord([]byte(text))
		if err != nil {
			return err
		}
		t.AddRecord(r)
	}
	return nil
}

func (s shown) add(window string, p period) {
	if s[window] == nil {
		s[window] = map[string]period{}
	}
	s[window][p.Name] = p
}

// baselineName names a baseline.
type baselineName struct{ window, name string }

// baselines returns the names of all baselines that the fences have, in order.
func (b *clusterBoard) baselines(ctx context.Context) (all []baselineName, err error) {
	fences := make([]*redis.StringSliceCmd, b.partitions())
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range fences {
			fences[k] = pipe.HKeys(ctx, b.keys.Fence(k))
		}
	})
	if err != nil {
		return nil, err
	}
	for _, fence := range fences {
		for _, field := range fence.Val() {
			kind, window, name := layout.CutField(field)
			if x := (baselineName{window, name}); kind == layout.BaselineKind && !slices.Contains(all, x) {
				all = append(all, x)
			}
		}
	}
	slices.SortFunc(all, func(x, y baselineName) int {
		return strings.Compare(layout.BaselineField(x.window, x.name), layout.BaselineField(y.window, y.name))
	})
	return all, nil
}

// rememberDrop is how long the fences of a board that was dropped say so.
const rememberDrop = 24 * time.Hour

// clear deletes everything but the entry in the catalog.
func (b *clusterBoard) clear(ctx context.Context) error {
	all, _, err := b.look(ctx)
	if err != nil {
		return err
	}
	baselines, err := b.baselines(ctx)
	if err != nil {
		return err
	}
	return b.servers.Ask(ctx, func(pipe redis.Pipeliner) { b.unlink(ctx, pipe, all, baselines) })
}

// unlink queues the deletion of everything but the entry in the catalog.
func (b *clusterBoard) unlink(ctx context.Context, pipe redis.Pipeliner, all shown, baselines []baselineName) {
	for k := range b.partitions() {
		for name, periods := range all {
			for p := range periods {
				pipe.Unlink(ctx, b.keys.Ranking(k, name, p), b.keys.Values(k, name, p))
			}
		}
		for _, x := range baselines {
			pipe.Unlink(ctx, b.keys.Baseline(k, x.window, x.name), b.keys.BaselineValues(k, x.window, x.name))
		}
		pipe.Unlink(ctx, b.keys.Changed(k), b.keys.Once(k), b.keys.Fence(k), b.keys.Standings(k), b.keys.Audit(k))
		pipe.HSet(ctx, b.keys.Fence(k), layout.DroppedField, 1)
		pipe.Expire(ctx, b.keys.Fence(k), rememberDrop)
	}
	pipe.Unlink(ctx, b.keys.Records())
}

// newSet returns an empty set for entries of the board.
func (b *clusterBoard) newSet() (*zset.IntSet, error) {
	f := b.st.Form
	return zset.NewInt(zset.Options{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, DenseRanks: f.Dense})
}

package cluster

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/window"
	"github.com/zrankdb/zrank/zset"
)

// Board is one board. Its methods may be called from any goroutine, and do what those of board.Board do.
type Board struct {
	servers *servers.Servers
	clock   func() time.Time
	id      string
	st      *state.State // what is known of closed periods may be behind: see refresh
	keys    layout
}

func newBoard(v *servers.Servers, o Options, s storedBoard) (*Board, error) {
	st, err := state.New(s.spec, 1)
	if err != nil {
		return nil, err
	}
	return &Board{v, o.Clock, s.id, st, newLayout(o.Prefix, s.spec.Name, s.id, s.partitions)}, nil
}

// Name returns the name.
func (b *Board) Name() string { return b.st.Name }

// Spec returns the spec, with its defaults filled in.
func (b *Board) Spec() specs.Spec { return b.st.Spec }

// Partitions returns the number of partitions.
func (b *Board) partitions() int { return len(b.keys.tags) }

// now returns the time, to the microsecond.
func (b *Board) now() time.Time { return b.clock().Truncate(time.Microsecond) }

// client returns the client for reads.
func (b *Board) client() redis.UniversalClient { return b.servers.Client }

// How often a change is tried again while a move holds changes, for about a minute, and while a board leaves, for a few seconds.
const (
	heldTries    = 110
	leavingTries = 20
)

// run runs a script that changes something in a board, and again while a move holds changes. Errors: board.ErrRelocated, those of servers.run.
func (b *Board) run(ctx context.Context, s *redis.Script, keys []string, args ...any) (reply any, err error) {
	for try := 0; ; try++ {
		reply, err := b.servers.Run(ctx, s, keys, args...)
		list, _ := reply.([]any)
		if err != nil || len(list) != 2 || list[0] != movingField {
			return reply, err
		}
		text, _ := list[1].(string)
		to, left := destinationOf(text)
		switch {
		case left || to.Address != "" && try == leavingTries:
			return nil, &errs.RelocatedError{Board: b.st.Name, To: to.Address, Complete: left}
		case try == heldTries:
			return nil, fmt.Errorf("%w: %q: a move that holds changes does not end", errs.ErrRelocated, b.st.Name)
		}
		if err := servers.Pause(ctx, try); err != nil {
			return nil, err
		}
	}
}

// period is a period of a window.
type period = window.Period

// shown is the periods of each window that have had members, by window and name.
type shown map[string]map[string]period

// refresh reads the fences of all partitions, and notes up to when windows are closed. It returns the periods that have had members. Errors: board.ErrNoBoard, board.ErrRelocated,
// those of the servers.
func (b *Board) refresh(ctx context.Context) (shown, error) {
	all, moving, err := b.look(ctx)
	if err == nil {
		err = leftError(b.st.Name, moving)
	}
	return all, err
}

// look is refresh, also of a board that has left: moving is the field of a fence that says so, or that of the first partition.
func (b *Board) look(ctx context.Context) (all shown, moving string, err error) {
	fences := make([]*redis.MapStringStringCmd, b.partitions())
	var records *redis.MapStringStringCmd
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range fences {
			fences[k] = pipe.HGetAll(ctx, b.keys.fence(k))
		}
		records = pipe.HGetAll(ctx, b.keys.records())
	})
	if err != nil {
		return nil, "", err
	}
	if err := b.noteRecords(records.Val()); err != nil {
		return nil, "", err
	}
	all = shown{}
	for k, fence := range fences {
		if field := fence.Val()[movingField]; k == 0 || strings.HasPrefix(field, leavingWord) || strings.HasPrefix(field, leftWord) {
			moving = field
		}
		for field, text := range fence.Val() {
			kind, rest, _ := strings.Cut(field, "/")
			name, of, _ := strings.Cut(rest, "/")
			if field == droppedField {
				return nil, "", b.droppedError()
			}
			t, err := b.st.Timeline(name)
			switch {
			case err != nil: // a spec of before
			case kind == "t" && k == 0: // the first partition is closed last
				b.noteClosed(t, text)
			case kind == "p":
				if p, err := t.Cal.Parse(of); err == nil {
					all.add(name, p)
				}
			}
		}
	}
	return all, moving, nil
}

// noteRecords notes the records of closed periods.
func (b *Board) noteRecords(stored map[string]string) error {
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

// noteClosed notes up to when a window is closed, in microseconds after 1970.
func (b *Board) noteClosed(t *state.Timeline, text string) {
	if through, err := strconv.ParseInt(text, 10, 64); err == nil {
		t.SetClosedThrough(through)
	}
}

// baselineName names a baseline.
type baselineName struct{ window, name string }

// baselines returns the names of all baselines that the fences have, in order.
func (b *Board) baselines(ctx context.Context) (all []baselineName, err error) {
	fences := make([]*redis.StringSliceCmd, b.partitions())
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range fences {
			fences[k] = pipe.HKeys(ctx, b.keys.fence(k))
		}
	})
	if err != nil {
		return nil, err
	}
	for _, fence := range fences {
		for _, field := range fence.Val() {
			kind, rest, _ := strings.Cut(field, "/")
			window, name, _ := strings.Cut(rest, "/")
			if x := (baselineName{window, name}); kind == "b" && !slices.Contains(all, x) {
				all = append(all, x)
			}
		}
	}
	slices.SortFunc(all, func(x, y baselineName) int {
		return strings.Compare(baselineField(x.window, x.name), baselineField(y.window, y.name))
	})
	return all, nil
}

// baselineField returns the field of a fence that says that a partition has a baseline.
func baselineField(window, name string) string { return "b/" + window + "/" + name }

// droppedField is in the fences of a board that was dropped, for as long as rememberDrop.
const (
	droppedField = "dropped"
	rememberDrop = 24 * time.Hour
)

func (b *Board) droppedError() error { return fmt.Errorf("%w: %q", errs.ErrNoBoard, b.st.Name) }

// clear deletes everything but the entry in the catalog.
func (b *Board) clear(ctx context.Context) error {
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
func (b *Board) unlink(ctx context.Context, pipe redis.Pipeliner, all shown, baselines []baselineName) {
	for k := range b.partitions() {
		for name, periods := range all {
			for p := range periods {
				pipe.Unlink(ctx, b.keys.ranking(k, name, p), b.keys.values(k, name, p))
			}
		}
		for _, x := range baselines {
			pipe.Unlink(ctx, b.keys.baseline(k, x.window, x.name), b.keys.baselineValues(k, x.window, x.name))
		}
		pipe.Unlink(ctx, b.keys.changed(k), b.keys.once(k), b.keys.fence(k), b.keys.standings(k), b.keys.audit(k))
		pipe.HSet(ctx, b.keys.fence(k), droppedField, 1)
		pipe.Expire(ctx, b.keys.fence(k), rememberDrop)
	}
	pipe.Unlink(ctx, b.keys.records())
}

// newSet returns an empty set for entries of the board.
func (b *Board) newSet() (*zset.IntSet, error) {
	f := b.st.Form
	return zset.NewInt(zset.Options{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, DenseRanks: f.Dense})
}

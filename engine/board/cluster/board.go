package cluster

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/window"
	"github.com/zrankdb/zrank/zset"
)

// Board is one board. Its methods may be called from any goroutine, and do what those of board.Board do.
type Board struct {
	servers *servers
	id      string
	st      *state.State // what is known of closed periods may be behind: see refresh
	keys    layout
}

func newBoard(b *servers, s storedBoard) (*Board, error) {
	st, err := state.New(s.spec, 1)
	if err != nil {
		return nil, err
	}
	return &Board{b, s.id, st, newLayout(b.o.Prefix, s.spec.Name, s.id, s.partitions)}, nil
}

// Name returns the name.
func (b *Board) Name() string { return b.st.Name }

// Spec returns the spec, with its defaults filled in.
func (b *Board) Spec() specs.Spec { return b.st.Spec }

// Partitions returns the number of partitions.
func (b *Board) partitions() int { return len(b.keys.tags) }

// now returns the time, to the microsecond.
func (b *Board) now() time.Time { return b.servers.o.Clock().Truncate(time.Microsecond) }

// client returns the client for reads.
func (b *Board) client() redis.UniversalClient { return b.servers.client }

// period is a period of a window.
type period = window.Period

// shown is the periods of each window that have had members, by window and name.
type shown map[string]map[string]period

// refresh reads the fences of all partitions, and notes up to when windows are closed. It returns the periods that have had members.
func (b *Board) refresh(ctx context.Context) (shown, error) {
	fences := make([]*redis.MapStringStringCmd, b.partitions())
	var records *redis.MapStringStringCmd
	err := b.servers.ask(ctx, func(pipe redis.Pipeliner) {
		for k := range fences {
			fences[k] = pipe.HGetAll(ctx, b.keys.fence(k))
		}
		records = pipe.HGetAll(ctx, b.keys.records())
	})
	if err != nil {
		return nil, err
	}
	if err := b.noteRecords(records.Val()); err != nil {
		return nil, err
	}
	all := shown{}
	for k, fence := range fences {
		for field, text := range fence.Val() {
			kind, rest, _ := strings.Cut(field, "/")
			name, of, _ := strings.Cut(rest, "/")
			if field == droppedField {
				return nil, b.droppedError()
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
	return all, nil
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

// droppedField is in the fences of a board that was dropped, for as long as rememberDrop.
const (
	droppedField = "dropped"
	rememberDrop = 24 * time.Hour
)

func (b *Board) droppedError() error { return fmt.Errorf("%w: %q", errs.ErrNoBoard, b.st.Name) }

// clear deletes everything but the entry in the catalog.
func (b *Board) clear(ctx context.Context) error {
	all, err := b.refresh(ctx)
	if err != nil {
		return err
	}
	return b.servers.ask(ctx, func(pipe redis.Pipeliner) { b.unlink(ctx, pipe, all) })
}

// unlink queues the deletion of everything but the entry in the catalog.
func (b *Board) unlink(ctx context.Context, pipe redis.Pipeliner, all shown) {
	for k := range b.partitions() {
		for name, periods := range all {
			for p := range periods {
				pipe.Unlink(ctx, b.keys.ranking(k, name, p), b.keys.values(k, name, p))
			}
		}
		pipe.Unlink(ctx, b.keys.once(k), b.keys.fence(k), b.keys.standings(k), b.keys.audit(k))
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

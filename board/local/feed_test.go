package local

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/engine"
)

// endOf returns the error that a feed ends with.
func endOf(bs *Boards, after feed.Position, f feed.Filter) (err error) {
	for _, err = range bs.Events(context.Background(), after, f) {
	}
	return err
}

// TestFeedRefused: impossible positions and filters are typed errors, and so is a position of another store.
func TestFeedRefused(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Feed: &board.Feed{}})
	g.score(b, "ada", 1)
	end, err := g.bs.FeedEnd(t.Context())
	require.NoError(t, err)
	require.NoError(t, endOf(g.bs, end, feed.Filter{}))
	for _, p := range []feed.Position{{Store: end.Store + 1, Commit: 1}, {Store: end.Store, Index: 1}, {Store: end.Store, Commit: 1, Index: -1}} {
		require.ErrorIs(t, endOf(g.bs, p, feed.Filter{}), feed.ErrPosition, p)
	}
	for _, p := range []feed.Position{{Store: end.Store, Commit: end.Commit, Index: 1}, {Store: end.Store, Commit: end.Commit + 1}} {
		require.ErrorIs(t, endOf(g.bs, p, feed.Filter{}), feed.ErrFuture, p)
	}
	require.ErrorIs(t, endOf(g.bs, end, feed.Filter{Kinds: []feed.Kind{0}}), feed.ErrKind)
	require.ErrorIs(t, b.Watch(t.Context(), ""), board.ErrMember)
	for _, spec := range []board.Spec{{Feed: &board.Feed{Top: -2}}, {Feed: &board.Feed{Top: board.MaxFeedTop + 1}}, {Feed: &board.Feed{}, Parts: 2}, {Feed: &board.Feed{}, PartMembers: 9}} {
		spec.Name = "bad"
		_, err := g.bs.Define(t.Context(), spec)
		require.ErrorIs(t, err, board.ErrSpec)
	}
	require.NoError(t, g.bs.Close())
	require.ErrorIs(t, endOf(g.bs, feed.Position{}, feed.Filter{}), board.ErrClosed)
	_, err = g.bs.FeedEnd(t.Context())
	require.ErrorIs(t, err, board.ErrClosed)
}

// TestFeedEndIsDurable: at every level, the end of the feed is behind commits only that no crash takes, and a feed from there has all that come later.
func TestFeedEndIsDurable(t *testing.T) {
	for _, level := range []engine.Durability{engine.Sync, engine.Interval, engine.None} {
		g := newGame(t, true, func(g *game) { g.o = engine.Options{Durability: level, Interval: time.Hour} })
		b := g.define(board.Spec{Name: "arena", Feed: &board.Feed{}})
		require.NoError(t, g.e.Flush())
		g.score(b, "ada", 1)
		end, err := g.bs.FeedEnd(t.Context())
		require.NoError(t, err)
		require.LessOrEqual(t, end.Commit, g.e.DurableSeq()+1, "%v", level)
		g.score(b, "bob", 2)
		require.NoError(t, g.e.Flush())
		var members []string
		for e, err := range g.bs.Events(t.Context(), end, feed.Filter{Kinds: []feed.Kind{feed.Submitted}}) {
			require.NoError(t, err)
			members = append(members, e.Member)
		}
		want := []string{"ada", "bob"}
		if level == engine.Sync {
			want = want[1:]
		}
		require.Equal(t, want, members, "%v", level)
	}
}

// TestFeedEnds: a feed that waits ends when the boards are closed, or its context.
func TestFeedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, false)
		ctx, cancel := context.WithCancel(t.Context())
		ends := make(chan error, 2)
		for _, ctx := range []context.Context{ctx, t.Context()} {
			go func() {
				for _, err := range g.bs.Feed(ctx, feed.Position{}, feed.Filter{}) {
					ends <- err
				}
			}()
		}
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-ends, context.Canceled)
		require.NoError(t, g.bs.Close())
		require.ErrorIs(t, <-ends, board.ErrClosed)
	})
}

// TestFeedBehind: a feed whose events are gone is told from where on there are some, and begins there without an error if it asks for the oldest.
func TestFeedBehind(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Feed: &board.Feed{Top: -1}})
	g.score(b, "ada", 1)
	first := firstEvent(t, g.bs)
	for range 50 {
		g.score(b, "ada", 1)
	}
	require.NoError(t, g.e.Snapshot())
	g.reopen()
	g.score(g.board("arena"), "ada", 1)
	var behind *feed.BehindError
	require.ErrorAs(t, endOf(g.bs, first.Position, feed.Filter{}), &behind)
	require.ErrorIs(t, behind, feed.ErrBehind)
	require.Equal(t, first.Position, behind.After)
	require.Equal(t, board.Int(52), firstEvent(t, g.bs).Score.At(0))
	for e, err := range g.bs.Events(t.Context(), behind.Oldest, feed.Filter{}) {
		require.NoError(t, err)
		require.Equal(t, board.Int(52), e.Score.At(0))
	}
}

func firstEvent(t *testing.T, bs *Boards) feed.Event {
	for e, err := range bs.Events(t.Context(), feed.Position{}, feed.Filter{Kinds: []feed.Kind{feed.Submitted}}) {
		require.NoError(t, err)
		return e
	}
	t.Fatal("there are no events")
	return feed.Event{}
}

// TestFeedErased: after an erasure and Compact no event is left that names the member, though the log is kept for feeds.
func TestFeedErased(t *testing.T) {
	g := newGame(t, true, func(g *game) { g.o.FeedLogBytes = 1 << 20 })
	b := g.define(board.Spec{Name: "arena", Feed: &board.Feed{}})
	require.NoError(t, b.Watch(t.Context(), "eve"))
	g.score(b, "eve", 5)
	g.score(b, "ada", 7)
	_, err := b.Erase(t.Context(), "eve", ops)
	require.NoError(t, err)
	end := feed.Position{}
	for e, err := range g.bs.Events(t.Context(), feed.Position{}, feed.Filter{Kinds: []feed.Kind{feed.Erased}}) {
		require.NoError(t, err)
		require.Empty(t, e.Member)
		end = e.Position
	}
	require.NotZero(t, end)
	require.Empty(t, g.privates("board.watch"))
	_, err = g.e.Compact(t.Context(), nil)
	require.NoError(t, err)
	g.reopen()
	require.NoError(t, endOf(g.bs, feed.Position{}, feed.Filter{}))
	for e := range g.bs.Events(t.Context(), feed.Position{}, feed.Filter{}) {
		t.Fatal(e)
	}
}

// TestFeedMigrate: Migrate gives a board a feed, and takes it away, without another version.
func TestFeedMigrate(t *testing.T) {
	g := newGame(t, true)
	spec := board.Spec{Name: "arena", Op: board.Sum}
	b := g.define(spec)
	g.score(b, "ada", 1)
	spec.Feed = &board.Feed{}
	g.migrate(spec)
	require.Equal(t, 1, b.Version())
	require.Equal(t, 10, b.Spec().Feed.Top)
	g.score(b, "ada", 1)
	g.reopen()
	b = g.board("arena")
	require.Equal(t, board.Int(2), firstEvent(t, g.bs).Score.At(0))
	require.NoError(t, b.Watch(t.Context(), "ada"))
	spec.Feed = nil
	g.migrate(spec)
	end, err := g.bs.FeedEnd(t.Context())
	require.NoError(t, err)
	g.score(b, "bob", 9)
	for e := range g.bs.Events(t.Context(), end, feed.Filter{}) {
		t.Fatal(e)
	}
	require.NoError(t, g.bs.Drop(t.Context(), "arena"))
	require.Empty(t, g.privates("board.watch"))
}

// TestFeedFallsBehind: a reader that takes its time while the log is cut is told when it goes on, at the end of what it has in memory, and not before.
func TestFeedFallsBehind(t *testing.T) {
	g := newGame(t, true, func(g *game) { g.o = engine.Options{FeedBytes: 1 << 10} })
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Feed: &board.Feed{Top: -1}})
	g.score(b, "ada", 1)
	n := int64(0)
	for e, err := range g.bs.Feed(t.Context(), feed.Position{}, feed.Filter{Kinds: []feed.Kind{feed.Submitted}}) {
		if n++; n == 1 {
			require.NoError(t, err)
			for range 1000 {
				g.score(b, "ada", 1)
			}
			require.NoError(t, g.e.Snapshot())
			continue
		}
		var behind *feed.BehindError
		require.ErrorAs(t, err, &behind)
		require.Zero(t, e)
		require.Greater(t, behind.Oldest.Commit, behind.After.Commit)
		break
	}
	require.EqualValues(t, 2, n)
}

// TestFeedConcurrent: while goroutines submit, readers see each member's scores rise by one without a gap, each event once and in order. One that falls behind is
// told, and goes on where it is told to. For -race.
func TestFeedConcurrent(t *testing.T) {
	const writers, scores = 4, 200
	g := newGame(t, true, func(g *game) {
		g.o = engine.Options{FeedBytes: 4 << 10, SnapshotBytes: 16 << 10, Durability: engine.None}
	})
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Feed: &board.Feed{Top: 2}})
	require.NoError(t, b.Watch(t.Context(), "w0"))
	begin, err := g.bs.FeedEnd(t.Context())
	require.NoError(t, err)
	var readers, all sync.WaitGroup
	for i := range 3 {
		readers.Go(func() { readScores(t, g.bs, begin, i == 2) })
	}
	for w := range writers {
		all.Go(func() {
			for range scores {
				if _, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("w", w), Score: board.Ints(1)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for range 100 {
			if err := g.e.Flush(); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	done := make(chan struct{})
	go func() { readers.Wait(); close(done) }()
	for {
		g.score(b, "end", 1)
		require.NoError(t, g.e.Flush())
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// readScores reads until the member end has a score. A slow reader sleeps.
func readScores(t *testing.T, bs *Boards, after feed.Position, slow bool) {
	last := map[string]int64{}
	for {
		var behind *feed.BehindError
		for e, err := range bs.Feed(context.Background(), after, feed.Filter{Kinds: []feed.Kind{feed.Submitted}}) {
			if errors.As(err, &behind) {
				break
			}
			if err != nil || e.Position.Compare(after) <= 0 {
				t.Errorf("%v at %v after %v", err, e.Position, after)
				return
			}
			if e.Member == "end" {
				return
			}
			score := whole(e.Score.At(0).Units())
			if was, ok := last[e.Member]; ok && score != was+1 {
				t.Errorf("%s has %d after %d", e.Member, score, was)
			}
			last[e.Member], after = score, e.Position
			if slow {
				time.Sleep(time.Millisecond)
			}
		}
		after = behind.Oldest
		clear(last)
	}
}

// TestFeedFilters: whatever readers ask for, from wherever, while others read and more is submitted, they get what passes their filter of what a reader of
// everything gets. The events are more than readers share.
func TestFeedFilters(t *testing.T) { readFiltered(t) }

func readFiltered(t testing.TB) {
	g := newGame(t, false, func(g *game) { g.o = engine.Options{FeedBytes: 1 << 30} })
	boards := []board.Board{g.define(board.Spec{Name: "arena", Op: board.Last, Windows: []board.Window{board.All, board.Day}, Feed: &board.Feed{Top: 5}}), g.define(board.Spec{Name: "shop", Op: board.Sum, Feed: &board.Feed{Top: -1}})}
	rng := rand.New(rand.NewPCG(22, 3))
	g.score(boards[0], "m0", 1)
	stop := keepReading(t, g.bs)
	defer stop()
	var all []feed.Event
	var readers []*filtered
	for range 60 {
		score := func(n int) {
			for range n {
				g.score(boards[rng.IntN(2)], fmt.Sprint("m", rng.IntN(1000)), rng.Int64N(1000))
			}
		}
		score(100)
		middle, err := g.bs.FeedEnd(t.Context())
		require.NoError(t, err)
		score(100)
		if rng.IntN(2) == 0 { // somebody is ahead of all others
			require.NoError(t, endOf(g.bs, middle, feed.Filter{}))
		}
		end := feed.Position{}
		if len(all) > 0 {
			end = all[len(all)-1].Position
		}
		for e, err := range g.bs.Events(t.Context(), end, feed.Filter{}) {
			require.NoError(t, err)
			all = append(all, e)
		}
		readers = append(readers, newFiltered(rng, all))
		for _, r := range readers {
			if rng.IntN(3) > 0 {
				r.compare(t, g.bs, rng, all)
			}
		}
	}
}

// keepReading begins a feed, so that there is a reader until stop is called.
func keepReading(t testing.TB, bs *Boards) (stop func()) {
	next, stop := iter.Pull2(bs.Feed(t.Context(), feed.Position{}, feed.Filter{}))
	_, err, _ := next()
	require.NoError(t, err)
	return stop
}

// filtered is a reader with a filter. It has got what passes of the first n events.
type filtered struct {
	f     feed.Filter
	after feed.Position
	n     int
}

// newFiltered returns a reader with a random filter from a random place on.
func newFiltered(rng *rand.Rand, all []feed.Event) *filtered {
	r := &filtered{n: rng.IntN(len(all) + 1)}
	if r.n > 0 {
		r.after = all[r.n-1].Position
	}
	kinds := feed.Kinds()
	for range rng.IntN(3) {
		r.f.Kinds = append(r.f.Kinds, kinds[rng.IntN(6)])
	}
	for range rng.IntN(3) {
		r.f.Boards = append(r.f.Boards, []string{"arena", "shop", "none"}[rng.IntN(3)])
	}
	for range rng.IntN(3) {
		r.f.Windows = append(r.f.Windows, []string{"all", "day"}[rng.IntN(2)])
	}
	for range []int{0, 1, 2, 20, 100}[rng.IntN(5)] {
		r.f.Members = append(r.f.Members, fmt.Sprint("m", rng.IntN(1000)))
	}
	return r
}

// passes reports whether an event passes the filter.
func (r *filtered) passes(e feed.Event) bool {
	has := func(list []string, text string) bool { return list == nil || slices.Contains(list, text) }
	return has(r.f.Boards, e.Board) && has(r.f.Windows, e.Window) && has(r.f.Members, e.Member) && (r.f.Kinds == nil || slices.Contains(r.f.Kinds, e.Kind))
}

// compare reads on, and sometimes stops in the middle.
func (r *filtered) compare(t testing.TB, bs *Boards, rng *rand.Rand, all []feed.Event) {
	most := []int{1, 7, len(all)}[rng.IntN(3)]
	var want, got []feed.Event
	for ; r.n < len(all) && len(want) < most; r.n++ {
		if r.passes(all[r.n]) {
			want = append(want, all[r.n])
		}
	}
	for e, err := range bs.Events(t.Context(), r.after, r.f) {
		require.NoError(t, err)
		if got = append(got, e); len(got) == most {
			break
		}
	}
	require.Equal(t, want, got, "%+v", r.f)
	if len(got) > 0 {
		r.after = got[len(got)-1].Position
	}
}

package move

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
)

// errDead is what all steps of a move return when its process has ended.
var errDead = errors.New("the process is gone")

// life is that of a process: it ends at a step, before or after the step was taken.
type life struct {
	left  int
	after bool
}

// step takes a step, unless the process is gone.
func (l *life) step(do func() error) error {
	if l.left--; l.left < 0 || l.left == 0 && !l.after {
		return errDead
	}
	if err := do(); err != nil {
		return err
	}
	if l.left == 0 {
		return errDead
	}
	return nil
}

// mortal is boards whose process ends in the middle of a move.
type mortal struct {
	Boards
	l *life
}

func (m mortal) Relocation() (relocation.Store, error) {
	s, err := m.Boards.Relocation()
	return mortalStore{s, m.l}, err
}

type mortalStore struct {
	relocation.Store
	l *life
}

func (m mortalStore) Source(ctx context.Context, name string) (s relocation.Source, err error) {
	err = m.l.step(func() (err error) { s, err = m.Store.Source(ctx, name); return err })
	return mortalSource{s, m.l}, err
}

func (m mortalStore) Target(ctx context.Context, spec board.Spec, id string) (t relocation.Target, err error) {
	err = m.l.step(func() (err error) { t, err = m.Store.Target(ctx, spec, id); return err })
	return mortalTarget{t, m.l}, err
}

type mortalSource struct {
	relocation.Source
	l *life
}

func (m mortalSource) Changed(ctx context.Context) (c relocation.Changes, err error) {
	err = m.l.step(func() (err error) { c, err = m.Source.Changed(ctx); return err })
	return c, err
}

func (m mortalSource) Hold(ctx context.Context) error {
	return m.l.step(func() error { return m.Source.Hold(ctx) })
}

func (m mortalSource) Leave(ctx context.Context, to relocation.Destination) error {
	return m.l.step(func() error { return m.Source.Leave(ctx, to) })
}

func (m mortalSource) Left(ctx context.Context) error {
	return m.l.step(func() error { return m.Source.Left(ctx) })
}

func (m mortalSource) Release(ctx context.Context) error {
	return m.l.step(func() error { return m.Source.Release(ctx) })
}

func (m mortalSource) Close(ctx context.Context) error {
	return m.l.step(func() error { return m.Source.Close(ctx) })
}

type mortalTarget struct {
	relocation.Target
	l *life
}

func (m mortalTarget) Put(ctx context.Context, r relocation.Ranking, list []relocation.Difference) error {
	return m.l.step(func() error { return m.Target.Put(ctx, r, list) })
}

func (m mortalTarget) PutOnce(ctx context.Context, keys []relocation.OnceKey) error {
	return m.l.step(func() error { return m.Target.PutOnce(ctx, keys) })
}

func (m mortalTarget) Finish(ctx context.Context, h relocation.Header) error {
	return m.l.step(func() error { return m.Target.Finish(ctx, h) })
}

func (m mortalTarget) Open(ctx context.Context) error {
	return m.l.step(func() error { return m.Target.Open(ctx) })
}

// disk is an engine with boards that can be killed.
type disk struct {
	t     *testing.T
	clock *testclock.Clock
	mem   *memfs.FS
	place
}

func newDisk(t *testing.T, clock *testclock.Clock) *disk {
	d := &disk{t: t, clock: clock, mem: memfs.NewCrashable()}
	d.open()
	return d
}

func (d *disk) open() {
	var err error
	d.e, err = engine.Open("db", engine.Options{FS: d.mem, Clock: d.clock.Now, SnapshotBytes: -1})
	require.NoError(d.t, err)
	d.Boards, err = local.Open(d.e, local.Options{})
	require.NoError(d.t, err)
}

// kill opens what is on the disk as after a power cut. What runs of the old engine is left alone, as it may never end.
func (d *disk) kill() {
	old := d.e
	d.mem = powercut.Clone(d.mem, 0, 1)
	d.open()
	d.t.Cleanup(func() { _ = old.Close() })
}

// killed is a move that is cut at each of its steps, until it runs to its end.
type killed struct {
	t      *testing.T
	here   *disk
	there  servers
	client redis.UniversalClient
	total  int // what has counted
}

func (k *killed) submit(b board.Board, n int) error {
	for range n {
		member := fmt.Sprint("m", k.total%7)
		if _, err := b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(1), Meta: fmt.Append(nil, k.total), Once: fmt.Sprint("once", k.total)}); err != nil {
			return err
		}
		k.total++
	}
	return nil
}

// sum returns what is in the rankings of a board.
func (k *killed) sum(b board.Board) (sum int) {
	for _, window := range []string{"all", "day"} {
		r, err := b.Live(context.Background(), window)
		require.NoError(k.t, err)
		rows, err := r.Top(context.Background(), 100)
		require.NoError(k.t, err)
		n := 0
		for _, row := range rows {
			n += int(row.Score.At(0).Float())
		}
		if window == "day" {
			require.Equal(k.t, sum, n)
		}
		sum = n
	}
	return sum
}

// passTime makes changes wait no longer for a move whose process is gone.
func (k *killed) passTime() {
	ctx := k.t.Context()
	fences, err := k.client.Keys(ctx, k.there.prefix+"*/fence").Result()
	require.NoError(k.t, err)
	for _, fence := range fences {
		field, _ := k.client.HGet(ctx, fence, "moving").Result()
		if words := strings.Fields(field); len(words) == 3 && words[0] == "held" {
			require.NoError(k.t, k.client.HSet(ctx, fence, "moving", "held "+words[1]+" 0").Err())
		}
	}
}

// cut moves the board with a process that ends at a step, and reports whether the move came to its end. Then the board is in one of both places, or in neither until
// the move is made again; all that has counted is there.
func (k *killed) cut(from, to site, l life) (complete bool) {
	ctx, end := context.WithCancel(k.t.Context())
	_, err := Board(ctx, "arena", mortal{from, &l}, mortal{to, &l}, Options{})
	end()
	k.here.kill()
	k.passTime()
	if complete = l.left > 0; complete {
		require.NoError(k.t, err)
	}
	takes := 0
	for _, s := range []site{from, to} {
		b, err := s.store().Board(ctx, "arena")
		if err != nil {
			continue
		}
		if err := k.submit(b, 2); err != nil {
			require.ErrorIs(k.t, err, board.ErrRelocated)
			continue
		}
		takes++
		require.Equal(k.t, k.total, k.sum(b), "%+v", l)
	}
	require.LessOrEqual(k.t, takes, 1, "%+v", l)
	return complete
}

// TestKilled: a process that moves a board ends at any step. At most one of both places takes submissions then; the move is made again, and all that was acknowledged is
// there.
func TestKilled(t *testing.T) {
	client := server(t)
	clock := testclock.New()
	spec := board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, MaxMeta: 8}
	for _, back := range []bool{false, true} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint("back ", back, ", after ", after), func(t *testing.T) {
				t.Parallel() // calls wait for moves that do not end
				cuts := 0
				for complete := false; !complete; cuts++ {
					k := &killed{t: t, here: newDisk(t, clock), there: newServers(t, client, clock, 2), client: client}
					from, to := site(k.here), site(k.there)
					if back {
						from, to = to, from
					}
					b, err := from.store().Define(t.Context(), spec)
					require.NoError(t, err)
					require.NoError(t, k.submit(b, 20))
					complete = k.cut(from, to, life{left: cuts + 1, after: after})

					report, err := Board(t.Context(), "arena", from, to, Options{})
					if complete || errors.Is(err, board.ErrRelocated) {
						require.ErrorIs(t, err, board.ErrRelocated)
					} else {
						require.NoError(t, err)
						require.True(t, report.Finished)
					}
					b, err = to.store().Board(t.Context(), "arena")
					require.NoError(t, err)
					require.Equal(t, k.total, k.sum(b), "cut %d", cuts)
					require.NoError(t, k.submit(b, 5))
					c, err := b.Submit(t.Context(), board.Submission{Member: "m0", Score: board.Ints(1), Once: "once0"})
					require.NoError(t, err)
					require.True(t, c.Duplicate)
					require.Equal(t, k.total, k.sum(b))
					require.NoError(t, k.here.Close())
					require.NoError(t, k.here.e.Close())
				}
				t.Logf("%d steps", cuts)
			})
		}
	}
}

// TestAbort: a move that is given up leaves the board where it was, and nothing in the other place.
func TestAbort(t *testing.T) {
	client := server(t)
	for _, back := range []bool{false, true} {
		t.Run(fmt.Sprint("back ", back), func(t *testing.T) {
			t.Parallel()
			abortAtEach(t, client, back)
		})
	}
}

// abortAtEach gives up moves that were cut at each of their steps.
func abortAtEach(t *testing.T, client redis.UniversalClient, back bool) {
	clock := testclock.New()
	spec := board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, MaxMeta: 8}
	for cuts, complete := 0, false; !complete; cuts++ {
		k := &killed{t: t, here: newDisk(t, clock), there: newServers(t, client, clock, 2), client: client}
		from, to := site(k.here), site(k.there)
		if back {
			from, to = to, from
		}
		b, err := from.store().Define(t.Context(), spec)
		require.NoError(t, err)
		require.NoError(t, k.submit(b, 20))
		complete = k.cut(from, to, life{left: cuts + 1})
		_, err = to.store().Board(t.Context(), "arena")
		open := err == nil
		err = Abort(t.Context(), "arena", from, to)
		if complete || open {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, "cut %d", cuts)
		b, err = from.store().Board(t.Context(), "arena")
		require.NoError(t, err)
		require.NoError(t, k.submit(b, 5))
		require.Equal(t, k.total, k.sum(b), "cut %d", cuts)
		_, err = to.store().Board(t.Context(), "arena")
		require.ErrorIs(t, err, board.ErrNoBoard)
		_, err = to.store().Define(t.Context(), spec)
		require.NoError(t, err)
		require.NoError(t, k.here.Close())
		require.NoError(t, k.here.e.Close())
	}
}

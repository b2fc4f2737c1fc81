package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// intSetOf makes what fillInts does by hand; if score is not 0, all have it.
func intSetOf(t testing.TB, f Form, n int, score int64) *zset.IntSet {
	t.Helper()
	b := must(zset.NewIntBuilder(optionsOf(f)))
	for i := range n {
		member, tie, own := intMember(f, i)
		if score != 0 {
			own = score
		}
		require.NoError(t, b.AddTied(member, tie, own))
	}
	return b.Set()
}

// TestCopyIntsAtOneInstant: while a big set is copied, transactions move one point at a time from one member to another. Every copy has the same
// sum of points, and its LastSeq is the last commit that it shows.
func TestCopyIntsAtOneInstant(t *testing.T) {
	const base = math.MaxInt64 / 2
	n := 3000
	if invariants.Enabled {
		n = 300
	}
	e := must(New(Options{}))
	e.ops.pageWork = 2 << 10
	form := intForms[2]
	require.NoError(t, e.StoreInts(t.Context(), "n", intSetOf(t, form, n, base)))
	moved, pages := 0, 0
	e.ops.copied = func() { // between two pages, when nothing is locked
		pages++
		for range 3 {
			mustUpdate(t, e, []string{"n"}, func(tx *Tx) {
				s := intsOf(t, tx, "n", form)
				from, _, _ := intMember(form, moved*7%n)
				to, _, _ := intMember(form, (moved*7+n/2)%n)
				_, err := s.IncrBy(from, -1)
				require.NoError(t, err)
				_, err = s.IncrBy(to, 1)
				require.NoError(t, err)
			})
			moved++
		}
	}
	for range 3 {
		z, seq, err := e.CopyInts(t.Context(), "n", form)
		require.NoError(t, err)
		require.NoError(t, z.Check())
		require.Equal(t, n, z.Len())
		require.Equal(t, optionsOf(form), z.Options())
		excess := int64(0)
		for _, x := range z.Append(nil, 0, n) {
			excess += x.Score - base
		}
		require.Zero(t, excess)
		mustUpdate(t, e, []string{"n"}, func(tx *Tx) { require.NoError(t, intsOf(t, tx, "n", form).Expect(seq)) })
	}
	z, seq, err := e.CopyInts(t.Context(), "absent", form)
	require.NoError(t, err)
	require.Zero(t, z.Len())
	require.Zero(t, seq)
	require.Equal(t, optionsOf(form), z.Options())
	ctx, cancel := context.WithCancel(t.Context())
	e.ops.copied = cancel
	_, _, err = e.CopyInts(ctx, "n", form)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, e.Close())
	t.Logf("%d pages, %d changes meanwhile", pages, moved)
}

// TestStoreInts: a set takes the place of whatever the key had, form, kind and expiry; small ones in one commit, big ones by many; an
// empty one leaves nothing. All of it is there after a power cut, and none of a set that was refused.
func TestStoreInts(t *testing.T) { twoWays(t, storeInts) }

func storeInts(t *testing.T, follow func(*Engine), logged bool) {
	for _, stage := range []int{stageBytes, 4 << 10} {
		mem := memfs.NewCrashable()
		e := mustOpen(t, mem, Options{SnapshotBytes: -1})
		e.ops.stageBytes = stage
		follow(e)
		require.NoError(t, setX(e, "n", 1))
		expireIn(t, e, "n", 1<<40)
		for i, form := range intForms {
			before, n := e.m.lastSeq(), 500*(i%2)+20
			require.NoError(t, e.StoreInts(t.Context(), "n", intSetOf(t, form, n, 0)))
			commits := e.m.lastSeq() - before
			if stage != stageBytes && n > 500 {
				require.Equal(t, logged, commits > 2, "%d commits", commits)
			} else {
				require.EqualValues(t, 1, commits)
			}
			at, ok, err := e.Expiry("n")
			require.NoError(t, err)
			require.True(t, ok && at.IsZero())
			if i == 1 {
				require.NoError(t, e.Snapshot())
			}
			mem = cutAndClose(t, e, mem)
			e = mustOpen(t, mem, Options{SnapshotBytes: -1})
			e.ops.stageBytes = stage
			follow(e)
			require.NoError(t, hasInts(e, "n", form, n))
			require.NoError(t, sound(e, 1))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, e.StoreInts(ctx, "m", intSetOf(t, intForms[1], 600, 1)), context.Canceled)
		require.NoError(t, e.StoreInts(t.Context(), "n", must(zset.NewInt(zset.Options{}))))
		require.NoError(t, sound(e, 0))
		require.NoError(t, e.Close())
	}
}

// TestStoreIntsPowerCut cuts the power before every operation that changes the disk while a big set takes the place of another: each
// time it is the one or the other, whole, and what was acknowledged is there.
func TestStoreIntsPowerCut(t *testing.T) { twoWays(t, storeIntsPowerCut) }

func storeIntsPowerCut(t *testing.T, follow func(*Engine), _ bool) {
	old, form, n := intForms[1], intForms[2], 400
	r := newRunner(Options{SnapshotBytes: -1}, memfs.NewCrashable())
	c := &crasher{r: r, out: make(chan crashed, 1000)}
	done := make(chan error)
	points, news := 0, 0
	go func() {
		var failed error
		for cut := range c.out {
			points++
			isNew, err := eitherInts(cut, old, form, n)
			if isNew {
				news++
			}
			failed = errors.Join(failed, err)
		}
		done <- failed
	}()
	e := mustOpen(t, r.mem, Options{SnapshotBytes: -1})
	fillInts(t, e, "n", old, n)
	require.NoError(t, e.Close())
	e = mustOpen(t, errorfs.Wrap(r.mem, c), Options{SnapshotBytes: -1})
	e.ops.stageBytes = 4 << 10
	follow(e)
	require.NoError(t, e.StoreInts(t.Context(), "n", intSetOf(t, form, n, 0)))
	r.acked.Store(1)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	close(c.out)
	require.NoError(t, <-done)
	require.Positive(t, news)
	require.Less(t, news, points)
	t.Logf("%d power cuts, the new set after %d", points, news)
}

// eitherInts opens what a power cut has left, in which n has one of two forms.
func eitherInts(cut crashed, old, form Form, n int) (isNew bool, err error) {
	e, err := Open("db", Options{FS: cut.fs, SnapshotBytes: -1})
	if err != nil {
		return false, fmt.Errorf("%s: %w", cut.what, err)
	}
	defer e.Close()
	u, _, err := e.Usage("n")
	if isNew = u.Form == form; !isNew && cut.acked > 0 {
		err = errors.Join(err, errors.New("what was acknowledged is lost"))
	}
	if isNew {
		old = form
	}
	if err = errors.Join(err, hasInts(e, "n", old, n), sound(e, 1)); err != nil {
		return isNew, fmt.Errorf("%s: %w", cut.what, err)
	}
	return isNew, nil
}

// TestDone: the channel is closed when Close begins, and not before.
func TestDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, e := range []*Engine{must(New(Options{})), must(Open("db", Options{FS: persist.MemFS()}))} {
			ended := false
			go func() { <-e.Done(); ended = true }()
			synctest.Wait()
			require.False(t, ended)
			require.NoError(t, e.Close())
			synctest.Wait()
			require.True(t, ended)
		}
	})
}

// optionsOf returns the options of a set of a form.
func optionsOf(f Form) zset.Options {
	return zset.Options{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, DenseRanks: f.Dense}
}

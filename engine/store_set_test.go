package engine

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// floatSetOf returns a set of n members with scores from a number on. A member is its number and a text after it.
func floatSetOf(t testing.TB, n int, after string, from float64) *zset.Set {
	t.Helper()
	b := must(zset.NewBuilder(zset.Options{}))
	for i := range n {
		if err := b.Add(fmt.Appendf(nil, "%d%s", i, after), from+float64(i)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Set()
}

// TestStoreSet stores small and big sets, with and without an expiry, over a set and where there is none, and finds them after opening again.
func TestStoreSet(t *testing.T) {
	for n, after := range map[int]string{1: "", 100: "", 3000: strings.Repeat("-", 2000)} { // the last one is more than one commit may have
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			fs := memfs.New()
			now := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
			var passed atomic.Int64
			o := Options{FS: fs, Clock: func() time.Time { return now.Add(time.Duration(passed.Load())) }}
			e := must(Open("d", o))
			ctx := t.Context()
			store := func(key string, from float64, how SetStore, want bool) {
				t.Helper()
				done, err := e.StoreSet(ctx, key, floatSetOf(t, n, after, from), how)
				require.NoError(t, err)
				require.Equal(t, want, done)
			}
			store("a", 1, SetStore{}, true)
			store("a", 2, SetStore{Absent: true}, false)
			store("b", 3, SetStore{Absent: true, Expires: now.Add(time.Hour)}, true)
			store("a", 4, SetStore{}, true)
			store("c", 5, SetStore{}, true)
			store("c", 6, SetStore{Expires: now}, true) // past: the set goes
			store("d", 7, SetStore{Absent: true, Expires: now.Add(time.Second)}, true)
			passed.Store(int64(time.Second))
			store("d", 8, SetStore{Absent: true}, true) // what was there has expired
			check := func() {
				t.Helper()
				for key, first := range map[string]float64{"a": 4, "b": 3, "d": 8} {
					require.NoError(t, e.View(ctx, func(tx *Tx) error {
						s, err := tx.Set(key)
						require.NoError(t, err)
						require.Equal(t, n, s.Len())
						score, ok := s.Score([]byte("0" + after))
						require.True(t, ok)
						require.Equal(t, first, score)
						return nil
					}, key))
				}
				gone, err := e.Exists(ctx, "c")
				require.NoError(t, err)
				require.Zero(t, gone)
				at, _, err := e.Expiry("b")
				require.NoError(t, err)
				require.Equal(t, now.Add(time.Hour).UnixMilli(), at.UnixMilli())
			}
			check()
			require.NoError(t, e.Close())
			e = must(Open("d", o))
			check()
			require.NoError(t, e.Close())
		})
	}
}

func TestStoreSetRefused(t *testing.T) {
	e := must(New(Options{}))
	ctx := t.Context()
	tied := must(zset.NewBuilder(zset.Options{TieWidth: 8})).Set()
	_, err := e.StoreSet(ctx, "k", tied, SetStore{})
	require.ErrorIs(t, err, ErrForm)
	ints := must(zset.NewIntBuilder(zset.Options{})).Set()
	_, err = e.StoreSet(ctx, "k", zset.As[float64](ints), SetStore{})
	require.ErrorIs(t, err, ErrKind)
	_, err = e.StoreSet(ctx, "board/x", floatSetOf(t, 1, "", 1), SetStore{})
	require.ErrorIs(t, err, ErrReserved)
	_, err = e.StoreSet(ctx, "k", floatSetOf(t, 1, "", 1), SetStore{Expires: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.ErrorIs(t, err, ErrTime)
	require.NoError(t, e.Update(ctx, func(tx *Tx) error {
		_, err := e.StoreSet(ctx, "k", floatSetOf(t, 1, "", 1), SetStore{})
		require.ErrorIs(t, err, ErrInTx)
		return nil
	}, "k"))
	require.NoError(t, e.Close())
	_, err = e.StoreSet(ctx, "k", floatSetOf(t, 1, "", 1), SetStore{})
	require.ErrorIs(t, err, ErrClosed)
}

// TestStoreSetInTx stores whole sets inside of transactions, with other changes of the same keys before and after, and finds them in the transaction, after it, in a feed and
// after opening again. A transaction that fails leaves everything as it was.
func TestStoreSetInTx(t *testing.T) {
	for _, n := range []int{1, 100, 2000} {
		fs := memfs.New()
		e := must(Open("d", Options{FS: fs}))
		require.NoError(t, setX(e, "a", 5))
		expireIn(t, e, "a", 1<<40)
		require.NoError(t, setX(e, "gone", 5))
		from := e.m.lastSeq()
		_, _, err := fed(e, 0, from) // so that there is a feed
		require.NoError(t, err)
		failed := errors.New("failed")
		require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
			return errors.Join(tx.StoreSet("a", floatSetOf(t, n, "", 1)), tx.StoreSet("gone", floatSetOf(t, 0, "", 1)), failed)
		}, "a", "gone"), failed)
		require.Equal(t, from, e.m.lastSeq())
		mustUpdate(t, e, []string{"a", "b", "c", "gone"}, func(tx *Tx) {
			add(t, tx, "a", "before", 3)
			require.NoError(t, tx.StoreSet("a", floatSetOf(t, n, "", 1)))
			s := must(tx.Set("a"))
			require.Equal(t, n, s.Len())
			add(t, tx, "a", "after", 9e9)
			require.Equal(t, n+1, s.Len())
			require.NoError(t, tx.StoreSet("b", floatSetOf(t, n, "", 7)))
			require.NoError(t, tx.StoreSet("b", floatSetOf(t, n, "x", 8)))
			require.NoError(t, tx.Rename("b", "c"))
			require.NoError(t, tx.StoreSet("gone", floatSetOf(t, 0, "", 1)))
		})
		_, changes, err := fed(e, from, e.m.lastSeq())
		require.NoError(t, err)
		require.GreaterOrEqual(t, changes, 2*n)
		for range 2 {
			require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
				a, c := must(tx.Set("a")), must(tx.Set("c"))
				require.Equal(t, []int{n + 1, n}, []int{a.Len(), c.Len()})
				_, expires := a.Expiry()
				require.False(t, expires, "that of the set before is gone")
				score, ok := c.Score([]byte("0x"))
				require.True(t, ok && score == 8)
				rank, ok := a.Rank([]byte("after"))
				require.True(t, ok && rank == n)
				require.Equal(t, n < 128, a.Encoding() == "listpack")
				return nil
			}, "a", "b", "c", "gone"))
			require.NoError(t, sound(e, 2))
			require.NoError(t, e.Close())
			e = must(Open("d", Options{FS: fs}))
		}
		require.NoError(t, e.Close())
	}
}

func TestStoreSetInTxRefused(t *testing.T) {
	e := mustOpen(t, memfs.New(), Options{})
	ints := zset.As[float64](must(zset.NewIntBuilder(zset.Options{})).Set())
	tied := must(zset.NewBuilder(zset.Options{TieWidth: 8})).Set()
	mustUpdate(t, e, []string{"k", "board/x"}, func(tx *Tx) {
		require.ErrorIs(t, tx.StoreSet("k", ints), ErrKind)
		require.ErrorIs(t, tx.StoreSet("k", tied), ErrForm)
		require.ErrorIs(t, tx.StoreSet("board/x", floatSetOf(t, 1, "", 1)), ErrReserved)
		require.ErrorIs(t, tx.StoreSet("board/other", floatSetOf(t, 1, "", 1)), ErrNotNamed)
	})
	require.ErrorIs(t, e.View(t.Context(), func(tx *Tx) error { return tx.StoreSet("k", floatSetOf(t, 1, "", 1)) }, "k"), ErrReadOnly)
	require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
		return tx.StoreSet("k", floatSetOf(t, 3000, strings.Repeat("-", 6000), 1))
	}, "k"), ErrTooLarge)
	n, err := e.Count()
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, e.Close())
}

// loadedSet returns a set of n members that was loaded from pages.
func loadedSet(t testing.TB, n int) *zset.Set {
	from := floatSetOf(t, n, "new", 1)
	b := must(zset.NewBuilder(zset.Options{}))
	require.NoError(t, b.LoadPages(from.Pages(), 1, func(lo, hi int) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for i := lo; i < hi && yield(from.AppendPage(nil, i), nil); i++ {
			}
		}
	}))
	z := b.Set()
	require.False(t, z.PageChanged(0), "a test of nothing")
	return z
}

// TestStoreLoadedSet stores sets whose pages count as unchanged, because they were loaded from elsewhere. The snapshots must have these pages, and not those that the key's set before had.
func TestStoreLoadedSet(t *testing.T) {
	for _, n := range []int{1000, 20_000} { // one goes to the log, and one is staged
		mem := memfs.New()
		e := mustOpen(t, mem, Options{SnapshotBytes: -1})
		for _, key := range []string{"a", "b"} {
			done, err := e.StoreSet(t.Context(), key, floatSetOf(t, n, "old", 5), SetStore{})
			require.NoError(t, err)
			require.True(t, done)
		}
		require.NoError(t, e.Snapshot())
		_, err := e.StoreSet(t.Context(), "a", loadedSet(t, n), SetStore{})
		require.NoError(t, err)
		mustUpdate(t, e, []string{"b"}, func(tx *Tx) { require.NoError(t, tx.StoreSet("b", loadedSet(t, 1000))) })
		require.NoError(t, sound(e, 2))
		want := stateText(t, e)
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{})
		require.True(t, want == stateText(t, e), "%d members", n)
		require.NoError(t, e.Close())
	}
}

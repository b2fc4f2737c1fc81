package engine

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// putMembers adds n members to a set.
func putMembers(t testing.TB, e *Engine, key string, n int) {
	mustUpdate(t, e, []string{key}, func(tx *Tx) {
		for i := range n {
			add(t, tx, key, fmt.Sprint(i), float64(i))
		}
	})
}

// addInts adds n members to a set with ties.
func addInts(t *testing.T, tx *Tx, key string, n int) {
	s, err := tx.IntSet(key, Form{TieWidth: 8})
	require.NoError(t, err)
	for i := range n {
		_, err := s.Add([]byte{byte(i)}, 1)
		require.NoError(t, err)
	}
}

// encodings returns the encodings of sets.
func encodings(t testing.TB, e *Engine, keys ...string) (list []string) {
	mustView(t, e, keys, func(tx *Tx) {
		for _, key := range keys {
			st, err := tx.Stat(key)
			require.NoError(t, err)
			list = append(list, st.Encoding)
		}
	})
	return list
}

// TestSetListpack changes thresholds under sets of every kind: a set changes its encoding when it gets a member, when it is stored whole, and when it is
// read; other sets stay as they are.
func TestSetListpack(t *testing.T) {
	ctx := context.Background()
	onBoth(t, func(t *testing.T, e *Engine) {
		entries, member := e.Listpack()
		require.Equal(t, []int{128, 64}, []int{entries, member})
		for _, key := range []string{"a", "b", "c"} {
			putMembers(t, e, key, 10)
		}
		mustUpdate(t, e, []string{"i"}, func(tx *Tx) { addInts(t, tx, "i", 10) })
		e.SetListpack(5, 64)
		require.Equal(t, []string{"listpack", "listpack", "listpack", "listpack"}, encodings(t, e, "a", "b", "c", "i"))
		mustUpdate(t, e, []string{"a", "b", "i"}, func(tx *Tx) {
			add(t, tx, "a", "new", 1)
			add(t, tx, "b", "1", 100)
			addInts(t, tx, "i", 11)
		})
		require.Equal(t, []string{"skiplist", "listpack", "skiplist"}, encodings(t, e, "a", "b", "i"))

		_, err := e.Copy(ctx, "c", "copy")
		require.NoError(t, err)
		_, err = e.UnionStore(ctx, "union", zset.Combine[float64]{}, "b", "c")
		require.NoError(t, err)
		whole := func(v *zset.View) (int, int) { return 0, v.Len() }
		_, err = e.RangeStore(ctx, "range", "c", whole)
		require.NoError(t, err)
		require.Equal(t, []string{"listpack", "skiplist", "skiplist"}, encodings(t, e, "copy", "union", "range"))

	})
}

// TestSetListpackHigh sets the thresholds to the highest and to the lowest values.
func TestSetListpackHigh(t *testing.T) {
	ctx := context.Background()
	onBoth(t, func(t *testing.T, e *Engine) {
		putMembers(t, e, "a", 200)
		mustUpdate(t, e, []string{"i"}, func(tx *Tx) { addInts(t, tx, "i", 10) })
		e.SetListpack(math.MaxInt, math.MaxInt)
		entries, member := e.Listpack()
		require.Equal(t, []int{math.MaxInt32, math.MaxInt32}, []int{entries, member})
		putMembers(t, e, "many", 300)
		whole := func(v *zset.View) (int, int) { return 0, v.Len() }
		_, err := e.RangeStore(ctx, "range", "a", whole)
		require.NoError(t, err)
		_, err = e.Copy(ctx, "a", "copy")
		require.NoError(t, err)
		z, _, err := e.CopyInts(ctx, "i", Form{TieWidth: 8})
		require.NoError(t, err)
		require.NoError(t, e.StoreInts(ctx, "j", z))
		require.Equal(t, []string{"listpack", "listpack", "skiplist", "skiplist", "listpack"}, encodings(t, e, "many", "range", "copy", "a", "j"))

		e.SetListpack(-1, -1)
		entries, member = e.Listpack()
		require.Equal(t, []int{0, 0}, []int{entries, member})
		mustUpdate(t, e, []string{"x", "y"}, func(tx *Tx) {
			add(t, tx, "x", "", 1)
			e.SetListpack(1, 0) // as CONFIG SET between MULTI and EXEC
			add(t, tx, "y", "", 1)
		})
		require.Equal(t, []string{"skiplist", "listpack"}, encodings(t, e, "x", "y"))
	})
}

// TestListpackOfOptions: the thresholds come from Options, and a set that is read from the disk has the encoding that they require.
func TestListpackOfOptions(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{MaxListpackEntries: 300, MaxListpackMember: -1})
	entries, member := e.Listpack()
	require.Equal(t, []int{300, 0}, []int{entries, member})
	e.SetListpack(entries, 64)
	putMembers(t, e, "a", 200)
	putMembers(t, e, "b", 50)
	putMembers(t, e, "log", 200)
	require.Equal(t, []string{"listpack", "listpack"}, encodings(t, e, "a", "b"))
	logged := 200
	for _, most := range []int{100, 400, 10, 40, 200} {
		logged = max(logged, most)
		require.NoError(t, e.Snapshot())
		putMembers(t, e, "log", most) // so that Open reads this set, and View reads the others later
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, Options{MaxListpackEntries: most})
		want := func(n int) string {
			if n <= most {
				return "listpack"
			}
			return "skiplist"
		}
		require.Equal(t, []string{want(200), want(50), want(logged)}, encodings(t, e, "a", "b", "log"), "%d", most)
		require.NoError(t, e.Unload("a"))
		e.SetListpack(1000, 64)
		require.Equal(t, []string{"listpack"}, encodings(t, e, "a"))
		_, err := e.Check(context.Background(), func(Report) {})
		require.NoError(t, err)
	}
	require.NoError(t, e.Close())
	_, err := New(Options{MaxListpackEntries: 1 << 20})
	require.ErrorContains(t, err, "MaxListpackEntries is 1048576")
}

// TestSetListpackAnyTime changes thresholds while transactions, snapshots and readers run.
func TestSetListpackAnyTime(t *testing.T) {
	const rounds = 300
	e := mustOpen(t, persist.MemFS(), Options{Durability: None, SnapshotBytes: 1 << 10})
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for i := range rounds {
				key := fmt.Sprint(i % 7)
				mustUpdate(t, e, []string{key}, func(tx *Tx) { add(t, tx, key, fmt.Sprint(g, i), float64(i)) })
			}
		})
	}
	wg.Go(func() {
		for i := range rounds {
			e.SetListpack(i%50, i%9)
			encodings(t, e, "0", "1", "2")
		}
	})
	wg.Wait()
	e.SetListpack(0, 0)
	putMembers(t, e, "0", 1)
	require.Equal(t, []string{"skiplist"}, encodings(t, e, "0"))
	members := 0
	for i := range 7 {
		key := fmt.Sprint(i)
		mustView(t, e, []string{key}, func(tx *Tx) {
			members += named(t, tx, key).Len()
			require.NoError(t, named(t, tx, key).Check())
		})
	}
	require.Equal(t, 3*rounds+1, members)
	_, err := e.Check(context.Background(), func(Report) {})
	require.NoError(t, err)
	require.NoError(t, e.Close())
}

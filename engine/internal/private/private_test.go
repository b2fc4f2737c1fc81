package private

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestStripeOf checks K1.
func TestStripeOf(t *testing.T) {
	arena := StripeOf("board.spec\x00arena")
	for _, key := range []string{"board.meta\x00arena\x00week\x002026-W47\x00ada", "board.kept\x00arena\x00", "board.ban\x00arena\x00ada", "arena"} {
		require.Equal(t, arena, StripeOf(key), key)
	}
	at := map[int]bool{}
	for i := range 20 * Count {
		at[StripeOf(fmt.Sprint("coins:", i))] = true
	}
	require.Len(t, at, Count)

	for prefix, one := range map[string]bool{"": false, "coins:": false, "board": false, "board.": false, "board.meta\x00": false, "board.meta\x00arena": false, "board.unions": false,
		"board.meta\x00arena\x00": true, "board.meta\x00arena\x00week\x00": true, "coins\x00arena\x00": false} {
		stripe, ok := StripeOfAll(prefix)
		require.Equal(t, one, ok, prefix)
		if ok {
			require.Equal(t, arena, stripe, prefix)
		}
	}
}

// TestStripes compares Stripes with a sorted list.
func TestStripes(t *testing.T) {
	var s, others Stripes
	var want []int
	require.True(t, s.Empty())
	require.True(t, s.Below(0))
	for _, at := range []int{40, 0, 62, 3, 40, 63} {
		s.Add(at)
		if !slices.Contains(want, at) {
			want = append(want, at)
		}
		slices.Sort(want)
		require.Equal(t, want, slices.Collect(s.Each))
		last := want[len(want)-1]
		require.Equal(t, []bool{false, false, true}, []bool{s.Empty(), s.Below(last), s.Below(last + 1)})
		require.Equal(t, []bool{true, false}, []bool{s.Has(at), s.Has(50)})
	}
	others.Add(50)
	others.AddAll(&s)
	require.Equal(t, []int{0, 3, 40, 50, 62, 63}, slices.Collect(others.Each))
	others.Fill()
	require.Len(t, slices.Collect(others.Each), Count)
	for range s.Each {
		break
	}
}

// TestScanInMemory: a walk over the keys of one stripe goes on while transactions change those of
// others, and finds all keys however many there are.
func TestScanInMemory(t *testing.T) {
	var p Keys
	p.Init(nil)
	want := []string{}
	for i := range 700 {
		want = append(want, fmt.Sprintf("board.meta\x00arena\x00%04d", i))
		p.Apply(map[string]Value{want[i]: {}}, uint64(i+1))
	}
	got := []string{}
	for kv, err := range p.Scan("board.meta\x00arena\x00", nil) {
		require.NoError(t, err)
		got = append(got, string(kv.Key))
		p.Apply(map[string]Value{"board.meta\x00a\x00" + fmt.Sprint(len(got)): {}}, 1000)
		p.Apply(map[string]Value{"board.meta\x00z\x00" + fmt.Sprint(len(got)): {}}, 1000)
	}
	require.Equal(t, want, got)
	require.Equal(t, uint64(1000), p.Changed())
	require.Equal(t, 3*len(want), p.Kept())
	require.Equal(t, 3*len(want), p.CountKept())
	p.Apply(map[string]Value{want[0]: {Deleted: true}, "none": {Deleted: true}}, 1001)
	require.Equal(t, 3*len(want)-1, p.Kept())
	for kv := range p.Scan("board.meta\x00arena\x00", map[string]Value{want[1]: {Deleted: true}}) {
		require.Equal(t, want[2], string(kv.Key))
		break
	}
}

// TestTidy: values that the store has leave memory soon, even if no later commit uses their
// stripes, and in whatever order the commits are applied.
func TestTidy(t *testing.T) {
	store, err := persist.Open("db", persist.Options{FS: persist.MemFS()})
	require.NoError(t, err)
	var p Keys
	p.Init(store)
	put := func(key string) uint64 {
		var b persist.Batch
		b.PutPrivate([]byte(key), []byte("x"))
		seq, err := store.Append(&b)
		require.NoError(t, err)
		return seq
	}
	value := Value{Value: []byte("x")}
	one, two := put("one"), put("two")
	p.Apply(map[string]Value{"two": value}, two)
	p.Apply(map[string]Value{"one": value}, one)
	require.Equal(t, two, p.Changed())
	require.NoError(t, store.Flush())
	for range Count / tidied {
		p.Apply(nil, two)
	}
	require.Zero(t, p.Kept())
	require.Zero(t, p.CountKept())
	for _, key := range strings.Fields("one two") {
		got, ok, err := p.Get(StripeOf(key), key)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "x", string(got))
	}
	require.NoError(t, store.Close())
}

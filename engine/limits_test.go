package engine

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// limitRow is a limit: do succeeds with a size of limit, and returns want with a size of limit + 1.
type limitRow struct {
	name  string
	limit int
	do    func(e *Engine, size int) error
	want  error
}

var limitRows = []limitRow{
	{"key", MaxKey, func(e *Engine, n int) error { return setX(e, strings.Repeat("k", n), 1) }, ErrKeyTooLong},
	{"key of a View", MaxKey, func(e *Engine, n int) error {
		return e.View(context.Background(), func(*Tx) error { return nil }, strings.Repeat("v", n))
	}, ErrKeyTooLong},
	{"keys", MaxKeys, func(e *Engine, n int) error {
		return e.Update(context.Background(), func(tx *Tx) error { return tx.Put("keys", nil) }, manyKeys(n)...)
	}, ErrTooManyKeys},
	{"private key", MaxKey, func(e *Engine, n int) error {
		return e.Update(context.Background(), func(tx *Tx) error { return tx.Put(strings.Repeat("p", n), []byte("v")) })
	}, ErrKeyTooLong},
	{"value", MaxTransaction - 7, func(e *Engine, n int) error {
		return e.Update(context.Background(), func(tx *Tx) error { return tx.Put("v", make([]byte, n)) })
	}, ErrTooLarge},
	{"member, key of 64 KiB", MaxTransaction - 65566, func(e *Engine, n int) error { return addLong(e, strings.Repeat("k", MaxKey), n) }, ErrTooLarge},
	{"member, no key", MaxTransaction - 28, func(e *Engine, n int) error { return addLong(e, "", n) }, ErrTooLarge},
	{"member", MaxTransaction - 29, func(e *Engine, n int) error { return addLong(e, "m", n) }, ErrTooLarge},
}

// addLong adds a member of n bytes.
func addLong(e *Engine, key string, n int) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		if err == nil {
			_, err = s.Add(bytes.Repeat([]byte{1}, n), 1)
		}
		return err
	}, key)
}

// sumOf returns a checksum of all sets and private keys: their text would be long.
func sumOf(t *testing.T, e *Engine) uint32 {
	t.Helper()
	sum := crc32.NewIEEE()
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
		for _, key := range keys {
			s, err := tx.Set(key)
			require.NoError(t, err)
			fmt.Fprintln(sum, key, s.Version())
			for _, x := range s.Append(nil, 0, s.Len()) {
				_, _ = sum.Write(x.Member)
				fmt.Fprintln(sum, x.Score)
			}
		}
		for kv, err := range tx.Scan("") {
			require.NoError(t, err)
			_, _ = sum.Write(kv.Key)
			_, _ = sum.Write(kv.Value)
		}
		return nil
	}, keys...))
	return sum.Sum32()
}

// TestLimits: sizes at a limit are stored, snapshotted and read again; one more is refused, and nothing has changed.
func TestLimits(t *testing.T) {
	for _, row := range limitRows {
		t.Run(row.name, func(t *testing.T) {
			if invariants.Enabled && row.limit > 1<<20 {
				t.Skip("checks go through all the bytes, many times")
			}
			fs := persist.MemFS()
			e := mustOpen(t, fs, Options{})
			require.NoError(t, row.do(e, row.limit))
			was, state := e.store.LastSeq(), sumOf(t, e)
			require.ErrorIs(t, row.do(e, row.limit+1), row.want)
			require.Equal(t, was, e.store.LastSeq())
			require.Equal(t, state, sumOf(t, e))
			for _, snapshot := range []bool{false, true} {
				if snapshot {
					require.NoError(t, e.Snapshot())
				}
				require.NoError(t, e.Close())
				e = mustOpen(t, fs, Options{})
				require.Equal(t, state, sumOf(t, e))
			}
			require.NoError(t, e.Close())
			t.Logf("%s: %d is stored, %d is refused: %v", row.name, row.limit, row.limit+1, row.want)
		})
	}
}

// TestLimitsInMemory: without a log, zset alone limits a member, and a transaction may have any size.
func TestLimitsInMemory(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	require.NoError(t, addLong(e, "m", zset.MaxMember))
	require.ErrorIs(t, addLong(e, "m", zset.MaxMember+1), zset.ErrMemberTooLong)
	for _, row := range limitRows[:4] {
		require.NoError(t, row.do(e, row.limit), row.name)
		require.ErrorIs(t, row.do(e, row.limit+1), row.want, row.name)
	}
	require.NoError(t, e.Close())
}

// TestEmptyKey: the empty key is a key like others.
func TestEmptyKey(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{})
	require.NoError(t, setX(e, "", 1))
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error { return tx.Put("", []byte("v")) }))
	state := stateText(t, e)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	require.Equal(t, state, stateText(t, e))
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.Equal(t, []string{""}, keys)
	require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
		v, ok, err := tx.Get("")
		require.True(t, ok)
		require.Equal(t, "v", string(v))
		return err
	}))
	require.NoError(t, e.Close())
}

// TestMaxSets: sets can be made up to the limit, and one more when one has vanished; members can always be added to existing sets.
func TestMaxSets(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{MaxSets: 100})
	for i := range 100 {
		require.NoError(t, setX(e, fmt.Sprint(i), 1))
	}
	state := stateText(t, e)
	require.ErrorIs(t, setX(e, "more", 1), ErrTooManySets)
	two := func(drop string, makes ...string) error {
		return e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set(drop)
			require.NoError(t, err)
			_, err = s.PopMin(1)
			require.NoError(t, err)
			for _, key := range makes {
				add(t, tx, key, "x", 1)
			}
			return nil
		}, append(makes, drop)...)
	}
	require.ErrorIs(t, two("0", "a", "b"), ErrTooManySets)
	require.Equal(t, state, stateText(t, e))
	require.NoError(t, setX(e, "99", 2))
	require.NoError(t, two("0"))
	require.NoError(t, setX(e, "more", 1))
	require.ErrorIs(t, setX(e, "0", 1), ErrTooManySets)
	require.NoError(t, two("1", "1a"), "one goes and one comes")
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{MaxSets: 100})
	require.ErrorIs(t, setX(e, "0", 1), ErrTooManySets, "after an open")
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{MaxSets: 50})
	require.NoError(t, setX(e, "99", 3), "more are there than may be made")
	require.NoError(t, e.Close())
	_, err := New(Options{MaxSets: -1})
	require.ErrorContains(t, err, "MaxSets is -1")
	_, err = Open("x", Options{FS: fs, MemoryLimit: -1})
	require.ErrorContains(t, err, "MemoryLimit is -1")
}

// TestMemoryLimitInMemory: without a store sets grow up to the limit and not beyond it. Transactions that need no more memory succeed, and
// removing makes room.
func TestMemoryLimitInMemory(t *testing.T) {
	const limit, sets = 128 << 10, 10
	heard := make(chan Event, 1000)
	e, err := New(Options{MemoryLimit: limit, SlowCall: -1, OnEvent: func(v Event) { heard <- v }})
	require.NoError(t, err)
	key := func(i int) string { return fmt.Sprint("set", i%sets) }
	addTo := func(i int) error {
		return e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set(key(i))
			if err == nil {
				_, err = s.Add(fmt.Appendf(nil, "member:%013d", i), float64(i))
			}
			return err
		}, key(i))
	}
	n, refused := 0, 0
	for ; refused < 200; n++ {
		err := addTo(n)
		if err == nil {
			continue
		}
		require.ErrorIs(t, err, ErrMemoryLimit)
		if refused++; refused%100 == 1 {
			state := stateText(t, e)
			require.ErrorIs(t, addTo(n), ErrMemoryLimit)
			require.Equal(t, state, stateText(t, e))
		}
	}
	st, err := e.Stats()
	require.NoError(t, err)
	require.InDelta(t, limit, st.Memory, limit/4)
	began := <-heard
	require.Equal(t, EventMemory, began.Kind)
	require.False(t, began.Ended)
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
		s, err := tx.Set(key(0))
		require.NoError(t, err)
		_, err = s.Add([]byte("member:0000000000000"), 7)
		return err
	}, key(0)), "a member that is there")
	for i := range sets {
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set(key(i))
			require.NoError(t, err)
			_, err = s.PopMin(s.Len())
			return err
		}, key(i)), "removing")
	}
	require.NoError(t, addTo(n))
	over := <-heard
	require.Equal(t, EventMemory, over.Kind)
	require.True(t, over.Ended)
	require.Empty(t, heard, "once each")
	t.Logf("limit of %d: %d members in %d bytes, %d refused", limit, st.Members, st.Memory, refused)
	require.NoError(t, e.Close())
}

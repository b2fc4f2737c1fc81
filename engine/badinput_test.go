package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// badInput is a transaction that does something invalid, and the error that it must return.
type badInput struct {
	name string
	keys []string
	do   func(tx *Tx, s *Set) error // s is the set "a", if named
	want error                      // nil: any error
}

// manyKeys returns n keys.
func manyKeys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprint("key", i)
	}
	return keys
}

func second[T any](_ T, err error) error { return err }

var badInputs = []badInput{
	{"add NaN", []string{"a"}, func(_ *Tx, s *Set) error { return second(s.Add([]byte("x"), math.NaN())) }, zset.ErrNaN},
	{"add a signalling NaN", []string{"a"}, func(_ *Tx, s *Set) error {
		return second(s.Add([]byte("x"), math.Float64frombits(0xfff0000000000001)))
	}, zset.ErrNaN},
	{"incr by NaN", []string{"a"}, func(_ *Tx, s *Set) error { return second(s.IncrBy([]byte("x"), math.NaN())) }, zset.ErrNaN},
	{"+Inf and -Inf", []string{"a"}, func(_ *Tx, s *Set) error { return second(s.IncrBy([]byte("inf"), math.Inf(-1))) }, zset.ErrNaN},
	{"member too long", []string{"a"}, func(_ *Tx, s *Set) error { return second(s.Add(make([]byte, zset.MaxMember+1), 1)) }, zset.ErrMemberTooLong},
	{"member too long, NaN", []string{"a"}, func(_ *Tx, s *Set) error {
		return second(s.IncrBy(make([]byte, zset.MaxMember+1), math.NaN()))
	}, nil},
	{"tie too wide", []string{"a"}, func(_ *Tx, s *Set) error { return second(s.AddTied([]byte("x"), make([]byte, 8), 1)) }, zset.ErrTieWidth},
	{"set with other ties", []string{"a"}, func(tx *Tx, _ *Set) error { return second(tx.SetTied("a", 8)) }, ErrTieWidth},
	{"ties of width -1", []string{"new"}, func(tx *Tx, _ *Set) error { return second(tx.SetTied("new", -1)) }, nil},
	{"ties of a width too large", []string{"new"}, func(tx *Tx, _ *Set) error { return second(tx.SetTied("new", math.MaxInt)) }, nil},
	{"reserved key not named", []string{"a"}, func(tx *Tx, _ *Set) error { return second(tx.Set("board/b")) }, ErrNotNamed},
	{"key too long, not named", nil, func(tx *Tx, _ *Set) error { return second(tx.Set(strings.Repeat("n", MaxKey+1))) }, ErrKeyTooLong},
	{"too many keys, not named", manyKeys(MaxKeys), func(tx *Tx, _ *Set) error { return second(tx.Set("another")) }, ErrTooManyKeys},
	{"members that make a commit too large", []string{"a"}, func(_ *Tx, s *Set) error {
		for i := range 3 {
			if _, err := s.Add(append(make([]byte, 6<<20), byte(i)), 1); err != nil {
				return err
			}
		}
		return nil
	}, ErrTooLarge},
	{"value that makes a commit too large", []string{"a"}, func(tx *Tx, s *Set) error {
		return errors.Join(second(s.Add([]byte("new"), 1)), tx.Put("k", make([]byte, persist.MaxCommit)))
	}, ErrTooLarge},
	{"private key too long", nil, func(tx *Tx, _ *Set) error { return tx.Put(strings.Repeat("k", MaxKey+1), nil) }, ErrKeyTooLong},
	{"private key too long to delete", nil, func(tx *Tx, _ *Set) error { return tx.Delete(strings.Repeat("k", MaxKey+1)) }, ErrKeyTooLong},
	{"key too long", []string{strings.Repeat("n", MaxKey+1)}, func(*Tx, *Set) error { return nil }, ErrKeyTooLong},
	{"too many keys", manyKeys(MaxKeys + 1), func(*Tx, *Set) error { return nil }, ErrTooManyKeys},
}

// run runs the transaction. Before the invalid call it makes changes that must be rolled back.
func (in badInput) run(e *Engine) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		var s *Set
		err := tx.Put("coins", []byte("0"))
		if slices.Contains(in.keys, "a") {
			s, err = tx.Set("a")
			if err == nil {
				_, err = s.Add([]byte("before"), 1)
			}
			if err == nil {
				_, err = s.Remove([]byte("x"))
			}
		}
		if err != nil {
			panic(err)
		}
		return in.do(tx, s)
	}, in.keys...)
}

// oddButFine calls methods with extreme but valid arguments, and with members that do not exist. Nothing must change.
func oddButFine(t *testing.T, e *Engine) {
	before := stateText(t, e)
	mustUpdate(t, e, []string{"a", "a", "none"}, func(tx *Tx) {
		s := named(t, tx, "a")
		for _, n := range []int{0, -1, math.MinInt} {
			for _, pop := range []func(int) ([]zset.Entry, error){s.PopMin, s.PopMax} {
				entries, err := pop(n)
				require.NoError(t, err)
				require.Empty(t, entries)
			}
		}
		for _, span := range [][2]int{{-5, 100}, {3, 1}, {math.MinInt, math.MaxInt}, {math.MaxInt, math.MaxInt}, {100, 200}} {
			require.LessOrEqual(t, len(s.Append(nil, span[0], span[1])), s.Len())
			lo, hi := s.RankInterval(span[0], span[1])
			require.True(t, 0 <= lo && lo <= hi && hi <= s.Len(), "%v: %d, %d", span, lo, hi)
			lo, hi = zset.Limit(lo, hi, span[0], span[1])
			require.True(t, lo <= hi && hi <= s.Len(), "%v: %d, %d", span, lo, hi)
		}
		for _, score := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			lo, hi := s.ScoreInterval(zset.Bound{Score: score, Exclusive: true}, zset.Bound{Score: -score, Exclusive: true})
			require.True(t, 0 <= lo && lo <= hi && hi <= s.Len())
		}
		_, next := s.AppendScan(nil, math.MaxUint64, math.MaxInt)
		require.Zero(t, next)
		for _, member := range []string{"", "nobody", strings.Repeat("x", 1<<20)} {
			_, ok := s.Rank([]byte(member))
			require.False(t, ok)
			removed, err := s.Remove([]byte(member))
			require.NoError(t, err)
			require.False(t, removed)
		}
	})
	mustView(t, e, nil, func(*Tx) {})
	mustUpdate(t, e, []string{""}, func(tx *Tx) { named(t, tx, "") })
	require.Equal(t, before, stateText(t, e))
}

// TestRow49BadInput: every invalid transaction gets its error, and changes neither the engine, nor its log, nor the state after a reopen.
func TestRow49BadInput(t *testing.T) {
	fs := memfs.New()
	e := mustOpen(t, fs, Options{})
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
		add(t, tx, "a", "x", math.Copysign(0, -1))
		add(t, tx, "a", "inf", math.Inf(1))
		require.NoError(t, tx.Put("coins", []byte("7")))
	})
	state, last, log := stateText(t, e), e.store.LastSeq(), e.store.LogBytes()
	for _, in := range badInputs {
		err := in.run(e)
		require.Error(t, err, in.name)
		if in.want != nil {
			require.ErrorIs(t, err, in.want, in.name)
		}
		require.Equal(t, state, stateText(t, e), in.name)
		require.Equal(t, last, e.store.LastSeq(), in.name)
		require.Equal(t, log, e.store.LogBytes(), in.name)
	}
	oddButFine(t, e)
	require.Equal(t, last, e.store.LastSeq())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	require.Equal(t, state, stateText(t, e))
	require.NoError(t, e.Close())
	matrix.Row(t, 49, "%d impossible transactions: each its error, rolled back, state and log as before", len(badInputs))
}

// TestOddNames: the key of a set, a member and a private key may have any bytes, and are read back from the disk unchanged.
func TestOddNames(t *testing.T) {
	fs := memfs.New()
	e := mustOpen(t, fs, Options{})
	names := []string{"", "\x00", "\xff", "\xff\xff", "a/b", "a", "ab", "\xc3\x28", "é", strings.Repeat("long", 1<<14)}
	mustUpdate(t, e, names, func(tx *Tx) {
		for i, name := range names {
			for _, member := range names {
				add(t, tx, name, member, float64(i%2)) // many ties
			}
			require.NoError(t, tx.Put(name, []byte(name)))
		}
	})
	state := stateText(t, e)
	for range 2 {
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, Options{})
		require.Equal(t, state, stateText(t, e))
		require.NoError(t, e.Snapshot())
	}
	require.NoError(t, e.Close())
}

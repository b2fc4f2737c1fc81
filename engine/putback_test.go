package engine

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// TestPutBackWhilePagesAreWritten lets a transaction remove members and put them back, in other places, between two pages of a snapshot. The log does
// not name these members, so the pages must have every member.
func TestPutBackWhilePagesAreWritten(t *testing.T) {
	n := times(20_000)
	name := func(i int) []byte { return fmt.Appendf(nil, "member-%013d", i) }
	failed := errors.New("failed")
	swap := func(s *Set) { // frees a place on the last page and one on the first; added again, the two members swap places
		for _, i := range []int{n - 10, 0} {
			_, err := s.Remove(name(i))
			require.NoError(t, err)
		}
	}
	cases := map[string]struct {
		do   func(s *Set) error
		want error
	}{
		"rolled back": {func(s *Set) error { swap(s); return failed }, failed},
		"put back": {func(s *Set) error {
			swap(s)
			for _, i := range []int{n - 10, 0} {
				if _, err := s.Add(name(i), float64(i)); err != nil {
					return err
				}
			}
			return nil
		}, nil},
		"a range removed and rolled back": {func(s *Set) error {
			if removed, err := s.RemoveRange(100, n-100); err != nil || removed != n-200 {
				return fmt.Errorf("%d removed: %w", removed, err)
			}
			return failed
		}, failed},
		"emptied and rolled back": {func(s *Set) error {
			if _, err := s.PopMax(n); err != nil {
				return err
			}
			return failed
		}, failed},
	}
	for which, c := range cases {
		t.Run(which, func(t *testing.T) { testPutBack(t, n, name, c.do, c.want) })
	}
}

// testPutBack fills a set and writes its pages as a snapshot does, with a transaction after the first page.
func testPutBack(t *testing.T, n int, name func(int) []byte, do func(s *Set) error, want error) {
	r := newRunner(Options{SnapshotBytes: -1}, memfs.NewCrashable())
	require.NoError(t, r.open())
	in := func(do func(s *Set) error) error {
		return r.e.Update(t.Context(), func(tx *Tx) error { return do(named(t, tx, "k")) }, "k")
	}
	require.NoError(t, in(func(s *Set) error {
		for i := range n {
			if _, err := s.Add(name(i), float64(i)); err != nil {
				return err
			}
		}
		return nil
	}))

	s, b := r.e.keys.Find("k"), builder(t)
	s.Writing = true
	s.Entries.HoldPages()
	for i, page := range numbered(checkpoint.PagesOf(s)) {
		require.NoError(t, b.LoadPage(page))
		if i == 0 {
			require.ErrorIs(t, in(do), want)
		}
	}
	loaded := b.Set()
	require.Equal(t, n, loaded.Len())
	for i := range n {
		score, ok := loaded.Score(name(i))
		require.True(t, ok, "member %d is on no page", i)
		require.Equal(t, float64(i), score)
	}
}

func builder(t *testing.T) *zset.Builder {
	b, err := zset.NewBuilder(zset.Options{})
	require.NoError(t, err)
	return b
}

// numbered adds the index to each page that a sequence yields.
func numbered(seq func(func([]byte) bool)) func(func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		i := 0
		for v := range seq {
			if !yield(i, v) {
				return
			}
			i++
		}
	}
}

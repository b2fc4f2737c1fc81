package zset

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// pagesOf returns a set's pages in the form that LoadPages takes.
func pagesOf[S Score](v *ViewOf[S]) func(from, to int) iter.Seq2[[]byte, error] {
	return func(from, to int) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			var page []byte
			for i := from; i < to; i++ {
				if page = v.AppendPage(page[:0], i); !yield(page, nil) {
					return
				}
			}
		}
	}
}

// TestLoadPages loads a set of many pages, removes a member from the builder and adds one to it. The set must have the same entries as
// the original with the same changes.
func TestLoadPages(t *testing.T) {
	for _, workers := range []int{1, 4} {
		s := stayers(Options{TieWidth: 8})
		_, err := s.Add(make([]byte, 100_000), 7)
		require.NoError(t, err)
		b, err := NewBuilder(Options{TieWidth: 8})
		require.NoError(t, err)
		require.NoError(t, b.LoadPages(s.Pages(), workers, pagesOf(s.View())))
		require.Equal(t, s.Len(), b.Len())
		require.True(t, b.Remove(s.Append(nil, 5, 6)[0].Member))
		require.False(t, b.Remove([]byte("nobody")))
		require.NoError(t, b.Add([]byte("new"), 3))
		got := b.Set()
		s.Remove(s.Append(nil, 5, 6)[0].Member)
		_, err = s.Add([]byte("new"), 3)
		require.NoError(t, err)
		requireLoaded(t, s, got)
	}
}

// requireLoaded checks that a loaded set is whole and has the entries of another.
func requireLoaded(t *testing.T, want, got *Set) {
	t.Helper()
	require.Equal(t, want.Append(nil, 0, want.Len()), got.Append(nil, 0, got.Len()))
	number, found := got.verify()
	require.Empty(t, number, found)
}

// TestLoadPagesOdd loads pages that no table writes: a listpack among records, a page with too many records, and members that come twice.
// The set must have all members.
func TestLoadPagesOdd(t *testing.T) {
	big, _ := New(Options{MaxListpackEntries: -1})
	var names []string
	for i := range 3000 {
		names = append(names, string(long(i)))
		_, err := big.Add(long(i), float64(i))
		require.NoError(t, err)
	}
	small, _ := New(Options{})
	_, err := small.Add([]byte("small"), 1)
	require.NoError(t, err)
	pages := [][]byte{big.AppendPage(nil, 0), small.AppendPage(nil, 0), big.AppendMembers(nil, names), big.AppendPage(nil, 1),
		big.AppendMembers(nil, nil)}
	b, _ := NewBuilder(Options{})
	require.NoError(t, b.LoadPages(len(pages), 2, func(from, to int) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for _, page := range pages[from:to] {
				if !yield(page, nil) {
					return
				}
			}
		}
	}))
	got := b.Set()
	_, err = big.Add([]byte("small"), 1)
	require.NoError(t, err)
	requireLoaded(t, big, got)
}

// TestLoadPagesEmptied: a builder whose members were all removed must make an empty set.
func TestLoadPagesEmptied(t *testing.T) {
	s, _ := New(Options{MaxListpackEntries: 4})
	b, _ := NewBuilder(Options{MaxListpackEntries: 4})
	for i := range 20 {
		_, err := s.Add(fmt.Append(nil, i), float64(rand.IntN(5)))
		require.NoError(t, err)
	}
	require.NoError(t, b.LoadPages(1, 1, pagesOf(s.View())))
	for i := range 20 {
		require.True(t, b.Remove(fmt.Append(nil, i)))
	}
	require.Zero(t, b.Set().Len())
	b, _ = NewBuilder(Options{})
	require.NoError(t, b.Add([]byte("in a listpack"), 1))
	require.True(t, b.Remove([]byte("in a listpack")))
	require.Zero(t, b.Set().Len())
}

// TestLoadPagesErrors: LoadPages must return the error of pages, or ErrCorruptPage for a damaged page.
func TestLoadPagesErrors(t *testing.T) {
	s := stayers(Options{})
	mine := errors.New("mine")
	for _, fail := range []int{0, 3} {
		for _, n := range []int{1, s.Pages()} {
			if fail >= n {
				continue
			}
			for _, cause := range []error{mine, nil} {
				b, _ := NewBuilder(Options{})
				err := b.LoadPages(n, 3, func(from, to int) iter.Seq2[[]byte, error] {
					return func(yield func([]byte, error) bool) {
						for i := from; i < to; i++ {
							page := s.AppendPage(nil, i)
							if i == fail {
								if !yield(page[:len(page)-1], cause) {
									return
								}
							} else if !yield(page, nil) {
								return
							}
						}
					}
				})
				if cause == nil {
					cause = ErrCorruptPage
				}
				require.ErrorIs(t, err, cause)
			}
		}
	}
}

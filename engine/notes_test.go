package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// noted is a commit and its notes.
type noted struct {
	seq   uint64
	notes [][]byte
}

// notesOf yields the commits with notes from from+1 on, and with wait it waits for further ones.
func notesOf(ctx context.Context, o Owner, from uint64, wait bool) iter.Seq2[noted, error] {
	return func(yield func(noted, error) bool) {
		r, err := o.Notes(from)
		for err == nil {
			var c noted
			err = r.Await(ctx, wait, func() (found bool, err error) {
				c.seq, err = r.Next(func(note []byte) error { c.notes = append(c.notes, note); return nil })
				return c.seq > 0, err
			})
			if err == nil && (c.seq == 0 || c.notes != nil && !yield(c, nil)) {
				return
			}
		}
		yield(noted{}, err)
	}
}

// takeNotes returns the next n commits with notes.
func takeNotes(t testing.TB, o Owner, from uint64, n int) (out []string) {
	t.Helper()
	for c, err := range notesOf(t.Context(), o, from, true) {
		require.NoError(t, err)
		if out = append(out, fmt.Sprintf("%d: %s", c.seq, c.notes)); len(out) == n {
			break
		}
	}
	return out
}

// TestNotes: a note is in the commit of its transaction, alone too, and in no other; it changes nothing that is stored.
func TestNotes(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		o := ownerOf(t, e)
		note := func(tx *Tx, texts ...string) {
			for _, text := range texts {
				require.NoError(t, o.Note(tx, []byte(text)))
			}
		}
		mustView(t, e, nil, func(tx *Tx) { tx.Seq() }) // from here on commits are kept for feeds
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { note(tx, "one"); add(t, tx, "a", "x", 1); note(tx, "two") })
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 2) })
		before := stateText(t, e)
		mustUpdate(t, e, nil, func(tx *Tx) { note(tx, "alone") })
		require.Equal(t, before, stateText(t, e))
		require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error { note(tx, "undone"); return ErrExists }, "a"), ErrExists)
		require.NoError(t, o.Update(t.Context(), []string{"a"}, func(tx *Tx) error { note(tx, ""); return tx.Put("k", nil) }))
		require.NoError(t, o.Update(t.Context(), []string{"a"}, func(tx *Tx) error { add(t, tx, "a", "x", 3); return nil }), "no note of the one before")
		require.NoError(t, e.Flush())
		want := []string{"1: [one two]", "3: [alone]", "4: []"}
		for from, skip := range []int{0, 1, 1, 2} {
			require.Equal(t, want[skip:], takeNotes(t, o, uint64(from), 3-skip))
		}
		n := 0
		for _, err := range notesOf(t.Context(), o, 1, false) {
			require.NoError(t, err)
			n++
		}
		require.Equal(t, 2, n, "it ends where it would wait")
		require.Equal(t, []string{"2: create a/0@2; put a x=2/;", "3:"}, takeCommits(t, e.Feed(t.Context(), 1), 2))
		mustView(t, e, nil, func(tx *Tx) { require.ErrorIs(t, o.Note(tx, nil), ErrReadOnly) })
		var done *Tx
		mustUpdate(t, e, nil, func(tx *Tx) {
			require.ErrorIs(t, o.Note(tx, make([]byte, MaxNote+1)), ErrTooLarge)
			done = tx
		})
		require.ErrorIs(t, o.Note(done, nil), ErrTxDone)
		if e.store != nil {
			rep, err := e.Check(t.Context(), nil)
			require.NoError(t, err)
			require.Empty(t, rep.Problems)
		}
		_, err := Owner{}.Notes(0)
		require.ErrorIs(t, err, ErrReserved)
		_, err = o.Notes(100)
		require.ErrorIs(t, err, ErrFutureSeq)
	})
}

// TestNotesWait: a feed of notes waits for the next one, and ends with the context and with the engine.
func TestNotesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Options{})
		require.NoError(t, err)
		o := ownerOf(t, e)
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		got := make(chan string, 8)
		for _, ctx := range []context.Context{ctx, t.Context()} {
			go func() {
				for c, err := range notesOf(ctx, o, 0, true) {
					got <- fmt.Sprint(c.seq, err)
				}
			}()
		}
		synctest.Wait()
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
		mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, o.Note(tx, []byte("n"))) })
		require.Equal(t, "2 <nil>", <-got)
		require.Equal(t, "2 <nil>", <-got)
		cancel(why)
		require.Equal(t, "0 enough", <-got)
		require.NoError(t, e.Close())
		require.Equal(t, "0 "+ErrClosed.Error(), <-got)
	})
}

// TestFeedLogBytes: with FeedLogBytes a snapshot and a restart leave the commits for feeds that were away; without, such a feed has fallen behind. Compact
// removes them.
func TestFeedLogBytes(t *testing.T) {
	for _, keep := range []int64{0, 1 << 20} {
		fs := memfs.New()
		options := Options{FS: fs, FeedLogBytes: keep, SnapshotBytes: -1}
		e := mustOpen(t, fs, options)
		var want []string
		for i := range 100 {
			require.NoError(t, ownerOf(t, e).Update(t.Context(), []string{"a"}, func(tx *Tx) error {
				add(t, tx, "a", strings.Repeat("m", i), 1)
				return ownerOf(t, e).Note(tx, fmt.Append(nil, i))
			}))
			want = append(want, fmt.Sprintf("%d: [%d]", i+1, i))
			if i%30 == 29 {
				require.NoError(t, e.Snapshot())
			}
			if i%40 == 39 {
				require.NoError(t, e.Close())
				e = mustOpen(t, fs, options)
			}
		}
		before := stateText(t, e)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, options)
		require.Equal(t, before, stateText(t, e))
		rep, err := e.Check(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		if keep > 0 {
			require.Equal(t, want, takeNotes(t, ownerOf(t, e), 0, 100))
			_, err = e.Compact(t.Context(), nil)
			require.NoError(t, err)
			require.NoError(t, e.Close()) // without the tail in memory
			e = mustOpen(t, fs, options)
		}
		var behind *FellBehindError
		for _, err = range notesOf(t.Context(), ownerOf(t, e), 0, true) {
		}
		require.ErrorAs(t, err, &behind)
		require.EqualValues(t, 101, behind.Oldest)
		require.NoError(t, e.Close())
	}
	_, err := Open("db", Options{FS: memfs.New(), FeedLogBytes: -2})
	require.ErrorContains(t, err, "FeedLogBytes is -2")
}

// TestNotesAfterPowerCut: a note is there if and only if its commit is.
func TestNotesAfterPowerCut(t *testing.T) {
	fs := memfs.NewCrashable()
	e := mustOpen(t, fs, Options{Durability: None, SnapshotBytes: -1})
	o := ownerOf(t, e)
	for i := range 20 {
		require.NoError(t, o.Update(t.Context(), []string{"a"}, func(tx *Tx) error {
			add(t, tx, "a", fmt.Sprint(i), 1)
			return o.Note(tx, fmt.Append(nil, i))
		}))
		if i == 11 {
			require.NoError(t, e.Flush())
		}
	}
	for _, percent := range []int{0, 50, 100} {
		again := mustOpen(t, powercut.Clone(fs, percent, 1), Options{SnapshotBytes: -1})
		n := int(again.LastSeq())
		require.GreaterOrEqual(t, n, 12)
		for i, text := range takeNotes(t, ownerOf(t, again), 0, n) {
			require.Equal(t, fmt.Sprintf("%d: [%d]", i+1, i), text)
		}
		require.NoError(t, again.Close())
	}
	require.NoError(t, e.Close())
}

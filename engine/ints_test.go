package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// intForms are the forms that these tests try.
var intForms = []Form{{}, {TieWidth: 24, ScoreTie: 8}, {TieWidth: 40, ScoreTie: 24, Dense: true}, {Dense: true}}

// intEdges are scores that a float64 does not have, or only just.
var intEdges = []int64{math.MinInt64, math.MinInt64 + 1, -1 << 53, -1<<53 - 1, -1, 0, 1, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}

// ints returns a set of a transaction.
func intsOf(t testing.TB, tx *Tx, key string, f Form) *IntSet {
	t.Helper()
	s, err := tx.IntSet(key, f)
	require.NoError(t, err)
	return s
}

// fillInts makes a set of n members, with scores at the edges first.
func fillInts(t testing.TB, e *Engine, key string, f Form, n int) {
	t.Helper()
	mustUpdate(t, e, []string{key}, func(tx *Tx) {
		for i := range n {
			member, tie, score := intMember(f, i)
			_, err := intsOf(t, tx, key, f).AddTied(member, tie, score)
			require.NoError(t, err)
		}
	})
}

func intMember(f Form, i int) (member, tie []byte, score int64) {
	tie = make([]byte, f.TieWidth)
	for j := range tie {
		tie[j] = byte(i * (j + 3))
	}
	return fmt.Appendf(nil, "m%06d", i), tie, intEdges[i%len(intEdges)]
}

// hasInts returns an error if the set does not have the entries of fillInts.
func hasInts(e *Engine, key string, f Form, n int) error {
	return e.View(context.Background(), func(tx *Tx) error {
		s, err := tx.IntSet(key, f)
		if err != nil {
			return err
		}
		for i := range n {
			member, tie, want := intMember(f, i)
			if score, is, ok := s.Get(member); !ok || score != want || string(is) != string(tie) {
				return fmt.Errorf("%s in %q has %v %x %v, want %v %x", member, key, score, is, ok, want, tie)
			}
		}
		if s.Len() != n {
			return fmt.Errorf("%q has %d members, want %d", key, s.Len(), n)
		}
		return s.Check()
	}, key)
}

// TestIntsAreExact: scores, ties and forms of small and big sets are unchanged after a kill, a snapshot, a reload, a check, a backup and a salvage.
// Members can be added after that, and dense ranks are right.
func TestIntsAreExact(t *testing.T) {
	for _, form := range intForms {
		for _, n := range []int{20, 700} {
			t.Run(fmt.Sprintf("%+v/n=%d", form, n), func(t *testing.T) {
				mem := memfs.NewCrashable()
				e := mustOpen(t, mem, Options{SnapshotBytes: -1})
				fillInts(t, e, "n", form, n)
				mem = cutAndClose(t, e, mem)
				e = mustOpen(t, mem, Options{SnapshotBytes: -1}) // what is in the log
				require.NoError(t, hasInts(e, "n", form, n))
				require.NoError(t, sound(e, 1)) // a snapshot
				mem = cutAndClose(t, e, mem)
				e = mustOpen(t, mem, Options{SnapshotBytes: -1})
				u, ok, err := e.Usage("n")
				require.NoError(t, err)
				require.Equal(t, []any{true, true, form, false, n}, []any{ok, u.Ints, u.Form, u.Loaded, u.Members})
				require.NoError(t, hasInts(e, "n", form, n))
				fillInts(t, e, "n", form, n+7) // on top of the pages
				require.NoError(t, e.Rename(t.Context(), "n", "o"))
				require.NoError(t, sound(e, 1))
				require.NoError(t, hasInts(e, "o", form, n+7))
				u, _, err = e.Usage("o")
				require.NoError(t, err)
				require.Equal(t, []any{true, form, true}, []any{u.Ints, u.Form, u.Loaded})
				mustView(t, e, []string{"o"}, func(tx *Tx) {
					s := intsOf(t, tx, "o", form)
					require.Equal(t, form.Dense, s.Options().DenseRanks)
					require.Equal(t, form.ScoreTie, s.Options().ScoreTie)
				})
				require.NoError(t, e.Close())
			})
		}
	}
}

// cutAndClose returns the disk after a power cut.
func cutAndClose(t *testing.T, e *Engine, mem *memfs.FS) *memfs.FS {
	left := powercut.Clone(mem, 0, 1)
	require.NoError(t, e.Close())
	return left
}

// TestIntsAreCopied: backups, restores and what is salvaged have int sets, and CheckDir finds nothing wrong.
func TestIntsAreCopied(t *testing.T) {
	root := t.TempDir()
	dir := func(name string) string { return filepath.Join(root, name) }
	e, err := Open(dir("db"), Options{SnapshotBytes: -1})
	require.NoError(t, err)
	for i, form := range intForms {
		fillInts(t, e, fmt.Sprint("n", i), form, 300*i+5)
	}
	require.NoError(t, e.Snapshot())
	fillInts(t, e, "log", intForms[2], 300)
	require.NoError(t, e.Backup(t.Context(), dir("backup")))
	require.NoError(t, e.Close())
	_, err = Restore(t.Context(), dir("backup"), dir("restored"), Options{})
	require.NoError(t, err)
	saved, err := Salvage(t.Context(), dir("db"), dir("salvaged"), Options{})
	require.NoError(t, err)
	require.Empty(t, saved.Copy.Problems)
	for _, name := range []string{"db", "backup", "restored", "salvaged"} {
		rep, err := CheckDir(t.Context(), dir(name), Options{}, nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		e, err := Open(dir(name), Options{})
		require.NoError(t, err)
		for i, form := range intForms {
			require.NoError(t, hasInts(e, fmt.Sprint("n", i), form, 300*i+5), name)
		}
		require.NoError(t, hasInts(e, "log", intForms[2], 300))
		require.NoError(t, e.Close())
	}
}

// TestIntsInsideATransaction: a rollback restores everything; a set that does not exist takes any form; a Set or IntSet refuses changes after its
// key has got a set of the other kind; overflow is refused.
func TestIntsInsideATransaction(t *testing.T) {
	e := must(New(Options{}))
	form := intForms[2]
	fillInts(t, e, "n", form, 30)
	undo := errors.New("undo")
	require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
		s := intsOf(t, tx, "n", form)
		_, err := s.IncrBy([]byte("m000009"), 1)
		require.ErrorIs(t, err, zset.ErrOverflow)
		_, err = s.IncrBy([]byte("m000000"), -1)
		require.ErrorIs(t, err, zset.ErrOverflow)
		outcome, err := s.AddIf([]byte("m000007"), 1<<53, zset.GT)
		require.NoError(t, err)
		require.Equal(t, zset.Unchanged, outcome, "2^53 is not above 2^53 + 1")
		score, ok, err := s.IncrByIf([]byte("m000007"), -1, zset.LT)
		require.NoError(t, err)
		require.Equal(t, []any{int64(1 << 53), true}, []any{score, ok})
		require.ErrorIs(t, s.ExpectScore([]byte("m000007"), 1<<53+1), ErrConflict)
		require.ErrorIs(t, s.ExpectAbsent([]byte("m000007")), ErrConflict)
		popped, err := s.PopMax(7)
		require.NoError(t, err)
		require.Equal(t, int64(math.MaxInt64), popped[0].Score)
		_, err = s.Remove([]byte("m000001"))
		require.NoError(t, err)
		return undo
	}, "n"), undo)
	require.NoError(t, hasInts(e, "n", form, 30))
	mustUpdate(t, e, []string{"f", "g", "n"}, func(tx *Tx) {
		add(t, tx, "f", "x", 1.5)
		f, n := named(t, tx, "f"), intsOf(t, tx, "n", form)
		require.NoError(t, tx.Rename("n", "g"))
		require.NoError(t, tx.Rename("f", "n"))
		require.NoError(t, tx.Rename("g", "f"))
		require.Zero(t, f.Len(), "what the key has now is not for it")
		require.Zero(t, n.Len())
		_, err := f.Add([]byte("x"), 2)
		require.ErrorIs(t, err, ErrKind)
		_, err = n.PopMin(1)
		require.ErrorIs(t, err, ErrKind)
		_, err = n.RemoveRange(0, 1)
		require.ErrorIs(t, err, ErrKind)
		require.ErrorIs(t, f.ExpectScore([]byte("m000001"), 0), ErrConflict)
		g, err := tx.IntSet("g", Form{})
		require.NoError(t, err)
		require.Zero(t, g.Len())
		_, err = named(t, tx, "g").Add([]byte("x"), 1)
		require.NoError(t, err, "it was empty")
		_, err = tx.IntSet("g", Form{})
		require.ErrorIs(t, err, ErrKind)
	})
	require.NoError(t, hasInts(e, "f", form, 30))
	require.NoError(t, e.Close())
}

// TestFormOfEmptied: a set that a transaction has emptied keeps its form until the commit, and what it held if there is none.
func TestFormOfEmptied(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	defer e.Close()
	form, other := intForms[2], intForms[1]
	fillInts(t, e, "a", form, 300)
	for _, fails := range []bool{true, false} {
		err = e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.IntSet("a", form)
			require.NoError(t, err)
			_, err = s.RemoveRange(0, s.Len())
			require.NoError(t, err)
			_, err = tx.IntSet("a", other)
			require.ErrorIs(t, err, ErrTieWidth)
			_, err = tx.Set("a")
			require.ErrorIs(t, err, ErrKind)
			if fails {
				return io.EOF
			}
			return nil
		}, "a")
		if fails {
			require.ErrorIs(t, err, io.EOF)
			require.NoError(t, hasInts(e, "a", form, 300))
		}
	}
	require.NoError(t, err)
	fillInts(t, e, "a", other, 300)
	require.NoError(t, hasInts(e, "a", other, 300))
}

// TestIntsRefused: every call for float64 scores returns ErrKind for a set with int64 scores, names the key, and changes nothing; so do calls for
// int64 scores, and calls for another form.
func TestIntsRefused(t *testing.T) {
	e := must(Open("db", Options{FS: persist.MemFS()}))
	ctx := t.Context()
	form := intForms[1]
	fillInts(t, e, "n", form, 20)
	fillInts(t, e, "big", form, 300)
	e.ops.pageWork = 1 << 10
	require.NoError(t, setX(e, "f", 1))
	how := zset.Combine[float64]{}
	calls := map[string]func(key string) error{
		"Set":       func(key string) error { return setX(e, key, 1) },
		"SetTied":   func(key string) error { return tied(e, key, 24) },
		"Union":     func(key string) error { _, err := e.Union(ctx, how, "f", key); return err },
		"Inter":     func(key string) error { _, err := e.Inter(ctx, how, "f", key); return err },
		"InterCard": func(key string) error { _, err := e.InterCard(ctx, 0, key, "f"); return err },
		"Diff":      func(key string) error { _, err := e.Diff(ctx, "f", key); return err },
		"UnionStore": func(key string) error {
			_, err := e.UnionStore(ctx, "f", how, "f", key)
			return err
		},
		"InterStore": func(key string) error { _, err := e.InterStore(ctx, key, how, "f", key); return err },
		"DiffStore":  func(key string) error { _, err := e.DiffStore(ctx, key, key, "f"); return err },
		"RangeStore": func(key string) error {
			_, err := e.RangeStore(ctx, "f", key, func(v *zset.View) (lo, hi int) { return 0, v.Len() })
			return err
		},
		"PopMinWait": func(key string) error { _, _, err := e.PopMinWait(ctx, key); return err },
	}
	before := stateText(t, e)
	for name, call := range calls {
		for _, key := range []string{"n", "big"} {
			err := call(key)
			require.ErrorIs(t, err, ErrKind, name)
			require.ErrorContains(t, err, fmt.Sprintf("%q", key), name)
		}
	}
	for _, other := range []Form{{}, {TieWidth: 24}, {TieWidth: 24, ScoreTie: 16}, {TieWidth: 24, ScoreTie: 8, Dense: true}, {TieWidth: 40, ScoreTie: 8}} {
		for _, run := range []func(context.Context, func(*Tx) error, ...string) error{e.Update, e.View} {
			require.ErrorIs(t, run(ctx, func(tx *Tx) error { _, err := tx.IntSet("n", other); return err }, "n"), ErrTieWidth)
			require.ErrorIs(t, run(ctx, func(tx *Tx) error { _, err := tx.IntSet("f", other); return err }, "f"), ErrKind)
		}
		_, _, err := e.CopyInts(ctx, "n", other)
		require.ErrorIs(t, err, ErrTieWidth)
	}
	_, _, err := e.CopyInts(ctx, "f", form)
	require.ErrorIs(t, err, ErrKind)
	require.Error(t, e.Update(ctx, func(tx *Tx) error { _, err := tx.IntSet("new", Form{TieWidth: 7}); return err }, "new"))
	require.ErrorIs(t, e.StoreInts(ctx, "n", must(zset.NewInt(zset.Options{Cap: 5}))), ErrForm)
	require.ErrorIs(t, e.StoreInts(ctx, "n", zset.As[int64](must(newSet()))), ErrKind)
	require.Equal(t, before, stateText(t, e))
	t.Logf("%d calls refuse int sets, small and big", len(calls))
	require.NoError(t, e.Close())
}

func tied(e *Engine, key string, width int) error {
	return e.Update(context.Background(), func(tx *Tx) error { _, err := tx.SetTied(key, width); return err }, key)
}

// TestIntsEndAWait: who waits to pop hears that the key has got a set of int64 scores, and the set stays as it is.
func TestIntsEndAWait(t *testing.T) {
	e := must(New(Options{}))
	failed := make(chan error)
	go func() {
		_, _, err := e.PopMinWait(context.Background(), "n")
		failed <- err
	}()
	for e.m.waiters.N.Load() == 0 {
		mustView(t, e, nil, func(*Tx) {})
	}
	fillInts(t, e, "n", intForms[1], 20)
	require.ErrorIs(t, <-failed, ErrKind)
	require.NoError(t, hasInts(e, "n", intForms[1], 20))
	require.NoError(t, e.Close())
}

// TestIntsWholeSets: copies, results over an int set, and expiry.
func TestIntsWholeSets(t *testing.T) {
	e := must(Open("db", Options{FS: persist.MemFS(), SnapshotBytes: -1}))
	form := intForms[2]
	for _, n := range []int{20, 800} {
		e.ops.pageWork = 10 << 10
		fillInts(t, e, "n", form, n)
		copied, err := e.Copy(t.Context(), "n", "copy")
		require.NoError(t, err)
		require.Equal(t, n, copied)
		require.NoError(t, hasInts(e, "copy", form, n))
		expireIn(t, e, "copy", 1<<40)
		at, ok, err := e.Expiry("copy")
		require.NoError(t, err)
		require.True(t, ok && !at.IsZero())
		had, err := e.Persist(t.Context(), "copy")
		require.NoError(t, err)
		require.True(t, had)
		require.NoError(t, setX(e, "f", 7))
		stored, err := e.UnionStore(t.Context(), "copy", zset.Combine[float64]{}, "f")
		require.NoError(t, err)
		require.Equal(t, 1, stored, "it replaces whatever there was")
		mustView(t, e, []string{"copy"}, func(tx *Tx) { require.Equal(t, 1, named(t, tx, "copy").Len()) })
		kind, err := e.Type(t.Context(), "n")
		require.NoError(t, err)
		require.Equal(t, "zset", kind)
	}
	ok, err := e.ExpireIn(t.Context(), "n", -1)
	require.NoError(t, err)
	require.True(t, ok)
	counts(t, e, 2)
	require.NoError(t, sound(e, 2))
	require.NoError(t, e.Close())
}

package engine

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// onBoth runs a test on an engine in memory and on a stored one.
func onBoth(t *testing.T, f func(t *testing.T, e *Engine)) {
	t.Run("memory", func(t *testing.T) {
		e, err := New(Options{})
		require.NoError(t, err)
		f(t, e)
		require.NoError(t, e.Close())
	})
	t.Run("stored", func(t *testing.T) {
		e := mustOpen(t, persist.MemFS(), Options{})
		f(t, e)
		require.NoError(t, e.Close())
	})
}

func mustOpen(t testing.TB, fs persist.FS, o Options) *Engine {
	t.Helper()
	o.FS = fs
	e, err := Open("db", o)
	require.NoError(t, err)
	return e
}

func mustUpdate(t testing.TB, e *Engine, keys []string, fn func(*Tx)) {
	t.Helper()
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error { fn(tx); return nil }, keys...))
}

func mustView(t testing.TB, e *Engine, keys []string, fn func(*Tx)) {
	t.Helper()
	require.NoError(t, e.View(t.Context(), func(tx *Tx) error { fn(tx); return nil }, keys...))
}

// named returns a set of a transaction.
func named(t testing.TB, tx *Tx, key string) *Set {
	t.Helper()
	s, err := tx.Set(key)
	require.NoError(t, err)
	return s
}

func add(t testing.TB, tx *Tx, key, member string, score float64) {
	t.Helper()
	_, err := named(t, tx, key).Add([]byte(member), score)
	require.NoError(t, err)
}

func stateText(t *testing.T, e *Engine) string {
	t.Helper()
	w, err := stateOf(e)
	require.NoError(t, err)
	return w.String()
}

// messUp changes all sets and private keys, and makes new ones.
func messUp(t *testing.T, tx *Tx) {
	for _, key := range []string{"a", "new"} {
		for i := range 300 { // more than a listpack holds
			add(t, tx, key, wide(i), float64(i))
		}
	}
	_, err := named(t, tx, "a").IncrBy([]byte("x"), 5)
	require.NoError(t, err)
	s, err := tx.SetTied("tied", 8)
	require.NoError(t, err)
	_, err = s.AddTied([]byte("x"), []byte("otherTie"), 9)
	require.NoError(t, err)
	_, err = s.PopMax(1)
	require.NoError(t, err)
	_, err = named(t, tx, "gone").PopMin(10)
	require.NoError(t, err)
	require.NoError(t, tx.Put("coins", []byte("0")))
	require.NoError(t, tx.Put("more", nil))
	require.NoError(t, tx.Delete("xp"))
}

// TestRollback: if a closure ends with an error, a panic or runtime.Goexit, scores, ties, absence, versions and private keys are as before, and the locks
// are free.
func TestRollback(t *testing.T) {
	fault := errors.New("fault")
	ends := map[string]func(run func(fn func(*Tx) error) error){
		"error": func(run func(func(*Tx) error) error) {
			err := run(func(tx *Tx) error { messUp(t, tx); return fault })
			require.Equal(t, fault, err, "the closure's own error")
		},
		"panic": func(run func(func(*Tx) error) error) {
			require.PanicsWithValue(t, "boo", func() { _ = run(func(tx *Tx) error { messUp(t, tx); panic("boo") }) })
		},
		"panic in a scan": func(run func(func(*Tx) error) error) {
			require.PanicsWithValue(t, "coins", func() {
				_ = run(func(tx *Tx) error {
					messUp(t, tx)
					for kv := range tx.Scan("") {
						panic(string(kv.Key))
					}
					return nil
				})
			})
		},
		"goexit": func(run func(func(*Tx) error) error) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				_ = run(func(tx *Tx) error { messUp(t, tx); runtime.Goexit(); return nil })
			}()
			<-done
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, e *Engine) {
				keys := []string{"tied", "new", "gone", "a"}
				mustUpdate(t, e, keys, func(tx *Tx) {
					add(t, tx, "a", "x", 1)
					add(t, tx, "gone", "x", 1)
					s, err := tx.SetTied("tied", 8)
					require.NoError(t, err)
					_, err = s.AddTied([]byte("x"), []byte("firstTie"), 1)
					require.NoError(t, err)
					require.NoError(t, tx.Put("coins", []byte("7")))
					require.NoError(t, tx.Put("xp", []byte("8")))
				})
				before := stateText(t, e)
				end(func(fn func(*Tx) error) error { return e.Update(t.Context(), fn, keys...) })
				require.Equal(t, before, stateText(t, e))
				mustUpdate(t, e, keys, func(tx *Tx) { messUp(t, tx) })
				require.NotEqual(t, before, stateText(t, e))
			})
		})
	}
}

// TestViewEnds: a View that fails or panics releases its locks, and the caller gets the error or the panic.
func TestViewEnds(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		fault := errors.New("fault")
		look := func(tx *Tx) { _, _, err := tx.Get("coins"); require.NoError(t, err) }
		require.Equal(t, fault, e.View(t.Context(), func(tx *Tx) error { look(tx); return fault }, "a"))
		require.Panics(t, func() { _ = e.View(t.Context(), func(tx *Tx) error { look(tx); panic("boo") }, "a") })
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			add(t, tx, "a", "x", 1)
			require.NoError(t, tx.Put("coins", nil))
		})
	})
}

// TestNamed: a transaction can use the sets that it has named, in any order and any number of times, and others.
func TestNamed(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, []string{"b", "a", "b", "", "a"}, func(tx *Tx) {
			for _, key := range []string{"a", "b", ""} {
				add(t, tx, key, "x", 1)
				require.Equal(t, key, named(t, tx, key).Key())
			}
			again := named(t, tx, "a")
			require.Equal(t, 1, again.Len(), "the same set again")
			_, err := tx.SetTied("c", 8)
			require.NoError(t, err)
			_, err = tx.Set("board/c")
			require.ErrorIs(t, err, ErrNotNamed)
		})
		mustView(t, e, []string{"nothing", "a", "a"}, func(tx *Tx) {
			require.Equal(t, 1, named(t, tx, "a").Len())
			s := named(t, tx, "nothing")
			require.Zero(t, s.Len())
			require.Zero(t, s.Version())
			require.Equal(t, "nothing", s.Key())
			require.Equal(t, 1, named(t, tx, "b").Len())
		})
		mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, tx.Put("only", []byte("private"))) })
		keys, err := e.Keys("")
		require.NoError(t, err)
		require.Equal(t, []string{"", "a", "b"}, keys)
	})
}

// changes makes every call that changes a set or private keys, and returns the errors by name.
func changes(tx *Tx, s *Set) map[string]error {
	out := map[string]error{"put": tx.Put("k", nil), "delete": tx.Delete("k")}
	m := []byte("x")
	_, out["add"] = s.Add(m, 1)
	_, out["tied"] = s.AddTied(m, nil, 1)
	_, out["incr"] = s.IncrBy(m, 1)
	_, out["remove"] = s.Remove(m)
	_, out["popmin"] = s.PopMin(1)
	_, out["popmax"] = s.PopMax(1)
	_, out["addif"] = s.AddIf(m, 1, 0)
	_, _, out["incrif"] = s.IncrByIf(m, 1, 0)
	_, out["removerange"] = s.RemoveRange(0, 1)
	return out
}

// TestReadOnly: a View changes nothing, on a set that exists and on one that does not.
func TestReadOnly(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
		before := stateText(t, e)
		mustView(t, e, []string{"a", "b"}, func(tx *Tx) {
			for _, key := range []string{"a", "b"} {
				for call, err := range changes(tx, named(t, tx, key)) {
					require.ErrorIs(t, err, ErrReadOnly, call)
				}
			}
		})
		require.Equal(t, before, stateText(t, e))
	})
}

// TestTxDone: a transaction that is used after its closure returns ErrTxDone.
func TestTxDone(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		var tx *Tx
		var s *Set
		mustUpdate(t, e, []string{"a"}, func(now *Tx) { tx, s = now, named(t, now, "a"); add(t, now, "a", "x", 1) })
		check := func() {
			for call, err := range changes(tx, s) {
				require.ErrorIs(t, err, ErrTxDone, call)
			}
			_, err := tx.Set("a")
			require.ErrorIs(t, err, ErrTxDone)
			_, err = tx.SetTied("a", 8)
			require.ErrorIs(t, err, ErrTxDone)
			_, _, err = tx.Get("k")
			require.ErrorIs(t, err, ErrTxDone)
			steps := 0
			for _, err := range tx.Scan("") {
				require.ErrorIs(t, err, ErrTxDone)
				steps++
			}
			require.Equal(t, 1, steps)
		}
		check()
		fault := errors.New("fault")
		require.Equal(t, fault, e.Update(t.Context(), func(now *Tx) error { tx, s = now, named(t, now, "a"); return fault }, "a"))
		check()
		mustView(t, e, []string{"a"}, func(now *Tx) { tx = now })
		_, err := tx.Set("a")
		require.ErrorIs(t, err, ErrTxDone)
		require.ErrorIs(t, tx.Put("k", nil), ErrTxDone)
	})
}

// TestTieWidth: the width of a set's ties stays the same until the set is empty; then the key takes another width.
func TestTieWidth(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		keys := []string{"a"}
		tied := func(width int) func(*Tx) error {
			return func(tx *Tx) error {
				s, err := tx.SetTied("a", width)
				if err == nil {
					_, err = s.AddTied([]byte("x"), make([]byte, width), 1)
				}
				return err
			}
		}
		require.ErrorContains(t, e.Update(t.Context(), tied(5), keys...), "5")
		require.NoError(t, e.Update(t.Context(), tied(8), keys...))
		require.ErrorIs(t, e.Update(t.Context(), tied(16), keys...), ErrTieWidth)
		require.ErrorIs(t, e.Update(t.Context(), tied(0), keys...), ErrTieWidth)
		require.ErrorIs(t, e.View(t.Context(), tied(16), keys...), ErrTieWidth)
		require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
			_, err := named(t, tx, "a").AddTied([]byte("y"), make([]byte, 16), 1)
			return err
		}, keys...), zset.ErrTieWidth)
		mustUpdate(t, e, keys, func(tx *Tx) {
			require.Equal(t, 8, named(t, tx, "a").TieWidth())
			_, err := named(t, tx, "a").Remove([]byte("x"))
			require.NoError(t, err)
			_, err = tx.SetTied("a", 16)
			require.ErrorIs(t, err, ErrTieWidth, "the set is there until the commit")
		})
		mustView(t, e, keys, func(tx *Tx) {
			_, err := tx.SetTied("a", 24)
			require.NoError(t, err, "one that does not exist has no width")
		})
		mustUpdate(t, e, keys, func(tx *Tx) {
			_, err := named(t, tx, "a").Remove([]byte("nobody"))
			require.NoError(t, err)
			require.NoError(t, tied(24)(tx), "it holds nothing")
			require.ErrorIs(t, tied(8)(tx), ErrTieWidth)
		})
		require.NoError(t, e.Update(t.Context(), tied(24), keys...))
	})
}

// TestAppearAndVanish: a set exists from the commit of its first member to the commit that removes the last.
func TestAppearAndVanish(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		has := func(prefix string, want ...string) {
			t.Helper()
			keys, err := e.Keys(prefix)
			require.NoError(t, err)
			require.Equal(t, append([]string{}, want...), append([]string{}, keys...))
			st, err := e.Stats()
			require.NoError(t, err)
			if prefix == "" {
				require.Equal(t, len(want), st.Sets)
			}
		}
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { named(t, tx, "a") })
		has("")
		mustUpdate(t, e, []string{"a/1", "a/2", "b"}, func(tx *Tx) {
			add(t, tx, "a/2", "x", 1)
			add(t, tx, "b", "x", 1)
			add(t, tx, "a/1", "x", 1)
		})
		has("", "a/1", "a/2", "b")
		has("a/", "a/1", "a/2")
		has("c")
		mustUpdate(t, e, []string{"a/1"}, func(tx *Tx) {
			_, err := named(t, tx, "a/1").PopMin(1)
			require.NoError(t, err)
			add(t, tx, "a/1", "y", 1)
			_, err = named(t, tx, "a/1").PopMax(5)
			require.NoError(t, err)
		})
		has("", "a/2", "b")
		mustUpdate(t, e, []string{"a/1"}, func(tx *Tx) {
			require.Zero(t, named(t, tx, "a/1").Version(), "a new set")
			add(t, tx, "a/1", "x", 1)
		})
		has("a/", "a/1", "a/2")
		left := 0
		for i := range e.keys.Shards {
			left += e.keys.Shards[i].Sets.Len()
		}
		require.Equal(t, 3, left)
	})
}

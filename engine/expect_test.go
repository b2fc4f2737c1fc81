package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// TestExpect: a condition holds until another transaction changes what it was read from.
func TestExpect(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		keys := []string{"a", "b"}
		in := func(fn func(a *Set) error) error {
			return e.Update(t.Context(), func(tx *Tx) error { return fn(named(t, tx, "a")) }, keys...)
		}
		seq := func() (seq uint64) {
			mustView(t, e, keys, func(tx *Tx) { seq = named(t, tx, "a").LastSeq() })
			return seq
		}
		require.Zero(t, seq(), "it does not exist")
		require.NoError(t, in(func(a *Set) error { return a.Expect(0) }))
		require.ErrorIs(t, in(func(a *Set) error { return a.Expect(1) }), ErrConflict)
		mustUpdate(t, e, keys, func(tx *Tx) { add(t, tx, "a", "x", 5) })
		was := seq()
		require.NotZero(t, was)
		require.ErrorContains(t, in(func(a *Set) error { return a.Expect(0) }), `"a"`)
		mustUpdate(t, e, keys, func(tx *Tx) { add(t, tx, "b", "x", 5) })
		mustUpdate(t, e, keys, func(tx *Tx) { add(t, tx, "a", "x", 5) })
		require.Equal(t, errScript, in(func(a *Set) error { _, _ = a.IncrBy([]byte("x"), 1); return errScript }))
		require.Equal(t, was, seq(), "another set, no change and a rollback leave it as it is")
		require.NoError(t, in(func(a *Set) error {
			_, err := a.IncrBy([]byte("x"), 1)
			require.NoError(t, err)
			require.NoError(t, a.Expect(was), "the transaction's own changes do not count")
			require.ErrorIs(t, a.ExpectScore([]byte("x"), 5), ErrConflict)
			require.ErrorIs(t, a.ExpectScore([]byte("y"), 0), ErrConflict)
			require.ErrorIs(t, a.ExpectAbsent([]byte("x")), ErrConflict)
			return errors.Join(a.ExpectScore([]byte("x"), 6), a.ExpectAbsent([]byte("y")))
		}))
		require.Greater(t, seq(), was)
		var kept *Set
		require.NoError(t, e.View(t.Context(), func(tx *Tx) error { kept = named(t, tx, "a"); return kept.ExpectScore([]byte("x"), 6) }, keys...))
		for _, err := range []error{kept.Expect(0), kept.ExpectScore(nil, 0), kept.ExpectAbsent(nil)} {
			require.ErrorIs(t, err, ErrTxDone)
		}
	})
}

// TestExpectMadeAgain: a set that is deleted and made again, with the same member, score and version, is not the one before.
func TestExpectMadeAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		keys := []string{"a"}
		var seq, version [2]uint64
		for i := range 2 {
			mustUpdate(t, e, keys, func(tx *Tx) { add(t, tx, "a", "x", 5) })
			mustView(t, e, keys, func(tx *Tx) { seq[i], version[i] = named(t, tx, "a").LastSeq(), named(t, tx, "a").Version() })
			if i == 0 {
				mustUpdate(t, e, keys, func(tx *Tx) { _, _ = named(t, tx, "a").PopMin(1) })
			}
		}
		require.Equal(t, version[0], version[1])
		err := e.Update(t.Context(), func(tx *Tx) error { return named(t, tx, "a").Expect(seq[0]) }, keys...)
		require.ErrorIs(t, err, ErrConflict)
	})
}

// TestLastSeqNamesOneState runs scripts with snapshots, eviction and reopening: whenever a key has the same LastSeq, its set has the same
// members.
func TestLastSeqNamesOneState(t *testing.T) {
	looks, numbers := 0, 0
	for name, o := range configurations {
		for seed := range uint64(times(4)) {
			r := newRunner(o, memfs.NewCrashable())
			if name == "memory" {
				r.mem = nil
			}
			require.NoError(t, r.open())
			states := map[string]string{}
			for _, line := range newGenerator(2000+seed).script(60, "snapshot", "reopen", "glance", "flush") {
				require.NoError(t, r.step(line), "%s: %s", name, line)
				keys, err := r.e.Keys("")
				require.NoError(t, err)
				mustView(t, r.e, keys, func(tx *Tx) {
					for _, key := range keys {
						s := must(anyHandle(tx, key)) // of either kind
						id, state := fmt.Sprint(key, "@", s.lastSeq()), intsText(s.view.Append(nil, 0, s.view.Len()))
						if was, seen := states[id]; seen {
							require.Equal(t, was, state, "%s seed %d: %s after %s", name, seed, id, line)
						}
						states[id] = state
						looks++
					}
				})
			}
			numbers += len(states)
			require.NoError(t, r.e.Close())
		}
	}
	t.Logf("%d looks at sets, %d pairs of key and number: each pair always the same members", looks, numbers)
}

// optimists add 1 to a score: each reads in one transaction, and writes in another under a different kind of condition.
var optimists = map[string]func(e *Engine) error{
	"last seq": func(e *Engine) error {
		var seq uint64
		var score float64
		return readWrite(e, func(s setInTx) { seq = s.LastSeq(); score, _ = s.Score([]byte("x")) }, func(s setInTx) error {
			if err := s.Expect(seq); err != nil {
				return err
			}
			_, err := s.Add([]byte("x"), score+1)
			return err
		})
	},
	"score": func(e *Engine) error {
		var score float64
		var had bool
		return readWrite(e, func(s setInTx) { score, had = s.Score([]byte("x")) }, func(s setInTx) error {
			err := s.ExpectAbsent([]byte("x"))
			if had {
				err = s.ExpectScore([]byte("x"), score)
			}
			if err == nil {
				_, err = s.Add([]byte("x"), score+1)
			}
			return err
		})
	},
	"a set that vanishes with every second change": func(e *Engine) error {
		var seq uint64
		var total float64
		return readWrite(e, func(s setInTx) { seq, total = s.LastSeq(), totalOf(s) }, func(s setInTx) error {
			if seq == 0 {
				total = totalOf(s) // Expect(0) cannot tell a set that was made and removed meanwhile
			}
			err := errors.Join(s.Expect(seq), s.tx.Put("total", fmt.Append(nil, total+1)))
			if err != nil {
				return err
			}
			if seq == 0 {
				_, err = s.Add([]byte("y"), 1)
			} else {
				_, err = s.PopMin(1)
			}
			return err
		})
	},
	"private key": func(e *Engine) error {
		var before []byte
		return readWrite(e, func(s setInTx) { before, _, _ = s.tx.Get("total") }, func(s setInTx) error {
			if now, _, err := s.tx.Get("total"); err != nil || string(now) != string(before) {
				return errors.Join(err, fmt.Errorf("%w: total is %s, not %s", ErrConflict, now, before))
			}
			total, _ := strconv.ParseFloat(string(before), 64)
			return s.tx.Put("total", fmt.Append(nil, total+1))
		})
	},
}

// setInTx is a set and the transaction that it is in.
type setInTx struct {
	*Set
	tx *Tx
}

// totalOf reads the private key total, 0 if there is none.
func totalOf(s setInTx) float64 {
	text, ok, err := s.tx.Get("total")
	if err != nil {
		panic(err)
	}
	if !ok {
		return 0
	}
	return number(string(text))
}

// readWrite reads in one transaction, lets others pass, and writes in another.
func readWrite(e *Engine, read func(setInTx), write func(setInTx) error) error {
	in := func(fn func(setInTx) error) func(tx *Tx) error {
		return func(tx *Tx) error {
			s, err := tx.Set("a")
			if err != nil {
				return err
			}
			return fn(setInTx{s, tx})
		}
	}
	if err := e.View(context.Background(), in(func(s setInTx) error { read(s); return nil }), "a"); err != nil {
		return err
	}
	runtime.Gosched()
	return e.Update(context.Background(), in(write), "a")
}

// TestNoLostUpdate: 8 goroutines read, and write under a condition; no change is lost.
func TestNoLostUpdate(t *testing.T) {
	var conflicts atomic.Int64
	want := float64(8 * times(2000))
	for name, once := range optimists {
		t.Run(name, func(t *testing.T) {
			e := mustOpen(t, persist.MemFS(), Options{Durability: None, SnapshotBytes: 64 << 10, MemoryLimit: 1})
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					for range times(2000) {
						err := Retry(context.Background(), func() error {
							err := once(e)
							if errors.Is(err, ErrConflict) {
								conflicts.Add(1)
							}
							return err
						})
						assert.NoError(t, err)
					}
				})
			}
			wg.Wait()
			mustView(t, e, []string{"a"}, func(tx *Tx) {
				got, _ := named(t, tx, "a").Score([]byte("x"))
				require.Equal(t, want, got+totalOf(setInTx{named(t, tx, "a"), tx}))
			})
			require.NoError(t, e.Close())
		})
	}
	require.Positive(t, conflicts.Load())
	t.Logf("%d conditions, %.0f changes each, %d conflicts on the way: none lost", len(optimists), want, conflicts.Load())
}

// TestRetry: Retry ends when fn returns no conflict, after 1000 conflicts, and when its context ends.
func TestRetry(t *testing.T) {
	synctest.Test(t, testRetry)
}

func testRetry(t *testing.T) {
	calls := 0
	count := func(err error) func() error { return func() error { calls++; return err } }
	require.NoError(t, Retry(context.Background(), count(nil)))
	require.Equal(t, errScript, Retry(context.Background(), count(errScript)))
	require.Equal(t, 2, calls)
	calls = 0
	err := Retry(context.Background(), count(fmt.Errorf("%w: never", ErrConflict)))
	require.ErrorIs(t, err, ErrConflict)
	require.True(t, strings.HasSuffix(err.Error(), "never"))
	require.Equal(t, tries, calls)
	ctx, cancel := context.WithCancel(context.Background())
	calls = 0
	err = Retry(ctx, func() error {
		if calls++; calls == 3 {
			cancel()
		}
		return ErrConflict
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, ErrConflict)
	require.Equal(t, 3, calls)
}

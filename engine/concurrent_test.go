package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// times is n, or less in builds that check invariants or races, which are slow.
func times(n int) int {
	if invariants.Enabled || testing.Short() {
		return n / 5
	}
	return n
}

// bothSets returns two sets of a transaction.
func bothSets(tx *Tx, from, to string) (a, b *Set, err error) {
	if a, err = tx.Set(from); err == nil {
		b, err = tx.Set(to)
	}
	return a, b, err
}

// transfer moves the only member from one set to another, so that sets appear and vanish.
func transfer(e *Engine, from, to string) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		a, b, err := bothSets(tx, from, to)
		if err != nil {
			return err
		}
		if removed, err := a.Remove([]byte("ball")); err != nil || !removed {
			return err
		}
		_, err = b.Add([]byte("ball"), 1)
		return err
	}, from, to)
}

// TestViewOfAbsentSets: transactions move a ball between sets that appear and vanish. Every View sees the ball in exactly one set, even if
// that set did not exist when the View began.
func TestViewOfAbsentSets(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	keys := []string{"a", "b", "c"}
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
		s, err := tx.Set("a")
		require.NoError(t, err)
		_, err = s.Add([]byte("ball"), 1)
		return err
	}, keys[:1]...))
	var wg sync.WaitGroup
	var stop atomic.Bool
	for i := range 3 {
		wg.Go(func() {
			for !stop.Load() {
				for j := range 3 {
					if err := transfer(e, keys[(i+j)%3], keys[(i+j+1)%3]); err != nil {
						panic(err)
					}
				}
			}
		})
	}
	for range times(20000) {
		balls := 0
		require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
			for _, key := range keys {
				s, err := tx.Set(key)
				require.NoError(t, err)
				balls += s.Len()
			}
			return nil
		}, keys...))
		require.Equal(t, 1, balls)
	}
	stop.Store(true)
	wg.Wait()
	left := 0
	for i := range e.keys.Shards {
		left += e.keys.Shards[i].Sets.Len()
	}
	require.Equal(t, 1, left, "sets that do not exist leave the keyspace")
}

// pay moves an amount from one set to another and stores both balances in private keys. A set with nothing left vanishes.
func pay(e *Engine, from, to string, amount float64) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		a, b, err := bothSets(tx, from, to)
		if err != nil {
			return err
		}
		has, _ := a.Score([]byte("gold"))
		if amount = min(amount, has); amount == 0 {
			return nil
		}
		if has == amount {
			_, err = a.Remove([]byte("gold"))
		} else {
			_, err = a.IncrBy([]byte("gold"), -amount)
		}
		if err != nil {
			return err
		}
		if _, err = b.IncrBy([]byte("gold"), amount); err != nil {
			return err
		}
		return errors.Join(note(tx, a), note(tx, b))
	}, to, from)
}

// note stores the gold of a set in the private key of the same name.
func note(tx *Tx, s *Set) error {
	gold, ok := s.Score([]byte("gold"))
	if !ok {
		return tx.Delete("gold:" + s.Key())
	}
	return tx.Put("gold:"+s.Key(), fmt.Append(nil, gold))
}

// goldOf calls look for each of several sets, with the gold that it has, if any.
func goldOf(tx *Tx, keys []string, look func(key string, s *Set, gold float64, ok bool)) error {
	for _, key := range keys {
		s, err := tx.Set(key)
		if err != nil {
			return err
		}
		gold, ok := s.Score([]byte("gold"))
		look(key, s, gold, ok)
	}
	return nil
}

// conserved checks that the sum of the gold is right, and that the private keys agree with the sets.
func conserved(e *Engine, keys []string) error {
	return e.View(context.Background(), func(tx *Tx) error {
		sum, want := 0.0, map[string]string{}
		err := goldOf(tx, keys, func(key string, _ *Set, gold float64, ok bool) {
			if ok {
				sum += gold
				want["gold:"+key] = fmt.Sprint(gold)
			}
		})
		if err != nil {
			return err
		}
		got := map[string]string{}
		for kv, err := range tx.Scan("gold:") {
			if err != nil {
				return err
			}
			got[string(kv.Key)] = string(kv.Value)
		}
		if sum != 100 || !maps.Equal(got, want) {
			return fmt.Errorf("sum %v, private keys %v, want %v", sum, got, want)
		}
		return nil
	}, keys...)
}

// TestRow35Conservation: goroutines transfer gold between sets, which vanish and come back, while snapshots run. The sum of the gold is the same
// in every View, and after a power cut at any moment.
func TestRow35Conservation(t *testing.T) {
	var crashes, batches atomic.Int64
	rows := map[string]Options{"memory": {}, "sync": {SnapshotBytes: 1}, "interval": {Durability: Interval, SnapshotBytes: 4 << 10},
		"none": {Durability: None, SnapshotBytes: 1}, "limit": {Durability: None, MemoryLimit: 1}}
	for name, o := range rows {
		t.Run(name, func(t *testing.T) {
			mem := memfs.NewCrashable()
			e, err := New(o)
			if name != "memory" {
				e, err = mustOpen(t, mem, o), nil
			}
			require.NoError(t, err)
			keys := []string{"a", "b", "c", "d"}
			mustUpdate(t, e, keys, func(tx *Tx) {
				add(t, tx, "a", "gold", 100)
				require.NoError(t, note(tx, named(t, tx, "a")))
			})
			require.NoError(t, e.Flush())
			payAround(t, e, keys, func(i int) {
				if name != "memory" && i%5 == 0 {
					crashes.Add(1)
					reopened := mustOpen(t, powercut.Clone(mem, i%101, uint64(i)), Options{})
					require.NoError(t, conserved(reopened, keys))
					require.NoError(t, reopened.Close())
				}
			})
			require.NoError(t, e.Close())
			if name != "memory" {
				batches.Add(int64(e.store.LastSeq()))
				e = mustOpen(t, mem, o)
				require.NoError(t, conserved(e, keys))
				require.NoError(t, e.Close())
			}
		})
	}
	matrix.Row(t, 35, "%d commits over two of four sets and private keys, %d power cuts among them: 0 in part", batches.Load(), crashes.Load())
}

// payAround pays at random from several goroutines, and calls look meanwhile.
func payAround(t *testing.T, e *Engine, keys []string, look func(i int)) {
	var wg sync.WaitGroup
	var busy atomic.Int64
	for seed := range uint64(3) {
		busy.Add(1)
		wg.Go(func() {
			defer busy.Add(-1)
			rng := rand.New(rand.NewPCG(seed, 2))
			for range times(matrix.Pick(5000, 100_000)) {
				p := rng.Perm(len(keys))
				if err := pay(e, keys[p[0]], keys[p[1]], float64(1+rng.IntN(100))); err != nil {
					panic(err)
				}
			}
		})
	}
	defer wg.Wait()
	for i := 0; busy.Load() > 0; i++ {
		require.NoError(t, conserved(e, keys))
		look(i)
	}
}

// TestOppositeOrders: transactions that name the same keys in opposite orders, with Views among them, do not deadlock.
func TestOppositeOrders(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		n := times(500)
		orders := [][]string{{"a", "b", "c"}, {"c", "b", "a"}, {"b", "a"}, {"c", "a", "c"}}
		var wg sync.WaitGroup
		for _, keys := range orders {
			wg.Go(func() {
				for range n {
					mustUpdate(t, e, keys, func(tx *Tx) {
						for _, key := range keys {
							_, err := named(t, tx, key).IncrBy([]byte("x"), 1)
							require.NoError(t, err)
						}
						require.NoError(t, tx.Put("k", nil))
					})
				}
			})
			wg.Go(func() {
				for range n {
					mustView(t, e, keys, func(tx *Tx) { _, _, err := tx.Get("k"); require.NoError(t, err) })
				}
			})
		}
		wg.Wait()
		want := map[string]float64{"a": 0, "b": 0, "c": 0}
		for _, keys := range orders {
			for _, key := range keys {
				want[key] += float64(n)
			}
		}
		mustView(t, e, []string{"a", "b", "c"}, func(tx *Tx) {
			for key, n := range want {
				got, _ := named(t, tx, key).Score([]byte("x"))
				require.Equal(t, n, got, key)
			}
		})
	})
}

// TestFirstTouch: many goroutines read and change sets at once that are on the disk only.
func TestFirstTouch(t *testing.T) {
	fs := memfs.New()
	keys := []string{"a", "b", "c", "d"}
	e := mustOpen(t, fs, Options{})
	mustUpdate(t, e, keys, func(tx *Tx) {
		for _, key := range keys {
			for i := range 500 {
				add(t, tx, key, wide(i), float64(i))
			}
		}
	})
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	for range times(10) {
		e := mustOpen(t, fs, Options{SnapshotBytes: -1})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				_ = e.Update(t.Context(), func(tx *Tx) error {
					add(t, tx, keys[i%2], fmt.Sprint("new", i), float64(i))
					if i > 3 {
						return errScript
					}
					return nil
				}, keys[i%2:i%2+2]...)
			})
			wg.Go(func() {
				mustView(t, e, keys, func(tx *Tx) {
					for _, key := range keys {
						score, ok := named(t, tx, key).Score([]byte(wide(321)))
						require.True(t, ok)
						require.Equal(t, 321.0, score)
					}
				})
			})
			wg.Go(func() { _, err := e.Stats(); require.NoError(t, err) })
		}
		wg.Go(func() { require.NoError(t, e.Snapshot()) })
		wg.Wait()
		mustView(t, e, keys, func(tx *Tx) { require.Equal(t, 502, named(t, tx, "a").Len()) })
		mustUpdate(t, e, keys, func(tx *Tx) {
			for i := range 4 {
				_, err := named(t, tx, keys[i%2]).Remove(fmt.Append(nil, "new", i))
				require.NoError(t, err)
			}
		})
		require.NoError(t, e.Close())
	}
}

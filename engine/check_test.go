package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// traffic moves points between sets, makes and drops others, and counts the transactions in a private key, until stop.
type traffic struct {
	e    *Engine
	stop chan struct{}
	wg   sync.WaitGroup
	mu   sync.Mutex
	err  error
}

const (
	purses = 6
	points = 1000
)

func startTraffic(e *Engine, seed uint64) *traffic {
	tr := &traffic{e: e, stop: make(chan struct{})}
	tr.did(e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set("purse0")
		if err == nil {
			_, err = s.Add([]byte("x"), points)
		}
		return err
	}, "purse0"))
	for i := range 3 {
		tr.wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for tr.did(tr.step(rng)) {
				select {
				case <-tr.stop:
					return
				default:
				}
			}
		})
	}
	return tr
}

func (tr *traffic) did(err error) bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.err == nil {
		tr.err = err
	}
	return tr.err == nil
}

func (tr *traffic) end() error {
	close(tr.stop)
	tr.wg.Wait()
	return tr.err
}

// step moves a point between two purses, changes or empties another set, and counts itself, in one transaction.
func (tr *traffic) step(rng *rand.Rand) error {
	from, to := fmt.Sprintf("purse%d", rng.IntN(purses)), fmt.Sprintf("purse%d", rng.IntN(purses))
	other := fmt.Sprintf("other%d", rng.IntN(20))
	return tr.e.Update(context.Background(), func(tx *Tx) error {
		count, _, err := tx.Get("count")
		if err == nil {
			err = tx.Put("count", binary.BigEndian.AppendUint64(nil, counter(count)+1))
		}
		for key, delta := range map[string]float64{from: -1, to: +1} {
			if err == nil && from != to {
				var s *Set
				if s, err = tx.Set(key); err == nil {
					_, err = s.IncrBy([]byte("x"), delta)
				}
			}
		}
		if err != nil {
			return err
		}
		s, err := tx.SetTied(other, 8)
		if err != nil {
			return err
		}
		if s.Len() > 300 {
			_, err = s.PopMax(s.Len())
			return err
		}
		for range rng.IntN(20) {
			tie := binary.BigEndian.AppendUint64(nil, rng.Uint64N(3))
			if _, err := s.AddTied(fmt.Appendf(nil, "m%d", rng.IntN(1000)), tie, float64(rng.IntN(9))); err != nil {
				return err
			}
		}
		return nil
	}, from, to, other)
}

func counter(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

// transactionsIn returns how many transactions an engine holds; their points must add up.
func transactionsIn(e *Engine) (n uint64, err error) {
	var keys []string // all possible keys: a list of the existing ones would be out of date when View begins
	for i := range purses {
		keys = append(keys, fmt.Sprintf("purse%d", i))
	}
	sum := 0.0
	err = e.View(context.Background(), func(tx *Tx) error {
		for _, key := range keys {
			s, err := tx.Set(key)
			if err != nil {
				return err
			}
			score, _ := s.Score([]byte("x"))
			sum += score
		}
		b, _, err := tx.Get("count")
		n = counter(b)
		return err
	}, keys...)
	if err == nil && sum != points {
		err = fmt.Errorf("%v points, want %d", sum, points)
	}
	return n, err
}

// TestCheckUnderLoad checks an engine again and again while transactions and snapshots go on: nothing is wrong.
func TestCheckUnderLoad(t *testing.T) {
	for _, level := range []Durability{Sync, None} {
		e := mustOpen(t, persist.MemFS(), Options{Durability: level, SnapshotBytes: 64 << 10})
		tr := startTraffic(e, 1)
		sets, checks := 0, 0
		for ; checks < times(15) || e.store.LastSeq() < 1000; checks++ {
			rep, err := e.Check(t.Context(), nil)
			require.NoError(t, err)
			require.Empty(t, rep.Problems)
			sets += rep.Sets
		}
		require.NoError(t, tr.end())
		require.NoError(t, e.Close())
		t.Logf("level %v: %d checks, %d sets read, %d commits", level, checks, sets, e.store.LastSeq())
	}
}

// TestCheckMemory makes memory differ from the store, one way at a time, and expects one problem each: a wrong score in a set of the
// snapshot, of the log and of both; a wrong version; a set that memory lacks; a set that the store lacks.
func TestCheckMemory(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{SnapshotBytes: -1})
	keys := []string{"a", "b", "unchanged", "gone"}
	mustUpdate(t, e, keys, func(tx *Tx) {
		for _, key := range keys {
			add(t, tx, key, "x", 1)
			add(t, tx, key, "y", 2)
		}
	})
	require.NoError(t, e.Snapshot())
	mustUpdate(t, e, []string{"a", "log", "gone"}, func(tx *Tx) {
		add(t, tx, "a", "x", 5)
		add(t, tx, "log", "x", 1)
		_, err := named(t, tx, "gone").PopMin(2)
		require.NoError(t, err)
	})
	problems := func() []persist.Problem {
		t.Helper()
		rep, err := e.Check(t.Context(), func(Report) {})
		require.NoError(t, err)
		return rep.Problems
	}
	require.Empty(t, problems())
	for _, key := range []string{"a", "b", "log"} {
		s := e.keys.Find(key)
		_, err := zset.As[float64](s.Entries).Add([]byte("x"), 7)
		require.NoError(t, err)
		found := problems()
		require.Len(t, found, 1)
		require.Equal(t, fmt.Sprintf("set %q", key), found[0].Where)
		require.Contains(t, found[0].What, "memory holds")
		_, err = zset.As[float64](s.Entries).Add([]byte("x"), map[string]float64{"a": 5, "b": 1, "log": 1}[key])
		require.NoError(t, err)
		require.Empty(t, problems())
	}
	s := e.keys.Find("b")
	s.Version++
	require.Len(t, problems(), 1)
	s.Version--
	e.keys.Remove(s)
	require.Contains(t, problems()[0].What, "does not exist in memory")
	obtained(e, "b").Exists = true // as if b had been evicted
	require.Empty(t, problems(), "on the disk only")
	obtained(e, "new").Exists = true
	require.Contains(t, problems()[0].What, "is not stored")
	require.NoError(t, e.Close())
	_, err := e.Check(t.Context(), nil)
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, e.Backup(t.Context(), "b"), ErrClosed)
}

// TestCheckDir checks directories with contents that an engine could not have written.
func TestCheckDir(t *testing.T) {
	for want, fs := range map[string]persist.FS{
		"facts of set":   corrupt(t, func(b *persist.Batch) { b.Create("s", []byte("x")) }, false),
		"value of":       corrupt(t, func(b *persist.Batch) { b.Create("s", facts.Facts{}.Encode()); b.Put("s", []byte("m"), []byte("x")) }, false),
		"does not exist": corrupt(t, func(b *persist.Batch) { b.Put("s", []byte("m"), make([]byte, 8)) }, false),
	} {
		rep, err := CheckDir(t.Context(), "db", Options{FS: fs}, nil)
		require.NoError(t, err)
		require.Len(t, rep.Problems, 1)
		require.Contains(t, rep.Problems[0].What, want)
		_, err = Restore(t.Context(), "db", "new", Options{FS: fs})
		require.ErrorIs(t, err, ErrCorrupt)
	}
	m, err := New(Options{})
	require.NoError(t, err)
	_, err = m.Check(t.Context(), nil)
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorIs(t, m.Backup(t.Context(), "b"), ErrMemory)
}

// TestRow44Engine takes backups of an engine under load and restores them. The copy has every transaction before the backup, whole, and a
// check finds nothing wrong.
func TestRow44Engine(t *testing.T) {
	n, transactions := matrix.Pick(5, 60), uint64(0)
	for _, level := range []Durability{Sync, None} {
		fs, ctx := persist.MemFS(), context.Background()
		e := mustOpen(t, fs, Options{Durability: level, SnapshotBytes: 64 << 10})
		tr := startTraffic(e, 44)
		for i := range n {
			backup, dir := fmt.Sprint("backup", i), fmt.Sprint("restored", i)
			before, err := transactionsIn(e)
			require.NoError(t, err)
			require.NoError(t, e.Backup(ctx, backup))
			rep, err := Restore(ctx, backup, dir, Options{FS: fs})
			require.NoError(t, err)
			require.Empty(t, rep.Problems)
			for _, name := range []string{backup, dir} {
				other, err := Open(name, Options{FS: fs})
				require.NoError(t, err)
				got, err := transactionsIn(other)
				require.NoError(t, err)
				require.GreaterOrEqual(t, got, before)
				rep, err := other.Check(ctx, nil)
				require.NoError(t, err)
				require.Empty(t, rep.Problems)
				require.NoError(t, other.Close())
				transactions = max(transactions, got)
			}
		}
		_, err := Restore(ctx, "db", "never", Options{FS: fs})
		require.ErrorIs(t, err, ErrLocked)
		require.ErrorIs(t, e.Backup(ctx, "backup0"), ErrExists)
		require.NoError(t, tr.end())
		require.NoError(t, e.Close())
	}
	matrix.Row(t, 44, "engine: %d backups under load, opened and restored, up to %d transactions each, all whole", 2*n, transactions)
}

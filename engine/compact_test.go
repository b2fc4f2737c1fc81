package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/traces"
)

// eraser puts a member into an engine in every way that there is, among other members, and removes it.
type eraser struct {
	e    *Engine
	dir  string
	o    Options
	rng  *rand.Rand
	name string
	fs   vfs.FS
	n    int // backups
}

// update is a transaction that changes member of every set, and other keys.
func (r *eraser) update(member func() []byte, fn func(tx *Tx) error) error {
	return r.e.Update(context.Background(), func(tx *Tx) error {
		for _, key := range []string{"small", "big", "expiring"} {
			s, err := tx.Set(key)
			if err == nil && member != nil {
				_, err = s.Add(member(), r.rng.Float64())
			} else if err == nil {
				_, err = s.Remove([]byte(r.name))
			}
			if err != nil {
				return err
			}
		}
		for _, key := range []string{"ints", "bigints"} {
			s, err := tx.IntSet(key, Form{TieWidth: 8})
			if err == nil && member != nil {
				_, err = s.Put(member(), make([]byte, 8), r.rng.Int64N(1e9))
			} else if err == nil {
				_, err = s.Remove([]byte(r.name))
			}
			if err != nil {
				return err
			}
		}
		return fn(tx)
	}, r.name, "small", "big", "expiring", "ints", "bigints", "copied")
}

// put makes the name a member of all sets, and the key of a set, and a part of keys and values of private keys.
func (r *eraser) put() error {
	return r.update(func() []byte { return []byte(r.name) }, func(tx *Tx) error {
		s, err := tx.Set(r.name)
		if err == nil {
			_, err = s.Add([]byte(r.name), 1)
		}
		return errors.Join(err, noteIn(tx, []byte("of "+r.name)), tx.Put("meta/"+r.name, []byte("v")), tx.Put(r.name, nil), tx.Put("wallet", []byte("of "+r.name)), tx.Copy("big", "copied"))
	})
}

// remove undoes put.
func (r *eraser) remove() error {
	return r.update(nil, func(tx *Tx) error {
		_, err := tx.Drop(r.name)
		return errors.Join(err, tx.Delete("meta/"+r.name), tx.Delete(r.name), tx.Put("wallet", nil), tx.Copy("big", "copied"))
	})
}

// others commits n times without the name.
func (r *eraser) others(n int) error {
	for range n {
		other := func() []byte { return fmt.Appendf(nil, "other %d", r.rng.IntN(3000)) }
		key, size := fmt.Sprint("key ", r.rng.IntN(100)), r.rng.IntN(2000)
		if err := r.update(other, func(tx *Tx) error { return tx.Put(key, make([]byte, size)) }); err != nil {
			return err
		}
	}
	return nil
}

// step moves bytes from one file to another.
func (r *eraser) step() (err error) {
	switch r.rng.IntN(6) {
	case 0:
		err = r.e.Snapshot()
	case 1:
		if err = r.e.Close(); err == nil {
			r.e, err = Open(r.dir, r.o)
		}
	case 2:
		err = r.e.Unload("big")
	case 3:
		r.n++
		err = r.e.Backup(context.Background(), fmt.Sprint(r.dir, "-copy", r.n))
	default:
		err = r.others(1 + r.rng.IntN(150))
	}
	return err
}

// erased returns an error if a file of a directory has the name.
func (r *eraser) erased(dir string) error {
	found, err := traces.Find(r.fs, dir, r.name)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%d traces are left, the first: %v", len(found), found[0])
	}
	return err
}

// proveErased checks E11: it erases a name, compacts while others commit, and searches every file, of a backup made afterwards too.
func proveErased(fs vfs.FS, dir string, seed uint64) (err error) {
	r := &eraser{dir: dir, rng: rand.New(rand.NewPCG(seed, 21)), name: traces.Name(seed, 12+int(seed%7)*30), fs: fs}
	r.o = Options{FS: fs, SnapshotBytes: -1, Durability: []Durability{Sync, None, Interval}[seed%3]}
	if seed%4 > 1 {
		r.o.FeedLogBytes = 1 << 20
	}
	if seed%2 == 1 {
		r.o.SnapshotBytes, r.o.MemoryLimit = 64<<10, 1<<20
	}
	if r.e, err = Open(dir, r.o); err != nil {
		return err
	}
	for range 2 {
		err := errors.Join(r.others(20), r.put(), r.others(20), r.step(), r.step(), r.remove(), r.step())
		if err != nil {
			return err
		}
	}
	if err := errors.Join(r.put(), r.e.Snapshot(), r.others(20), r.put(), r.remove()); err != nil {
		return err
	}
	if r.erased(dir) == nil {
		return errors.New("the name is not there before either")
	}
	var wg sync.WaitGroup
	var failed error
	stop := make(chan struct{})
	wg.Go(func() { failed = keepAdding(r.e, stop) })
	sum, err := r.e.Compact(context.Background(), nil)
	err = errors.Join(err, r.erased(dir))
	close(stop)
	wg.Wait()
	if sum.After == 0 || sum.Done != sum.Bytes {
		err = errors.Join(err, fmt.Errorf("compaction %+v", sum))
	}
	return errors.Join(err, failed, r.e.Backup(context.Background(), dir+"-after"), r.erased(dir+"-after"), r.e.Close(), r.erased(dir))
}

// keepAdding commits until stop is closed.
func keepAdding(e *Engine, stop <-chan struct{}) error {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return nil
		default:
		}
		err := e.Update(context.Background(), func(tx *Tx) error {
			s, err := tx.Set("meanwhile")
			if err == nil {
				_, err = s.Add(fmt.Appendf(nil, "m%d", i%1000), float64(i))
			}
			return errors.Join(err, tx.Put(fmt.Sprint("meanwhile ", i%50), nil), tx.Delete(fmt.Sprint("meanwhile ", i%49)))
		}, "meanwhile")
		if err != nil {
			return err
		}
	}
}

// TestCompactErases: after Compact no file has a byte of members, sets and private keys that were removed before (E11), in memory and on a disk.
func TestCompactErases(t *testing.T) {
	for seed := range uint64(matrix.Pick(4, 120)) {
		require.NoError(t, proveErased(memfs.New(), "db", seed), "seed %d", seed)
	}
	require.NoError(t, proveErased(vfs.Default, filepath.Join(t.TempDir(), "db"), 1))
}

// TestCompactAfterBlindWrites: a blind write removes a member of a set that is on the disk only.
func TestCompactAfterBlindWrites(t *testing.T) {
	mem, name := memfs.New(), traces.Name(3, 40)
	e, err := Open("db", Options{FS: mem, SnapshotBytes: -1})
	require.NoError(t, err)
	sets := blindSets{}
	sets.fill(t, e, "set", 2000)
	require.NoError(t, ownerOf(t, e).Update(t.Context(), []string{"set"}, func(tx *Tx) error {
		s, err := tx.IntSet("set", blindForm)
		if err == nil {
			_, err = s.AddTied([]byte(name), []byte(blindTie(1)), 7)
		}
		return err
	}))
	require.NoError(t, errors.Join(e.Snapshot(), e.Unload("set")))
	o := ownerOf(t, e)
	require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"set"}, func(tx *Tx) error {
		return o.BlindRemove(tx, "set", []byte(name), 7, []byte(blindTie(1)))
	}))
	_, err = e.Compact(t.Context(), nil)
	require.NoError(t, err)
	found, err := traces.Find(mem, "db", name)
	require.NoError(t, err)
	require.Empty(t, found)
	require.NoError(t, sets.equal(e))
	require.NoError(t, e.Close())
}

// TestCompactEvents: Compact tells what it does. In memory only it does nothing.
func TestCompactEvents(t *testing.T) {
	events := make(chan Event, 64)
	e, err := Open("db", Options{FS: memfs.New(), OnEvent: func(v Event) { events <- v }})
	require.NoError(t, err)
	require.NoError(t, setX(e, "a", 7))
	var steps []Compaction
	sum, err := e.Compact(t.Context(), func(c Compaction) { steps = append(steps, c) })
	require.NoError(t, err)
	require.Equal(t, sum, steps[len(steps)-1])
	require.Zero(t, steps[0].Done)
	require.Zero(t, steps[0].After)
	require.NoError(t, e.Close())
	var kinds []string
	for len(kinds) < 4 {
		v := <-events
		kinds = append(kinds, fmt.Sprint(v.Kind, v.Ended, v.Err))
	}
	require.Equal(t, []string{"compaction false <nil>", "snapshot false <nil>", "snapshot true <nil>", "compaction true <nil>"}, kinds)
	_, err = e.Compact(t.Context(), nil)
	require.ErrorIs(t, err, ErrClosed)

	memory, err := New(Options{})
	require.NoError(t, err)
	sum, err = memory.Compact(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, sum)
	require.NoError(t, memory.Close())
}

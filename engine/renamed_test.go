package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/zset"
)

// renamedIsDurable renames a set while the log cannot be flushed, and deletes the old key. Delete finds no set, but must not return before the rename
// is durable.
func renamedIsDurable() error {
	g := &flushGate{}
	close(g.shut())
	e, err := Open("db", Options{FS: errorfs.Wrap(memfs.New(), g), StallTimeout: time.Hour})
	if err != nil {
		return err
	}
	if err := setX(e, "a", 1); err != nil {
		return err
	}
	return g.secondWaits(e, func() error { return e.Rename(context.Background(), "a", "b") }, func() error {
		n, err := e.Delete(context.Background(), "a")
		if durable := e.store.DurableSeq(); err == nil && (n != 0 || durable < 2) {
			err = fmt.Errorf("dropped %d; Delete returned when only commit %d was durable", n, durable)
		}
		return err
	})
}

// replacements are transactions that give keys other sets.
var replacements = map[string]func(tx *Tx) error{
	"replaced": func(tx *Tx) error {
		_, err := tx.Drop("k0")
		s, also := tx.Set("k0")
		return errors.Join(err, also, second(s.Add([]byte("new"), 1)))
	},
	"renamed": func(tx *Tx) error { return tx.Rename("k0", "b") },
	"copied":  func(tx *Tx) error { return errors.Join(tx.Copy("k0", "b"), second(tx.Drop("k0"))) },
	"chained": func(tx *Tx) error { return errors.Join(tx.Rename("k0", "b"), tx.Rename("k1", "k0")) },
}

// listingHasAll calls All when the log has a commit that gives keys other sets, and the keyspace does not have them yet. It delays the commit there
// by the lock of the index of expiries.
func listingHasAll(do func(tx *Tx) error) error {
	e, err := Open("db", Options{FS: memfs.New(), SnapshotBytes: -1})
	if err != nil {
		return err
	}
	for _, key := range []string{"k0", "k1"} {
		err = errors.Join(err, setX(e, key, 1), second(e.ExpireIn(context.Background(), key, time.Hour)))
	}
	before, done := e.store.LastSeq(), make(chan error, 1)
	e.m.expiries.Mu.Lock()
	go func() { done <- e.Update(context.Background(), do, "k0", "k1", "b") }()
	for e.store.LastSeq() == before {
		runtime.Gosched()
	}
	listed := map[*keyspace.Set]bool{}
	for _, s := range e.keys.All() {
		if listed[s] {
			err = errors.Join(err, errors.New("a set is listed twice"))
		}
		listed[s] = true
	}
	e.m.expiries.Mu.Unlock()
	err = errors.Join(err, <-done)
	for _, s := range e.keys.All() {
		if !listed[s] {
			err = errors.Join(err, fmt.Errorf("the set of %q is not listed", s.Key))
		}
	}
	return errors.Join(err, inOrderInside(e), e.Close())
}

// stagedUnseen stages a set, and looks for it before it has a key, in the engine and after a power cut.
func stagedUnseen() error {
	mem := memfs.NewCrashable()
	e, err := Open("db", Options{FS: mem, SnapshotBytes: -1})
	if err != nil {
		return err
	}
	z := must(newSet())
	_, err = z.Add([]byte("x"), 1)
	s, failed := e.ops.stage(context.Background(), zset.As[int64](z), 0, facts.Digest{})
	err = errors.Join(err, failed, noneStaged(e, 0, 1))
	left, failed := Open("db", Options{FS: powercut.Clone(mem, 0, 1), SnapshotBytes: -1})
	if failed != nil {
		return errors.Join(err, failed, e.Close())
	}
	err = errors.Join(err, sound(left, 0), left.Close())
	e.ops.unstage(s)
	return errors.Join(err, sound(e, 0), e.Close())
}

// collectorTriesAgain lets the collector drop a set when the disk fails.
func collectorTriesAgain() error {
	f, now := &faulty{}, time.UnixMilli(1e12)
	f.left.Store(1 << 40)
	e, err := Open("db", Options{FS: errorfs.Wrap(memfs.New(), f), lazy: true, Clock: func() time.Time { return now }})
	if err != nil {
		return err
	}
	err = errors.Join(setX(e, "a", 1), second(e.ExpireIn(context.Background(), "a", time.Second)))
	now = now.Add(time.Minute)
	f.left.Store(0)
	_ = setX(e, "b", 1)
	if second(e.m.collect("a")) == nil {
		err = errors.Join(err, errors.New("the disk has not failed"))
	}
	err = errors.Join(err, inOrderInside(e))
	_ = e.Close()
	return err
}

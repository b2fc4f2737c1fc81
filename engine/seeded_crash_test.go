//go:build seeded

package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/seeded"
)

func init() {
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "reply before the log is flushed", Check: func() error { _, err := powerCuts(100, Options{SnapshotBytes: -1}, 12, false); return err }},
		seeded.Proof{Bug: "the log is not in the order of the changes", Check: logOrder},
		seeded.Proof{Bug: "a transaction that fails is not rolled back", Check: failedCallbacks},
		seeded.Proof{Bug: "nothing to change, nothing to wait for", Check: nothingToChange},
	)
}

// logOrder checks histories whose last answer comes from the recovered log.
func logOrder() error {
	for seed := range uint64(10) {
		if err := (linearRow{writes: linearMembers, Options: Options{SnapshotBytes: -1}}).run(&linearFigures{}, seed, 1000); err != nil {
			return err
		}
	}
	return nil
}

func failedCallbacks() error {
	e, err := New(Options{})
	if err != nil {
		return err
	}
	_, err = callbacks(e)
	return err
}

// nothingToChange removes a member twice while the log cannot be flushed: the second call must not return before the removal is durable.
func nothingToChange() error {
	g := &flushGate{}
	close(g.shut())
	e, err := Open("db", Options{FS: errorfs.Wrap(memfs.New(), g)})
	if err != nil {
		return err
	}
	change := func(do func(s *Set) error) error {
		return e.Update(context.Background(), func(tx *Tx) error {
			s, err := tx.Set("a")
			return errors.Join(err, do(s))
		}, "a")
	}
	remove := func(s *Set) error { return second(s.Remove([]byte("x"))) }
	if err := change(func(s *Set) error { return second(s.Add([]byte("x"), 1)) }); err != nil {
		return err
	}
	return g.secondWaits(e, func() error { return change(remove) }, func() error {
		err := change(remove)
		if durable := e.store.DurableSeq(); err == nil && durable < 2 {
			err = fmt.Errorf("the second call returned when only commit %d was durable", durable)
		}
		return err
	})
}

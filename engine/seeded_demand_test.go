//go:build seeded

package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
)

func init() {
	seededBugs = append(seededBugs, seeded.Proofs(proveRestart, "a transaction that restarts is not rolled back", "a transaction that restarts commits", "a transaction that restarts keeps a lock")...)
}

// proveRestart restarts a transaction, which asks for a set whose key comes before the one that it has, and looks for what its first run has done. The context ends the wait for a
// lock that nobody unlocks.
func proveRestart() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	e, err := New(Options{})
	if err == nil {
		err = setX(e, "b", 1) // one that is there keeps what is in it
	}
	if err != nil {
		return err
	}
	locked, unlock, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.Update(ctx, func(*Tx) error { close(locked); <-unlock; return nil }, "a")
	}()
	<-locked
	runs := 0
	err = e.Update(ctx, func(tx *Tx) error {
		runs++
		own, err := tx.Set("b")
		if err != nil {
			return err
		}
		if _, err := own.Add(fmt.Append(nil, runs), 1); err != nil {
			return err
		}
		if _, err = tx.Set("a"); runs == 1 {
			close(unlock)
			<-done
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.View(ctx, func(tx *Tx) error {
		own, err := tx.Set("b")
		if _, ok := own.Score([]byte("2")); err == nil && (!ok || own.Len() != 2) {
			err = fmt.Errorf("%d members after %d runs", own.Len(), runs)
		}
		return err
	})
}

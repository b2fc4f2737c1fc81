//go:build seeded

package engine

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/engine/internal/private"
	"github.com/zrankdb/zrank/internal/seeded"
)

func init() {
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "a transaction that restarts keeps a private key", Check: provePrivateRestart},
		seeded.Proof{Bug: "a walk over private keys misses a stripe", Check: proveScan})
}

// provePrivateRestart restarts a transaction, which asks for a private key whose stripe comes
// before the one that it has. The context ends the wait for a lock that nobody unlocks.
func provePrivateRestart() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	e, err := New(Options{})
	if err != nil {
		return err
	}
	keys := apart(2)
	locked, unlock, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.Update(ctx, func(tx *Tx) error { err := tx.Put(keys[0], nil); close(locked); <-unlock; return err })
	}()
	<-locked
	runs := 0
	err = e.Update(ctx, func(tx *Tx) error {
		runs++
		if err := tx.Put(keys[1], nil); err != nil {
			return err
		}
		if err := tx.Put(keys[0], nil); runs > 1 {
			return err
		}
		close(unlock)
		return <-done
	})
	if err == nil && runs != 2 {
		err = errors.New("the transaction has not restarted")
	}
	return err
}

// proveScan puts a new key of each stripe while a walk over all keys has not ended. The context has
// ended, so that the call does not wait for a key that is locked.
func proveScan() error {
	e, err := New(Options{})
	if err != nil {
		return err
	}
	keys, come := apart(private.Count), errors.New("a key has come during the walk")
	return e.View(context.Background(), func(tx *Tx) error {
		for range tx.Scan("coins:") {
			return errors.New("there are none")
		}
		for _, key := range keys {
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error)
			go func() { done <- e.Update(ctx, func(tx *Tx) error { cancel(); return tx.Put(key, nil) }) }()
			if err := <-done; err == nil {
				return come
			}
		}
		return nil
	})
}

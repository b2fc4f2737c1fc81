package catalog

import (
	"bytes"
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Stop makes calls on the boards return ErrClosed.
func (e *Env) Stop() { e.stopped.Store(true) }

// IsStopped reports whether Stop was called.
func (e *Env) IsStopped() bool { return e.stopped.Load() }

// CheckOpen returns the error of boards that are closed, or whose engine is closed; else nil.
func (e *Env) CheckOpen() error {
	select {
	case <-e.Engine.Done():
		return state.ErrEngineClosed
	default:
	}
	if e.IsStopped() {
		return board.ErrClosed
	}
	return nil
}

// CheckNotInTx returns engine.ErrInTx inside the closure of a transaction of the engine. Every call that takes a lock of a board checks
// this first: the holder of that lock may wait for the closure.
func (e *Env) CheckNotInTx() error {
	if e.Engine.InTx() {
		return engine.ErrInTx
	}
	return nil
}

// WakeAwards says that awards may be there to be settled or delivered.
func (e *Env) WakeAwards() { wake(e.Awards) }

// WakeCohorts says that a closed period may be there whose cohorts are to be settled, or a queue that is to be emptied.
func (e *Env) WakeCohorts() { wake(e.Cohorts) }

// WakeClosed says that a closed period may be there to be indexed, or a job to be resumed.
func (e *Env) WakeClosed() { wake(e.Closed) }

// wake puts an element into a channel that has room for one.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it has one already
	}
}

// HasStored reports whether a private key has a value. A transaction that has put it may have been committed although it returned an error: see
// engine.ErrStalled.
func (e *Env) HasStored(key string, value []byte) bool {
	stored, err := e.Stored(key)
	return err == nil && bytes.Equal(stored, value)
}

// Stored returns the committed value of a private key, nil for none.
func (e *Env) Stored(key string) (value []byte, err error) {
	err = e.Engine.View(context.Background(), func(tx *engine.Tx) (err error) {
		value, _, err = tx.Get(key)
		return err
	})
	return value, err
}

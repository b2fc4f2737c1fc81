package engine

import "github.com/zrankdb/zrank/internal/seeded"

// UpdateLater is Update but for the wait for the disk: other goroutines see what fn has changed, and a crash may take it back until
// Acknowledge has returned nil for seq, the number of the commit. If fn has changed nothing, seq is that of the last commit that
// it may have seen; 0: there is nothing to wait for. Who runs many transactions before it answers anybody, as a server does with a
// pipeline, acknowledges the highest seq of all once. It should not go on for long without: nothing else holds it back when the
// disk is slow. O(keys log keys). Errors: those of Update; after any of them nothing has changed.
func (e *Engine) UpdateLater(keys []string, fn func(*Tx) error) (seq uint64, err error) {
	return e.updateAnd(&Tx{e: e, write: true}, keys, fn, e.passed)
}

// Acknowledge returns when every commit up to seq is as durable as Options.Durability says, which makes Update of an UpdateLater: at
// once at levels Interval and None, unless the log is older than Options.MaxLag. Errors: ErrStalled and ErrPersistence as from
// Update, ErrClosed if the engine was closed before seq was given.
func (e *Engine) Acknowledge(seq uint64) error {
	if seq == 0 || e.store == nil {
		return nil
	}
	began := e.counters.now()
	err := e.acknowledge(seq)
	e.called(Event{Op: "acknowledge", Duration: e.counters.now() - began, Err: err}, nil)
	return err
}

// updateAnd runs and counts a transaction that changes things; then is part of it.
func (e *Engine) updateAnd(tx *Tx, keys []string, fn func(*Tx) error, then func(seq uint64) error) (seq uint64, err error) {
	if err := tx.mayBegin(); err != nil {
		return 0, err
	}
	tx.began = e.counters.now()
	if seq, err = tx.run(keys, fn); err == nil {
		err = then(seq)
	}
	e.updated(keys, e.counters.now()-tx.began, err)
	return seq, err
}

// acknowledge waits for a commit to be durable.
func (e *Engine) acknowledge(seq uint64) error {
	if seq == 0 || e.store == nil {
		return nil
	}
	if seeded.Bug("reply before the log is flushed") {
		return nil
	}
	if err := e.store.Wait(seq); err != nil {
		return e.closedError(err)
	}
	return e.passed(seq)
}

// passed starts what is due in the background after a commit.
func (e *Engine) passed(seq uint64) error {
	if seq > 0 && e.store != nil {
		e.snapshotIfDue()
		e.evictIfDue()
	}
	return nil
}

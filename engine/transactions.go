package engine

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/observe"
)

// Update runs fn as one transaction over sets and private keys, and returns when its commit is as durable as Options.Durability says. If fn
// returns an error or panics, nothing has changed. If ctx ends while Update waits for locks or for room, nothing has changed either; if it ends
// while the commit waits for the disk, Update returns ErrUndecided. A set or a private key is locked when fn first asks for it. If it is not free then, or a set is on the disk
// only, the method of Tx returns ErrRestart: whatever fn returns, Update rolls back, waits for that, and calls fn again with another Tx.
// So fn may run more than once, and must have no effects outside. keys are sets that are locked before fn begins: to name all that fn uses
// is a hint that saves restarts, and none need be named. Private keys cannot be. fn runs with the sets locked, so it should be short. It works with the Tx only:
// its calls of the engine, of boards or the like return ErrInTx, which is a mistake in the program. O(keys log keys), and O(keys) more for
// each set that was not named.
//
// Errors: that of fn, the cause of ctx, ErrUndecided, ErrConflict if fn has run 100 times and asked for another set each time, ErrClosed, ErrInTx, ErrCorrupt if a set cannot be read, ErrKeyTooLong, ErrTooManyKeys, ErrTooManySets and
// ErrMemoryLimit (see Options), ErrTooLarge if the transaction changes more than MaxTransaction, ErrDiskFull while there is less free space
// than Options.DiskReserve, ErrStalled while the disk does not answer, ErrPersistence if it has failed. After ErrStalled and ErrPersistence
// the commit may or may not be there when the engine is opened again: all of it or nothing.
func (e *Engine) Update(ctx context.Context, fn func(*Tx) error, keys ...string) error {
	return e.m.update(ctx, demand, keys, fn)
}

// View runs fn on a consistent view of sets and private keys. As in Update, sets are locked, for reading, when fn asks for them, keys are a
// hint, fn may run more than once, and gets ErrInTx from calls of the engine. fn must copy what it keeps. O(keys log keys). Errors: that of
// fn, the cause of ctx, ErrConflict as from Update, ErrClosed, ErrInTx, ErrKeyTooLong, ErrTooManyKeys, ErrCorrupt if
// a set cannot be read, ErrMemoryLimit (see Options).
func (e *Engine) View(ctx context.Context, fn func(*Tx) error, keys ...string) error {
	return e.m.view(ctx, demand, keys, fn)
}

// UpdateLater is Update without the wait for the disk. Other goroutines see the changes at once, but a crash may undo them until Acknowledge
// has returned nil for seq, the number of the commit. If fn has changed nothing, seq is the last commit that it may have seen, or 0 if there
// is nothing to wait for. A caller that runs many transactions before it replies, such as a server with a pipeline, calls Acknowledge once,
// with the highest seq. It should do so often: nothing else slows it down when the disk is slow. O(keys log keys). Errors: those of Update;
// after any of them nothing has changed.
func (e *Engine) UpdateLater(ctx context.Context, fn func(*Tx) error, keys ...string) (seq uint64, err error) {
	return e.m.updateAnd(e.m.newTx(ctx, write|demand), keys, fn, e.m.passed)
}

// Acknowledge returns when every commit up to seq is as durable as Options.Durability says. UpdateLater and Acknowledge together are Update.
// At levels Interval and None it returns at once, unless a commit that is not flushed is older than Options.MaxLag. Errors: ErrUndecided, ErrStalled and
// ErrPersistence as from Update, ErrClosed if the engine was closed before the commit seq was made.
func (e *Engine) Acknowledge(ctx context.Context, seq uint64) error {
	if seq == 0 || e.store == nil {
		return nil
	}
	began := e.counters.Now()
	err := e.m.acknowledge(ctx, seq)
	e.m.slow.Report(observe.Event{Op: "acknowledge", Duration: e.counters.Now() - began, Err: err}, nil)
	return err
}

package engine

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/persist"
)

// MaxNote is the largest note, in bytes.
const MaxNote = persist.MaxNote

// Note writes a note into the commit of a transaction of the same engine, also if the transaction changes nothing else. A note is in the log only, as
// long as the log has its commit, and Notes shows it. It is copied. Errors: ErrReserved, ErrReadOnly, ErrTxDone; ErrTooLarge for more than MaxNote bytes.
func (o Owner) Note(tx *Tx, note []byte) error {
	if o.e == nil {
		return ErrReserved
	}
	return noteIn(tx, note)
}

// noteIn writes a note into the transaction's commit, also if the transaction changes nothing else. It is copied. Errors: ErrReadOnly, ErrTxDone,
// ErrTooLarge.
func noteIn(tx *Tx, note []byte) error {
	switch {
	case tx.done:
		return ErrTxDone
	case !tx.write:
		return ErrReadOnly
	}
	return tx.notes.Add(note)
}

// LogEnd returns a number that names the store, or the engine in memory only, and the number of the last commit. Error: ErrReserved.
func (o Owner) LogEnd() (store, last uint64, err error) {
	switch {
	case o.e == nil:
		return 0, 0, ErrReserved
	case o.e.store != nil:
		return o.e.store.ID(), o.e.m.lastSeq(), nil
	}
	return o.e.m.numbers.ID(), o.e.m.lastSeq(), nil
}

// DurableEnd is LogEnd with the last commit that no crash takes. In memory only, that is the last one.
func (o Owner) DurableEnd() (store, last uint64, err error) {
	if o.e == nil || o.e.store == nil {
		return o.LogEnd()
	}
	return o.e.store.ID(), o.e.store.DurableSeq(), nil
}

// NoteReader reads the notes of commits, in order and without gaps.
type NoteReader struct {
	e *Engine
	f *persist.Follower
}

// Notes returns a reader of the notes of the commits from number from+1 on. O(1). Errors: ErrReserved, ErrFutureSeq, ErrClosed.
func (o Owner) Notes(from uint64) (*NoteReader, error) {
	if o.e == nil {
		return nil, ErrReserved
	}
	f, err := o.e.follower(from)
	return &NoteReader{o.e, f}, locks.ClosedError(err)
}

// Next calls fn with each note of the next commit that Engine.Feed would yield, and returns the number of the commit; 0: there is none yet. It does not
// wait. A note does not change; the memory that it is in is shared by all readers. Errors: those of Engine.Feed, and that of fn, after which the
// next call shows the same commit again. For one goroutine at a time. O(notes), and O(1) for a commit without.
func (r *NoteReader) Next(fn func(note []byte) error) (seq uint64, err error) {
	seq, err = r.f.NextNotes(fn)
	return seq, locks.ClosedError(err)
}

// Await calls look, at once and, with wait, whenever there may be further commits, until it has found what it looks for or has failed. Errors: that of look, that of
// ctx, ErrClosed, ErrInTx. For any number of goroutines.
func (r *NoteReader) Await(ctx context.Context, wait bool, look func() (found bool, err error)) error {
	err := r.e.interrupted(ctx)
	switch {
	case err == nil && wait:
		err = r.e.awaitCommit(ctx, r.f, look)
	case err == nil:
		_, err = look()
	}
	return locks.ClosedError(err)
}

package engine

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// Key returns the set's key.
func (w writer[S]) Key() string { return w.h.key }

// ID identifies the set for as long as it exists, also after a Rename. It is usually the key under which the set was made. A set that is
// made under the key of a deleted one may get that one's ID. O(1).
func (w writer[S]) ID() string { return w.h.S.Id() }

// Version returns the number of changes of the set since it was made, with the transaction's own: it rises with every change, and
// across restarts. A transaction that leaves the set as it was leaves the version too. A new set under the same key counts from 0 again,
// or, if it was stored whole, from the number of its members: use LastSeq to tell the two sets apart. O(1).
func (w writer[S]) Version() uint64 { return w.h.S.Version }

// LastSeq returns the sequence number of the last commit that has changed the set, 0 if the set does not exist; the
// transaction's own changes do not count. Every commit has another number, so that a set that was deleted and made again, even
// with the same members, differs from the one before. After the engine was opened again the number may be higher for a set that
// has not changed since. The number of a commit that a crash takes away may be used again: call Barrier before you keep a number
// beyond the life of the process. O(1).
func (w writer[S]) LastSeq() uint64 { return w.h.lastSeq() }

// Expect returns ErrConflict unless LastSeq is seq, which means that no other transaction has changed the set since LastSeq returned seq.
// 0 expects that the set does not exist. O(1). Errors: ErrConflict, ErrTxDone.
func (w writer[S]) Expect(seq uint64) error {
	if w.h.tx.done {
		return ErrTxDone
	}
	if now := w.LastSeq(); now != seq {
		return fmt.Errorf("%w: %q was changed by commit %d, not %d", ErrConflict, w.h.key, now, seq)
	}
	return nil
}

// ExpireAt sets the time at which the set expires, in whole milliseconds, as Redis PEXPIREAT. If the time is past, this commit drops the
// set. If the set has no members, ExpireAt does nothing and returns false. The expiry stays when members change, even if a transaction
// removes all and adds others, and when the set gets another key. A set that takes this one's place does not inherit it. O(1). Errors:
// ErrReadOnly, ErrReserved, ErrTxDone, ErrTime.
func (w writer[S]) ExpireAt(at time.Time) (bool, error) { return w.h.vanishAt(at) }

// ExpireIn is ExpireAt for the time d after Tx.Now.
func (w writer[S]) ExpireIn(d time.Duration) (bool, error) { return w.h.vanishIn(d) }

// Persist removes the expiry of the set, and reports whether it had one, as Redis PERSIST. O(1). Errors: ErrReadOnly, ErrReserved,
// ErrTxDone.
func (w writer[S]) Persist() (bool, error) { return w.h.persist() }

// Expiry returns when the set expires, and false if it never does, or does not exist. O(1).
func (w writer[S]) Expiry() (at time.Time, ok bool) { return w.h.expiry() }

// writable is handle.writable, and refuses a set of the other kind.
func (w writer[S]) writable() error {
	if err := w.h.writable(); err != nil {
		return err
	}
	if w.h.view.Integers() != ints[S]() {
		return facts.KindError(w.h.key, !ints[S]())
	}
	return nil
}

// change records the member in the undo log, and then runs f, which changes it.
func (w writer[S]) change(member []byte, f func(z *zset.SetOf[S]) error) error {
	if err := w.writable(); err != nil {
		return err
	}
	w.h.undo.Record(w.h.view, member)
	w.h.S.Version++
	w.h.S.Entries.SetListpack(w.h.tx.m.keys.Limits.Get())
	err := f(zset.As[S](w.h.S.Entries))
	w.h.tx.breathe()
	return err
}

// shown returns the view of the set for callers that asked for this kind.
func (w writer[S]) shown() *zset.ViewOf[S] {
	if ints[S]() {
		return (*zset.ViewOf[S])(w.h.ints.IntView)
	}
	return (*zset.ViewOf[S])(w.h.floats.View)
}

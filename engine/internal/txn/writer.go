package txn

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// Key returns the set's key.
func (w writer[S]) Key() string { return w.h.key }

// ID returns what tells the set from others for as long as it exists: its key when it was made, most of the time, and the same when
// it has been renamed since. The set of a key that is made anew may have the ID of the one before. O(1).
func (w writer[S]) ID() string { return w.h.S.Id() }

// Version returns how many changes the set has seen since it was made, the transaction's own included: it rises with every
// change, and across restarts. It orders what happened to the set. A transaction that leaves the set as it was leaves the
// version too. A set that is made anew counts from 0 again, or, stored whole, from the number of its members: what tells a set
// from one before it under the same key is LastSeq.
// O(1).
func (w writer[S]) Version() uint64 { return w.h.S.Version }

// LastSeq returns the sequence number of the last commit that has changed the set, 0 if the set does not exist; the
// transaction's own changes do not count. Every commit has another number, so that a set that was deleted and made again, even
// with the same members, differs from the one before. After the engine was opened again the number may be higher for a set that
// has not changed since. The number of a commit that a crash takes away may be used again: call Barrier before you keep a number
// beyond the life of the process. O(1).
func (w writer[S]) LastSeq() uint64 { return w.h.LastSeq() }

// Expect returns ErrConflict unless LastSeq is seq, which means that no other transaction has changed the set since LastSeq returned seq. 0 expects that it does not exist. O(1). Errors: ErrConflict, ErrTxDone.
func (w writer[S]) Expect(seq uint64) error {
	if w.h.tx.done {
		return ErrTxDone
	}
	if now := w.LastSeq(); now != seq {
		return fmt.Errorf("%w: %q was changed by commit %d, not %d", ErrConflict, w.h.key, now, seq)
	}
	return nil
}

// ExpireAt makes the set vanish at a time, in whole milliseconds; one that is past is dropped by this commit, as Redis PEXPIREAT.
// It returns false if the set has no members, and does nothing. The time stays when members change, also when a transaction takes
// them all and adds others, and when the set gets another key; a set that takes this one's place does not inherit it. O(1). Errors: ErrReadOnly, ErrReserved, ErrTxDone, ErrTime.
func (w writer[S]) ExpireAt(at time.Time) (bool, error) { return w.h.VanishAt(at) }

// ExpireIn is ExpireAt, so long after Tx.Now.
func (w writer[S]) ExpireIn(d time.Duration) (bool, error) { return w.h.VanishIn(d) }

// Persist makes the set stay for good, and reports whether it had a time to vanish, as Redis PERSIST. O(1). Errors:
// ErrReadOnly, ErrReserved, ErrTxDone.
func (w writer[S]) Persist() (bool, error) { return w.h.Persist() }

// Expiry returns when the set vanishes, and false if it stays for good, or does not exist. O(1).
func (w writer[S]) Expiry() (at time.Time, ok bool) { return w.h.Expiry() }

// writable is handle.writable, but for sets of the other kind.
func (w writer[S]) writable() error {
	if err := w.h.writable(); err != nil {
		return err
	}
	if w.h.View.Integers() != ints[S]() {
		return facts.KindError(w.h.key, !ints[S]())
	}
	return nil
}

// change runs f, which changes the member, and remembers how to take it back.
func (w writer[S]) change(member []byte, f func(z *zset.SetOf[S]) error) error {
	if err := w.writable(); err != nil {
		return err
	}
	w.h.undo.Record(w.h.View, member)
	w.h.S.Version++
	w.h.S.Entries.SetListpack(w.h.tx.m.Keys.Limits.Get())
	return f(zset.As[S](w.h.S.Entries))
}

// shown returns the view of the set for callers that asked for this kind.
func (w writer[S]) shown() *zset.ViewOf[S] {
	if ints[S]() {
		return (*zset.ViewOf[S])(w.h.Ints.IntView)
	}
	return (*zset.ViewOf[S])(w.h.Floats.View)
}

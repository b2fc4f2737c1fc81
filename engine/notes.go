package engine

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/txn"
)

// MaxNote is the largest note, in bytes.
const MaxNote = txn.MaxNote

// Noted is a commit and its notes.
type Noted struct {
	Seq   uint64
	Notes [][]byte // in the order in which they were written. Valid until the next step
}

// Note writes a note into the commit of a transaction of the same engine, also if the transaction changes nothing else. A note is in the log only, as
// long as the log has its commit, and Notes shows it. It is copied. Errors: ErrReserved, ErrReadOnly, ErrTxDone; ErrTooLarge for more than MaxNote bytes.
func (o Owner) Note(tx *Tx, note []byte) error {
	if o.e == nil {
		return ErrReserved
	}
	return txn.Note(tx, note)
}

// LogEnd returns a number that names the store, or the engine in memory only, and the number of the last commit. Error: ErrReserved.
func (o Owner) LogEnd() (store, last uint64, err error) {
	switch {
	case o.e == nil:
		return 0, 0, ErrReserved
	case o.e.store != nil:
		return o.e.store.ID(), o.e.m.LastSeq(), nil
	}
	return o.e.m.Numbers.ID(), o.e.m.LastSeq(), nil
}

// Notes is Engine.Feed of the notes of commits. It decodes nothing else, and yields no commit without notes. Unless wait is set it ends, without an error, where
// Engine.Feed would wait. O(notes), and O(1) for a commit without.
func (o Owner) Notes(ctx context.Context, from uint64, wait bool) iter.Seq2[Noted, error] {
	return func(yield func(Noted, error) bool) {
		if o.e == nil {
			yield(Noted{}, ErrReserved)
			return
		}
		f, err := o.e.follower(from)
		var c Noted
		add := func(note []byte) error {
			c.Notes = append(c.Notes, note)
			return nil
		}
		read := func() (uint64, error) {
			c.Notes = c.Notes[:0]
			var err error
			c.Seq, err = f.NextNotes(add)
			return c.Seq, err
		}
		for err == nil {
			if wait {
				err = o.e.awaitCommit(ctx, f, read)
			} else if err = o.e.interrupted(ctx); err == nil {
				if _, err = read(); err == nil && c.Seq == 0 {
					return
				}
			}
			if err == nil && len(c.Notes) > 0 && !yield(c, nil) {
				return
			}
		}
		yield(Noted{}, locks.ClosedError(err))
	}
}

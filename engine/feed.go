package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/persist/wal"
)

// ChangeKind is the kind of a Change.
type ChangeKind = wal.Kind

const (
	// ChangeCreate: the set ID exists, with this Key, TieWidth, Form, Version and Expires. It is the first change of a set in every commit
	// that leaves it with members, whether it was there before or not. A set that has been renamed has another Key.
	ChangeCreate = wal.Create
	// ChangePut: Member has this Score, or IntScore, and Tie now.
	ChangePut = wal.Put
	// ChangeRemove: Member is gone.
	ChangeRemove = wal.Remove
	// ChangeDrop: the set is gone with all its members.
	ChangeDrop = wal.Drop
)

// Change is one absolute change to one set: to apply it twice is the same as to apply it once.
type Change struct {
	Kind     ChangeKind // what has changed
	ID       string     // of the set, for as long as it exists: see Set.ID. It is the key unless sets are renamed
	Key      string     // of the set after this change
	Staged   bool       // ChangeCreate: it has no key yet; see Feed
	Member   []byte     // ChangePut, ChangeRemove
	Ints     bool       // ChangeCreate, ChangePut: the set has int64 scores
	Score    float64    // ChangePut; 0 in a set with int64 scores
	IntScore int64      // ChangePut; 0 in a set with float64 scores
	Tie      []byte     // ChangePut; nil in a set without ties
	TieWidth int        // ChangeCreate: bytes
	Form     Form       // ChangeCreate, if Ints
	Version  uint64     // ChangeCreate: see Set.Version
	Expires  time.Time  // ChangeCreate; zero: never. The set is dropped by a later change
}

// Commit is what one transaction has changed. It names each changed set and member once.
type Commit struct {
	Seq     uint64   // 1, 2, ... without gaps
	Changes []Change // the caller may keep them; none if the transaction has changed private keys only
}

// FellBehindError says which commits a feed still has. errors.Is(err, ErrFellBehind) holds.
type FellBehindError = wal.FellBehindError

// Feed yields every commit from number from+1 on, in order and without gaps, and waits for further ones. It ends when the caller leaves the
// loop, and otherwise with one error: that of ctx, ErrClosed, ErrFellBehind as a *FellBehindError, ErrFutureSeq, ErrCorrupt, or
// ErrPersistence after the last commit that is durable. A later Feed from the last Seq that was yielded misses no commit.
//
// With a store, a commit is yielded once it is durable, whatever Options.Durability says: at Interval up to that much later, at
// None after the next Flush, Barrier, Snapshot or Close. So no crash undoes a commit that a feed has shown, and a position may be kept
// across restarts: its number means the same commit in the same store. Restore and Salvage make another store. In memory only, a commit is
// yielded at once, and positions are valid until the engine is closed.
//
// Every feed reads at its own pace. Nothing is queued for it, and no writer waits for it. From the first call of Feed or Tx.Seq on, the last
// Options.FeedBytes of commits are in memory, once for all feeds. Older ones are read from the log, until a snapshot cuts it: Options.FeedLogBytes says how much it leaves. A feed that
// needs a commit that is in neither gets ErrFellBehind. Then the reader starts again:
//
//  1. View the sets, copy them, and take Tx.Seq in the same View. If they are too many for one View, or if the reader wants all sets, take
//     Tx.Seq in a View without keys, then call Keys, and View the sets in any number of Views. In this case no set may be renamed
//     meanwhile: a set that moves from a key not yet viewed to one that Keys has not returned would be missed.
//  2. Feed from that number. Changes are absolute, so changes that the copy has already do no harm.
//  3. If no commit has come yet, call Barrier before the position is stored outside of the process: the View may have shown commits that
//     are not durable.
//
// If sets are renamed, a reader identifies them by ID. A set operation that stores a result of more than 256 KiB writes it in many commits,
// with Staged set; the last one gives it its key. After a crash or an error the staged set is dropped. During these commits Tx.Seq is the
// commit before the first of them, so a reader that starts again may fall behind once more. If nothing reads commits, because neither Feed nor Tx.Seq has
// been called since Open and Options.FeedLogBytes is 0, such a result is not in commits at all; a feed that comes later from a commit before it gets
// ErrFellBehind there.
//
// Feeds cost writers nothing until the first call of Feed or Tx.Seq. From then on each commit is copied once; in memory only, it is first
// encoded as for a log.
//
// Private keys and notes are not shown: a transaction that has changed nothing else is a commit without changes. One step costs O(changes).
func (e *Engine) Feed(ctx context.Context, from uint64) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		f, err := e.follower(from)
		for last := from; err == nil; last++ {
			var c Commit
			err = e.awaitCommit(ctx, f, func() (found bool, err error) {
				c, err = readCommit(f, last)
				return c.Seq > 0, err
			})
			if err == nil && !yield(c, nil) {
				return
			}
		}
		yield(Commit{}, locks.ClosedError(err))
	}
}

// follower returns a reader of the commits after number from, in the log or in memory.
func (e *Engine) follower(from uint64) (*persist.Follower, error) {
	if e.store != nil {
		return e.store.Follow(from)
	}
	return e.m.numbers.Follow(from)
}

// awaitCommit calls look, which looks for further commits, until it has found one. It waits if there is none yet.
func (e *Engine) awaitCommit(ctx context.Context, f *persist.Follower, look func() (found bool, err error)) error {
	var more <-chan struct{}
	for {
		if err := e.interrupted(ctx); err != nil {
			return err
		}
		if found, err := look(); err != nil || found {
			return err
		}
		if more == nil { // get the channel first, and then look again: so no commit is missed
			more = f.More()
			continue
		}
		select {
		case <-more:
		case <-ctx.Done():
		case <-e.life.Stop:
		}
		more = nil
	}
}

// interrupted returns an error if a call must stop waiting: the engine is closed, ctx has ended, or this is the closure of a transaction.
func (e *Engine) interrupted(ctx context.Context) error {
	if err := e.locks.MayWait(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// readCommit reads the commit after number last. If there is none yet, it returns one with number 0. It returns ErrFellBehind for one whose set has members that are not in the log.
func readCommit(f *persist.Follower, last uint64) (c Commit, err error) {
	r := commitReader{keys: map[string]string{}}
	if r.c.Seq, err = f.Next(r.effect); errors.Is(err, errUnlogged) {
		err = &FellBehindError{From: last, Oldest: last + 2}
	}
	return r.c, err
}

// errUnlogged is the error of a commit that gives a set members that no commit has put.
var errUnlogged = errors.New("engine: members are not in the log")

// commitReader turns the effects of a commit into changes.
type commitReader struct {
	c    Commit
	keys map[string]string // the keys of sets by id, if they differ
	ints bool              // the set that was created last has int64 scores
	text []byte            // backs the members and ties of the changes
}

// effect adds the change that an effect stands for; a note is none.
func (r *commitReader) effect(x wal.Effect) error {
	switch x.Kind {
	case wal.Note:
		return nil
	case wal.Create:
		return r.create(x)
	}
	c := Change{ID: x.Set, Key: x.Set}
	if key, ok := r.keys[x.Set]; ok {
		c.Key = key
	}
	at := len(r.text)
	r.text = append(append(r.text, x.Member...), x.Value...)
	copied := r.text[at:len(r.text):len(r.text)]
	member, value := copied[:len(x.Member):len(x.Member)], copied[len(x.Member):]
	switch x.Kind {
	case wal.Put:
		if len(value) < 8 {
			return fmt.Errorf("%w: value of %d bytes in set %q", ErrCorrupt, len(value), c.Key)
		}
		c.Kind, c.Member, c.Ints = ChangePut, member, r.ints
		if bits := binary.BigEndian.Uint64(value); c.Ints {
			c.IntScore = int64(bits)
		} else {
			c.Score = math.Float64frombits(bits)
		}
		if len(value) > 8 {
			c.Tie = value[8:]
		}
	case wal.Remove:
		c.Kind, c.Member = ChangeRemove, member
	case wal.Drop:
		if c.Kind = ChangeDrop; r.last().Kind == ChangeCreate && r.last().ID == c.ID {
			*r.last() = c // the Create just before only carried the key of the dropped set
			return nil
		}
	}
	r.c.Changes = append(r.c.Changes, c)
	return nil
}

// create adds a ChangeCreate.
func (r *commitReader) create(x wal.Effect) error {
	f, err := facts.DecodeFacts(x.Set, x.Value)
	if err != nil {
		return err
	}
	if f.Unlogged {
		return errUnlogged
	}
	c := Change{Kind: ChangeCreate, ID: x.Set, Key: x.Set, Staged: f.Hidden, TieWidth: f.TieWidth, Version: f.Version}
	if r.ints = f.Ints; r.ints {
		c.Ints, c.Form = true, formOf(f.Layout())
	}
	if f.Other {
		c.Key = f.Key
		r.keys[x.Set] = f.Key
	}
	if f.Expires != 0 {
		c.Expires = time.UnixMilli(f.Expires)
	}
	r.c.Changes = append(r.c.Changes, c)
	return nil
}

// last returns the last change, or an empty one.
func (r *commitReader) last() *Change {
	if len(r.c.Changes) == 0 {
		return &Change{}
	}
	return &r.c.Changes[len(r.c.Changes)-1]
}

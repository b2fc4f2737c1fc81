package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/persist"
)

// ChangeKind says what a Change did.
type ChangeKind = persist.Kind

const (
	// ChangeCreate: the set ID exists, with this Key, TieWidth, Form, Version and Expires. It is the first change of a set in every commit
	// that leaves it with members, whether it was there before or not. A set that has been renamed has another Key.
	ChangeCreate = persist.Create
	// ChangePut: Member has this Score, or IntScore, and Tie now.
	ChangePut = persist.Put
	// ChangeRemove: Member is gone.
	ChangeRemove = persist.Remove
	// ChangeDrop: the set is gone, members and all.
	ChangeDrop = persist.Drop
)

// Change is one absolute change to one set: making it twice is the same as making it once.
type Change struct {
	Kind     ChangeKind
	ID       string    // of the set, for as long as it exists: see Set.ID. It is the key unless sets are renamed
	Key      string    // that it has now
	Staged   bool      // ChangeCreate: it has no key yet; see Feed
	Member   []byte    // ChangePut, ChangeRemove
	Ints     bool      // ChangeCreate, ChangePut: the set has int64 scores
	Score    float64   // ChangePut; 0 in a set with int64 scores
	IntScore int64     // ChangePut; 0 in a set with float64 scores
	Tie      []byte    // ChangePut; nil in a set without ties
	TieWidth int       // ChangeCreate: bytes
	Form     Form      // ChangeCreate, if Ints
	Version  uint64    // ChangeCreate: see Set.Version
	Expires  time.Time // ChangeCreate; zero: never. The set is dropped by a later change
}

// Commit is what one transaction has changed, each set and each member of it once.
type Commit struct {
	Seq     uint64   // 1, 2, ... without gaps
	Changes []Change // the caller's own; none if the transaction has changed private keys only
}

// FellBehindError says which commits a feed still has. errors.Is(err, ErrFellBehind) holds.
type FellBehindError = persist.FellBehindError

// Feed yields every commit from number from+1 on, in order and without gaps, and waits for those to come. It ends when the loop
// does, and otherwise with one error: that of ctx, ErrClosed, ErrFellBehind as a *FellBehindError, ErrFutureSeq, ErrCorrupt, or
// ErrPersistence after the last commit that is durable. Going on later from the last Seq that was yielded misses nothing.
//
// With a store, a commit is yielded once it is durable, whatever Options.Durability says: at Interval up to that much later, at
// None after the next Flush, Barrier, Snapshot or Close. So no crash takes back what a feed has shown, and a position may be kept
// across restarts: its number means the same commit for as long as it is the same store. One that Restore or Salvage has made is
// another. In memory only, a commit is yielded at once, and positions end with the engine.
//
// Every feed reads at its own pace; nothing is queued for it and no writer waits for it. The last Options.FeedBytes of commits are
// in memory from the first call of Feed or Tx.Seq on, once for all feeds; older ones are read from the log, until a snapshot cuts
// it. A feed that wants commits that are in neither gets ErrFellBehind. It starts anew:
//
//  1. View the sets it wants, copy them, and take Tx.Seq in the same View. If they are too many for one, or all there are, take
//     Tx.Seq in a View without keys, then ask Keys, and View them as you like; but then no set may be renamed meanwhile: one that
//     goes from a key not yet looked at to another would be missed.
//  2. Feed from that number. Changes are absolute: those that a copy shows already do no harm.
//  3. Call Barrier before the position is kept beyond the process, if no commit has come yet: the View may have shown what is not
//     durable.
//
// Who renames sets tells them apart by ID. A result of more than 4 MiB that a set operation stores comes by many commits, Staged, and
// gets its key in the end; after a crash, or an error, it is dropped. Who starts anew meanwhile starts before the first of these
// commits, and so may find that it has fallen behind again, until the last.
//
// What feeds cost writers: nothing until the first call of Feed or Tx.Seq. From then on each commit is copied once, which in memory
// only means that it is written down as it would be in a log; and each feed takes time of its own.
//
// Private keys are not shown: transactions that have changed nothing else are commits without changes. One step costs O(changes).
func (e *Engine) Feed(ctx context.Context, from uint64) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		f, err := e.follow(from)
		for err == nil {
			var c Commit
			if c, err = e.nextCommit(ctx, f); err == nil && !yield(c, nil) {
				return
			}
		}
		yield(Commit{}, locks.ClosedError(err))
	}
}

// follow returns a reader of the log.
func (e *Engine) follow(from uint64) (*persist.Follower, error) {
	if e.store != nil {
		return e.store.Follow(from)
	}
	return e.m.Numbers.Follow(from)
}

// nextCommit waits for a commit.
func (e *Engine) nextCommit(ctx context.Context, f *persist.Follower) (c Commit, err error) {
	var more <-chan struct{}
	for {
		if err := e.interrupted(ctx); err != nil {
			return c, err
		}
		if c, err = readCommit(f); err != nil || c.Seq > 0 {
			return c, err
		}
		if more == nil {
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

// interrupted says why a call that waits must not go on, or nil.
func (e *Engine) interrupted(ctx context.Context) error {
	if err := e.locks.MayWait(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// readCommit reads the next commit; one with number 0: there is none yet.
func readCommit(f *persist.Follower) (c Commit, err error) {
	r := commitReader{names: map[string]string{}}
	r.c.Seq, err = f.Next(r.effect)
	return r.c, err
}

// commitReader turns the effects of a commit into changes.
type commitReader struct {
	c     Commit
	names map[string]string // the keys of sets, by what the log calls them
	ints  bool              // the set that was created last has int64 scores
	text  []byte            // of members and ties, most of the time in one piece
}

// effect adds what an effect of the engine's means to others; see commit.go.
func (r *commitReader) effect(x persist.Effect) error {
	if x.Kind == persist.Create {
		return r.create(x)
	}
	c := Change{ID: x.Set, Key: x.Set}
	if key, ok := r.names[x.Set]; ok {
		c.Key = key
	}
	at := len(r.text)
	r.text = append(append(r.text, x.Member...), x.Value...)
	copied := r.text[at:len(r.text):len(r.text)]
	member, value := copied[:len(x.Member):len(x.Member)], copied[len(x.Member):]
	switch x.Kind {
	case persist.Put:
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
	case persist.Remove:
		c.Kind, c.Member = ChangeRemove, member
	case persist.Drop:
		if c.Kind = ChangeDrop; r.last().Kind == ChangeCreate && r.last().ID == c.ID {
			*r.last() = c // it was there to say the key
			return nil
		}
	}
	r.c.Changes = append(r.c.Changes, c)
	return nil
}

// create adds a ChangeCreate.
func (r *commitReader) create(x persist.Effect) error {
	f, err := facts.DecodeFacts(x.Set, x.Value)
	if err != nil {
		return err
	}
	c := Change{Kind: ChangeCreate, ID: x.Set, Key: x.Set, Staged: f.Hidden, TieWidth: f.TieWidth, Version: f.Version}
	if r.ints = f.Ints; r.ints {
		c.Ints, c.Form = true, f.Form().Form
	}
	if f.Other {
		c.Key = f.Key
		r.names[x.Set] = f.Key
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

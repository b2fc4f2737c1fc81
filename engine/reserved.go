package engine

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/recovery"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Owner changes reserved keys. Only package board can get one: see Engine.Owner. The methods of the zero Owner return ErrReserved.
type Owner struct{ e *Engine }

// Owner returns the engine's Owner to package board, which alone can make a valid Pass. Error: ErrReserved for another Pass.
func (e *Engine) Owner(p owner.Pass) (Owner, error) {
	if !p.Valid() {
		return Owner{}, ErrReserved
	}
	return Owner{e}, nil
}

// Update is Engine.Update of a transaction that may change reserved keys. It locks them on demand,
// too; keys are a hint. fn may run more than once, as there. So fn sets whatever it changes outside
// of the Tx anew each time, or changes it after the commit: see NoteEnd. Once the commit is made, Update waits for the
// disk whatever ctx says, since the caller goes by its result: it does not return ErrUndecided. fn
// must not keep the Tx.
func (o Owner) Update(ctx context.Context, keys []string, fn func(*Tx) error) error {
	if o.e == nil {
		return ErrReserved
	}
	return o.e.m.updateOwning(ctx, keys, fn)
}

// UpdateLater is Update without the wait for the disk: see Engine.UpdateLater. The caller needs no Acknowledge for changes that it would make
// again after a crash.
func (o Owner) UpdateLater(ctx context.Context, keys []string, fn func(*Tx) error) error {
	if o.e == nil {
		return ErrReserved
	}
	return o.e.m.updateOwningLater(ctx, keys, fn)
}

// UpdateBlind is Update of the sets of keys and of those of blind, which fn changes by BlindRemove and BlindPut only. Those that are on the disk only
// are locked, and not read: a commit takes as long for a big set as for a small one. The log and all readers see such changes like others. The next
// read of the set applies them, and a snapshot reads the set, writes it, and lets it leave memory again. After 128 blind writes to a set
// on the disk only, the next UpdateBlind reads it. A key in both lists is read. Errors: those of Update; ErrUnread from other methods of the Tx on a
// set that was not read, except Drop.
func (o Owner) UpdateBlind(ctx context.Context, keys, blind []string, fn func(*Tx) error) error {
	if o.e == nil {
		return ErrReserved
	}
	return o.e.m.updateBlind(ctx, keys, blind, fn)
}

// BlindRemove removes an entry that, as the caller knows, is in the set of a key. If the set is on the disk only and the entry is not there
// after all, every read of the set fails with ErrCorrupt, and so do snapshots. O(log n); O(blind writes) for a set that was not read. Errors:
// ErrConflict if the set is in memory and has no such entry, or earlier blind writes exclude it; ErrLastMember if the set was not read and
// has no other member; ErrNoSet if there is no set; ErrKind, ErrTieWidth, ErrNotNamed, ErrReserved, ErrTxDone. Then nothing has changed.
func (o Owner) BlindRemove(tx *Tx, key string, member []byte, score int64, tie []byte) error {
	return o.In(tx, func() error { return blindRemove(tx, key, member, score, tie) })
}

// BlindPut puts an entry into the set of a key, which exists and, as the caller knows, does not have the member. Errors: those of BlindRemove
// except ErrLastMember, and zset.ErrMemberTooLong.
func (o Owner) BlindPut(tx *Tx, key string, member []byte, score int64, tie []byte) error {
	return o.In(tx, func() error { return blindPut(tx, key, member, score, tie) })
}

// BeginView begins a View of one key, which EndView ends. With brief the caller is done soon, runs nothing of the program, and reads only
// the entries of the set; then it need not wait for a transaction that changes many members, and may see the set as it was before it.
// Errors: ErrReserved, those of Engine.View.
func (o Owner) BeginView(ctx context.Context, key string, brief bool) (*Tx, error) {
	if o.e == nil {
		return nil, ErrReserved
	}
	return o.e.m.beginViewOf(ctx, key, brief)
}

// BeginViews begins a View of several keys, which are in order and which the caller does not change until EndView. Errors: as BeginView.
func (o Owner) BeginViews(ctx context.Context, keys []string) (*Tx, error) {
	if o.e == nil {
		return nil, ErrReserved
	}
	return o.e.m.beginViews(ctx, keys)
}

// EndView ends a View that BeginView or BeginViews has begun. The caller must not use the Tx, or what it has read through it, any more.
func (o Owner) EndView(tx *Tx) { o.e.m.endView(tx) }

// In runs fn, which may lock and change reserved keys in a transaction of the same engine, and returns its error. Error: ErrReserved for a transaction of another
// engine.
func (o Owner) In(tx *Tx, fn func() error) (err error) {
	switch {
	case o.e == nil:
		return ErrReserved
	case !o.e.m.asOwner(tx, func() { err = fn() }):
		return fmt.Errorf("%w: the transaction is one of another engine", ErrReserved)
	}
	return err
}

// Lock locks the keys that keys returns. If that cannot be done now, the transaction restarts, and keys is called again while nothing is
// locked: there it may wait. Errors: ErrRestart, ErrTxDone, ErrKeyTooLong, ErrTooManyKeys, those of keys.
func (o Owner) Lock(tx *Tx, keys func() ([]string, error)) error { return lock(tx, keys) }

// Restart makes a transaction restart, with the keys that keys returns while nothing is locked, and returns ErrRestart. If keys returns an error, the
// transaction ends with that. err is why it restarts.
func (o Owner) Restart(tx *Tx, keys func() ([]string, error), err error) error {
	return restartTx(tx, keys, err)
}

// NoteEnd makes an Update of the same engine tell of its end: see owner.Ender.
func (o Owner) NoteEnd(tx *Tx, e owner.Ender) { noteEnd(tx, e) }

// List returns the keys of the sets that exist, whose keys begin with prefix, and that want accepts, in order. cold says that a set was on the disk only; false if that is not known. want must not use the engine or
// wait. O(sets). Errors: ErrReserved, ErrClosed.
func (o Owner) List(prefix string, want func(key string, cold bool) bool) (keys []string, err error) {
	if o.e == nil {
		return nil, ErrReserved
	}
	return o.e.list(func(key string) bool { return strings.HasPrefix(key, prefix) }, want)
}

// Scan is Tx.Scan whose keys and values are valid until the next step only.
func (o Owner) Scan(tx *Tx, prefix string) iter.Seq2[persist.KV, error] { return scan(tx, prefix) }

// Delete is Engine.Delete of any keys.
func (o Owner) Delete(ctx context.Context, keys ...string) (int, error) {
	if o.e == nil {
		return 0, ErrReserved
	}
	return o.e.remove(ctx, owning, keys)
}

// StoreInts is Engine.StoreInts under any key.
func (o Owner) StoreInts(ctx context.Context, key string, z *zset.IntSet) error {
	if o.e == nil {
		return ErrReserved
	}
	return o.e.ops.storeInts(ctx, key, z)
}

// CopyAll is Engine.CopyInts of several sets, each with its form, as they were at one instant: a commit that changed two of them is in both
// copies or in neither. Nobody may change the copies: a key that is there twice has one. Errors: ErrReserved, those of CopyInts.
func (o Owner) CopyAll(ctx context.Context, keys []string, forms []Form) ([]*zset.IntSet, error) {
	if o.e == nil {
		return nil, ErrReserved
	}
	all, _, err := o.e.ops.copyAll(ctx, keys, forms)
	return all, err
}

// Seal is the size and digest of a set, known without reading it.
type Seal struct {
	Members int    // of the set
	Digest  uint64 // see Owner.Digest
	Known   bool   // Digest is valid; false for a set that a version without digests has made
}

// Check is Engine.Check with an Audit.
func (o Owner) Check(ctx context.Context, progress func(Report), a owner.Audit) (Report, error) {
	if o.e == nil {
		return Report{}, ErrReserved
	}
	return o.e.check(ctx, progress, a)
}

// AuditDir is CheckDir with an Audit, for package board.
func AuditDir(ctx context.Context, p owner.Pass, dir string, o Options, progress func(Report), a owner.Audit) (Report, error) {
	if !p.Valid() {
		return Report{}, ErrReserved
	}
	return recovery.CheckDir(ctx, dir, o.store(), progress, a)
}

// Digest returns the digest of a set: the sum, modulo 2^64, of XXH64 of the score, 8 bytes big endian, the tie and the member of each
// entry. O(n).
func (o Owner) Digest(v *zset.IntView) uint64 { return facts.DigestOf(v) }

// EntryHash returns what an entry adds to the digest of its set. O(length).
func (o Owner) EntryHash(score int64, tie []byte, member string) uint64 {
	return facts.EntryHash(score, tie, member)
}

// Seal returns the size and digest of a set with int64 scores, after waiting for transactions on it. A set that does not exist is empty. Seal
// reads no set from the disk. O(1), and O(pages) for a cold set. Errors: ErrReserved, those of Usage.
func (o Owner) Seal(key string) (Seal, error) {
	if o.e == nil {
		return Seal{}, ErrReserved
	}
	u, ok, err := o.e.Usage(key)
	return Seal{u.Members, u.digest.Sum, u.digest.Known || !ok}, err
}

// Reserved reports whether a key of a set, or a private key, is reserved for package board: it begins with "board/" or "board.". Such
// keys can be read; calls that would change one return ErrReserved. O(1).
//
// An older version of this package let a program make its own sets under such keys. A directory with such sets opens, and they can be read.
// A set with float64 scores, which no board ever has, can get another key by Rename. A set with int64 scores can be copied by CopyInts and
// Copy. A private key keeps its value.
func Reserved(key string) bool { return facts.Reserved(key) }

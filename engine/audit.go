package engine

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Audit hears, while a check runs, what is stored under reserved keys, so that package board can compare that with what it knows. It
// hears of sets first and of private keys then, all as of one moment. Either may be nil.
type Audit struct {
	Set     func(key string, s Audited)
	Private func(kv persist.KV) // valid until it returns
}

// Audited is what a check has read of a set.
type Audited struct {
	Members int
	Digest  uint64 // of the entries that were read: see Owner.Digest
	// Doubtful: a part of it could not be read, or it has changed since the check began; the rest means nothing.
	Doubtful bool
}

// Seal is what a set holds, told without reading it.
type Seal struct {
	Members int
	Digest  uint64 // see Owner.Digest
	Known   bool   // Digest is; false for a set that a version without digests has made
}

// Check is Engine.Check with an Audit.
func (o Owner) Check(ctx context.Context, progress func(Report), a Audit) (Report, error) {
	if o.e == nil {
		return Report{}, ErrReserved
	}
	return o.e.check(ctx, progress, a)
}

// AuditDir is CheckDir with an Audit, for package board.
func AuditDir(ctx context.Context, p owner.Pass, dir string, o Options, progress func(Report), a Audit) (Report, error) {
	if !p.Valid() {
		return Report{}, ErrReserved
	}
	return checkDir(ctx, dir, o, progress, a)
}

// Digest returns the digest of a set: the sum, modulo 2^64, of XXH64 of the score, 8 bytes big endian, the tie and the member of each
// entry. O(n).
func (o Owner) Digest(v *zset.IntView) uint64 { return digestOf(v) }

// Seal returns what a set with int64 scores holds, after waiting for transactions on it. One that does not exist holds nothing. It
// reads no set from the disk. O(1), and O(pages) for a cold set. Errors: ErrReserved, those of Usage.
func (o Owner) Seal(key string) (Seal, error) {
	if o.e == nil {
		return Seal{}, ErrReserved
	}
	u, ok, err := o.e.Usage(key)
	return Seal{u.Members, u.digest.sum, u.digest.known || !ok}, err
}

// private is what a check of the store tells of private keys; nil: nobody listens.
func (a Audit) private() func(persist.KV) {
	if a.Private == nil {
		return nil
	}
	return func(kv persist.KV) {
		if Reserved(string(kv.Key)) {
			a.Private(kv)
		}
	}
}

// found tells of a set that was read.
func (a Audit) found(r *recovering, sum summary) {
	if key := r.key(); a.Set != nil && Reserved(key) && !r.facts.hidden {
		a.Set(key, Audited{Members: sum.entries, Digest: sum.members})
	}
}

// doubt tells of a set that could not be read as it is.
func (a Audit) doubt(key string) {
	if a.Set != nil && Reserved(key) {
		a.Set(key, Audited{Doubtful: true})
	}
}

// passedOver tells of a set that has changed since it was captured, by an effect that is not applied: it may have another key by then.
func (a Audit) passedOver(r *recovering, x persist.Effect) {
	if a.Set == nil {
		return
	}
	a.doubt(r.key())
	if x.Kind != persist.Create {
		return
	}
	if f, err := decodeFacts(x.Set, x.Value); err == nil && f.other {
		a.doubt(f.key)
	}
}

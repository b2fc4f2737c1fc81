package engine

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// Union returns a set of all members of the sets with these keys, as Redis ZUNION: see zset.Union. It sees the sets as they were at one
// instant. The result belongs to the caller, has no ties, and does not count for Options.MemoryLimit; nor do the copies that are made for it.
// In a transaction use zset.Union, on the Views of its sets.
//
// Writers to the sets wait for about 64 KiB of work at a time, with one exception. Union copies big sets in up to 8 rounds, each of which
// reads the members that writers have changed during the round before. If these are more than 64 KiB in every round, writers wait for the
// last round. ctx ends the copying of big sets; the union of the copies is not interrupted. O(N log N) for N entries in all. Errors: those
// of zset.Union, that of ctx, ErrClosed, ErrCorrupt if a set cannot be read.
func (e *Engine) Union(ctx context.Context, how zset.Combine[float64], keys ...string) (*zset.Set, error) {
	z, _, err := e.ops.operate(ctx, union(how, keys))
	return zset.As[float64](z), err
}

// Inter returns a set of the members that all sets with these keys have, as Redis ZINTER: see zset.Inter. The result belongs to the caller,
// and has no ties. Writers to a set wait no longer than for Union. O(n keys + r log r) for n entries of the smallest set and r in the result.
// Errors: those of Union.
func (e *Engine) Inter(ctx context.Context, how zset.Combine[float64], keys ...string) (*zset.Set, error) {
	z, _, err := e.ops.operate(ctx, inter(how, keys))
	return zset.As[float64](z), err
}

// InterCard returns the number of members that all sets with these keys have, as Redis ZINTERCARD. It stops counting at limit; 0 means no
// limit. Writers to a set wait no longer than for Union. O(n keys) for n entries of the smallest set. Errors: that of ctx, ErrClosed,
// ErrCorrupt if a set cannot be read.
func (e *Engine) InterCard(ctx context.Context, limit int, keys ...string) (n int, err error) {
	return e.ops.interCard(ctx, limit, keys)
}

// Diff returns a set of the members of the first set that no other set has, as Redis ZDIFF: see zset.Diff. The result belongs to the caller,
// and has no ties. Writers to a set wait no longer than for Union. O(n keys + n log n) for n entries of the first set. Errors: those of
// InterCard.
func (e *Engine) Diff(ctx context.Context, first string, others ...string) (*zset.Set, error) {
	z, _, err := e.ops.operate(ctx, diff(first, others))
	return zset.As[float64](z), err
}

// UnionStore puts the result of Union in place of the set dst, and returns the number of its members, as Redis ZUNIONSTORE. If the result is
// empty, dst does not exist afterwards. dst may be one of the inputs.
//
// If the inputs and dst have at most about 64 KiB in all, this is one transaction. Otherwise there are two steps: first the result is made,
// while writers to the inputs wait no longer than for Union, and then it is stored, while dst is locked. In between, other calls may write
// to the inputs; the result does not have these writes. But no write to a dst that is an input is lost: if there was one in between, both
// steps are done again. The third attempt is one transaction with all sets locked, however long it takes; a result of more than
// MaxTransaction is ErrTooLarge then.
//
// The result replaces dst's ties and expiry too. A result of more than 256 KiB is written before and becomes visible by one commit.
//
// O(N log N) for N entries in all and in dst. Errors: those of Union and of Update; ErrReserved for dst.
func (e *Engine) UnionStore(ctx context.Context, dst string, how zset.Combine[float64], keys ...string) (n int, err error) {
	return e.ops.operateInto(ctx, dst, union(how, keys))
}

// InterStore puts the result of Inter in place of the set dst, as Redis ZINTERSTORE; the rest is as for UnionStore. O(n keys + r
// log r) for n entries of the smallest set and r in the result and in dst.
func (e *Engine) InterStore(ctx context.Context, dst string, how zset.Combine[float64], keys ...string) (n int, err error) {
	return e.ops.operateInto(ctx, dst, inter(how, keys))
}

// DiffStore puts the result of Diff in place of the set dst, as Redis ZDIFFSTORE; the rest is as for UnionStore. O(n keys + n log
// n) for n entries of the first set and in dst.
func (e *Engine) DiffStore(ctx context.Context, dst, first string, others ...string) (n int, err error) {
	return e.ops.operateInto(ctx, dst, diff(first, others))
}

// RangeStore puts a range of the set src, with its ties, in place of the set dst, and returns the number of members in the range, as Redis
// ZRANGESTORE. ranks selects the range: it gets src and returns ranks [lo, hi), from 0 and without hi, like the Interval methods of zset.View.
//
//	n, err := e.RangeStore(ctx, "best", "arena", func(v *zset.View) (lo, hi int) {
//		return v.Reverse(zset.Limit(v.Reverse(v.ScoreInterval(low, high)), 0, 100))
//	})
//
// ranks is called under src's lock, perhaps more than once. It must not keep the View, and gets ErrInTx from calls of the engine. A src that
// does not exist is empty. The rest is as for UnionStore. O(log n + r) for r members in the range and in dst; a range of more than about
// 64 KiB is taken from a copy of src, O(n log n).
func (e *Engine) RangeStore(ctx context.Context, dst, src string, ranks func(*zset.View) (lo, hi int)) (n int, err error) {
	return e.ops.operateInto(ctx, dst, e.ops.rangeOf(src, ranks))
}

// Copy puts a copy of the set under the key from, with its ties and its expiry, under the key to, and returns the number of its members, as
// Redis COPY … REPLACE. The set that to had is dropped. ErrNoSet if from does not exist; the rest is as for UnionStore. O(n log n).
func (e *Engine) Copy(ctx context.Context, from, to string) (n int, err error) {
	return e.ops.operateInto(ctx, to, copyOf(from))
}

// CopyInts returns a copy of the set of a key, which has int64 scores and this form, as it was at one instant between call and return, and
// its LastSeq at that instant. The copy belongs to the caller, and does not count for Options.MemoryLimit. For a key without a set the copy
// is empty, and LastSeq is 0. Writers wait no longer than for Union. O(n log n). Errors: those of Tx.IntSet and of InterCard.
func (e *Engine) CopyInts(ctx context.Context, key string, f Form) (*zset.IntSet, uint64, error) {
	return e.ops.copyInts(ctx, key, f)
}

// StoreInts puts z in place of the set of a key. Form and expiry of that set are gone. z becomes visible at once, by one commit; if z
// takes more than 256 KiB, its members are written before, while the key still has its old set. An empty z leaves the key without a set.
// The caller must not use z any more. z must have been made with the options of a Form only; its thresholds are replaced by those of the
// engine. If ctx ends before, nothing has changed. O(n). Errors: ErrKind and ErrForm for a z made otherwise, ErrReserved, those of Update,
// that of ctx.
func (e *Engine) StoreInts(ctx context.Context, key string, z *zset.IntSet) error {
	if err := facts.Refuse(key); err != nil {
		return err
	}
	return e.ops.storeInts(ctx, key, z)
}

// SetStore says how StoreSet stores.
type SetStore struct {
	Expires time.Time // the expiry of the set; the zero time: none
	Absent  bool      // only if the key has no set
}

// StoreSet puts z in place of the set of a key, with an expiry; done is false if o.Absent forbids it. An expiry that is past leaves the key without a
// set. z must have been made with no options but thresholds, which are replaced by those of the engine. The rest is as for StoreInts: z belongs to the engine, is
// visible at once, and may be of any size. O(n). Errors: ErrKind and ErrForm for a z made otherwise, ErrTime, ErrReserved, those of Update, that of ctx.
func (e *Engine) StoreSet(ctx context.Context, key string, z *zset.Set, o SetStore) (done bool, err error) {
	if err := facts.Refuse(key); err != nil {
		return false, err
	}
	return e.ops.storeFloats(ctx, key, zset.As[int64](z), o.Expires, o.Absent)
}

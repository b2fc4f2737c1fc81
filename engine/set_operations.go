package engine

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/setops"
	"github.com/zrankdb/zrank/zset"
)

// Union returns a set of all members of the sets with these keys, as Redis ZUNION: see zset.Union. It shows them as they were
// at one instant. It is the caller's own, has no ties, and is not counted by Options.MemoryLimit; nor are the copies that are made
// for it. In a transaction use zset.Union, on the Views of its sets.
//
// Writers to the sets wait for about 64 KiB of work at a time. One case is the exception: if they have changed more members than
// that, 8 times in a row, while those changed before were read, they wait for what is left then. ctx ends the copying of big
// sets; the union of the copies is not interrupted. O(N log N) for N entries in all. Errors: those of zset.Union, that of ctx,
// ErrClosed, ErrCorrupt if a set cannot be read.
func (e *Engine) Union(ctx context.Context, how zset.Combine[float64], keys ...string) (*zset.Set, error) {
	z, _, err := e.ops.Operate(ctx, setops.Union(how, keys))
	return zset.As[float64](z), err
}

// Inter returns a set of the members that all sets with these keys hold, as Redis ZINTER: see zset.Inter. It is the caller's
// own, and has no ties. Writers to a set wait no longer than for Union. O(n keys + r log r) for n entries of the smallest set and r in
// the result. Errors: those of Union.
func (e *Engine) Inter(ctx context.Context, how zset.Combine[float64], keys ...string) (*zset.Set, error) {
	z, _, err := e.ops.Operate(ctx, setops.Inter(how, keys))
	return zset.As[float64](z), err
}

// InterCard returns how many members all sets with these keys hold, counting no further than limit, as Redis ZINTERCARD; a
// limit of 0 means none. Writers to a set wait no longer than for Union. O(n keys) for n entries of the smallest set. Errors: that
// of ctx, ErrClosed, ErrCorrupt if a set cannot be read.
func (e *Engine) InterCard(ctx context.Context, limit int, keys ...string) (n int, err error) {
	return e.ops.InterCard(ctx, limit, keys)
}

// Diff returns a set of the members of the first set that no other holds, as Redis ZDIFF: see zset.Diff. It is the caller's
// own, and has no ties. Writers to a set wait no longer than for Union. O(n keys + n log n) for n entries of the first set. Errors:
// those of InterCard.
func (e *Engine) Diff(ctx context.Context, first string, others ...string) (*zset.Set, error) {
	z, _, err := e.ops.Operate(ctx, setops.Diff(first, others))
	return zset.As[float64](z), err
}

// UnionStore puts what Union returns in place of the set dst, whatever that held, and returns the number of its members, as
// Redis ZUNIONSTORE. No members mean that dst is gone. dst may be one of the inputs.
//
// Inputs and a dst of about 64 KiB in all are one transaction. Else the result is made first, while writers to the inputs wait no
// longer than for Union, and then stored, while dst is locked: others may see writes to the inputs in between that the result
// has not got. But no write to a dst that is an input is lost: if there was one in between, all is done again, the third time
// as one transaction with all sets locked, however long it takes; then a result of more than MaxTransaction is ErrTooLarge.
//
// The result replaces dst's ties and expiry too. One of more than 4 MiB is written by many commits and becomes visible by the last.
//
// O(N log N) for N entries in all and in dst. Errors: those of Union and of Update; ErrReserved for dst.
func (e *Engine) UnionStore(ctx context.Context, dst string, how zset.Combine[float64], keys ...string) (n int, err error) {
	return e.ops.OperateInto(ctx, dst, setops.Union(how, keys))
}

// InterStore puts what Inter returns in place of the set dst, as Redis ZINTERSTORE; the rest is as for UnionStore. O(n keys + r
// log r) for n entries of the smallest set and r in the result and in dst.
func (e *Engine) InterStore(ctx context.Context, dst string, how zset.Combine[float64], keys ...string) (n int, err error) {
	return e.ops.OperateInto(ctx, dst, setops.Inter(how, keys))
}

// DiffStore puts what Diff returns in place of the set dst, as Redis ZDIFFSTORE; the rest is as for UnionStore. O(n keys + n log
// n) for n entries of the first set and in dst.
func (e *Engine) DiffStore(ctx context.Context, dst, first string, others ...string) (n int, err error) {
	return e.ops.OperateInto(ctx, dst, setops.Diff(first, others))
}

// RangeStore puts a range of the set src, with its ties, in place of the set dst, and returns how many members that has, as
// Redis ZRANGESTORE. ranks says which range: it gets src and returns ranks [lo, hi), from 0 and without hi, as the methods of
// zset.View do that are called Interval.
//
//	n, err := e.RangeStore(ctx, "best", "arena", func(v *zset.View) (lo, hi int) {
//		return v.Reverse(zset.Limit(v.Reverse(v.ScoreInterval(low, high)), 0, 100))
//	})
//
// It is called under src's lock, perhaps more than once, must not keep the View, and gets ErrInTx from calls of the engine. A src that does not
// exist is empty. The rest is as for UnionStore. O(log n + r) for r members in the range and in dst; a range of more than about
// 64 KiB is taken from a copy of src, O(n log n).
func (e *Engine) RangeStore(ctx context.Context, dst, src string, ranks func(*zset.View) (lo, hi int)) (n int, err error) {
	return e.ops.OperateInto(ctx, dst, e.ops.RangeOf(src, ranks))
}

// Copy gives the key to a copy of the set of from, with its ties and its expiry, and returns how many members that has. What to had is
// dropped. As Redis COPY … REPLACE. ErrNoSet if from does not exist; the rest is as for UnionStore. O(n log n).
func (e *Engine) Copy(ctx context.Context, from, to string) (n int, err error) {
	return e.ops.OperateInto(ctx, to, setops.CopyOf(from))
}

// CopyInts returns a copy of the set of a key, which has int64 scores and this form, as it was at one instant between call and
// return, and its LastSeq at that instant. The copy is the caller's own, and is not counted by Options.MemoryLimit; of a key without a
// set it is empty, and the number 0. Writers wait no longer than for Union. O(n log n). Errors: those of Tx.IntSet and of InterCard.
func (e *Engine) CopyInts(ctx context.Context, key string, f Form) (*zset.IntSet, uint64, error) {
	return e.ops.CopyInts(ctx, key, f)
}

// StoreInts puts a set in place of the set of a key, whatever that had, form and expiry and all. It becomes visible at once, by one
// commit; if its entries take more than 4 MiB, many commits have written them by then, while the key had what it had before. An
// empty one leaves the key without a set. z must not be used any more, and must have been made with no other options than a Form
// has, but for thresholds, in whose place it gets the engine's. If ctx ends before, nothing has changed. O(n). Errors: ErrKind and ErrForm for another z, ErrReserved, those of Update, that of ctx.
func (e *Engine) StoreInts(ctx context.Context, key string, z *zset.IntSet) error {
	if err := facts.Refuse(key); err != nil {
		return err
	}
	return e.ops.StoreInts(ctx, key, z)
}

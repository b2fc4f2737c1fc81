package tail

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// CountSize is how many buckets the scheduler reads at a time.
const CountSize = 64

// CountDue goes on with counts of tails, or begins those that are due, and reads at most so many buckets of each. It reports whether there is more to do at
// once. It leaves out boards that are being migrated, and tails in which a step is made. Errors: those of the engine, joined.
func CountDue(ctx context.Context, c *catalog.Catalog, most int) (more bool, err error) {
	var failures []error
	for x := range counters(c) {
		again, err := x.some(ctx, most)
		if more = more || again; err != nil {
			failures = append(failures, err)
		}
	}
	return more, errors.Join(failures...)
}

// CountAll is CountDue until no count is due. Errors: also that of ctx.
func CountAll(ctx context.Context, c *catalog.Catalog) error {
	if err := cmp.Or(c.CheckOpen(), c.CheckNotInTx()); err != nil {
		return err
	}
	for x := range counters(c) {
		for x.isDue() {
			if err := ctx.Err(); err != nil {
				return err
			}
			x.Tail.Steps.Lock()
			err := x.step(ctx)
			x.Tail.Steps.Unlock()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// counter counts the tail of a period.
type counter struct {
	b  *catalog.Board
	st *state.State
	t  *state.Timeline
	state.NamedTail
}

// counters iterates over the tails that have segments, but those of boards that are being migrated.
func counters(c *catalog.Catalog) iter.Seq[counter] {
	return func(yield func(counter) bool) {
		for _, b := range c.All() {
			st := b.State()
			if st.Spec.Top == nil || st.Spec.Top.Segments == 0 || b.IsFrozen() {
				continue
			}
			for _, t := range st.Timelines {
				for _, n := range t.Tails() {
					if !yield(counter{b, st, t, n}) {
						return
					}
				}
			}
		}
	}
}

// isDue reports whether there is a step to make.
func (x counter) isDue() bool {
	return x.Tail.CountDue() && !x.b.Env().IsStopped() && x.b.State() == x.st
}

// some makes at most so many steps, and reports whether more are due. It makes none if another step is made.
func (x counter) some(ctx context.Context, most int) (more bool, err error) {
	if !x.isDue() || !x.Tail.Steps.TryLock() {
		return false, nil
	}
	defer x.Tail.Steps.Unlock()
	for ; x.isDue(); most-- {
		if most == 0 {
			return true, nil
		}
		if err := x.step(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}

// step counts the members of the head if their number is not known, and else those of the next bucket. The caller holds Steps, so that no bucket is split.
func (x counter) step(ctx context.Context) error {
	if _, known := x.Tail.Head(); !known {
		return x.view(ctx, x.t.Key(x.Period), func(head *engine.IntSet) { x.Tail.SetHead(head.Len()) })
	}
	number, ok := x.Tail.CountNext()
	if !ok {
		return nil
	}
	return x.view(ctx, x.t.BucketKey(x.Period, number), func(bucket *engine.IntSet) {
		x.Tail.Count(func(yield func(buckets.Key) bool) {
			for e := range bucket.Entries(0, bucket.Len()) {
				if !yield(buckets.Key{Score: e.Score, Tie: e.Tie, Member: e.Member}) {
					return
				}
			}
		})
	})
}

// view reads a set of the period. If the board has been migrated or dropped, the set is empty, and so is what nobody asks any more.
func (x counter) view(ctx context.Context, key string, read func(*engine.IntSet)) error {
	if x.t.RecordOf(x.Period) != nil {
		defer func() { x.b.Env().Idle.NoteRead(x.b.Engine().Now(), key) }()
	}
	return x.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, x.st.Form)
		if err == nil {
			read(set)
		}
		return err
	}, key)
}

package settlement

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// batchSize is the most awards that one transaction delivers.
const batchSize = 64

// DeliverDue delivers the awards of settled periods to the programs that have set a Delivery, in the order in which the periods ended, and tries
// failed ones again whose time has come. It leaves out boards that are being migrated. Errors: that of ctx, those of the engine, joined.
func DeliverDue(ctx context.Context, c *catalog.Catalog) (n Delivered, err error) {
	var failures []error
	for _, w := range find(c, func(w work) bool { _, ok := w.delivery(); return ok }) {
		err := w.deliver(ctx, &n)
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		if err != nil && err != state.ErrAgain {
			failures = append(failures, fmt.Errorf("delivering the awards of %s of %q, window %s: %w", w.s.Period, w.b.State().Name, w.s.Window, err))
		}
	}
	return n, errors.Join(failures...)
}

// NextRetry returns the first time, not before from, at which an award that has failed is tried again: see state.Settlement.NextRetry.
func NextRetry(c *catalog.Catalog, from int64) int64 {
	next := int64(math.MaxInt64)
	for _, w := range find(c, func(w work) bool { _, ok := w.delivery(); return ok }) {
		next = min(next, w.s.NextRetry(from))
	}
	return next
}

// deliver delivers the awards of a period. It holds Working for one batch at a time, so that a program can withhold awards meanwhile, and rests after
// each. Errors: ErrAgain if the
// board is being migrated or dropped; those of the engine.
func (w work) deliver(ctx context.Context, n *Delivered) error {
	defer func() { w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key) }()
	for more := true; more; {
		begin := time.Now()
		var err error
		if more, err = w.deliverSome(ctx, n); err == nil && more {
			err = catalog.Rest(ctx, begin)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deliverSome delivers the next awards of a period. Once there are no more it tries those again that have failed, and returns false. It also returns
// false if there is nothing to deliver any more: the period may have been settled again or dropped since the caller looked (Y2).
func (w work) deliverSome(ctx context.Context, n *Delivered) (more bool, err error) {
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	d, ok := w.delivery()
	if !ok {
		return false, nil
	}
	batch, next, err := w.waiting(ctx, batchSize)
	if err == nil && len(batch) > 0 {
		err = w.grantAll(ctx, d, batch, n)
	}
	if err != nil {
		return false, err
	}
	if w.s.Next = next; len(batch) == 0 {
		if err := w.retryDue(ctx, d, n); err != nil {
			return false, err
		}
	}
	if w.s.Waiting.Load() == 0 {
		w.b.Log().Info("board: awards delivered", "board", w.b.State().Name, "window", w.s.Window, "period", w.s.Period, "awards", w.s.Now().Awards)
		w.t.SetDueNow() // it may be dropped
	}
	return len(batch) > 0, nil
}

// delivery returns the Delivery of the period, and false if it has none or there is nothing to deliver.
func (w work) delivery() (d Delivery, ok bool) {
	s := w.s.Now()
	if d, ok = deliveryOf(w.b, w.s.Window); !s.Settled || s.Plan.Claim || w.s.Waiting.Load() == 0 {
		ok = false
	}
	return d, ok
}

// waiting returns the next members whose awards wait and have not failed, at most some, and the place behind them. O(awards looked at).
func (w work) waiting(ctx context.Context, most int) (members []string, next int64, err error) {
	s, next := w.s.Now(), w.s.Next
	const look = 512
	for done := false; !done && len(members) == 0; {
		from := next
		err := w.b.Engine().View(ctx, func(tx *engine.Tx) error {
			set, err := tx.IntSet(w.s.Key, s.Form())
			if err != nil {
				return err
			}
			members = members[:0]
			lo := set.Seek(from, nil)
			done = lo+look >= set.Len()
			for x := range set.Entries(lo, lo+look) {
				e := decodeEntry(x.Score, x.Tie)
				if e.flag == plain && e.waits(s) {
					members = append(members, string(x.Member))
				}
				if next = x.Score + 1; len(members) == most {
					break
				}
			}
			return nil
		}, w.s.Key)
		if err != nil {
			return nil, 0, err
		}
	}
	return members, next, nil
}

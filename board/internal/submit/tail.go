package submit

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/resizing"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// openTails opens the buckets of the member in the windows whose rankings have a tail. Errors: ErrMoved, those of the engine.
func (p *plan) openTails(tx *engine.Tx) error {
	p.tails = p.tails[:0]
	for i := range p.outcomes {
		o, t := &p.outcomes[i], p.lines[i]
		if !tail.Has(t) || p.hidden {
			continue
		}
		if len(p.tails) == 0 {
			p.tails = slices.Grow(p.tails, len(p.outcomes)) // so that append moves none of them
		}
		n := len(p.tails)
		p.tails = p.tails[:n+1]
		o.tail = &p.tails[n]
		if err := p.openTail(tx, i, o); err != nil {
			return err
		}
		if o.tail.HasPlaces() {
			p.b.Owner().NoteEnd(tx, o.tail)
		}
	}
	return nil
}

// openTail opens the head and the bucket of the member in window i: the bucket that keys has named, or in a transaction of the caller's the present one.
func (p *plan) openTail(tx *engine.Tx, i int, o *outcome) error {
	if len(p.buckets) > 0 {
		return o.tail.Open(tx, p.st, p.lines[i], p.slots[i], o.set, p.buckets[i], p.member)
	}
	return o.tail.OpenAny(tx, p.st, p.lines[i], p.slots[i], o.set, p.member)
}

// get returns the member's entry, and false if it has none. The tie is valid until a set changes.
func (o *outcome) get(member []byte) (score int64, tie []byte, ok bool) {
	if o.tail != nil {
		return o.tail.Get()
	}
	if score, tie, ok = o.set.Get(member); ok || o.leaves == nil {
		return score, tie, ok
	}
	return o.leaves.Get(member)
}

// put gives the member an entry, and notes its ranks.
func (o *outcome) put(member, tie []byte, score int64) (err error) {
	if o.tail != nil {
		o.before, o.after, err = o.tail.Put(tie, score)
		o.stepDue = o.tail.IsStepDue()
		return err
	}
	if o.leaves != nil {
		if _, err := o.leaves.Remove(member); err != nil {
			return err
		}
	}
	moved, err := o.set.Put(member, tie, score)
	o.before, o.after = moved.Before, moved.After
	return err
}

// rank returns the rank of the member, which had an entry, from 0, before the submission.
func (o *outcome) rank(member []byte) int {
	if o.tail != nil {
		return o.tail.Rank()
	}
	rank, _ := o.set.Rank(member)
	return rank
}

// len returns the number of members that are ranked.
func (o *outcome) len() int {
	if o.tail != nil {
		return o.tail.Len()
	}
	return o.set.Len()
}

// maintain makes the steps that the submission has made due. The submission is committed, so their errors are logged only, and its context does not
// end them.
func (p *plan) maintain() {
	ctx := context.Background()
	for i := range p.outcomes {
		o, err := &p.outcomes[i], error(nil)
		switch {
		case !o.stepDue:
		case o.tail != nil:
			err = tail.Maintain(ctx, p.b, p.st, p.lines[i], p.slots[i], p.member)
		default:
			err = resizing.Step(ctx, p.b, p.st, p.lines[i], p.slots[i])
		}
		if err != nil {
			p.b.Log().Error("board: entries cannot be moved", "board", p.st.Name, "err", err)
		}
	}
}

// prepare makes a transaction of the caller's possible, which cannot begin again: it moves members to heads that lack the room which transactions have needed.
func prepare(ctx context.Context, b *catalog.Board, st *state.State, all periods) error {
	for t, slot := range all {
		if tail.Has(t) {
			if err := tail.Prepare(ctx, b, st, t, slot); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteShort makes prepare make more room from now on, if that is what a transaction of the caller's lacked.
func noteShort(err error, all periods) {
	if err != tail.ErrShort {
		return
	}
	for t, slot := range all {
		if tail.Has(t) {
			tail.Short(t, slot)
		}
	}
}

// maintainLater is maintain for a transaction of the caller's, before it is committed: the steps are made when the caller is in no transaction.
func (p *plan) maintainLater() {
	if slices.ContainsFunc(p.outcomes, func(o outcome) bool { return o.stepDue }) {
		p.b.Later(p.maintain)
	}
}

// unblock makes a call begin again after what its transaction has found in its way: results that have left, a reserve that is used up, or buckets that
// were split. It returns other errors as they are. want is the number of members that the call may move out of the head.
func unblock(ctx context.Context, err error, b *catalog.Board, st *state.State, all periods, want int) error {
	switch err {
	case errBehind:
		return settleIf(ctx, err, b, st)
	case tail.ErrShort, errs.ErrMoved:
	default:
		return err
	}
	for t, slot := range all {
		switch {
		case slot.Parts != nil:
			slot.Parts.WaitForSteps()
		case !tail.Has(t):
		case err == tail.ErrShort:
			if err := tail.Refill(ctx, b, st, t, slot, want); err != nil && err != errs.ErrAgain { // another of the periods may be the short one
				return err
			}
		default:
			slot.Tail.WaitForSteps()
		}
	}
	return errs.ErrAgain
}

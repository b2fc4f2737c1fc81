package submit

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
)

// maintain makes the steps that the submission has made due. The submission is committed, so their errors are logged only, and its context does not
// end them.
func (p *plan) maintain() {
	ctx := context.Background()
	for i := range p.outcomes {
		if o := &p.outcomes[i]; o.stepDue {
			o.Maintain(ctx, p.b, p.st)
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
	for i := range p.outcomes {
		if p.outcomes[i].stepDue {
			p.b.Later(p.maintain)
			return
		}
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

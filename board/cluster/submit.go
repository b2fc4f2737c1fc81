package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// Submit submits a result, and returns what it did. It takes one round trip for the values, one for the change and, on a board with several partitions, one for the ranks. Errors: those of
// board.Board.Submit, ErrUndecided, ErrNoRanks, those of the servers.
func (b *clusterBoard) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	return b.submit(ctx, sub, nil, true)
}

// Apply is Submit without ranks: it reports whether the submission has counted.
func (b *clusterBoard) Apply(ctx context.Context, sub board.Submission) (counted bool, err error) {
	c, err := b.submit(ctx, sub, nil, false)
	return err == nil && !c.Duplicate && !c.Skipped, err
}

// SubmitFunc is Submit with a score that is computed from the member's row, again whenever another call has changed that meanwhile.
func (b *clusterBoard) SubmitFunc(ctx context.Context, sub board.Submission, score func(was board.Row, ranked bool) (rules.Score, bool)) (board.Change, error) {
	return b.submit(ctx, sub, score, true)
}

func (b *clusterBoard) submit(ctx context.Context, sub board.Submission, score entry.ScoreFunc, ranks bool) (c board.Change, err error) {
	for {
		p, err := b.newPlan(sub, score)
		if err != nil {
			return c, err
		}
		c, err = p.run(ctx, ranks)
		if err != state.ErrAgain {
			return c, err
		}
	}
}

// run makes the change. It returns errs.ErrAgain if the submission belongs to another period by now.
func (p *plan) run(ctx context.Context, ranks bool) (c board.Change, err error) {
	made, all := false, []commit.Counts(nil)
	for !made && !c.Duplicate && !c.Skipped {
		if c.Duplicate, err = p.read(ctx); err == nil && !c.Duplicate {
			c.Skipped, err = p.decide(ctx)
		}
		if err == nil && !c.Duplicate && !c.Skipped {
			made, all, err = p.store(ctx, ranks)
		}
		if err == nil && c.Duplicate {
			err = p.b.writer.Confirm(ctx, p.k)
		}
		if err != nil {
			return board.Change{}, err
		}
	}
	switch {
	case !ranks:
	case all != nil:
		err = p.moves(ctx, &c, all)
	default:
		err = p.ranks(ctx, &c)
	}
	if err != nil && made {
		err = fmt.Errorf("%w: %w", ErrNoRanks, err)
	}
	return c, err
}

// store makes the change. made is false if the values are others by now, or the Once key has been used. With ranks the script of a board with one partition counts what they follow
// from.
func (p *plan) store(ctx context.Context, ranks bool) (made bool, all []commit.Counts, err error) {
	c := p.commit()
	c.IsRanked = ranks && p.b.partitions() == 1
	r, err := p.b.writer.Make(ctx, c)
	if errors.Is(err, ErrUndecided) && len(c.Once) > 0 {
		if r, err = p.b.writer.MakeAgain(ctx, c, err); err == nil && r.Word == commit.Duplicate {
			return true, nil, p.b.writer.Confirm(ctx, c.K) // it was made, since its Once key is there
		}
	}
	if err == nil && r.Word == commit.Closed {
		err = p.closedError(p.lines[r.Edit], p.slots[r.Edit])
	}
	if !c.IsRanked {
		r.Ranks = nil
	}
	return r.Word == commit.Made, r.Ranks, err
}

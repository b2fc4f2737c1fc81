package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/state"
)

// SubmitAll submits several results, one after the other: on a board with one partition by one commit, as board.Board.SubmitAll; on one with several each by a commit of its own, and
// after an error, a *board.BatchError, those before it have counted. Errors: those of Submit, and of one submission a *board.BatchError.
func (b *clusterBoard) SubmitAll(ctx context.Context, subs []board.Submission) ([]board.Change, error) {
	if b.partitions() == 1 {
		return b.submitAtOnce(ctx, subs)
	}
	changes := make([]board.Change, len(subs))
	for i, sub := range subs {
		var err error
		if changes[i], err = b.Submit(ctx, sub); err != nil {
			return nil, &board.BatchError{Index: i, Err: err}
		}
	}
	return changes, nil
}

// submitAtOnce submits several results by one commit.
func (b *clusterBoard) submitAtOnce(ctx context.Context, subs []board.Submission) (changes []board.Change, err error) {
	for again := true; again && len(subs) > 0; again = err == state.ErrAgain {
		x := &batch{b: b, changes: make([]board.Change, len(subs))}
		for i, sub := range subs {
			p, err := b.newPlan(sub, nil)
			if err != nil {
				x.impossible = &board.BatchError{Index: i, Err: err}
				break
			}
			x.plans = append(x.plans, p)
		}
		changes, err = x.run(ctx)
	}
	return changes, err
}

// batch is several submissions that are to be one commit.
type batch struct {
	b          *clusterBoard
	plans      []*plan
	impossible error // of the submission behind plans, which is not possible whatever the others do
	changes    []board.Change

	once   map[string]bool         // Once keys that submissions before have used
	values map[string]layout.Value // what submissions before have made of the values, by key and member
	commit *commit.Commit          // of those so far
}

// run makes the commit. It returns errs.ErrAgain if a submission belongs to another period by now.
func (x *batch) run(ctx context.Context) ([]board.Change, error) {
	var r commit.Reply
	for r.Word != commit.Made {
		if err := x.decideAll(ctx); err != nil {
			return nil, err
		}
		var err error
		if r, err = x.b.writer.Make(ctx, x.commit); errors.Is(err, ErrUndecided) && len(x.commit.Once) > 0 {
			if r, err = x.b.writer.MakeAgain(ctx, x.commit, err); err == nil && r.Word == commit.Duplicate {
				return nil, errors.Join(fmt.Errorf("%w: its answer was lost", ErrNoRanks), x.b.writer.Confirm(ctx, 0))
			}
		}
		if err != nil {
			return nil, err
		}
		if r.Word == commit.Closed {
			i, p := x.planOf(r.Edit)
			return nil, batchError(i, p.closedError(x.commit.Edits[r.Edit].Timeline, x.commit.Edits[r.Edit].Slot))
		}
	}
	first := 0
	for i, p := range x.plans {
		if err := p.moves(ctx, &x.changes[i], r.Ranks[first:first+len(p.slots)]); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoRanks, err)
		}
		first += len(p.slots)
	}
	return x.changes, nil
}

// planOf returns the submission that has an edit, with its index.
func (x *batch) planOf(edit int) (i int, p *plan) {
	for edit >= len(x.plans[i].slots) {
		edit -= len(x.plans[i].slots)
		i++
	}
	return i, x.plans[i]
}

// batchError returns the error of a submission.
func batchError(i int, err error) error {
	if err == nil || err == state.ErrAgain {
		return err
	}
	return &board.BatchError{Index: i, Err: err}
}

// decideAll reads the values of all members, and decides what the submissions do, each after those before it.
func (x *batch) decideAll(ctx context.Context) error {
	duplicates, err := x.read(ctx)
	for i, p := range x.plans {
		if err == nil {
			err = batchError(i, p.precheck())
		}
	}
	if err = cmp.Or(err, x.impossible); err != nil {
		return err
	}
	arrival := x.plans[0].arrival
	x.once, x.values = map[string]bool{}, map[string]layout.Value{}
	x.commit = &commit.Commit{Now: x.plans[0].now, IsRanked: true}
	for i, p := range x.plans {
		p.arrival = arrival
		c := &x.changes[i]
		*c = board.Change{}
		x.overlay(p)
		if c.Duplicate = duplicates[i] || x.once[p.sub.Once]; !c.Duplicate {
			if c.Skipped, err = p.decide(ctx); err != nil {
				return batchError(i, err)
			}
		}
		if !c.Duplicate && !c.Skipped {
			arrival++
			x.commit.Arrival = p.arrival
			if p.sub.Once != "" {
				x.once[p.sub.Once], x.commit.Once = true, append(x.commit.Once, p.sub.Once)
			}
		}
		x.add(p)
	}
	return nil
}

// read reads the values of all members, again as long as operators' calls hold one of them. It reports which Once keys have been used.
func (x *batch) read(ctx context.Context) (duplicates []bool, err error) {
	duplicates = make([]bool, len(x.plans))
	err = commit.WhileHeld(ctx, func() (held bool, err error) {
		all := make([]reading, len(x.plans))
		err = x.b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
			for i, p := range x.plans {
				all[i] = p.ask(ctx, pipe)
			}
		})
		for i, p := range x.plans {
			if err == nil {
				duplicates[i], err = p.take(&all[i])
			}
			held = held || p.standing.IsHeld(x.b.now())
		}
		return held, err
	})
	return duplicates, err
}

// placeOf returns the key of the value of a plan in window i.
func (x *batch) placeOf(p *plan, i int) string {
	return x.b.keys.Values(p.k, p.lines[i].Window.Name, p.slots[i].Name) + "\x00" + p.sub.Member
}

// overlay puts what submissions before have made of the values into the plan.
func (x *batch) overlay(p *plan) {
	for i := range p.outcomes {
		v, ok := x.values[x.placeOf(p, i)]
		if !ok {
			continue
		}
		o := &p.outcomes[i]
		o.was, o.is, o.old = v, v, v.Entry(x.b.st.Rules)
		o.next = o.old
	}
}

// add adds the outcomes of a plan to the commit.
func (x *batch) add(p *plan) {
	first := len(x.commit.Edits)
	p.addTo(x.commit)
	for i := range p.outcomes {
		at := x.placeOf(p, i)
		_, x.commit.Edits[first+i].Again = x.values[at]
		x.values[at] = p.outcomes[i].is
	}
}

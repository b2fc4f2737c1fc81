package submit

import (
	"context"
	"slices"
	"sync"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// One applies a submission: see Board.Submit and, if score is not nil, Board.SubmitFunc.
func One(ctx context.Context, b *catalog.Board, sub board.Submission, score entry.ScoreFunc) (board.Change, error) {
	a := batches.Get().(*batch)
	a.one.sub[0] = sub
	a.ctx, a.b, a.subs, a.changes, a.score = ctx, b, a.one.sub[:], a.one.change[:], score
	err := b.Retry(a.try)
	change := a.one.change[0]
	a.free()
	if err != nil {
		return board.Change{}, unwrapBatch(err)
	}
	return change, nil
}

// Apply applies a submission, and looks up no ranks: see Board.Apply.
func Apply(ctx context.Context, b *catalog.Board, sub board.Submission) (changed bool, err error) {
	a := batches.Get().(*batch)
	a.one.sub[0] = sub
	a.ctx, a.b, a.subs, a.changes, a.bare = ctx, b, a.one.sub[:], a.one.change[:], true
	err = b.Retry(a.try)
	changed = a.changed
	a.free()
	return changed && err == nil, unwrapBatch(err)
}

// All applies submissions in one commit: see Board.SubmitAll.
func All(ctx context.Context, b *catalog.Board, subs []board.Submission) ([]board.Change, error) {
	changes := make([]board.Change, len(subs))
	if err := Batch(ctx, b, changes, subs, nil); err != nil {
		return nil, err
	}
	return changes, nil
}

// Batch applies submissions in one commit. It retries if the board's state has changed by the time
// the sets are locked, or if a period of a submission without a time has ended meanwhile.
func Batch(ctx context.Context, b *catalog.Board, changes []board.Change, subs []board.Submission, score entry.ScoreFunc) error {
	a := batches.Get().(*batch)
	a.ctx, a.b, a.subs, a.changes, a.score = ctx, b, subs, changes, score
	err := b.Retry(a.try)
	a.free()
	return err
}

// batch is a call that applies submissions in one commit. The memory of a batch is used again.
type batch struct {
	ctx     context.Context
	b       *catalog.Board
	subs    []board.Submission
	changes []board.Change // parallel to subs
	score   entry.ScoreFunc
	bare    bool   // the caller wants to know only whether an entry has changed
	changed bool   // if bare: one has
	plans   []plan // parallel to subs
	keys    []string
	try     func(*state.State) error // tryState
	apply   func(*engine.Tx) error   // applyAll
	counts  *counts

	one struct { // backs subs and changes of one submission
		sub    [1]board.Submission
		change [1]board.Change
	}
}

var batches = sync.Pool{New: func() any {
	a := &batch{counts: new(counts)}
	a.try, a.apply = func(st *state.State) error { return a.tryState(a.ctx, st) }, a.applyAll
	return a
}}

// keptPlans is the number of plans up to which a batch keeps their memory.
const keptPlans = 128

// free gives the memory of a batch back.
func (a *batch) free() {
	plans, keys := a.plans[:0], a.keys[:0]
	for i := range a.plans {
		a.plans[i].free()
	}
	clear(a.keys)
	if cap(plans) > keptPlans {
		plans, keys = nil, nil
	}
	*a = batch{plans: plans, keys: keys, try: a.try, apply: a.apply, counts: a.counts}
	batches.Put(a)
}

// tryState applies the submissions to a board with a given state, and makes the steps that they
// have made due.
func (a *batch) tryState(ctx context.Context, st *state.State) error {
	if err := a.commit(ctx, st); err != nil {
		return err
	}
	for i := range a.plans {
		a.plans[i].maintain()
	}
	a.b.MakeFollowersDue()
	return nil
}

// commit applies the submissions to a board with a given state.
func (a *batch) commit(ctx context.Context, st *state.State) error {
	whole := len(a.subs) > 1 || a.score != nil || st.Spec.BestRanks
	if st.IsInParts() && !whole && !a.bare {
		defer a.b.HoldState()() // until the ranks are counted
	}
	a.plans, a.keys = slices.Grow(a.plans[:0], len(a.subs))[:len(a.subs)], a.keys[:0]
	now := a.b.Engine().Now()
	for i := range a.plans {
		p := &a.plans[i]
		err := p.fill(a.b, st, a.subs[i], now)
		if err == nil {
			err = p.precheck(now)
		}
		if err == nil && st.Spec.Leagues != nil {
			err = p.readyLeague(ctx)
		}
		p.index, p.score, p.whole = i, a.score, whole
		if err != nil {
			return p.batchError(err)
		}
		a.keys = p.keys(a.keys)
	}
	if err := a.b.Owner().Update(ctx, a.keys, a.apply); err != nil {
		return place.Unblock(ctx, err, a.b, st, a.periods, len(a.subs))
	}
	for i := range a.plans {
		for j := range a.plans[i].outcomes {
			a.plans[i].outcomes[j].at.Committed()
		}
		if a.bare {
			continue
		}
		if err := a.plans[i].rank(ctx, &a.changes[i], a.counts); err != nil {
			return err
		}
	}
	return nil
}

// applyAll applies the plans in a transaction.
func (a *batch) applyAll(tx *engine.Tx) error {
	for i := range a.plans {
		p := &a.plans[i]
		if a.bare {
			if err := p.apply(tx, nil); err != nil {
				return err
			}
			a.changed = p.changed()
			continue
		}
		if err := p.run(tx, &a.changes[i]); err != nil {
			return err
		}
	}
	return nil
}

// periods iterates over the periods of the submissions.
func (a *batch) periods(yield func(*state.Timeline, *state.Slot) bool) {
	for i := range a.plans {
		for t, slot := range a.plans[i].periods {
			if !yield(t, slot) {
				return
			}
		}
	}
}

// AppendKeys appends the keys of the sets that have the member of a submission, or would have it:
// see Hints.Submit. Outside of a transaction it first makes the steps that are due. A submission
// without a time has that of the clock. Error: ErrAgain if another period has begun meanwhile.
func AppendKeys(ctx context.Context, b *catalog.Board, dst []string, sub board.Submission) ([]string, error) {
	st, err := b.Writable()
	if err != nil {
		return nil, err
	}
	if !b.Engine().InTx() {
		b.MakeDue()
		if err := rolling.SettleAll(ctx, b, st); err != nil { // so that the transaction has little to apply
			return nil, err
		}
	}
	p := plan{request: request{whole: true}}
	now := b.Engine().Now()
	if err := p.fill(b, st, sub, now); err != nil {
		return nil, err
	}
	if err := p.precheck(now); err != nil {
		return nil, err
	}
	if !b.Engine().InTx() {
		if err := p.readyLeague(ctx); err != nil {
			return nil, err
		}
		if err := place.Prepare(ctx, b, st, p.periods); err != nil {
			return nil, err
		}
	}
	return p.keys(dst), nil
}

// In applies a submission in the caller's transaction: see InTx.Submit.
func In(b *catalog.Board, tx *engine.Tx, sub board.Submission) (board.Change, error) {
	return in(b, tx, sub, nil)
}

// in is In; unless score is nil, it returns the score.
func in(b *catalog.Board, tx *engine.Tx, sub board.Submission, score entry.ScoreFunc) (c board.Change, err error) {
	p, err := planIn(b, tx, sub)
	if err == nil {
		p.score = score
		err = p.errorIn(b.Owner().In(tx, func() error { return p.run(tx, &c) }))
	}
	if err != nil {
		return board.Change{}, err
	}
	p.maintainLater()
	return c, nil
}

// ApplyIn applies a submission in the caller's transaction, and looks up no ranks: see InTx.Apply.
func ApplyIn(b *catalog.Board, tx *engine.Tx, sub board.Submission) (changed bool, err error) {
	p, err := planIn(b, tx, sub)
	if err == nil {
		err = p.errorIn(b.Owner().In(tx, func() error { return p.apply(tx, nil) }))
	}
	if err != nil {
		return false, err
	}
	p.maintainLater()
	return p.changed(), nil
}

// planIn plans a submission in the caller's transaction. One without a time gets that of the clock,
// now that its sets are locked: what others have committed before is older. Error: ErrMoved if a
// period has begun or ended since Tx.Now.
func planIn(b *catalog.Board, tx *engine.Tx, sub board.Submission) (*plan, error) {
	p, now := &plan{request: request{within: true, whole: true}}, tx.Now()
	if !sub.At.IsZero() {
		return p, p.fill(b, b.State(), sub, now)
	}
	if err := p.fill(b, b.State(), sub, b.Engine().Now()); err != nil {
		return p, err
	}
	for _, slot := range p.periods {
		if !slot.IsIn(now) || slot.Start.After(now) {
			return p, state.ErrMoved
		}
	}
	return p, nil
}

// changed reports whether any entry has changed.
func (p *plan) changed() bool {
	for i := range p.outcomes {
		if p.outcomes[i].changed {
			return true
		}
	}
	return false
}

// errorIn converts an error of the plan to one for the caller of In.
func (p *plan) errorIn(err error) error {
	return place.NoteShort(unwrapBatch(err), p.b, p.st, p.periods)
}

// maintain makes the steps that the submission has made due. The submission is committed, so their
// errors are logged only, and its context does not end them.
func (p *plan) maintain() {
	ctx := context.Background()
	for i := range p.outcomes {
		if o := &p.outcomes[i]; o.stepDue {
			o.at.Maintain(ctx)
		}
	}
}

// maintainLater is maintain for a transaction of the caller's, before it is committed: the steps
// are made when the caller is in no transaction.
func (p *plan) maintainLater() {
	for i := range p.outcomes {
		if p.outcomes[i].stepDue {
			p.b.Later(p.maintain)
			return
		}
	}
}

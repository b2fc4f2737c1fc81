package submit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// One applies a submission: see Board.Submit and, if score is not nil, Board.SubmitFunc.
func One(b *catalog.Board, sub Submission, score ScoreFunc) (Change, error) {
	var change [1]Change
	if err := unwrapBatch(Batch(b, change[:], []Submission{sub}, score)); err != nil {
		return Change{}, err
	}
	return change[0], nil
}

// All applies submissions in one commit: see Board.SubmitAll.
func All(b *catalog.Board, subs []Submission) ([]Change, error) {
	changes := make([]Change, len(subs))
	if err := Batch(b, changes, subs, nil); err != nil {
		return nil, err
	}
	return changes, nil
}

// Batch applies submissions in one commit. It begins again if the board has another state by the time the sets are locked, or if the live
// period has ended by then.
func Batch(b *catalog.Board, changes []Change, subs []Submission, score ScoreFunc) error {
	return b.Retry(func(st *state.State) error { return try(b, st, changes, subs, score) })
}

// try applies submissions under one state of the board, and returns ErrAgain if Batch has to begin again.
func try(b *catalog.Board, st *state.State, changes []Change, subs []Submission, score ScoreFunc) error {
	plans, now := make([]plan, len(subs)), b.Engine().Now()
	var keyArray [8]string
	keys := keyArray[:0]
	for i, sub := range subs {
		err := plans[i].fill(b, st, sub, now)
		if err == nil {
			err = plans[i].precheck(now)
		}
		plans[i].index, plans[i].score = i, score
		if err != nil {
			return plans[i].batchError(err)
		}
		keys = plans[i].keys(keys)
	}
	return b.Owner().Update(keys, func(tx *engine.Tx) error {
		for i := range plans {
			if err := plans[i].run(tx, &changes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// AppendKeys appends the keys of the sets that a submission may change: see Board.Keys.
func AppendKeys(b *catalog.Board, dst []string, sub Submission) ([]string, error) {
	st, err := b.Writable()
	if err == nil {
		err = needTime(sub)
	}
	if err != nil {
		return nil, err
	}
	var p plan
	now := b.Engine().Now()
	if err := p.fill(b, st, sub, now); err != nil {
		return nil, err
	}
	if err := p.precheck(now); err != nil {
		return nil, err
	}
	return p.keys(dst), nil
}

// In applies a submission in the caller's transaction: see InTx.Submit.
func In(b *catalog.Board, tx *engine.Tx, sub Submission) (c Change, err error) {
	p, err := planIn(b, tx, sub)
	if err == nil {
		err = p.errorIn(tx, b.Owner().In(tx, func() error { return p.run(tx, &c) }))
	}
	if err != nil {
		return Change{}, err
	}
	return c, nil
}

// ApplyIn applies a submission in the caller's transaction, and looks up no ranks unless the spec has BestRanks: see InTx.Apply.
func ApplyIn(b *catalog.Board, tx *engine.Tx, sub Submission) (changed bool, err error) {
	if b.State().Spec.BestRanks {
		c, err := In(b, tx, sub)
		return c.changed(), err
	}
	p, err := planIn(b, tx, sub)
	if err == nil {
		err = p.errorIn(tx, b.Owner().In(tx, func() error { return p.apply(tx, nil) }))
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.outcomes, func(o outcome) bool { return o.changed }), nil
}

func planIn(b *catalog.Board, tx *engine.Tx, sub Submission) (*plan, error) {
	if err := needTime(sub); err != nil {
		return nil, err
	}
	p := new(plan)
	return p, p.fill(b, b.State(), sub, tx.Now())
}

// needTime returns ErrTime if the submission has no time.
func needTime(sub Submission) error {
	if sub.At.IsZero() {
		return fmt.Errorf("%w: a transaction's submission wants At", errs.ErrTime)
	}
	return nil
}

// errorIn converts an error of the plan to one for the caller of In. It is ErrMigrating if the board was migrated after Keys: then the
// transaction named the keys of an earlier version.
func (p *plan) errorIn(tx *engine.Tx, err error) error {
	err = unwrapBatch(err)
	migrated := err == errs.ErrAgain
	if errors.Is(err, engine.ErrNotNamed) {
		for i, slot := range p.slots {
			for version := p.st.Version - 1; version > 0 && !migrated; version-- {
				key := boardkey.Key{Board: p.st.Name, Kind: p.st.Timelines[i].Window.Name, Period: slot.Name, Version: version}
				_, err := tx.IntSet(key.String(), p.st.Form)
				migrated = !errors.Is(err, engine.ErrNotNamed)
			}
		}
	}
	if migrated {
		return fmt.Errorf("%w: %q", errs.ErrMigrating, p.st.Name)
	}
	return err
}

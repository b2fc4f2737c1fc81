package board

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// submitOne applies a submission: see Board.Submit and, if score is not nil, Board.SubmitFunc.
func submitOne(b *core, sub Submission, score scoreFunc) (Change, error) {
	var change [1]Change
	if err := unblame(submit(b, change[:], []Submission{sub}, score)); err != nil {
		return Change{}, err
	}
	return change[0], nil
}

// submitAll applies submissions in one commit: see Board.SubmitAll.
func submitAll(b *core, subs []Submission) ([]Change, error) {
	changes := make([]Change, len(subs))
	if err := submit(b, changes, subs, nil); err != nil {
		return nil, err
	}
	return changes, nil
}

// submit applies submissions in one commit. It begins again if the board has another state when the sets are locked, or if the live period
// ended in between.
func submit(b *core, changes []Change, subs []Submission, score scoreFunc) error {
	return b.retry(func(st *state) error { return try(b, st, changes, subs, score) })
}

func try(b *core, st *state, changes []Change, subs []Submission, score scoreFunc) error {
	plans, now := make([]plan, len(subs)), b.engine().Now()
	var keyArray [8]string
	keys := keyArray[:0]
	for i, sub := range subs {
		err := plans[i].fill(b, st, sub, now)
		if err == nil {
			err = plans[i].precheck(now)
		}
		plans[i].index, plans[i].score = i, score
		if err != nil {
			return plans[i].blame(err)
		}
		keys = plans[i].keys(keys)
	}
	return b.owner().Update(keys, func(tx *engine.Tx) error {
		for i := range plans {
			if err := plans[i].run(tx, &changes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// appendKeys appends the keys of the sets that a submission may change: see Board.Keys.
func appendKeys(b *core, dst []string, sub Submission) ([]string, error) {
	st, err := b.writable()
	if err == nil {
		err = needTime(sub)
	}
	if err != nil {
		return nil, err
	}
	var p plan
	now := b.engine().Now()
	if err := p.fill(b, st, sub, now); err != nil {
		return nil, err
	}
	if err := p.precheck(now); err != nil {
		return nil, err
	}
	return p.keys(dst), nil
}

// submitIn applies a submission in the caller's transaction: see InTx.Submit.
func submitIn(b *core, tx *engine.Tx, sub Submission) (c Change, err error) {
	p, err := planIn(b, tx, sub)
	if err == nil {
		err = p.errorIn(tx, b.owner().In(tx, func() error { return p.run(tx, &c) }))
	}
	if err != nil {
		return Change{}, err
	}
	return c, nil
}

// applyIn applies a submission in the caller's transaction, and looks up no ranks unless the spec has BestRanks: see InTx.Apply.
func applyIn(b *core, tx *engine.Tx, sub Submission) (changed bool, err error) {
	if b.state().spec.BestRanks {
		c, err := submitIn(b, tx, sub)
		return c.changed(), err
	}
	p, err := planIn(b, tx, sub)
	if err == nil {
		err = p.errorIn(tx, b.owner().In(tx, func() error { return p.apply(tx, nil) }))
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.outcomes, func(o outcome) bool { return o.changed }), nil
}

func planIn(b *core, tx *engine.Tx, sub Submission) (*plan, error) {
	if err := needTime(sub); err != nil {
		return nil, err
	}
	p := new(plan)
	return p, p.fill(b, b.state(), sub, tx.Now())
}

// needTime returns ErrTime unless the submission has a time of its own.
func needTime(sub Submission) error {
	if sub.At.IsZero() {
		return fmt.Errorf("%w: a transaction's submission wants At", ErrTime)
	}
	return nil
}

// errorIn returns an error of the plan as a transaction's caller gets it: ErrMigrating if the transaction named the keys of an earlier
// version.
func (p *plan) errorIn(tx *engine.Tx, err error) error {
	err = unblame(err)
	late := err == errAgain
	if errors.Is(err, engine.ErrNotNamed) {
		for i, x := range p.slots {
			for v := p.st.version - 1; v > 0 && !late; v-- {
				_, err := tx.IntSet(Key{p.st.name, p.st.timelines[i].Window.Name, x.Name, v}.String(), p.st.form)
				late = !errors.Is(err, engine.ErrNotNamed)
			}
		}
	}
	if late {
		return fmt.Errorf("%w: %q", ErrMigrating, p.st.name)
	}
	return err
}

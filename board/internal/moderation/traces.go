package moderation

import (
	"bytes"
	"context"
	"math"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// scanStep is the number of Once keys, rows or entries that one transaction looks at.
const scanStep = 1024

// bestKeys returns the keys of the sets of best ranks, if the board has some.
func bestKeys(st *state.State) (keys []string) {
	for _, t := range st.Timelines {
		keys = append(keys, t.BestKey)
	}
	return keys
}

// trace stores that so many traces of the member were erased, if any were, in the transaction that erases them. In a dry run it notes it.
func (r *run) trace(tx *engine.Tx, st *state.State, kind, name string, n int) error {
	switch {
	case n == 0:
		return nil
	case r.dry != nil:
		r.dry.Traces = auditlog.AddTrace(r.dry.Traces, audit.Trace{Kind: kind, Name: name, Count: n})
		return nil
	}
	return auditlog.AddTraces(tx, st.Name, r.j.Entry, []audit.Trace{{Kind: kind, Name: name, Count: n}})
}

// eraseBaselines removes the member from all baselines.
func eraseBaselines(ctx context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		for _, t := range st.Timelines {
			names, err := periods.BaselineNames(r.b, st, t.Window.Name)
			if err != nil {
				return err
			}
			for _, name := range names {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := r.eraseBaseline(ctx, st, t, name); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return err == nil, err
}

// eraseBaseline removes the member from a baseline.
func (r *run) eraseBaseline(ctx context.Context, st *state.State, t *state.Timeline, name string) error {
	key := st.BaselineKey(t.Window.Name, name)
	err := r.update(ctx, st, []string{key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, st.Form)
		if err != nil {
			return err
		}
		had, err := set.Remove(r.j.Member)
		if err != nil || !had {
			return err
		}
		return r.trace(tx, st, "baseline", t.Window.Name+" "+name, 1)
	})
	if err != nil {
		return err
	}
	return r.b.Engine().Unload(key)
}

// eraseAwards removes the member from the awards of all periods.
func eraseAwards(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		n, err := settlement.Count(ctx, r.b, string(r.j.Member), func(awards.Award) bool { return true })
		if err == nil {
			err = r.trace(nil, nil, "award", "", n)
		}
		return true, err
	}
	err = settlement.Erase(ctx, r.b, string(r.j.Member), func(tx *engine.Tx) error { return r.trace(tx, r.b.State(), "award", "", 1) })
	return err == nil, err
}

// eraseOnce removes the Once keys that have the name of the member in them, among some.
func eraseOnce(ctx context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		from, n := r.j.Next, 0
		err := r.update(ctx, st, []string{st.OnceKey}, func(tx *engine.Tx) error {
			set, err := tx.IntSet(st.OnceKey, engine.Form{})
			if err != nil {
				return err
			}
			lo, hi := int(from), min(int(from)+scanStep, set.Len())
			n = 0
			for _, e := range set.Append(nil, lo, hi) {
				if !bytes.Contains([]byte(e.Member), r.j.Member) {
					continue
				}
				if _, err := set.Remove([]byte(e.Member)); err != nil {
					return err
				}
				n++
			}
			if done, r.j.Next = hi-n >= set.Len(), uint64(max(hi-n, 0)); r.dry != nil {
				r.j.Next = uint64(hi) // those before are still there
			}
			return r.trace(tx, st, "Once key", "", n)
		})
		if err != nil {
			r.j.Next = from
		}
		return err
	})
	return done, err
}

// keptRows returns the number from which on the rows of the journal would still be there after the removals of a dry run, which have rows of their own.
func (r *run) keptRows(tx *engine.Tx, st *state.State) (from uint64, err error) {
	l, err := journal.Open(tx, st)
	if err != nil {
		return 0, err
	}
	rows := r.rows
	if slices.ContainsFunc(r.dry.Places, func(p board.Place) bool { return !p.Closed }) {
		rows++
	}
	return l.KeptAfter(rows), nil
}

// eraseJournal removes the rows of the member from the journal, among some.
func eraseJournal(ctx context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) (err error) {
		done, err = r.scan(ctx, st, []string{st.JournalKey}, func(tx *engine.Tx, from uint64) (uint64, error) {
			if from == 0 && r.dry != nil && st.HasJournal() {
				if from, err = r.keptRows(tx, st); err != nil {
					return 0, err
				}
			}
			next, n, err := journal.Erase(tx, st, string(r.j.Member), from, scanStep)
			if err != nil {
				return 0, err
			}
			return next, r.trace(tx, st, "journal row", "", n)
		})
		return err
	})
	return done, err
}

// forget replaces the name of the member by a salted hash in the audit log, in some entries.
func forget(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		return true, nil
	}
	err = r.b.Retry(func(st *state.State) (err error) {
		done, err = r.scan(ctx, st, nil, func(tx *engine.Tx, from uint64) (uint64, error) {
			return auditlog.Forget(tx, st.Name, string(r.j.Member), from, math.MaxUint64, scanStep)
		})
		return err
	})
	if done {
		r.b.Renames.Forget()
	}
	return done, err
}

package moderation

import (
	"context"
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// run is a job that runs, or would run: with dry it rolls its transactions back, and adds what they would have done to dry.
type run struct {
	b    *catalog.Board
	j    *job
	left []places.Found   // the places that the present stage has found and not changed yet
	dry  *board.Moderated // nil: not a dry run
	rows int              // of removals, that a dry run would have added to the journal in closed periods
}

// errDry rolls back a transaction of a dry run.
var errDry = errors.New("dry run")

// update runs a transaction of the job, which stores where it is.
func (r *run) update(ctx context.Context, st *state.State, keys []string, fn func(tx *engine.Tx) error) error {
	return r.updateBlind(ctx, st, keys, nil, fn)
}

// updateBlind is update with sets that the transaction changes without reading them.
func (r *run) updateBlind(ctx context.Context, st *state.State, keys, blind []string, fn func(tx *engine.Tx) error) error {
	var traces []audit.Trace // that earlier transactions of a dry run have found
	if r.dry != nil {
		traces = r.dry.Traces
	}
	err := r.b.Owner().UpdateBlind(ctx, keys, blind, func(tx *engine.Tx) error {
		if r.dry != nil { // the closure may run again
			r.dry.Traces = slices.Clone(traces)
		}
		if err := r.b.CheckWritable(st); err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		if r.dry != nil {
			return errDry
		}
		return r.j.put(tx, st.Name)
	})
	if err == errDry {
		return nil
	}
	return err
}

// scan runs a transaction of a stage that goes through what is stored, some at a time. fn begins at from, and returns where the next one begins; 0 ends the
// stage, in the same commit: fn may not run twice.
func (r *run) scan(ctx context.Context, st *state.State, keys []string, fn func(tx *engine.Tx, from uint64) (next uint64, err error)) (done bool, err error) {
	from, stage := r.j.Next, r.j.Stage
	err = r.update(ctx, st, keys, func(tx *engine.Tx) (err error) {
		r.j.Next, err = fn(tx, from)
		if r.j.Stage = stage; r.j.Next == 0 {
			r.j.Stage++
		}
		return err
	})
	r.j.Stage = stage
	if err != nil {
		r.j.Next = from
		return false, err
	}
	return r.j.Next == 0, nil
}

// unknown reports whether an error says that the outcome of a commit is unknown.
func unknown(err error) bool {
	return errors.Is(err, engine.ErrStalled) || errors.Is(err, engine.ErrPersistence)
}

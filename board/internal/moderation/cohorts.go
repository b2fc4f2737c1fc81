package moderation

import (
	"context"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// eraseOpenCohorts removes the member from the cohorts of open periods, and deletes its tiers, in the first commit.
func (r *run) eraseOpenCohorts(tx *engine.Tx, st *state.State) error {
	n, err := leagues.Erase(tx, leagues.OpenKeys(st), r.j.Member)
	if err != nil {
		return err
	}
	if err := r.trace(tx, st, "cohort", "", n); err != nil {
		return err
	}
	if n, err = leagues.Erase(tx, leagues.TierKeys(st), r.j.Member); err != nil {
		return err
	}
	return r.trace(tx, st, "tier", "", n)
}

// eraseCohorts removes the member from the cohorts of closed periods.
func eraseCohorts(ctx context.Context, r *run) (done bool, err error) {
	return r.eachCohorts(ctx, func(tx *engine.Tx, st *state.State, key string) error {
		n, err := leagues.Erase(tx, []string{key}, r.j.Member)
		if err != nil {
			return err
		}
		return r.trace(tx, st, "cohort", "", n)
	})
}

// moveCohorts moves the member's places in the cohorts of closed periods.
func moveCohorts(ctx context.Context, r *run) (done bool, err error) {
	return r.eachCohorts(ctx, func(tx *engine.Tx, _ *state.State, key string) error {
		return leagues.Move(tx, []string{key}, r.j.Member, r.j.To, r.j.Kind == audit.Merge)
	})
}

// eachCohorts runs a transaction for the cohorts of each closed period. One that runs again finds nothing of the member.
func (r *run) eachCohorts(ctx context.Context, fn func(tx *engine.Tx, st *state.State, key string) error) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		for _, key := range leagues.ClosedKeys(st) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := r.update(ctx, st, []string{key}, func(tx *engine.Tx) error { return fn(tx, st, key) }); err != nil {
				return err
			}
			r.b.Env().Idle.NoteRead(r.b.Engine().Now(), key) // the evictor evicts it again
		}
		return nil
	})
	return err == nil, err
}

package moderation

import (
	"context"
	"math"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// stages are the stages of the jobs of a kind, in order. Each call of one does a bounded part of the work, and says when the stage is done.
type stageFunc func(ctx context.Context, r *run) (done bool, err error)

var stages = map[audit.Kind][]stageFunc{
	audit.Ban:    {remover.stage, withholdAwards},
	audit.Erase:  {remover.stage, eraseAwards, eraseBaselines, eraseOnce, eraseJournal, forget, eraseCohorts},
	audit.Hide:   {hider.stage},
	audit.Show:   {shower.stage},
	audit.Rename: {renamer.stage, moveBest, moveBaselines, moveAwards, moveCohorts, moveInUnions},
	audit.Merge:  {renamer.stage, moveBest, moveBaselines, moveAwards, moveCohorts, moveInUnions},
}

// Resume runs the jobs of a board to their ends. Errors: that of ctx, ErrClosed, ErrNoBoard, those of the engine.
func Resume(ctx context.Context, b *catalog.Board) error { return runThrough(ctx, b, math.MaxUint64) }

// runThrough runs the jobs of a board to their ends, up to the one of an entry of the audit log.
func runThrough(ctx context.Context, b *catalog.Board, entry uint64) error {
	unlock, err := b.LockModeration(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := jobs(ctx, b)
	for _, j := range all {
		if err == nil && j.Entry <= entry {
			if err = (&run{b: b, j: j}).stages(ctx); err == nil {
				err = (&run{b: b, j: j}).end(ctx)
			}
		}
	}
	return err
}

// stages runs the stages that are left of the job.
func (r *run) stages(ctx context.Context) error {
	for list := stages[r.j.Kind]; int(r.j.Stage) < len(list); {
		if err := ctx.Err(); err != nil {
			return err
		}
		done, err := list[r.j.Stage](ctx, r)
		switch {
		case err == state.ErrAgain:
		case err != nil:
			return err
		case done:
			r.j.Stage, r.j.Next, r.left = r.j.Stage+1, 0, nil
		}
	}
	return nil
}

// end stores that the job is done.
func (r *run) end(ctx context.Context) error {
	return r.b.Retry(func(st *state.State) error {
		err := r.b.Owner().Update(ctx, nil, func(tx *engine.Tx) error {
			if err := r.b.CheckWritable(st); err != nil {
				return err
			}
			if err := auditlog.AddPlaces(tx, st.Name, r.j.Entry, nil, true); err != nil {
				return err
			}
			return tx.Delete(boardkey.Job(st.Name, r.j.Entry))
		})
		return err
	})
}

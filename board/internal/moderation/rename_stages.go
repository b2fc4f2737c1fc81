package moderation

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// renamer moves the member's entries in closed periods to the other member.
var renamer = editor{keys: (*run).renameKeys, change: (*run).rename}

// renameKeys appends the keys of the sets that change in a closed period.
func (r *run) renameKeys(dst []string, x *edit) []string {
	x.moving = newMoving(x.at, string(r.j.To), x.Record)
	x.moving.renames = r.j.Kind == audit.Rename
	return x.moving.appendKeys(dst)
}

// rename moves the entry of the member in one closed period in the transaction.
func (r *run) rename(tx *engine.Tx, st *state.State, x *edit) (p board.Place, err error) {
	p, ok, err := x.moving.move(tx)
	x.next = x.moving.next
	return p, x.check(st, ok, err)
}

// moveBest gives the other member the better one of the two best ranks, and moves the rows of the journal, some at a time.
func moveBest(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		return true, nil
	}
	err = r.b.Retry(func(st *state.State) (err error) {
		done, err = r.scan(ctx, st, append(bestKeys(st), st.JournalKey), func(tx *engine.Tx, from uint64) (uint64, error) {
			for _, t := range st.Timelines {
				if err := r.moveRank(tx, t); err != nil {
					return 0, err
				}
			}
			rows := journal.Renaming{Member: string(r.j.Member), To: string(r.j.To), Merge: r.j.Kind == audit.Merge, Last: r.j.Rows}
			next, _, err := journal.Rename(tx, st, rows, from, scanStep)
			return next, err
		})
		return err
	})
	return done, err
}

// moveRank moves the best rank in a window.
func (r *run) moveRank(tx *engine.Tx, t *state.Timeline) error {
	set, err := tx.IntSet(t.BestKey, engine.Form{})
	if err != nil {
		return err
	}
	rank, ok := set.Score(r.j.Member)
	if !ok {
		return nil
	}
	if _, err := set.Remove(r.j.Member); err != nil {
		return err
	}
	if best, ok := set.Score(r.j.To); ok && best <= rank {
		return nil
	}
	_, err = set.Add(r.j.To, rank)
	return err
}

// moveBaselines moves the entries of baselines. Where the other member has one too, that stays as it is: a baseline has no kept results to combine.
func moveBaselines(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		return true, nil
	}
	err = r.b.Retry(func(st *state.State) error {
		for _, t := range st.Timelines {
			names, err := periods.BaselineNames(r.b, st, t.Window.Name)
			for _, name := range names {
				if err = errors.Join(err, ctx.Err()); err == nil {
					err = r.moveBaseline(ctx, st, st.BaselineKey(t.Window.Name, name))
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return err == nil, err
}

// moveBaseline moves the entry of a baseline.
func (r *run) moveBaseline(ctx context.Context, st *state.State, key string) error {
	err := r.update(ctx, st, []string{key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, st.Form)
		if err != nil {
			return err
		}
		score, tie, ok := set.Get(r.j.Member)
		if !ok {
			return nil
		}
		was := entry.Entry{Score: score, Tie: append([]byte{}, tie...), OK: true}
		if _, err := set.Remove(r.j.Member); err != nil {
			return err
		}
		if _, ok := set.Score(r.j.To); ok {
			return nil
		}
		_, err = set.Put(r.j.To, was.Tie, was.Score)
		return err
	})
	if err != nil {
		return err
	}
	return r.b.Engine().Unload(key)
}

// moveInUnions moves the member's entries in stored unions of the board.
func moveInUnions(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		return true, nil
	}
	err = periods.MoveInUnions(ctx, r.b.Env(), r.b.State().Name, string(r.j.Member), string(r.j.To))
	return err == nil, err
}

// moveAwards moves the awards of the member. Where the other one has an award of the period too, that of the member is withheld.
func moveAwards(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		r.dry.Awards, err = settlement.CountMove(ctx, r.b, string(r.j.Member), string(r.j.To))
		return true, err
	}
	err = settlement.Move(ctx, r.b, string(r.j.Member), string(r.j.To), r.j.Reason, r.countWithheld)
	return err == nil, err
}

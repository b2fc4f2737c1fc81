package moderation

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/journal"
	"github.com/zrankdb/zrank/engine/board/internal/periods"
	"github.com/zrankdb/zrank/engine/board/internal/places"
	"github.com/zrankdb/zrank/engine/board/internal/settlement"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// moveClosed moves the entries of some of the closed periods that have the member.
func moveClosed(ctx context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		if err := places.All(ctx, r.b, st); err != nil {
			return err
		}
		list, err := r.moveSome(st)
		if done = len(list) == 0; err == nil {
			return nil
		}
		return r.unblockMoves(err, st, list)
	})
	return done, err
}

// moveSome moves the entries of up to step closed periods, in one commit, and returns the periods. No period is closed or dropped meanwhile.
func (r *run) moveSome(st *state.State) (list []*moving, err error) {
	defer r.b.LockClosing()()
	list, keys, err := r.moves(st)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	for _, t := range st.Timelines {
		defer t.BeginModeration()()
	}
	err = r.update(st, keys, func(tx *engine.Tx) error {
		var moved []auditlog.Place
		for _, m := range list {
			p, ok, err := m.move(tx, r.b, st)
			if err == nil && !ok {
				err = errs.ErrAgain
			}
			if err != nil {
				return err
			}
			moved = append(moved, p)
		}
		r.j.Done += len(list)
		return auditlog.AddPlaces(tx, st.Name, r.j.Entry, moved, false)
	})
	if err != nil {
		r.j.Done -= len(list)
		return list, err
	}
	for _, m := range list {
		m.t.ReplaceRecord(m.next)
		r.b.Env().Idle.NoteRead(r.b.Engine().Now(), m.t.SetKeys(m.slot.Name)...)
	}
	return list, nil
}

// moves returns some of the closed periods that have the member, and the keys of their sets.
func (r *run) moves(st *state.State) (list []*moving, keys []string, err error) {
	var found []places.Found
	err = r.b.Engine().View(nil, func(tx *engine.Tx) (err error) {
		found, err = places.InTx(r.b.Owner(), tx, st, string(r.j.Member))
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range found[:min(len(found), step)] {
		slot, err := submit.SlotOf(f.T, f.Record)
		if err != nil {
			return nil, nil, err
		}
		m := newMoving(f.T, slot, string(r.j.Member), string(r.j.To))
		m.record = f.Record
		list, keys = append(list, m), m.appendKeys(keys)
	}
	return list, keys, nil
}

// unblockMoves is unblock for moves.
func (r *run) unblockMoves(err error, st *state.State, list []*moving) error {
	if unknown(err) {
		for _, m := range list {
			reload(r.b, m.t, m.slot.Name)
		}
		return err
	}
	closed := make([]submit.Closed, len(list))
	for i, m := range list {
		closed[i] = submit.OfSlot(m.t, m.slot)
	}
	return submit.UnblockClosed(err, r.b, st, closed)
}

// moveBest gives the other member the better one of the two best ranks, and moves the rows of the journal, some at a time.
func moveBest(_ context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		from := r.j.Next
		err := r.update(st, append(bestKeys(st), st.JournalKey), func(tx *engine.Tx) error {
			for _, t := range st.Timelines {
				if err := r.moveRank(tx, t); err != nil {
					return err
				}
			}
			next, _, err := journal.Rename(tx, st, string(r.j.Member), string(r.j.To), from, scanStep)
			done, r.j.Next = next == 0, next
			return err
		})
		if err != nil {
			r.j.Next = from
		}
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
	err = r.b.Retry(func(st *state.State) error {
		for _, t := range st.Timelines {
			names, err := periods.BaselineNames(r.b, st, t.Window.Name)
			for _, name := range names {
				if err = errors.Join(err, ctx.Err()); err == nil {
					err = r.moveBaseline(st, st.BaselineKey(t.Window.Name, name))
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
func (r *run) moveBaseline(st *state.State, key string) error {
	err := r.update(st, []string{key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, st.Form)
		if err != nil {
			return err
		}
		score, tie, ok := set.Get(r.j.Member)
		if !ok {
			return nil
		}
		was := stored{score: score, tie: append([]byte{}, tie...), ok: true}
		if _, err := set.Remove(r.j.Member); err != nil {
			return err
		}
		if _, ok := set.Score(r.j.To); ok {
			return nil
		}
		_, err = set.Put(r.j.To, was.tie, was.score)
		return err
	})
	if err != nil {
		return err
	}
	return r.b.Engine().Unload(key)
}

// moveAwards moves the awards of the member. Where the other one has an award of the period too, that of the member is withheld.
func moveAwards(_ context.Context, r *run) (done bool, err error) {
	n, err := settlement.Move(r.b, string(r.j.Member), string(r.j.To), r.j.Reason)
	if n == 0 || err != nil {
		return err == nil, err
	}
	return true, r.b.Retry(func(st *state.State) error {
		return r.update(st, nil, func(tx *engine.Tx) error { return auditlog.AddAwards(tx, st.Name, r.j.Entry, n) })
	})
}

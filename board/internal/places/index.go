package places

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

type entry = zset.IntEntry

// step is the number of places that one commit writes or deletes. The lock of the board's private keys is held for so long.
const step = 256

// Due returns the closed periods of a board that are not indexed. O(closed periods).
func Due(st *state.State) (due []*state.Record, of []*state.Timeline) {
	for _, t := range st.Timelines {
		for _, r := range t.ClosedRecords() {
			if !r.Indexed {
				due, of = append(due, r), append(of, t)
			}
		}
	}
	return due, of
}

// All indexes the closed periods of a board that are not indexed. The caller is in no transaction, and holds no lock of the board. Errors: ErrAgain
// if the board is being migrated or dropped, that of ctx, those of the engine.
func All(ctx context.Context, b *catalog.Board, st *state.State) error {
	unlock, err := b.LockIndexing(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	due, of := Due(st)
	for i, r := range due {
		if err := index(ctx, b, st, of[i], r); err != nil {
			return err
		}
	}
	return nil
}

// errDropped is returned by the transaction of a period that has been dropped. Package deletion deletes the places that it has.
var errDropped = errors.New("period is dropped")

// index indexes a closed period, and stores in its record that it is. The caller holds the lock of indexing. O(members).
func index(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record) error {
	err := walk(ctx, b, st, t, r, t.RankingKeys(r.Period), func(lo int, entries []entry) error { return put(ctx, b, st, t, r, lo, entries) })
	if err == nil && r.Hidden > 0 {
		err = walk(ctx, b, st, t, r, []string{t.HiddenKey(r.Period)}, func(_ int, entries []entry) error { return put(ctx, b, st, t, r, -1, entries) })
	}
	if err == errDropped {
		return nil
	}
	if err != nil {
		return err
	}
	if err := store(ctx, b, st, t, r); err != nil {
		return err
	}
	return b.Engine().Unload(t.SetKeys(r.Period)...)
}

// store stores in the record of a period that it is indexed. The transaction does not
// wait for the disk: after a crash the period is indexed again.
func store(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record) error {
	next := *r
	next.Indexed, next.Removed = true, nil
	err := b.Owner().UpdateLater(ctx, nil, func(tx *engine.Tx) error {
		if err := check(tx, b, st, t, r); err != nil {
			return err
		}
		b.Owner().NoteEnd(tx, catalog.OnCommit(func() { t.ReplaceRecord(&next) })) // before others can change it
		return PutRecord(tx, t, &next)
	})
	if err == errDropped {
		return nil
	}
	return err
}

// check returns errDropped if a period has been dropped, and ErrAgain if the board is being migrated or dropped, or its record is another one by now: of groups, which follow the moderation
// of their members. It takes the lock of the board's private keys first:
// a migration that begins after the check stores its records after the transaction.
func check(tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record) error {
	_, ok, err := tx.Get(boardkey.Record(st.Name, t.Window.Name, r.Period))
	switch {
	case err != nil:
		return err
	case !ok:
		return errDropped
	case b.CheckWritable(st) != nil || t.RecordOf(r.Period) != r:
		return state.ErrAgain
	}
	return nil
}

// put puts entries into the index, in one commit, and rests. lo is the place of the first of them, -1 if they are of hidden members.
func put(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record, lo int, entries []entry) error {
	begin := time.Now()
	err := b.Owner().UpdateLater(ctx, nil, func(tx *engine.Tx) error {
		if err := check(tx, b, st, t, r); err != nil {
			return err
		}
		for i, e := range entries {
			p := Place{Window: t.Window.Name, Period: r.Period, Place: lo + i, Score: e.Score, Tie: e.Tie}
			if lo < 0 {
				p.Place, p.Hidden = -1, true
			}
			if err := Put(tx, st.Name, string(e.Member), p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return catalog.Rest(ctx, begin)
}

// PutRecord stores the record of a closed period.
func PutRecord(tx *engine.Tx, t *state.Timeline, r *state.Record) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Record(t.Board, t.Window.Name, r.Period), text)
}

// walk calls found with the entries of sets of a closed period, step at a time, and the place of the first of them. What found gets is valid
// until it returns. O(members).
func walk(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record, keys []string, found func(lo int, entries []entry) error) error {
	defer b.Env().Idle.NoteRead(b.Engine().Now(), t.SetKeys(r.Period)...) // the evictor evicts them again
	if len(keys) > 1 {
		all, err := catalog.CopySets(context.Background(), b.Owner(), keys, st.Form)
		if err != nil {
			return err
		}
		return steps(all.View(), found)
	}
	var entries []entry
	for lo := 0; ; lo += step {
		if err := read(ctx, b, st, keys[0], func(v *zset.IntView) { entries = v.Append(entries[:0], lo, lo+step) }); err != nil {
			return err
		}
		if len(entries) == 0 {
			return nil
		}
		if err := found(lo, entries); err != nil {
			return err
		}
	}
}

// steps calls found with the entries of a set, step at a time.
func steps(v *zset.IntView, found func(lo int, entries []entry) error) error {
	var entries []entry
	for lo := 0; lo < v.Len(); lo += step {
		entries = v.Append(entries[:0], lo, lo+step)
		if err := found(lo, entries); err != nil {
			return err
		}
	}
	return nil
}

// read calls fn with a set of the board.
func read(ctx context.Context, b *catalog.Board, st *state.State, key string, fn func(*zset.IntView)) error {
	tx, err := b.Owner().BeginView(ctx, key, true)
	if err != nil {
		return err
	}
	defer b.Owner().EndView(tx)
	set, err := tx.IntSet(key, st.Form)
	if err == nil {
		fn(set.IntView)
	}
	return err
}

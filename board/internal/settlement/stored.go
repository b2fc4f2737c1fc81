package settlement

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Stored is an award as it is stored, with what is noted of it: for boards that are written to a file and made of one.
type Stored struct {
	Member       string
	Place        int64  // in the ranking, from 0
	Rank         uint32 // from 1
	Revision     uint8
	Due, Granted uint64 // sets of tiers: tier i of Settling.Table is bit i
	Failed       bool
	Withheld     bool
	Failures     int
	Next         int64 // when it is tried again, in microseconds after 1970
	Reason       string
}

// ReadStored returns the awards of a settlement, by place. O(awards). Errors: those of the engine.
func ReadStored(ctx context.Context, b *catalog.Board, t *state.Settlement) (list []Stored, err error) {
	z, err := catalog.CopySets(ctx, b.Owner(), []string{t.Key}, t.Now().Form())
	if err != nil {
		return nil, err
	}
	for x := range z.Entries(0, z.Len()) {
		e := decodeEntry(x.Score, x.Tie)
		list = append(list, Stored{Member: string(x.Member), Place: e.place, Rank: e.rank, Revision: e.revision, Due: e.due, Granted: e.granted,
			Failed: e.flag == failed, Withheld: e.flag == withheld})
	}
	return list, b.Engine().View(ctx, func(tx *engine.Tx) error {
		for i := range list {
			a := &list[i]
			if !a.Failed && !a.Withheld {
				continue
			}
			text, ok, err := tx.Get(boardkey.Note(b.State().Name, t.Window, t.Period, a.Member))
			if err != nil || !ok {
				return err
			}
			var n note
			if err := json.Unmarshal(text, &n); err != nil {
				return err
			}
			a.Failures, a.Next, a.Reason = n.Failures, n.Next, n.Reason
		}
		return nil
	})
}

// Restore stores the settlement of a closed period of a board that is being made, with its awards, and adds it to the window. Errors: awards that the settlement
// cannot have; those of the engine.
func Restore(ctx context.Context, env *catalog.Env, board string, line *state.Timeline, period string, s *state.Settling, list []Stored) error {
	t := state.NewSettlement(board, line.Window.Name, period, s)
	form := s.Form()
	b, err := form.Builder()
	if err != nil {
		return err
	}
	if len(list) != s.Awards {
		return fmt.Errorf("the settlement of %s has %d awards, and there are %d", period, s.Awards, len(list))
	}
	waiting := 0
	for _, a := range list {
		e, err := a.entry(s)
		if err != nil {
			return err
		}
		if e.waits(s) {
			waiting++
		}
		var tie [maxTie]byte
		if err := b.AddTied([]byte(a.Member), e.appendTie(tie[:0], s), e.place); err != nil {
			return fmt.Errorf("award of %q: %w", a.Member, err)
		}
	}
	if err := restoreSet(ctx, env, t, b.Set()); err != nil {
		return err
	}
	t.Waiting.Store(int64(waiting))
	for _, a := range list {
		if a.Failures > 0 {
			t.SetRetry(a.Member, state.Retry{Failures: a.Failures, At: a.Next})
		}
	}
	line.AddSettlement(t)
	return env.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		for _, a := range list {
			if !a.Failed && !a.Withheld {
				continue
			}
			text, err := json.Marshal(note{a.Failures, a.Next, a.Reason})
			if err == nil {
				err = tx.Put(boardkey.Note(board, t.Window, t.Period, a.Member), text)
			}
			if err != nil {
				return err
			}
		}
		if err := tx.Put(boardkey.Waiting(board, t.Window, t.Period), strconv.AppendInt(nil, int64(waiting), 10)); err != nil {
			return err
		}
		return PutFirst(tx, board, t.Window, t.Period, s)
	})
}

// restoreSet stores the set of awards, if there are any.
func restoreSet(ctx context.Context, env *catalog.Env, t *state.Settlement, z *zset.IntSet) error {
	if z.Len() == 0 {
		return nil
	}
	return env.Owner.StoreInts(ctx, t.Key, z)
}

// entry returns an award as it is in the set.
func (a *Stored) entry(s *state.Settling) (e entry, err error) {
	e = entry{place: a.Place, revision: a.Revision, rank: a.Rank, due: a.Due, granted: a.Granted}
	switch tiers := len(s.Table); {
	case a.Failed && a.Withheld, a.Place < 0, (a.Due|a.Granted)>>tiers != 0 && tiers < 64:
		return e, fmt.Errorf("award of %q: its place, its state or its tiers are none that it can have", a.Member)
	case a.Failed:
		e.flag = failed
	case a.Withheld:
		e.flag = withheld
	}
	return e, nil
}

package settlement

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Summaries returns the settlements of a window in order of time: see Board.Settlements.
func Summaries(b *catalog.Board, window string) (list []awards.Settlement, err error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	now := b.Engine().Now()
	for _, s := range t.Settlements() {
		list = append(list, summaryOf(st.Name, t, s, now))
	}
	return list, nil
}

func summaryOf(boardName string, t *state.Timeline, of *state.Settlement, now time.Time) awards.Settlement {
	s, zone := of.Now(), t.Cal.Zone()
	x := awards.Settlement{Board: boardName, Window: of.Window, Period: of.Period, End: s.End.In(zone), ClosedAt: s.ClosedAt.In(zone), Settled: s.Settled, Revision: s.Revision,
		Plan: s.Plan, Without: s.Without, Reason: s.Reason, Awards: s.Awards}
	x.Waiting, x.Failed, x.Expired = of.Counts(now)
	if at, ok := s.Expires(); ok {
		x.Expires = at.In(zone)
	}
	return x
}

// page is how many awards All reads at once.
const page = 256

// All iterates over the awards of a period, by place: see Board.Awards.
func All(ctx context.Context, b *catalog.Board, window, period string) iter.Seq2[awards.Award, error] {
	return func(yield func(awards.Award, error) bool) {
		var w work
		err := b.Env().CheckNotInTx()
		if err == nil {
			w, err = settlementOf(b, window, period)
		}
		next := int64(0)
		for more := true; more && err == nil; {
			var list []awards.Award
			if list, next, err = w.page(ctx, next); err != nil {
				break
			}
			for _, a := range list {
				if !yield(a, nil) {
					return
				}
			}
			more = len(list) > 0
		}
		if err != nil {
			yield(awards.Award{}, err)
		}
	}
}

// page returns the awards from a place on, and the place behind them.
func (w work) page(ctx context.Context, from int64) (list []awards.Award, next int64, err error) {
	s, next := w.s.Now(), from
	if !s.Settled {
		return nil, next, nil
	}
	now := w.b.Engine().Now().UnixMicro()
	err = w.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := tx.IntSet(w.s.Key, s.Form())
		if err != nil {
			return err
		}
		n, err := w.names(tx, set.IntView)
		if err != nil {
			return err
		}
		lo := set.Seek(from, nil)
		for x := range set.Entries(lo, lo+page) {
			next = x.Score + 1
			a, err := w.noted(tx, &n, s, string(x.Member), decodeEntry(x.Score, x.Tie), now)
			if err != nil {
				return err
			}
			list = append(list, a)
		}
		return nil
	}, w.s.Key)
	w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key)
	if err == nil {
		err = w.score(ctx, len(list), func(i int) *awards.Award { return &list[i] })
	}
	return list, next, err
}

// noted returns an award with what is noted of it.
func (w work) noted(tx *engine.Tx, n *names, s *state.Settling, member string, e entry, now int64) (awards.Award, error) {
	a := w.award(n, s, member, e, now)
	if e.flag == plain {
		return a, nil
	}
	text, ok, err := tx.Get(boardkey.Note(a.Board, a.Window, a.Period, member))
	if err != nil || !ok {
		return a, err
	}
	var x note
	if err := json.Unmarshal(text, &x); err != nil {
		return a, err
	}
	if a.Failures, a.Reason = x.Failures, x.Reason; x.Next != 0 {
		a.Next = time.UnixMicro(x.Next).In(w.t.Cal.Zone())
	}
	return a, nil
}

// Of returns the awards of a member in all periods, in order of time: see Board.AwardsOf. wanted selects settlements.
func Of(ctx context.Context, b *catalog.Board, member string, wanted func(s *state.Settling) bool) (list []awards.Award, err error) {
	st, err := b.Readable()
	if err != nil {
		return nil, err
	}
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
	now := b.Engine().Now().UnixMicro()
	for _, t := range st.Timelines {
		for _, of := range t.Settlements() {
			w, s := work{b, t, of}, of.Now()
			if !s.Settled || !wanted(s) {
				continue
			}
			err := b.Engine().View(ctx, func(tx *engine.Tx) error {
				set, err := tx.IntSet(of.Key, s.Form())
				if err != nil {
					return err
				}
				e, ok := entryOf(set.IntView, member)
				if !ok {
					return nil
				}
				n, err := w.names(tx, set.IntView)
				if err != nil {
					return err
				}
				a, err := w.noted(tx, &n, s, member, e, now)
				list = append(list, a)
				return err
			}, of.Key)
			if err != nil {
				return nil, err
			}
			b.Env().Idle.NoteRead(b.Engine().Now(), of.Key)
		}
	}
	return list, nil
}

// Claimable returns the awards that a member can claim now: see Board.Claimable.
func Claimable(ctx context.Context, b *catalog.Board, member string) (list []awards.Award, err error) {
	now := b.Engine().Now()
	all, err := Of(ctx, b, member, func(s *state.Settling) bool {
		at, expires := s.Expires()
		return s.Plan.Claim && !(expires && !now.Before(at))
	})
	for _, a := range all {
		if a.State == awards.Waiting {
			list = append(list, a)
		}
	}
	return list, err
}

// CountWaiting returns how many awards of a set wait, and false if an entry is none of the settlement.
func CountWaiting(v *zset.IntView, s *state.Settling) (waiting int, ok bool) {
	if v.TieWidth() != s.Form().TieWidth {
		return 0, v.Len() == 0
	}
	for x := range v.Entries(0, v.Len()) {
		e := decodeEntry(x.Score, x.Tie)
		if (e.due|e.granted)>>len(s.Table) != 0 || e.flag > withheld || int(e.revision) > s.Revision {
			return 0, false
		}
		if e.waits(s) {
			waiting++
		}
	}
	return waiting, true
}

package leagues

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// work is a closed period of a board whose cohorts are to be settled.
type work struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	p    *state.Promoting
	slot *state.Slot
}

// newWork returns the work on a closed period. Error: of a period that the window does not have.
func newWork(b *catalog.Board, st *state.State, t *state.Timeline, p *state.Promoting) (w work, err error) {
	period, err := t.Cal.Parse(p.Period)
	if err != nil {
		return w, err
	}
	return work{b, st, t, p, t.SlotOf(period)}, nil
}

// held calls do while the state of the board stays as it is. Error: ErrAgain if it has another one.
func (w work) held(do func() error) error {
	release, ok := w.b.TryHoldState()
	if !ok {
		return state.ErrAgain
	}
	defer release()
	if w.b.State() != w.st {
		return state.ErrAgain
	}
	return do()
}

// update settles one cohort, unless it is settled, in a transaction of a kind. It reports whether
// it has.
func (w work) update(ctx context.Context, n number,
	run func(ctx context.Context, keys []string, fn func(*engine.Tx) error) error) (settled bool, err error) {
	for {
		err = run(ctx, []string{w.slot.CohortKey, w.slot.Key, w.t.TierKey}, func(tx *engine.Tx) (err error) {
			settled, err = w.settle(tx, n)
			return err
		})
		if err != state.ErrMoved {
			return settled, err
		}
		w.slot.WaitForSteps()
	}
}

// settle settles one cohort in a transaction, unless it is settled. It reports whether it has.
func (w work) settle(tx *engine.Tx, n number) (settled bool, err error) {
	if err := w.b.CheckWritable(w.st); err != nil {
		return false, err
	}
	set, err := open(tx, w.slot.CohortKey)
	if err != nil {
		return false, err
	}
	tiers, err := open(tx, w.t.TierKey)
	if err != nil {
		return false, err
	}
	members := membersOf(set.IntView, n)
	if len(members) == 0 {
		return false, nil
	}
	if _, o := split(members[0].Score); o != board.Unsettled {
		return false, nil
	}
	ranked, err := inOrder(tx, w.b, w.st, w.t, w.slot, members)
	if err != nil {
		return false, err
	}
	promoted, relegated := zones(ranked, w.p.Up, w.p.Down, n.tier(), w.p.Tiers)
	for place, e := range members {
		o := board.ZoneStay
		if place < ranked {
			o = outcome(place, ranked, promoted, relegated)
		}
		if _, err := set.Add(e.Member, n.score(o)); err != nil {
			return false, err
		}
		if err := w.move(tx, tiers, e.Member, o); err != nil {
			return false, err
		}
		if place%64 == 63 {
			runtime.Gosched()
		}
	}
	return true, nil
}

// move promotes or relegates a member. An operator may have set its tier since it was put into the
// cohort: it goes one up or down from there.
func (w work) move(tx *engine.Tx, tiers *engine.IntSet, member []byte, o board.Zone) error {
	if o == board.ZoneStay {
		return nil
	}
	was, names := tierOf(tiers, w.st, member), w.st.Spec.Leagues.Tiers
	next, kind := min(was+1, len(names)-1), feed.Promoted
	if o == board.ZoneDown {
		next, kind = max(was-1, 0), feed.Relegated
	}
	if next == was {
		return nil
	}
	if err := putTier(tiers, member, next); err != nil {
		return err
	}
	return events.Note(w.b.Owner(), tx, w.st, &feed.Event{Kind: kind, Window: w.t.Window.Name, Period: w.p.Period, Member: string(member), Groups: "tier", Group: names[next]})
}

// membersOf returns copies of the entries of a cohort. O(log members + size).
func membersOf(v *zset.IntView, n number) []zset.IntEntry {
	return v.Append(nil, v.Seek(n.score(0), nil), v.Seek((n+1).score(0), nil))
}

// ranked is a member of a cohort with its entry in the ranking.
type ranked struct {
	zset.IntEntry       // of the cohort
	is            bool  // it is ranked
	score         int64 // then
	tie           []byte
}

// compare orders the members that are ranked as the ranking does, and all others behind them, as
// they are.
func (r ranked) compare(other ranked) int {
	switch {
	case r.is != other.is && r.is:
		return -1
	case r.is != other.is:
		return 1
	case !r.is:
		return 0
	}
	return cmp.Or(cmp.Compare(r.score, other.score), bytes.Compare(r.tie, other.tie), bytes.Compare(r.Member, other.Member))
}

// inOrder sorts the members of a cohort, the ranked ones first and in the order of the ranking, and
// returns the number of these. O(size log size). Errors: ErrMoved, those of the engine.
func inOrder(tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot,
	members []zset.IntEntry) (n int, err error) {
	err = b.Owner().Lock(tx, func() (keys []string, _ error) {
		for _, e := range members {
			p := place.Of(b, st, t, slot, string(e.Member))
			keys = p.AppendKeys(keys, false)
		}
		return keys, nil
	})
	if err != nil {
		return 0, err
	}
	entryOf, err := place.Lookup(tx, b, st, t, slot)
	if err != nil {
		return 0, err
	}
	list := make([]ranked, len(members))
	for i, e := range members {
		score, tie, is, err := entryOf(e.Member)
		if err != nil {
			return 0, err
		}
		if list[i] = (ranked{e, is, score, bytes.Clone(tie)}); is {
			n++
		}
	}
	slices.SortStableFunc(list, ranked.compare)
	for i := range list {
		members[i] = list[i].IntEntry
	}
	return n, nil
}

// next returns the first cohort at or behind a number whose members have no outcome, and false if
// there is none. from is where to look on next time.
func (w work) next(ctx context.Context, from number) (n number, ok bool, err error) {
	err = w.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := open(tx, w.slot.CohortKey)
		if err != nil {
			return err
		}
		for n = from; ; n++ {
			at := set.Seek(n.score(0), nil)
			if at == set.Len() {
				return nil
			}
			for _, score := range set.Range(at, at+1) {
				var o board.Zone
				if n, o = split(score); o == board.Unsettled {
					ok = true
					return nil
				}
			}
		}
	}, w.slot.CohortKey)
	return n, ok, err
}

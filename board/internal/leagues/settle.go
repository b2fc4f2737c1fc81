package leagues

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// work is a closed period of a board whose cohorts are to be settled.
type work struct {
	b  *catalog.Board
	st *state.State
	t  *state.Timeline
	p  *state.Promoting
}

// keys returns the keys of the sets that settling needs.
func (w work) keys() []string {
	return []string{w.t.Key(w.p.Period), w.t.CohortKey(w.p.Period), w.t.TierKey}
}

// settle settles one cohort in a transaction, unless it is settled. It reports whether it has.
func (w work) settle(tx *engine.Tx, n number) (settled bool, err error) {
	if err := w.b.CheckWritable(w.st); err != nil {
		return false, err
	}
	set, err := open(tx, w.t.CohortKey(w.p.Period))
	if err != nil {
		return false, err
	}
	tiers, err := open(tx, w.t.TierKey)
	if err != nil {
		return false, err
	}
	ranking, err := tx.IntSet(w.t.Key(w.p.Period), w.st.Form)
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
	ranked := inOrder(ranking.IntView, members)
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

// move promotes or relegates a member. An operator may have set its tier since it was put into the cohort: it goes one up or down from there.
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

// inOrder sorts the members of a cohort, the ranked ones first and in the order of the ranking, and returns the number of these. O(size log n).
func inOrder(ranking *zset.IntView, members []zset.IntEntry) (ranked int) {
	type place struct {
		e  zset.IntEntry
		at int
	}
	list := make([]place, len(members))
	for i, e := range members {
		at, ok := ranking.Rank(e.Member)
		if list[i] = (place{e, at}); ok {
			ranked++
		} else {
			list[i].at = ranking.Len()
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for i := range list {
		members[i] = list[i].e
	}
	return ranked
}

// next returns the first cohort at or behind a number whose members have no outcome, and false if there is none. from is where to look on next time.
func (w work) next(ctx context.Context, from number) (n number, ok bool, err error) {
	err = w.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := open(tx, w.t.CohortKey(w.p.Period))
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
	}, w.t.CohortKey(w.p.Period))
	return n, ok, err
}

package events

import (
	"cmp"
	"slices"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Writer writes the events of one transaction.
type Writer struct {
	Owner   engine.Owner
	Tx      *engine.Tx
	State   *state.State
	Watches *Watches
}

// Note is Note of the package.
func (w *Writer) Note(e *feed.Event) error { return Note(w.Owner, w.Tx, w.State, e) }

// Move is what a transaction has done to one member in the ranking of one open period. Ranks are from 0, and -1 without an entry. In a ranking of the best n all
// others have the rank n.
type Move struct {
	T             *state.Timeline
	Period        string
	Member        string // "" if it is erased: then no event names it
	Before, After int
}

// places returns the number of first places of a ranking whose changes are events.
func (w *Writer) places(t *state.Timeline) int {
	n := w.State.Spec.Feed.Places()
	if t.Top != nil {
		n = min(n, t.Top.N)
	}
	return n
}

// Moved writes the events of the others: who is overtaken, and who comes to and leaves the first places. set is the ranking after the move, of one of the best n
// their set. O(log n + events), and O(watched members log n) or O(passed members) for those beyond the first places, whichever are fewer.
func (w *Writer) Moved(m *Move, set *engine.IntSet) error {
	if !Has(w.State) {
		return nil
	}
	if err := w.came(m, set); err != nil {
		return err
	}
	if err := w.Passed(m, set); err != nil {
		return err
	}
	return w.left(m, set)
}

// Opened writes that the ranking has got its first member, if the move has done so. set is the ranking after the move.
func (w *Writer) Opened(m *Move, set *engine.IntSet) error {
	if m.Before >= 0 || m.After != 0 || set.Len() != 1 || !Has(w.State) {
		return nil
	}
	return w.Note(m.event(feed.PeriodOpened))
}

// event returns an event of the ranking.
func (m *Move) event(k feed.Kind) *feed.Event {
	return &feed.Event{Kind: k, Window: m.T.Window.Name, Period: m.Period}
}

// came writes who leads now and did not, and who has come to the first places.
func (w *Writer) came(m *Move, set *engine.IntSet) error {
	top := w.places(m.T)
	if top == 0 {
		return nil
	}
	switch isIn, wasIn := m.After == 0, m.Before == 0; {
	case isIn && !wasIn:
		e := m.event(feed.NewLeader)
		e.Member, e.Rank, e.Before, e.Other = m.Member, 1, m.Before+1, memberAt(set, 1)
		if err := w.Note(e); err != nil {
			return err
		}
	case wasIn && !isIn && set.Len() > 0:
		e := m.event(feed.NewLeader)
		e.Member, e.Rank, e.Before, e.Other = memberAt(set, 0), 1, 2, m.Member
		if err := w.Note(e); err != nil {
			return err
		}
	}
	e := m.event(feed.EnteredTop)
	switch isIn, wasIn := m.isIn(m.After, top), m.isIn(m.Before, top); {
	case isIn && !wasIn:
		e.Member, e.Rank, e.Before = m.Member, m.After+1, m.Before+1
	case wasIn && !isIn && set.Len() >= top:
		e.Member, e.Rank, e.Before = memberAt(set, top-1), top, top+1
	default:
		return nil
	}
	return w.Note(e)
}

// left writes who has left the first places.
func (w *Writer) left(m *Move, set *engine.IntSet) error {
	top := w.places(m.T)
	e := m.event(feed.LeftTop)
	switch isIn, wasIn := m.isIn(m.After, top), m.isIn(m.Before, top); {
	case isIn && !wasIn && set.Len() > top:
		e.Member, e.Rank, e.Before, e.By = memberAt(set, top), top+1, top, m.Member
	case wasIn && !isIn && m.Member != "":
		e.Member, e.Rank, e.Before = m.Member, m.After+1, m.Before+1
	default:
		return nil
	}
	return w.Note(e)
}

// isIn reports whether a rank is one of the first places.
func (m *Move) isIn(rank, top int) bool { return rank >= 0 && rank < top }

// Passed writes whom the member has overtaken: of the first places, and of those that watch.
func (w *Writer) Passed(m *Move, set *engine.IntSet) error {
	last := m.Before // the present rank of the last member that was passed
	if last < 0 {
		last = set.Len() - 1
	}
	if m.T.Top != nil {
		last = min(last, m.T.Top.N)
	}
	if m.After < 0 || last <= m.After {
		return nil
	}
	last = min(last, set.Len()-1)
	top := w.places(m.T)
	rank := m.After
	for e := range set.Entries(m.After+1, min(last, top)+1) {
		rank++
		if err := w.overtaken(m, string(e.Member), rank, e.Score, e.Tie); err != nil {
			return err
		}
	}
	return w.watched(m, set, max(m.After, top)+1, last+1)
}

// overtaken writes that a member, which has this rank and entry now, was overtaken.
func (w *Writer) overtaken(m *Move, member string, rank int, score int64, tie []byte) error {
	e := m.event(feed.Overtaken)
	e.Member, e.By, e.Rank, e.Before = member, m.Member, rank+1, rank
	e.Score = w.State.Rules.Decode(score, tie).Score
	return w.Note(e)
}

// seen is a watched member in a ranking.
type seen struct {
	member string
	rank   int
}

// watched writes which members that watch, of those with the present ranks [lo, hi), were overtaken: in the order of ranks.
func (w *Writer) watched(m *Move, set *engine.IntSet, lo, hi int) error {
	n := w.Watches.Len()
	if n == 0 || lo >= hi {
		return nil
	}
	var all []seen
	if n <= hi-lo {
		w.Watches.each(func(member string) {
			if rank, ok := set.Rank([]byte(member)); ok && rank >= lo && rank < hi {
				all = append(all, seen{member, rank})
			}
		})
		slices.SortFunc(all, func(a, b seen) int { return cmp.Compare(a.rank, b.rank) })
	} else {
		rank := lo - 1
		for e := range set.Entries(lo, hi) {
			if rank++; w.Watches.Has(e.Member) {
				all = append(all, seen{string(e.Member), rank})
			}
		}
	}
	for _, x := range all {
		score, tie, _ := set.Get([]byte(x.member))
		if err := w.overtaken(m, x.member, x.rank, score, tie); err != nil {
			return err
		}
	}
	return nil
}

// memberAt returns the member with a rank, and "" if there is none.
func memberAt(set *engine.IntSet, rank int) string {
	for e := range set.Entries(rank, rank+1) {
		return string(e.Member)
	}
	return ""
}

// Top returns the members of the first places of a ranking, whose changes are events.
func (w *Writer) Top(t *state.Timeline, set *engine.IntSet) (members []string) {
	if !Has(w.State) {
		return nil
	}
	for e := range set.Entries(0, min(w.places(t), set.Len())) {
		members = append(members, string(e.Member))
	}
	return members
}

// Merged writes who has come to and left the first places of a ranking, which had the members of before there: the result of a change of two members.
func (w *Writer) Merged(t *state.Timeline, period string, before []string, set *engine.IntSet) error {
	m := &Move{T: t, Period: period}
	after := w.Top(t, set)
	if len(after) > 0 && (len(before) == 0 || before[0] != after[0]) {
		e := m.event(feed.NewLeader)
		e.Member, e.Rank, e.Before = after[0], 1, slices.Index(before, after[0])+1
		if len(before) > 0 {
			e.Other = before[0]
		}
		if err := w.Note(e); err != nil {
			return err
		}
	}
	for i, member := range after {
		if slices.Contains(before, member) {
			continue
		}
		e := m.event(feed.EnteredTop)
		e.Member, e.Rank = member, i+1
		if err := w.Note(e); err != nil {
			return err
		}
	}
	for i, member := range before {
		if slices.Contains(after, member) {
			continue
		}
		e := m.event(feed.LeftTop)
		e.Member, e.Before = member, i+1
		if err := w.Note(e); err != nil {
			return err
		}
	}
	return nil
}

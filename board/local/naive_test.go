package local

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// naive is the oracle of a board: it keeps entries in maps and sorts them for every result. It uses package rules, which has another oracle
// in its own tests.
type naive struct {
	spec    board.Spec
	version int
	rules   *rules.Rules
	windows []*naiveWindow
	once    map[string]time.Time
	arrival uint64
	history []naiveLogged // since the last migration that has written the rankings anew
	journal []naiveLogged // the rows that are kept
	number  uint64        // of the last row
	audits  uint64        // the number of entries of the audit log
	peak    time.Time     // the last time of which expire was called since the last row: the clock may have been set back after it
}

type naiveWindow struct {
	board.Window
	cal     *window.Calendar
	through time.Time // the window is closed up to this time; zero: nothing is closed
	periods map[string]*naivePeriod
	bases   map[string]naiveEntries
	best    map[string]int
	results map[string][]naiveResult // of a rolling window, by member, in the order of arrival
	kept    map[string][]rules.Entry // all results in the order of arrival, by keptKey, for operators that add up some of them or go by their times

	base     map[string]naiveBase   // the entries when the history began, by keptKey
	migrated map[string]rules.Entry // the entries at the last migration, by keptKey, for operators that go by the times of results
}

type naivePeriod struct {
	board.Period
	entries naiveEntries
}

type naiveEntries map[string]naiveEntry

type naiveEntry struct {
	rules.Entry
	meta string
}

func newNaive(spec board.Spec) *naive {
	n := &naive{once: map[string]time.Time{}, version: 1}
	n.respec(spec)
	return n
}

// respec sets the spec. Windows of the same name keep their periods.
func (n *naive) respec(spec board.Spec) {
	spec = spec.WithDefaults()
	r, err := spec.Rules()
	if err != nil {
		panic(err)
	}
	old := n.windows
	n.spec, n.rules, n.windows = spec, r, nil
	for _, w := range spec.Windows {
		cal, err := w.Calendar()
		if err != nil {
			panic(err)
		}
		nw := &naiveWindow{periods: map[string]*naivePeriod{}, bases: map[string]naiveEntries{}, best: map[string]int{}, results: map[string][]naiveResult{},
			kept: map[string][]rules.Entry{}}
		if i := slices.IndexFunc(old, func(o *naiveWindow) bool { return o.Name == w.Name }); i >= 0 {
			nw = old[i]
		}
		nw.Window, nw.cal = w, cal
		n.windows = append(n.windows, nw)
	}
}

// migrate is Boards.Migrate for a conversion without errors.
func (n *naive) migrate(spec board.Spec) {
	before, top, was := n.rules, n.spec.Top != nil, n.spec
	sameVersion := spec.Differences(was.WithJournal(spec.Journal)) == nil && (was.Journal == 0 || spec.Journal > 0)
	if sameVersion {
		spec.Windows = was.Windows // in the order that they had
	}
	n.respec(spec)
	n.resizeJournal()
	if sameVersion {
		return
	}
	n.version++
	for i := range n.journal { // rows of earlier versions do not tell windows
		n.journal[i].Windows = nil
	}
	open, frozen := rules.Convert(before, n.rules), rules.ConvertFrozen(before, n.rules)
	for _, w := range n.windows {
		all := slices.Collect(maps.Values(w.bases))
		closed := len(all)
		for _, p := range w.periods {
			if w.closed(p.Period) {
				all = slices.Insert(all, closed, p.entries)
				closed++
			} else {
				all = append(all, p.entries)
			}
		}
		for i, entries := range all {
			convert := open
			if i < closed {
				convert = frozen
			}
			for member, e := range entries {
				next, err := convert(e.Entry)
				if err != nil {
					panic(err)
				}
				if top || n.isInParts() && i >= len(w.bases) {
					next.Arrival = 0
				}
				entries[member] = naiveEntry{next, e.meta}
			}
		}
		if n.rules.K() == 0 {
			w.restartTimes()
		}
	}
	n.rebase()
}

func (w *naiveWindow) closed(p board.Period) bool {
	return !p.End.IsZero() && !w.through.IsZero() && !p.End.After(w.through)
}

// takes reports whether a period accepts results at a time.
func (w *naiveWindow) takes(p board.Period, now time.Time) bool {
	at, ends := w.cal.Closes(p)
	return !w.closed(p) && (!ends || now.Before(at))
}

// rows returns the ranking of entries, without metadata.
func (n *naive) rows(entries naiveEntries) []board.Row { return n.capped(n.allRows(entries)) }

// allRows is rows with the ranks of a board that ranks everybody.
func (n *naive) allRows(entries naiveEntries) []board.Row {
	members := slices.SortedFunc(maps.Keys(entries), func(a, b string) int { return n.compare(entries, a, b) })
	rows := make([]board.Row, len(members))
	for i, m := range members {
		rows[i] = board.Row{Rank: i + 1, Member: m, Score: entries[m].Score}
		if n.spec.Ties != board.ByMember {
			rows[i].Reached = time.UnixMicro(entries[m].Reached).UTC()
		}
	}
	return rows
}

// compare compares the places of two members: it returns a negative number if a is ranked before b.
func (n *naive) compare(entries naiveEntries, a, b string) int {
	x, y := entries[a], entries[b]
	if c := n.rules.Compare(x.Score, y.Score); c != 0 {
		return c
	}
	later := 0 // positive: a reached the score later than b
	switch {
	case n.spec.Ties == board.ByMember:
		return strings.Compare(a, b)
	case x.Reached != y.Reached:
		later = int(min(max(x.Reached-y.Reached, -1), 1))
	case x.Arrival != y.Arrival && n.spec.Top == nil:
		later = 1
		if x.Arrival < y.Arrival {
			later = -1
		}
	}
	if n.spec.Ties == board.LastToReach {
		later = -later
	}
	if later == 0 {
		return strings.Compare(a, b)
	}
	return later
}

// fill finds the periods of a submission. It refuses the submission if one is closed, unless a Once key says that it may be a retry.
func (n *naive) fill(sub board.Submission, now time.Time) (periods []board.Period, err error) {
	for _, w := range n.windows {
		p, err := w.cal.At(sub.At)
		if err != nil {
			return nil, err
		}
		if p.Start.After(now) {
			return nil, board.ErrTime
		}
		periods = append(periods, p)
	}
	for i, p := range periods {
		if n.windows[i].closed(p) && sub.Once == "" {
			return nil, board.ErrPeriodClosed
		}
	}
	return periods, nil
}

// submitAll is Board.SubmitAll. Every submission has a time. After an error all entries are as before, but periods that the batch has opened
// stay open, as on a board. at is the index of the submission with the error.
func (n *naive) submitAll(subs []board.Submission, score func(board.Row, bool) (board.Score, bool), now time.Time) (changes []board.Change, at int, err error) {
	fills := make([][]board.Period, len(subs))
	for i, sub := range subs {
		if fills[i], err = n.of(sub.Windows).fill(sub, now); err != nil {
			return nil, i, err
		}
	}
	saved := n.clone()
	for i, sub := range subs {
		part := n.of(sub.Windows)
		c, err := part.submit(sub, fills[i], score, now)
		if err != nil {
			for w, nw := range n.windows {
				for name, p := range nw.periods {
					if saved.windows[w].periods[name] == nil {
						saved.windows[w].periods[name] = &naivePeriod{p.Period, naiveEntries{}}
					}
				}
			}
			*n = *saved
			return nil, i, err
		}
		n.take(part)
		changes = append(changes, c)
	}
	return changes, 0, nil
}

// submit applies a submission to its periods, and returns the Change. score is that of Board.SubmitFunc, or nil.
func (n *naive) submit(sub board.Submission, periods []board.Period, score func(board.Row, bool) (board.Score, bool), now time.Time) (board.Change, error) {
	used, duplicate := n.once[sub.Once]
	duplicate = duplicate && now.Sub(used) < time.Duration(n.spec.OnceFor)
	c := board.Change{Duplicate: duplicate, Others: make([]board.Move, len(periods)-1)}
	if len(periods) == 1 {
		c.Others = nil
	}
	before := make([][]board.Row, len(periods))
	for i, p := range periods {
		before[i] = n.rows(n.entries(i, p))
		*moveOf(&c, i) = board.Move{Window: n.windows[i].Name, Period: p.Name, Len: len(n.ranked(before[i]))}
		moveOf(&c, i).Before, moveOf(&c, i).Ranked = rowIn(before[i], sub.Member)
		moveOf(&c, i).After = moveOf(&c, i).Before
	}
	if !duplicate {
		next, skipped, err := n.decide(&c, sub, periods, score, now)
		if err != nil {
			return board.Change{}, err
		}
		if c.Skipped = skipped; !skipped {
			n.store(&c, sub, periods, next, before, now)
			n.record(sub, periods)
			n.recordKept(sub, periods)
			n.logSubmission(&c, sub, periods, next, now)
		}
	}
	for i, p := range periods {
		m := moveOf(&c, i)
		rows := n.rows(n.entries(i, p))
		if rows = n.ranked(rows); sub.Near > 0 && m.After.Rank > 0 && !m.After.Beyond {
			size := min(2*sub.Near+1, len(rows))
			lo := min(max(m.After.Rank-1-sub.Near, 0), len(rows)-size)
			m.Near = rows[lo : lo+size]
		}
	}
	return c, nil
}

// decide returns the member's new entry in each period, nil for one that does not change: then its move gets the reason. The moves of c have the rows before.
func (n *naive) decide(c *board.Change, sub board.Submission, periods []board.Period, score func(board.Row, bool) (board.Score, bool), now time.Time) (next []*naiveEntry, skipped bool, err error) {
	was := c.Before
	for i, p := range periods {
		w := n.windows[i]
		if !w.takes(p, now) || w.isRolling() && !now.Before(naiveLeaves(w.Window, sub.At)) {
			return nil, false, board.ErrPeriodClosed
		}
	}
	ranked := was.Rank > 0
	if score != nil {
		s, ok := score(was, ranked)
		if !ok {
			return nil, true, nil
		}
		sub.Score = s
	}
	switch sub.If {
	case board.IfNew:
		skipped = ranked
	case board.IfRanked:
		skipped = !ranked
	case board.IfBetter:
		own, err := n.rules.Check(sub.Score)
		if err != nil {
			return nil, false, err
		}
		skipped = ranked && n.rules.Compare(own, was.Score) >= 0
	}
	if skipped {
		return nil, true, nil
	}
	n.arrival++
	member := sub.Member
	arrival := n.arrivalOf()
	for i, p := range periods {
		old, had := n.entries(i, p)[sub.Member]
		result, key := rules.Entry{Score: sub.Score, Reached: sub.At.UnixMicro(), Arrival: arrival}, keptKey(p.Name, member)
		e, changed, err := n.apply(n.windows[i], key, old.Entry, had, result)
		if err != nil {
			return nil, false, err
		}
		if !changed {
			moveOf(c, i).Ignored = n.ignored(n.windows[i], key, result)
		}
		if next = append(next, nil); changed {
			next[i] = &naiveEntry{e, old.meta}
			if sub.Meta != nil {
				next[i].meta = string(sub.Meta)
			}
		}
	}
	return next, false, nil
}

// apply applies a result to the entry of a member in a period, which key names.
func (n *naive) apply(w *naiveWindow, key string, old rules.Entry, had bool, sub rules.Entry) (next rules.Entry, changed bool, err error) {
	if n.rules.K() > 0 {
		return n.applyKept(old, had, w.kept[key], sub)
	}
	next, changed, _, err = n.rules.ApplyTimed(old, had, n.times(w, key), sub)
	return next, changed, err
}

// isInParts reports whether rankings may have several parts.
func (n *naive) isInParts() bool { return n.spec.Parts > 0 || n.spec.PartMembers > 0 }

// arrivalOf returns the arrival of an entry: in parts, members of equal score and time are in the order of their names.
func (n *naive) arrivalOf() uint64 {
	if n.isInParts() {
		return 0
	}
	return n.arrival
}

// store stores the Once key and the new entries, and fills in the moves. before has the rows of each period before the submission.
func (n *naive) store(c *board.Change, sub board.Submission, periods []board.Period, next []*naiveEntry, before [][]board.Row, now time.Time) {
	if sub.Once != "" {
		maps.DeleteFunc(n.once, func(_ string, used time.Time) bool { return now.Sub(used) >= time.Duration(n.spec.OnceFor) })
		n.once[sub.Once] = now
	}
	for i, p := range periods {
		if next[i] == nil {
			continue
		}
		w, m := n.windows[i], moveOf(c, i)
		if w.periods[p.Name] == nil {
			w.periods[p.Name] = &naivePeriod{p, naiveEntries{}}
		}
		w.periods[p.Name].entries[sub.Member] = *next[i]
		rows := n.rows(n.entries(i, p))
		m.Changed, m.Len = true, len(n.ranked(rows))
		m.After, _ = rowIn(rows, sub.Member)
		m.Improved = !m.Ranked || n.rules.Compare(m.After.Score, m.Before.Score) < 0
		if best := w.best[sub.Member]; n.spec.BestRanks && !m.After.Beyond && (best == 0 || m.After.Rank < best) {
			w.best[sub.Member] = m.After.Rank
		}
		if n.spec.Top != nil {
			n.pass(m, sub, rows, before[i])
			continue
		}
		behind := map[string]bool{} // the members ranked behind the member now
		for _, row := range rows[m.After.Rank:] {
			behind[row.Member] = true
		}
		passed := map[string]bool{}
		for j, row := range before[i] { // of them, those that were ranked before it
			if behind[row.Member] && (!m.Ranked || j < m.Before.Rank-1) {
				m.Passed++
				passed[row.Member] = true
			}
		}
		for _, row := range rows {
			if passed[row.Member] && len(m.Overtaken) < sub.Overtaken {
				m.Overtaken = append(m.Overtaken, row)
			}
		}
	}
}

// entries returns the entries of a period of window i, nil if there are none.
func (n *naive) entries(i int, p board.Period) naiveEntries {
	if np := n.windows[i].periods[p.Name]; np != nil {
		return np.entries
	}
	return nil
}

func rowIn(rows []board.Row, member string) (board.Row, bool) {
	i := slices.IndexFunc(rows, func(r board.Row) bool { return r.Member == member })
	if i < 0 {
		return board.Row{}, false
	}
	return rows[i], true
}

// moveOf returns what a submission did to the window with an index, from 0 in the spec's order.
func moveOf(c *board.Change, i int) *board.Move {
	if i == 0 {
		return &c.Move
	}
	return &c.Others[i-1]
}

// hasChanged reports whether a submission changed the entry in any window.
func hasChanged(c board.Change) bool {
	return c.Changed || slices.ContainsFunc(c.Others, func(m board.Move) bool { return m.Changed })
}

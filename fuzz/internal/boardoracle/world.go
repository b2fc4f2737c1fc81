package boardoracle

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// storedUnion is a union with what it was made by.
type storedUnion struct {
	rows []board.Row
	op   board.Op
	spec board.Spec // of the board then
}

// World is the state of a board: maps, sorted anew for every question.
type World struct {
	first   board.Spec // that it began with, and has again after Redefine
	spec    board.Spec // defaults filled in
	version int
	windows map[string]windowWorld
	once    map[string]time.Time // when each Once key was used
	arrival int
	union   *storedUnion // under the board's name; nil: none. It is never written to
	banned  map[string]bool
	hidden  map[string]bool
	audit   []auditEntry // it is never written to
	logged  logged
}

// windowWorld is the state of a window.
type windowWorld struct {
	through time.Time // periods that end by then were closed by hand
	periods map[string]periodWorld
	bases   map[string]map[string]entry
	best    map[string]int
	results map[string][]rollingResult // of a rolling window, by member, in the order of arrival
	settled map[string]settledPeriod   // by name
	cohorts map[string]map[string]seat // by the name of a period and member
	tiers   map[string]int             // by member; 0 is the lowest
}

// rollingResult is a result in a rolling window.
type rollingResult struct {
	leaves time.Time
	at     int64 // when it happened
	sub    entry // the result as an entry
	next   entry // the member's entry after it arrived
}

// periodWorld is a period with entries.
type periodWorld struct {
	board.Period
	entries  map[string]entry           // those of hidden members too
	all      map[string][]entry         // for operators that add up some results: all results of each member, in the order of arrival
	results  map[string][]rollingResult // of a rolling window, in logged.base: see windowWorld
	sealed   bool                       // it is closed, and had entries then
	arrivals int                        // changes of the ranking since it had no rows: the order of arrival in it. Those of hidden members are none
}

// settledPeriod is a closed period with its awards, by member.
type settledPeriod struct {
	board.Period
	plan     awards.Plan
	revision int
	without  []string
	reason   string
	awards   map[string]award
	closed   time.Time // when it was closed
}

// seat is the place of a member in a cohort: the members with the same tier, band and number are one. One that queues is in none, and has a number by which it comes.
type seat struct {
	tier, band, number int
	queues             bool
	zone               board.Zone // 0 until the period is closed
}

// auditEntry is an entry of the audit log with its places.
type auditEntry struct {
	audit.Entry
	places []board.Place
}

// award is what a member gets for a period.
type award struct {
	place, rank  int
	revision     int
	due, granted []awards.Tier
	withheld     string // why; "": it is not
}

// logged is the journal of a board, and all that has happened since it began, or since the last migration.
type logged struct {
	number  uint64 // of the newest row
	rows    []loggedRow
	history []loggedRow            // rows that the journal has dropped too; neither list is written to
	base    map[string]periodWorld // by ranking: before the first row of history; it is not written to
}

// loggedRow is a submission, or the removal of a member.
type loggedRow struct {
	board.JournalRow
	version  int
	result   entry // of a submission
	meta     bool  // it has set the metadata
	blank    bool  // it is what an erasure has left of the newest row
	windows  []loggedWindow
	removals map[string]bool // rankings that a removal has removed the member from
}

// loggedWindow is a submission in one window.
type loggedWindow struct {
	period  string
	sub     entry
	changed bool
	had     bool // there was an entry before
}

func newBoardWorld(spec board.Spec) *World {
	w := &World{version: 1, first: spec, once: map[string]time.Time{}, banned: map[string]bool{}, hidden: map[string]bool{}, logged: logged{base: map[string]periodWorld{}}}
	w.respec(boardspecs.WithDefaults(spec))
	return w
}

// respec changes the spec. Windows of the same name stay.
func (w *World) respec(spec board.Spec) {
	old := w.windows
	w.spec, w.windows = spec, map[string]windowWorld{}
	for _, win := range spec.Windows {
		kept, ok := old[win.Name]
		if !ok {
			kept = windowWorld{periods: map[string]periodWorld{}, bases: map[string]map[string]entry{}, best: map[string]int{}, results: map[string][]rollingResult{},
				settled: map[string]settledPeriod{}, cohorts: map[string]map[string]seat{}, tiers: map[string]int{}}
		}
		w.windows[win.Name] = kept
	}
}

// migrate is Boards.Migrate. It does nothing if the board has the spec already.
func (w *World) migrate(spec board.Spec) {
	from := w.spec
	if spec = boardspecs.WithDefaults(spec); reflect.DeepEqual(spec, from) {
		return
	}
	sized := from
	sized.Journal, sized.Feed = spec.Journal, spec.Feed
	if from.Leagues != nil && spec.Leagues != nil {
		sized.Leagues = spec.Leagues
	}
	if stops := from.Journal > 0 && spec.Journal == 0; !stops && reflect.DeepEqual(sized, spec) {
		if w.spec = spec; from.Journal == 0 {
			w.rebase()
		}
		return
	}
	w.respec(spec)
	w.version++
	for _, spec := range w.spec.Windows {
		win := w.windows[spec.Name]
		for name, p := range win.periods {
			if spec.Kind != window.Rolling { // which keeps its results
				w.renumber(&p)
				w.convert(from, p.entries, false)
				win.periods[name] = p
			}
		}
		for _, entries := range win.bases {
			w.convert(from, entries, true)
		}
	}
	if w.rebase(); spec.Journal == 0 {
		w.logged.number, w.logged.rows = 0, nil
	}
}

// renumber gives the entries of a period that is converted new places in the order of arrival: the number of rows that arrived before.
func (w *World) renumber(p *periodWorld) {
	ranked := w.visible(p.entries)
	p.arrivals = len(ranked)
	if len(ranked) == 0 {
		ranked = p.entries
	}
	var all []int
	for _, e := range ranked {
		all = append(all, e.arrival)
	}
	slices.Sort(all)
	for member, e := range p.entries {
		e.arrival, _ = slices.BinarySearch(all, e.arrival)
		p.entries[member] = e
	}
}

// convert converts entries to the columns of the new spec. Those of a baseline keep their order of arrival.
func (w *World) convert(from board.Spec, entries map[string]entry, isBase bool) {
	for member, e := range entries {
		next := entry{meta: e.meta}
		for _, c := range w.spec.Columns {
			i := slices.IndexFunc(from.Columns, func(old board.Column) bool { return old.Name == c.Name })
			switch {
			case i >= 0:
				next.score = append(next.score, e.score[i])
			case c.Absent != "":
				next.score = append(next.score, board.Absent)
			case c.Kind == board.Float64:
				next.score = append(next.score, board.Float(0))
			default:
				next.score = append(next.score, board.Int(0))
			}
		}
		if from.Ties != board.ByMember && w.spec.Ties != board.ByMember {
			if next.reached = e.reached; isBase || hasArrivals(from) && hasArrivals(w.spec) {
				next.arrival = e.arrival
			}
		}
		entries[member] = next
	}
}

func (w *World) clone() *World {
	c := *w
	c.once, c.windows, c.banned, c.hidden = maps.Clone(w.once), maps.Clone(w.windows), maps.Clone(w.banned), maps.Clone(w.hidden)
	for name, win := range c.windows {
		win.periods, win.bases, win.best = maps.Clone(win.periods), maps.Clone(win.bases), maps.Clone(win.best)
		for period, p := range win.periods {
			p.entries, p.all = maps.Clone(p.entries), maps.Clone(p.all) // slices in all are never written to
			win.periods[period] = p
		}
		for base, entries := range win.bases {
			win.bases[base] = maps.Clone(entries)
		}
		win.results = maps.Clone(win.results) // whose slices are never written to
		win.cohorts, win.tiers = maps.Clone(win.cohorts), maps.Clone(win.tiers)
		for period, seats := range win.cohorts {
			win.cohorts[period] = maps.Clone(seats)
		}
		win.settled = maps.Clone(win.settled)
		for period, p := range win.settled {
			p.awards = maps.Clone(p.awards)
			win.settled[period] = p
		}
		c.windows[name] = win
	}
	return &c
}

// closed reports whether a period takes no results any more.
func (w *World) closed(win board.Window, p board.Period, now time.Time) bool {
	if p.End.IsZero() {
		return false
	}
	byHand := !p.End.After(w.windows[win.Name].through)
	return byHand || win.Grace != window.Forever && !now.Before(p.End.Add(time.Duration(win.Grace)))
}

// periods returns the periods of a window with entries, in order of time.
func (w *World) periods(win board.Window) []periodWorld {
	return slices.SortedFunc(maps.Values(w.windows[win.Name].periods), func(a, b periodWorld) int { return a.Start.Compare(b.Start) })
}

// rows returns a ranking without metadata.
func (w *World) rows(entries map[string]entry) []board.Row {
	members := slices.SortedFunc(maps.Keys(entries), func(a, b string) int { return compareEntries(w.spec, entries, a, b) })
	rows := make([]board.Row, len(members))
	for i, m := range members {
		rows[i] = board.Row{Rank: i + 1, Member: m, Score: board.Values(entries[m].score...)}
		if w.spec.Ties != board.ByMember {
			rows[i].Reached = time.UnixMicro(entries[m].reached).UTC()
		}
	}
	return rows
}

// inOnePart returns the board as if it were not in parts: baselines are not.
func (w *World) inOnePart() *World {
	c := *w
	c.spec.Parts, c.spec.PartMembers = 0, 0
	return &c
}

func rowOf(rows []board.Row, member string) (board.Row, bool) {
	i := slices.IndexFunc(rows, func(r board.Row) bool { return r.Member == member })
	if i < 0 {
		return board.Row{}, false
	}
	return rows[i], true
}

// visible returns the entries of the members that are not hidden.
func (w *World) visible(entries map[string]entry) map[string]entry {
	shown := maps.Clone(entries)
	maps.DeleteFunc(shown, func(member string, _ entry) bool { return w.hidden[member] })
	return shown
}

// rankingName names a ranking of a board.
func rankingName(win board.Window, period string) string { return win.Name + " " + period }

// rebase begins a new history from the entries as they are.
func (w *World) rebase() {
	w.logged.history, w.logged.base = nil, map[string]periodWorld{}
	for _, win := range w.spec.Windows {
		for name, p := range w.windows[win.Name].periods {
			p.entries, p.all, p.results = maps.Clone(p.entries), maps.Clone(p.all), maps.Clone(w.windows[win.Name].results)
			w.logged.base[rankingName(win, name)] = p
		}
	}
}

package boardoracle

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/window"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// World is all that a board is, as the documentation of package board has it: maps, sorted anew for every question.
type World struct {
	spec    board.Spec // defaults filled in
	version int
	windows map[string]windowWorld
	once    map[string]time.Time // when a Once key was used
	arrival int
}

// windowWorld is what a board knows of a window.
type windowWorld struct {
	through time.Time // what ends by then was closed by hand
	periods map[string]periodWorld
	bases   map[string]map[string]entry
	best    map[string]int
}

// periodWorld is a period that holds somebody.
type periodWorld struct {
	board.Period
	entries map[string]entry
}

func newBoardWorld(spec board.Spec) *World {
	w := &World{version: 1, once: map[string]time.Time{}}
	w.respec(boardspecs.WithDefaults(spec))
	return w
}

// respec gives it a spec; windows of the same name stay.
func (w *World) respec(spec board.Spec) {
	old := w.windows
	w.spec, w.windows = spec, map[string]windowWorld{}
	for _, win := range spec.Windows {
		kept, ok := old[win.Name]
		if !ok {
			kept = windowWorld{periods: map[string]periodWorld{}, bases: map[string]map[string]entry{}, best: map[string]int{}}
		}
		w.windows[win.Name] = kept
	}
}

// migrate is Boards.Migrate. To the spec that the board has there is no way to go.
func (w *World) migrate(spec board.Spec) {
	from := w.spec
	if spec = boardspecs.WithDefaults(spec); reflect.DeepEqual(spec, from) {
		return
	}
	w.respec(spec)
	w.version++
	for _, win := range w.windows {
		for _, p := range win.periods {
			w.convert(from, p.entries)
		}
		for _, entries := range win.bases {
			w.convert(from, entries)
		}
	}
}

// convert is rules.Convert, of entries whose values fit.
func (w *World) convert(from board.Spec, entries map[string]entry) {
	for member, e := range entries {
		next := entry{meta: e.meta}
		for _, c := range w.spec.Columns {
			i := slices.IndexFunc(from.Columns, func(old board.Column) bool { return old.Name == c.Name })
			switch {
			case i >= 0:
				next.score = append(next.score, e.score[i])
			case c.Kind == board.Float64:
				next.score = append(next.score, board.Float(0))
			default:
				next.score = append(next.score, board.Int(0))
			}
		}
		if from.Ties != board.ByMember && w.spec.Ties != board.ByMember {
			next.reached, next.arrival = e.reached, e.arrival
		}
		entries[member] = next
	}
}

func (w *World) clone() *World {
	c := *w
	c.once, c.windows = maps.Clone(w.once), maps.Clone(w.windows)
	for name, win := range c.windows {
		win.periods, win.bases, win.best = maps.Clone(win.periods), maps.Clone(win.bases), maps.Clone(win.best)
		for period, p := range win.periods {
			win.periods[period] = periodWorld{p.Period, maps.Clone(p.entries)}
		}
		for base, entries := range win.bases {
			win.bases[base] = maps.Clone(entries)
		}
		c.windows[name] = win
	}
	return &c
}

// closed reports whether a period takes no more results.
func (w *World) closed(win board.Window, p board.Period, now time.Time) bool {
	if p.End.IsZero() {
		return false
	}
	byHand := !p.End.After(w.windows[win.Name].through)
	return byHand || win.Grace != window.Forever && !now.Before(p.End.Add(time.Duration(win.Grace)))
}

// periods returns those of a window that hold somebody, in order of time.
func (w *World) periods(win board.Window) []periodWorld {
	return slices.SortedFunc(maps.Values(w.windows[win.Name].periods), func(a, b periodWorld) int { return a.Start.Compare(b.Start) })
}

// retain forgets periods without anybody, and closed ones that are more than the board keeps.
func (w *World) retain(now time.Time) {
	for _, win := range w.spec.Windows {
		there := w.windows[win.Name].periods
		maps.DeleteFunc(there, func(_ string, p periodWorld) bool { return len(p.entries) == 0 })
		done := slices.DeleteFunc(w.periods(win), func(p periodWorld) bool { return !w.closed(win, p.Period, now) })
		for ; win.Keep > 0 && len(done) > win.Keep; done = done[1:] {
			delete(there, done[0].Name)
		}
	}
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

func rowOf(rows []board.Row, member string) (board.Row, bool) {
	i := slices.IndexFunc(rows, func(r board.Row) bool { return r.Member == member })
	if i < 0 {
		return board.Row{}, false
	}
	return rows[i], true
}

// oracleBoard is a board at the present time, a leaderboard.
type oracleBoard struct {
	*World
	now   time.Time
	steps *[]boardStep
}

// boardStep is what a board is after one of the commits of a call that makes several.
type boardStep struct {
	name string
	w    *World
}

// Spec and what follows are those of *board.Board.
func (b oracleBoard) Spec() board.Spec { return b.spec }

// Version is 1, and one more with each migration.
func (b oracleBoard) Version() int { return b.version }

// window returns a window by its name.
func (b oracleBoard) window(name string) (board.Window, error) {
	i := slices.IndexFunc(b.spec.Windows, func(w board.Window) bool { return w.Name == name })
	if i < 0 {
		return board.Window{}, board.ErrNoWindow
	}
	return b.spec.Windows[i], nil
}

// Remove takes a member out of what takes results.
func (b oracleBoard) Remove(member string) (removed []board.Removed, err error) {
	for _, win := range b.spec.Windows {
		for _, p := range b.periods(win) {
			row, ok := rowOf(b.rows(p.entries), member)
			if !ok || b.closed(win, p.Period, b.now) {
				continue
			}
			removed = append(removed, board.Removed{Window: win.Name, Period: p.Name, Row: row})
			delete(p.entries, member)
		}
	}
	return removed, nil
}

// SetMeta changes the metadata of an entry of the live period.
func (b oracleBoard) SetMeta(name, member string, meta []byte) error {
	win, err := b.window(name)
	if err != nil {
		return err
	}
	p := periodOf(win, b.now)
	entries := b.windows[name].periods[p.Name].entries
	e, ok := entries[member]
	switch {
	case len(meta) > b.spec.MaxMeta:
		return board.ErrMeta
	case b.closed(win, p, b.now):
		return board.ErrPeriodClosed
	case !ok:
		return board.ErrNotRanked
	}
	e.meta = string(meta)
	entries[member] = e
	return nil
}

// CloseNow closes the live period after those before it, each by a commit.
func (b oracleBoard) CloseNow(name string) (info board.Info, err error) {
	win, err := b.window(name)
	if err != nil {
		return info, err
	}
	p := periodOf(win, b.now)
	if p.End.IsZero() {
		return info, board.ErrNoEnd
	}
	for _, end := range b.openEnds(win, p) {
		if there := b.windows[name]; end.After(there.through) {
			there.through = end
			b.windows[name] = there
			*b.steps = append(*b.steps, boardStep{b.spec.Name, b.clone()})
		}
	}
	b.retain(b.now)
	return board.Info{Window: name, Period: p.Name, Closed: true}, nil
}

// openEnds are the ends of the periods up to a live one that take results: those that hold somebody, and the last few.
func (b oracleBoard) openEnds(win board.Window, live board.Period) (ends []time.Time) {
	open := []board.Period{live}
	for range 3 {
		open = append(open, periodOf(win, open[len(open)-1].Start.Add(-time.Second)))
	}
	for _, p := range b.periods(win) {
		open = append(open, p.Period)
	}
	for _, p := range open {
		if !b.closed(win, p, b.now) && !p.End.After(live.End) {
			ends = append(ends, p.End)
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	return ends
}

// SaveBaseline copies the live ranking.
func (b oracleBoard) SaveBaseline(_ context.Context, name, base string) error {
	if err := b.DropBaseline(name, base); err != nil {
		return err
	}
	win, _ := b.window(name)
	if entries := b.windows[name].periods[periodOf(win, b.now).Name].entries; len(entries) > 0 {
		b.windows[name].bases[base] = maps.Clone(entries)
	}
	return nil
}

// DropBaseline drops a baseline.
func (b oracleBoard) DropBaseline(name, base string) error {
	if base == "" {
		return board.ErrBaseline
	}
	_, err := b.window(name)
	if err == nil {
		delete(b.windows[name].bases, base)
	}
	return err
}

package boardoracle

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Spec returns the spec with defaults filled in.
func (b boardAt) Spec() board.Spec { return b.spec }

// Version returns 1 plus the number of migrations.
func (b boardAt) Version() int { return b.version }

// Remove removes a member from all periods that take results.
func (b boardAt) Remove(ctx context.Context, member string) (removed []board.Removed, err error) {
	var gone []string
	for _, win := range b.spec.Windows {
		for _, p := range b.periods(win) {
			if _, ok := p.entries[member]; !ok || b.closed(win, p.Period, b.now) {
				continue
			}
			removed = append(removed, board.Removed{Window: win.Name, Period: p.Name, Row: b.rowIn(p, member), Hidden: b.hidden[member]})
			b.drop(win, p, member)
			gone = append(gone, rankingName(win, p.Name))
			delete(b.windows[win.Name].results, member)
		}
	}
	b.logRemoval(member, gone)
	return removed, nil
}

// SetMeta changes the metadata of an entry of the live period.
func (b boardAt) SetMeta(ctx context.Context, name, member string, meta []byte) error {
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
	case !ok || b.hidden[member]:
		return board.ErrNotRanked
	}
	e.meta = string(meta)
	entries[member] = e
	return nil
}

// CloseNow closes the live period, after those before it, with one commit each.
func (b boardAt) CloseNow(ctx context.Context, name string) (info board.Info, err error) {
	win, err := b.window(name)
	if err != nil {
		return info, err
	}
	p := periodOf(win, b.now)
	if p.End.IsZero() {
		return info, board.ErrNoEnd
	}
	for _, end := range b.openEnds(win, p) {
		if w := b.windows[name]; end.After(w.through) {
			w.through = end
			b.windows[name] = w
			*b.steps = append(*b.steps, boardStep{b.spec.Name, b.clone()})
		}
	}
	b.retain()
	return board.Info{Window: name, Period: p.Name, Closed: true}, nil
}

// openEnds returns the ends of the periods that take results, up to the live one, in order of time: of all periods with entries, and of the
// live period and the three before it.
func (b boardAt) openEnds(win board.Window, live board.Period) (ends []time.Time) {
	open := b.recent(win)
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
func (b boardAt) SaveBaseline(ctx context.Context, name, base string) error {
	if err := b.DropBaseline(ctx, name, base); err != nil {
		return err
	}
	win, _ := b.window(name)
	if entries := b.visible(b.windows[name].periods[periodOf(win, b.now).Name].entries); len(entries) > 0 {
		kept := maps.Clone(entries)
		for _, row := range b.capped(entries) {
			if row.Beyond {
				delete(kept, row.Member)
			}
		}
		for member, e := range kept {
			if !hasArrivals(b.spec) {
				e.arrival = 0
			}
			kept[member] = e
		}
		b.windows[name].bases[base] = kept
	}
	return nil
}

// DropBaseline drops a baseline.
func (b boardAt) DropBaseline(ctx context.Context, name, base string) error {
	if base == "" {
		return board.ErrBaseline
	}
	_, err := b.window(name)
	if err == nil {
		delete(b.windows[name].bases, base)
	}
	return err
}

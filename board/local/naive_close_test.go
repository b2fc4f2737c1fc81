package local

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

// closeDue is Boards.CloseDue.
func (n *naive) closeDue(now time.Time) (closed int) {
	for _, w := range n.windows {
		through := w.through
		for _, p := range w.periods {
			if at, ends := w.cal.Closes(p.Period); ends && !now.Before(at) && !w.closed(p.Period) && p.End.After(through) {
				through = p.End
			}
		}
		closed += w.closeThrough(through)
	}
	return closed
}

// closeThrough closes the periods that end by then, and drops those that Keep does not keep.
func (w *naiveWindow) closeThrough(through time.Time) (closed int) {
	var withMembers []*naivePeriod
	for name, p := range w.periods {
		wasClosed := w.closed(p.Period)
		if p.End.IsZero() || p.End.After(through) {
			continue
		}
		if !wasClosed {
			closed++
		}
		if len(p.entries) == 0 && !wasClosed {
			delete(w.periods, name)
			continue
		}
		withMembers = append(withMembers, p)
	}
	if through.After(w.through) {
		w.through = through
	}
	slices.SortFunc(withMembers, func(a, b *naivePeriod) int { return a.Start.Compare(b.Start) })
	for w.Keep > 0 && len(withMembers) > w.Keep {
		delete(w.periods, withMembers[0].Name)
		withMembers = withMembers[1:]
	}
	return closed
}

// forget deletes open periods without members, as a restart does.
func (n *naive) forget() {
	for _, w := range n.windows {
		maps.DeleteFunc(w.periods, func(_ string, p *naivePeriod) bool { return len(p.entries) == 0 && !w.closed(p.Period) })
	}
}

// clone returns a deep copy.
func (n *naive) clone() *naive {
	c := *n
	c.history, c.journal = slices.Clone(n.history), slices.Clone(n.journal)
	c.once, c.windows = maps.Clone(n.once), slices.Clone(n.windows)
	for i, w := range n.windows {
		nw := *w
		nw.periods, nw.bases, nw.best = map[string]*naivePeriod{}, maps.Clone(w.bases), maps.Clone(w.best)
		for name, entries := range w.bases {
			nw.bases[name] = maps.Clone(entries)
		}
		for name, p := range w.periods {
			nw.periods[name] = &naivePeriod{p.Period, maps.Clone(p.entries)}
		}
		nw.results, nw.kept, nw.migrated = w.cloneResults(), maps.Clone(w.kept), maps.Clone(w.migrated)
		c.windows[i] = &nw
	}
	return &c
}

// dump returns what the function dump writes for the board.
func (n *naive) dump() string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s v%d\n", n.spec.Name, n.version)
	for _, w := range n.windows {
		periods := slices.SortedFunc(maps.Values(w.periods), func(a, b *naivePeriod) int { return a.Start.Compare(b.Start) })
		for _, p := range periods {
			if len(p.entries) == 0 {
				continue
			}
			fmt.Fprintf(&out, " %s %s closed=%v:", w.Name, p.Name, w.closed(p.Period))
			for _, row := range n.ranked(n.rows(p.entries)) {
				if meta := p.entries[row.Member].meta; meta != "" && n.spec.MaxMeta > 0 {
					row.Meta = []byte(meta)
				}
				out.WriteString(rowText(row))
				if n.spec.BestRanks {
					fmt.Fprintf(&out, " best=%d", w.best[row.Member])
				}
			}
			out.WriteString("\n")
		}
		for _, name := range slices.Sorted(maps.Keys(w.bases)) {
			fmt.Fprintf(&out, " %s base %s:", w.Name, name)
			for _, row := range n.allRows(w.bases[name]) {
				out.WriteString(rowText(row))
			}
			out.WriteString("\n")
		}
	}
	n.dumpJournal(&out)
	return out.String()
}

// kind returns the error that err wraps, of those that naive returns, or err itself.
func kind(err error) error {
	for _, k := range []error{board.ErrUnion, board.ErrNoUnion, board.ErrNoPeriod, board.ErrPeriodClosed, board.ErrTime, board.ErrOutside, board.ErrBounds, board.ErrOverflow, board.ErrColumns, board.ErrKind, board.ErrNoEnd, board.ErrNotRanked, board.ErrNoJournal, board.ErrNotInJournal, board.ErrBeforeJournal, board.ErrUndo, board.ErrReverted, board.ErrBaseline} {
		if errors.Is(err, k) {
			return k
		}
	}
	return err
}

package boardoracle

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// erasedText stands for the name of an erased member in what people have written, and erasedHash for a hash of it.
const (
	erasedText = "[erased]"
	erasedHash = "hash"
)

// Erase erases what the board has of a member.
func (b boardAt) Erase(_ context.Context, member string, a board.Action) (m board.Moderated, err error) {
	if err := refusesAction(member, a); err != nil {
		return m, err
	}
	old := b.clone()
	m.Places = b.places(member)
	b.removeAll(member)
	delete(b.hidden, member)
	if m.Traces = b.eraseTraces(member); a.DryRun {
		*b.World = *old
		return m, nil
	}
	m.Hash = erasedHash
	m = b.audited("erase", member, a, m, nil)
	b.audit = slices.Clone(b.audit)
	for i := range b.audit {
		e := &b.audit[i]
		if e.Member == member {
			e.Member, e.Hash = "", erasedHash
		}
		if e.To == member {
			e.To, e.ToHash = "", erasedHash
		}
		e.Reason = strings.ReplaceAll(e.Reason, member, erasedText)
	}
	return m, nil
}

// eraseTraces erases what is left of a member outside of rankings.
func (b boardAt) eraseTraces(member string) (traces []audit.Trace) {
	awards, bases := 0, []audit.Trace(nil)
	if n := b.eraseSeats(member, false); n > 0 {
		traces = append(traces, audit.Trace{Kind: "cohort", Count: n})
	}
	for _, win := range b.windows {
		if win.tiers[member] > 0 {
			traces = append(traces, audit.Trace{Kind: "tier", Count: 1})
		}
		delete(win.tiers, member)
	}
	for _, spec := range b.spec.Windows {
		win := b.windows[spec.Name]
		if _, ok := win.best[member]; ok {
			delete(win.best, member)
			traces = append(traces, audit.Trace{Kind: "best rank", Name: spec.Name, Count: 1})
		}
		for _, base := range slices.Sorted(maps.Keys(win.bases)) {
			if _, ok := win.bases[base][member]; ok {
				if delete(win.bases[base], member); len(win.bases[base]) == 0 {
					delete(win.bases, base)
				}
				bases = append(bases, audit.Trace{Kind: "baseline", Name: spec.Name + " " + base, Count: 1})
			}
		}
		awards += win.eraseAwards(member)
	}
	if awards > 0 {
		traces = append(traces, audit.Trace{Kind: "award", Count: awards})
	}
	traces = append(traces, bases...)
	if rows := b.eraseRows(member); rows > 0 {
		traces = append(traces, audit.Trace{Kind: "journal row", Count: rows})
	}
	if n := b.eraseSeats(member, true); n > 0 {
		if i := slices.IndexFunc(traces, func(t audit.Trace) bool { return t.Kind == "cohort" }); i >= 0 {
			traces[i].Count += n
		} else {
			traces = append(traces, audit.Trace{Kind: "cohort", Count: n})
		}
	}
	return traces
}

// eraseAwards erases the awards of a member, and its name in the settlements and in the reasons that are noted of others.
func (w windowWorld) eraseAwards(member string) (n int) {
	for name, p := range w.settled {
		if _, ok := p.awards[member]; ok {
			delete(p.awards, member)
			n++
		}
		for other, a := range p.awards {
			a.withheld = strings.ReplaceAll(a.withheld, member, erasedText)
			p.awards[other] = a
		}
		p.reason = strings.ReplaceAll(p.reason, member, erasedText)
		p.without = slices.DeleteFunc(slices.Clone(p.without), func(other string) bool { return other == member })
		w.settled[name] = p
	}
	return n
}

// eraseRows erases the rows of a member from the journal, and returns how many of them were submissions. The newest row stays as a blank one.
func (b boardAt) eraseRows(member string) (n int) {
	b.forgetRows(member)
	rows := b.logged.rows
	b.logged.rows = nil
	for _, row := range rows {
		if row.Member == member {
			if !row.Removal {
				n++
			}
			if row.Number < b.logged.number {
				continue
			}
			row = loggedRow{JournalRow: board.JournalRow{Number: row.Number}, blank: true}
		}
		b.logged.rows = append(b.logged.rows, row)
	}
	return n
}

// forgetRows removes a member from the history of the board.
func (b boardAt) forgetRows(member string) {
	b.logged.history = slices.DeleteFunc(slices.Clone(b.logged.history), func(row loggedRow) bool { return row.Member == member })
	b.logged.base = maps.Clone(b.logged.base)
	for name, p := range b.logged.base {
		p.entries, p.all, p.results = maps.Clone(p.entries), maps.Clone(p.all), maps.Clone(p.results)
		delete(p.entries, member)
		delete(p.all, member)
		delete(p.results, member)
		b.logged.base[name] = p
	}
}

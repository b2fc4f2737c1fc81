package boardoracle

import (
	"context"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
)

// IsBanned reports whether a member is banned.
func (b boardAt) IsBanned(ctx context.Context, member string) (bool, error) {
	return b.banned[member], nil
}

// refusesAction returns the error of a call that was given no member, or does not say who makes it.
func refusesAction(member string, a board.Action) error {
	switch {
	case member == "":
		return board.ErrMember
	case a.By == "":
		return board.ErrAction
	}
	return nil
}

// audited adds an entry to the audit log, which also completes, and returns what the call returns.
func (b boardAt) audited(kind audit.Kind, member string, a board.Action, m board.Moderated, also func(e *audit.Entry)) board.Moderated {
	e := auditEntry{places: m.Places}
	e.Number, e.At, e.Kind, e.Member, e.By, e.Reason = uint64(len(b.audit)+1), b.now.UTC(), kind, member, a.By, a.Reason
	e.Places, e.Awards, e.Traces, e.Done = len(m.Places), m.Awards, m.Traces, true
	if also != nil {
		also(&e.Entry)
	}
	b.audit = append(slices.Clip(b.audit), e)
	m.Entry = e.Number
	return m
}

// Audit iterates over the audit log.
func (b boardAt) Audit(context.Context, audit.Filter) iter.Seq2[audit.Entry, error] {
	return func(yield func(audit.Entry, error) bool) {
		for _, e := range b.audit {
			if !yield(e.Entry, nil) {
				return
			}
		}
	}
}

// AuditPlaces returns the places of an entry of the audit log.
func (b boardAt) AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error) {
	return b.audit[number-1].places, nil
}

// Jobs returns nothing: every change is complete when its call returns.
func (b boardAt) Jobs(ctx context.Context) ([]board.Job, error) { return nil, nil }

// places returns the places of a member that a board has, first those in open periods.
func (b boardAt) places(member string) []board.Place {
	closed, open := b.placesIn(member)
	return append(open, closed...)
}

// placesIn returns the places of a member in closed periods, and in open ones.
func (b boardAt) placesIn(member string) (closed, open []board.Place) {
	for _, win := range b.spec.Windows {
		for _, p := range b.periods(win) {
			if _, ok := p.entries[member]; !ok {
				continue
			}
			at := board.Place{Window: win.Name, Period: p.Name, Hidden: b.hidden[member], Closed: b.closed(win, p.Period, b.now)}
			if row := b.rowIn(p, member); !at.Closed {
				if at.Rank, at.Score = row.Rank, row.Score; row.Beyond && b.spec.Top.Segments > 0 {
					at.Rank = board.Unknown // it is near to the rank of the row
				}
				open = append(open, at)
				continue
			}
			shown := b.visible(p.entries)
			row, ok := rowOf(b.rows(shown), member)
			at.Members, at.Score = len(shown), board.Values(p.entries[member].score...)
			if ok {
				at.Rank, at.Moved = row.Rank, len(shown)-row.Rank
			}
			closed = append(closed, at)
		}
	}
	return closed, open
}

// Ban removes a member from all periods, withholds its awards, and refuses its results.
func (b boardAt) Ban(_ context.Context, member string, a board.Action) (m board.Moderated, err error) {
	if err := refusesAction(member, a); err != nil {
		return m, err
	}
	if b.banned[member] {
		return m, board.ErrBanned
	}
	if m.Places, m.Awards = b.places(member), b.waitingAwards(member); a.DryRun {
		return m, nil
	}
	for _, win := range b.windows {
		for _, p := range win.settled {
			if award, ok := p.awards[member]; ok && p.state(award) == awards.Waiting {
				award.withheld = a.Reason
				p.awards[member] = award
			}
		}
	}
	b.removeAll(member)
	b.banned[member] = true
	return b.audited("ban", member, a, m, nil), nil
}

// removeAll removes a member from all periods: first from the open ones, then from the closed ones.
func (b boardAt) removeAll(member string) {
	for _, closed := range []bool{false, true} {
		var gone []string
		for _, win := range b.spec.Windows {
			for _, p := range b.periods(win) {
				if _, ok := p.entries[member]; ok && b.closed(win, p.Period, b.now) == closed {
					b.drop(win, p, member)
					gone = append(gone, rankingName(win, p.Name))
				}
			}
			delete(b.windows[win.Name].results, member)
		}
		b.logRemoval(member, gone)
	}
}

// Unban ends a ban.
func (b boardAt) Unban(ctx context.Context, member string, a board.Action) (m board.Moderated, err error) {
	if err := refusesAction(member, a); err != nil {
		return m, err
	}
	if !b.banned[member] {
		return m, board.ErrNotBanned
	}
	if a.DryRun {
		return m, nil
	}
	delete(b.banned, member)
	return b.audited("unban", member, a, m, nil), nil
}

// Hide takes a member out of all rankings.
func (b boardAt) Hide(_ context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.move("hide", member, a)
}

// Show undoes Hide.
func (b boardAt) Show(_ context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.move("show", member, a)
}

// move hides a member, or shows it.
func (b boardAt) move(kind audit.Kind, member string, a board.Action) (m board.Moderated, err error) {
	if err := refusesAction(member, a); err != nil {
		return m, err
	}
	switch hide := kind == "hide"; {
	case hide && b.hidden[member]:
		return m, board.ErrHidden
	case !hide && !b.hidden[member]:
		return m, board.ErrNotHidden
	}
	old := b.clone()
	before := b.places(member)
	if kind == "hide" {
		b.hidden[member] = true
	} else {
		delete(b.hidden, member)
	}
	for i, after := range b.places(member) {
		p := before[i]
		p.Hidden, p.NewRank, p.NewScore = after.Hidden, after.Rank, after.Score
		p.Moved += after.Moved
		m.Places = append(m.Places, p)
	}
	if a.DryRun {
		*b.World = *old
		return m, nil
	}
	for _, win := range b.spec.Windows {
		for _, p := range b.periods(win) {
			if _, ok := p.entries[member]; ok {
				b.changed(win, p.Name)
			}
		}
	}
	return b.audited(kind, member, a, m, nil), nil
}

// Member returns what the board has of a member.
func (b boardAt) Member(ctx context.Context, member string) (m board.Member, err error) {
	if member == "" {
		return m, board.ErrMember
	}
	m.Name, m.Banned = member, b.banned[member]
	closed, open := b.placesIn(member)
	for _, win := range b.spec.Windows {
		h := board.History{Window: win.Name}
		for _, p := range slices.Concat(closed, open) {
			if p.Window != win.Name {
				continue
			}
			if p.Moved = 0; len(h.Places) == 0 || compareScores(b.spec.Columns, scoreValues(p.Score), scoreValues(h.BestScore.Score)) < 0 {
				h.BestScore = p
			}
			if h.Places = append(h.Places, p); p.Rank > 0 && (h.BestRank.Rank == 0 || p.Rank < h.BestRank.Rank) {
				h.BestRank = p
			}
		}
		m.Windows = append(m.Windows, h)
	}
	return m, nil
}

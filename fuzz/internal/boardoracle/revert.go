package boardoracle

import (
	"context"
	"reflect"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/window"
)

// selects reports whether a revert of the submissions of a member is about a row.
func selects(r board.Reversion, member string, row loggedRow) bool {
	if row.Member != member || row.blank || row.Removal || row.Reverted > 0 {
		return false
	}
	if r.Row > 0 {
		return row.Number == r.Row
	}
	return !row.Arrived.Before(r.Since)
}

// checkRows returns an error if the journal does not have what is to be reverted.
func (b boardAt) checkRows(member string, r board.Reversion) error {
	if b.spec.Journal == 0 {
		return board.ErrNoJournal
	}
	rows := slices.DeleteFunc(slices.Clone(b.logged.rows), func(row loggedRow) bool { return row.blank })
	found, reverted := false, false
	for i, row := range rows {
		if i == 0 && r.Row == 0 && row.Number > 1 && r.Since.Before(row.Arrived) || selects(r, member, row) && row.version != b.version {
			return board.ErrNotInJournal
		}
		if row.Number == r.Row && row.Member == member && !row.Removal {
			found, reverted = true, row.Reverted > 0
		}
	}
	switch {
	case r.Row > 0 && !found:
		return board.ErrNotInJournal
	case reverted:
		return board.ErrReverted
	}
	return nil
}

// Revert takes submissions of a member back: every entry that one of them was for is computed again, from the whole history of the member.
func (b boardAt) Revert(_ context.Context, member string, r board.Reversion, a board.Action) (res board.Reverted, err error) {
	if err := refusesAction(member, a); err != nil {
		return res, err
	}
	if err := b.checkRows(member, r); err != nil {
		return res, err
	}
	old := b.clone()
	res.Entry = uint64(len(b.audit) + 1)
	rankings := map[string]bool{}
	b.logged.rows, b.logged.history = slices.Clone(b.logged.rows), slices.Clone(b.logged.history)
	for i := range b.logged.rows {
		if row := &b.logged.rows[i]; selects(r, member, *row) {
			row.Reverted = res.Entry
			res.Rows = append(res.Rows, row.Number)
		}
	}
	for i := range b.logged.history {
		if row := &b.logged.history[i]; slices.Contains(res.Rows, row.Number) {
			row.Reverted = res.Entry
			for n, w := range row.windows {
				rankings[rankingName(b.spec.Windows[n], w.period)] = true
			}
		}
	}
	if len(res.Rows) == 0 {
		return board.Reverted{}, nil
	}
	for n, win := range b.spec.Windows {
		for _, p := range b.periods(win) {
			if !rankings[rankingName(win, p.Name)] {
				continue
			}
			if err := b.replay(n, p, member, &res); err != nil {
				*b.World = *old
				return board.Reverted{}, err
			}
		}
	}
	if a.DryRun {
		*b.World = *old
		res.Entry = 0
		return res, nil
	}
	b.audited("revert", member, a, board.Moderated{Places: res.Places}, func(e *audit.Entry) { e.Rows = res.Rows })
	return res, nil
}

// replay computes the entry of a member in a period of the n-th window again, and adds its place to a revert if it has changed.
func (b boardAt) replay(n int, p periodWorld, member string, res *board.Reverted) error {
	win := b.spec.Windows[n]
	was, had := p.entries[member]
	before := b.placeNow(win, p, member)
	is, all, results, has, err := b.again(n, p, member, res.Entry)
	if err != nil {
		return err
	}
	delete(b.windows[win.Name].results, member)
	if len(results) > 0 {
		b.windows[win.Name].results[member] = results
	}
	if delete(p.entries, member); has {
		p.entries[member] = is
	}
	if delete(p.all, member); has && b.spec.K > 0 {
		p.all[member] = all
	}
	was.meta, was.times, is.meta, is.times = "", nil, "", nil
	if !hasArrivals(b.spec) {
		was.arrival, is.arrival = 0, 0
	}
	if had == has && reflect.DeepEqual(was, is) {
		return nil
	}
	if !b.hidden[member] {
		b.changed(win, p.Name)
	}
	after := b.placeNow(win, p, member)
	before.NewRank, before.NewScore = after.Rank, after.Score
	switch {
	case !before.Closed:
	case has:
		before.Moved = max(before.Rank-after.Rank, after.Rank-before.Rank)
	case !before.Hidden:
		before.Moved = before.Members - before.Rank
	}
	res.Places = append(res.Places, before)
	return nil
}

// again returns the entry that the history of a member gives it in a period of the n-th window, all its results, and those that a rolling window still has.
// number is that of the revert.
func (b boardAt) again(n int, p periodWorld, member string, number uint64) (e entry, all []entry, results []rollingResult, had bool, err error) {
	win := b.spec.Windows[n]
	name := rankingName(win, p.Name)
	base := b.logged.base[name]
	e, had = base.entries[member]
	all, results = base.all[member], base.results[member]
	gone := false // the last submission that has set the metadata is reverted, or the member was not ranked after it
	for i, row := range b.logged.history {
		if win.Kind == window.Rolling && row.Member == member && !row.Removal {
			e, results = b.leave(e, results, row.Arrived)
			gone = row.windows[n].had && (gone || had && len(results) == 0)
			if had = len(results) > 0; row.Reverted == 0 {
				row.windows = slices.Clone(row.windows)
				row.windows[n].had = had
				b.logged.history[i] = row // a copy
			}
		}
		switch {
		case row.Member != member:
		case row.Removal:
			if row.removals[name] {
				e, all, results, had, gone = entry{}, nil, nil, false, false
			}
		case row.windows[n].period != p.Name:
		case row.Reverted > 0:
			gone = gone || row.Reverted == number && row.meta && row.windows[n].changed
		default:
			gone = gone && !(row.meta && row.windows[n].changed)
			all = append(slices.Clone(all), row.result)
			sub, at := row.windows[n].sub, row.At.UnixMicro()
			if win.Kind == window.Rolling && had && b.spec.Op == board.Sum {
				e.score = []board.Value{board.Int(0)} // of a sum the results tell it in the end
			}
			if e, _, err = b.merge(e, had, all, sub, at); err != nil {
				return e, nil, nil, false, err
			}
			if had = true; win.Kind == window.Rolling {
				results = append(slices.Clone(results), rollingResult{leaves: leaves(win, row.At), at: at, sub: sub, next: e})
			}
		}
	}
	if win.Kind == window.Rolling {
		if e, results = b.leave(e, results, b.now); len(results) > 0 && b.spec.Op == board.Sum {
			e.score = []board.Value{total(results)}
		}
		had = len(results) > 0
	}
	if e.meta = p.entries[member].meta; gone {
		e.meta = ""
	}
	return e, all, results, had, nil
}

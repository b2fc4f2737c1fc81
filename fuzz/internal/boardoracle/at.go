package boardoracle

import (
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

// boardAt is a board at the time of a block. It is an apply.Leaderboard.
type boardAt struct {
	*World
	now   time.Time
	steps *[]boardStep
}

// boardStep is the state of a board after one commit of a call that makes several.
type boardStep struct {
	name string
	w    *World
}

// window returns a window by its name.
func (b boardAt) window(name string) (board.Window, error) {
	i := slices.IndexFunc(b.spec.Windows, func(w board.Window) bool { return w.Name == name })
	if i < 0 {
		return board.Window{}, board.ErrNoWindow
	}
	return b.spec.Windows[i], nil
}

// rowIn returns the row of a member that has an entry in a period; the rank is 0 if the member is hidden.
func (b boardAt) rowIn(p periodWorld, member string) board.Row {
	if !b.hidden[member] {
		row, _ := rowOf(b.capped(p.entries), member)
		return row
	}
	rows := b.rows(map[string]entry{member: p.entries[member]})
	rows[0].Rank = 0
	return rows[0]
}

// drop removes the entry of a member from a period.
func (b boardAt) drop(win board.Window, p periodWorld, member string) {
	delete(p.entries, member)
	delete(p.all, member)
	if !b.hidden[member] {
		b.changed(win, p.Name)
	}
}

// changed counts a change of a ranking: a later result arrives later.
func (b boardAt) changed(win board.Window, period string) {
	p := b.windows[win.Name].periods[period]
	p.arrivals++
	b.windows[win.Name].periods[period] = p
}

// placeNow returns the place of a member in a period, without Moved.
func (b boardAt) placeNow(win board.Window, p periodWorld, member string) board.Place {
	at := board.Place{Window: win.Name, Period: p.Name, Hidden: b.hidden[member], Closed: b.closed(win, p.Period, b.now)}
	if at.Closed {
		at.Members = len(b.visible(p.entries))
	}
	if _, ok := p.entries[member]; ok {
		row := b.rowIn(p, member)
		at.Rank, at.Score = b.placeRank(row), row.Score
	}
	return at
}

// placeRank returns the rank that a place has of a row: beyond the best n it is n + 1, with segments too.
func (b boardAt) placeRank(row board.Row) int {
	if row.Beyond {
		return b.spec.Top.N + 1
	}
	return row.Rank
}

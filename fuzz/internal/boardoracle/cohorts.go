package boardoracle

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// isWith reports whether two members are in one cohort.
func (s seat) isWith(other seat) bool {
	return s.tier == other.tier && s.band == other.band && s.number == other.number && s.queues == other.queues
}

// compare compares the places of two cohorts in a list of all.
func (s seat) compare(other seat) int {
	return cmp.Or(cmp.Compare(s.tier, other.tier), cmp.Compare(s.band, other.band), cmp.Compare(s.number, other.number))
}

// together returns the members that are in one cohort with a member.
func together(seats map[string]seat, member string) (list []string) {
	for other, s := range seats {
		if s.isWith(seats[member]) {
			list = append(list, other)
		}
	}
	return list
}

// hasLeagues reports whether the leagues of the board are of a window.
func (w *World) hasLeagues(window string) bool {
	return w.spec.Leagues != nil && w.spec.Leagues.Window == window
}

// place puts a member into a cohort of a period, unless it is in one, or lets it queue for one.
func (b boardAt) place(win board.Window, period board.Period, member string, skill int64) {
	if b.windows[win.Name].cohorts[period.Name] == nil {
		b.windows[win.Name].cohorts[period.Name] = map[string]seat{}
	}
	seats := b.windows[win.Name].cohorts[period.Name]
	if _, in := seats[member]; in {
		return
	}
	is := seat{queues: true, number: len(queued(seats))}
	for _, limit := range b.spec.Leagues.Bands {
		if skill >= limit {
			is.band++
		}
	}
	for _, other := range queued(seats) { // some may have been erased
		is.number = max(is.number, seats[other].number+1)
	}
	if seats[member] = is; b.isNext(win, period) {
		b.seat(win.Name, period.Name)
	}
}

// queued returns the members that queue, in order.
func queued(seats map[string]seat) (list []string) {
	for member, s := range seats {
		if s.queues {
			list = append(list, member)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(seats[a].number, seats[b].number) })
	return list
}

// isNext reports whether the period before one takes no results.
func (b boardAt) isNext(win board.Window, period board.Period) bool {
	return b.closed(win, periodOf(win, period.Start.Add(-time.Second)), b.now)
}

// seat puts the members that queue in a period into cohorts.
func (w *World) seat(window, period string) {
	seats := w.windows[window].cohorts[period]
	for _, member := range queued(seats) {
		is, size := seat{tier: w.windows[window].tiers[member], band: seats[member].band, number: -1}, 0
		for _, s := range seats {
			if s.queues || s.tier != is.tier || s.band != is.band || s.number < is.number {
				continue
			}
			if s.number > is.number {
				is.number, size = s.number, 0
			}
			size++
		}
		if is.number < 0 || size >= w.spec.Leagues.Size {
			is.number++
		}
		seats[member] = is
	}
}

// queueAll lets the members of an open period of a board that gets leagues queue: the ranked ones first, then those that are hidden.
func (w *World) queueAll(window string, period periodWorld) {
	hidden := maps.Clone(period.entries)
	maps.DeleteFunc(hidden, func(member string, _ entry) bool { return !w.hidden[member] })
	seats := map[string]seat{}
	for i, row := range slices.Concat(w.rows(w.visible(period.entries)), w.rows(hidden)) {
		seats[row.Member] = seat{queues: true, number: i}
	}
	w.windows[window].cohorts[period.Name] = seats
}

// changeLeagues makes the cohorts of a board that a migration gives leagues, and removes those of one that it takes them away from.
func (w *World) changeLeagues(spec board.Spec) {
	switch {
	case spec.Leagues == nil:
		for _, win := range w.windows {
			clear(win.cohorts)
		}
	case w.spec.Leagues == nil:
		for _, p := range w.windows[spec.Leagues.Window].periods {
			if !p.sealed {
				w.queueAll(spec.Leagues.Window, p)
			}
		}
	}
}

// promote promotes and relegates the members of a period that has been closed.
func (w *World) promote(window string, period periodWorld) {
	win := w.windows[window]
	seats, top := maps.Clone(win.cohorts[period.Name]), len(w.spec.Leagues.Tiers)-1
	for member, s := range seats {
		s.zone = w.zone(win.cohorts[period.Name], period.entries, member)
		seats[member] = s
		switch s.zone {
		case board.ZoneUp:
			win.tiers[member] = min(win.tiers[member]+1, top)
		case board.ZoneDown:
			win.tiers[member] = max(win.tiers[member]-1, 0)
		}
	}
	win.cohorts[period.Name] = seats
}

// ranked returns the rows of the ranked members in the cohort of a member, with their places in it.
func (w *World) ranked(seats map[string]seat, entries map[string]entry, member string) []board.Row {
	list := together(seats, member)
	rows := slices.DeleteFunc(w.rows(w.visible(entries)), func(row board.Row) bool { return !slices.Contains(list, row.Member) })
	for i := range rows {
		rows[i].Rank = i + 1
		if meta := entries[rows[i].Member].meta; meta != "" {
			rows[i].Meta = []byte(meta)
		}
	}
	return rows
}

// zone returns what becomes of a member if its period ends now.
func (w *World) zone(seats map[string]seat, entries map[string]entry, member string) board.Zone {
	rows, l, tier := w.ranked(seats, entries, member), w.spec.Leagues, seats[member].tier
	row, ok := rowOf(rows, member)
	switch {
	case !ok:
	case row.Rank <= l.Up && tier < len(l.Tiers)-1:
		return board.ZoneUp
	case row.Rank > l.Up && len(rows)-row.Rank < l.Down && tier > 0:
		return board.ZoneDown
	}
	return board.ZoneStay
}

// moveSeats gives the places of a member in cohorts to another one, and its tier.
func (w windowWorld) moveSeats(kind audit.Kind, member, to string) {
	for _, seats := range w.cohorts {
		s, in := seats[member]
		if delete(seats, member); !in {
			continue
		}
		if _, has := seats[to]; !has || kind == "rename" {
			seats[to] = s
		}
	}
	tier := w.tiers[member]
	if delete(w.tiers, member); kind == "merge" {
		tier = max(tier, w.tiers[to])
	}
	w.tiers[to] = tier
}

// eraseSeats removes a member from the cohorts of periods that are closed, or open, and returns from how many.
func (b boardAt) eraseSeats(member string, closed bool) (n int) {
	for _, win := range b.spec.Windows {
		for period, seats := range b.windows[win.Name].cohorts {
			if _, in := seats[member]; in && b.isOpen(win, period) != closed {
				delete(seats, member)
				n++
			}
		}
	}
	return n
}

// dropCohorts removes the cohorts of closed periods that are gone.
func (b boardAt) dropCohorts(win board.Window) {
	for period := range b.windows[win.Name].cohorts {
		if _, ok := b.windows[win.Name].periods[period]; !ok && !b.isOpen(win, period) {
			delete(b.windows[win.Name].cohorts, period)
		}
	}
}

// isOpen reports whether a period takes results.
func (b boardAt) isOpen(win board.Window, period string) bool {
	return slices.ContainsFunc(b.recent(win), func(p board.Period) bool { return p.Name == period && !b.closed(win, p, b.now) })
}

// recent returns the live period of a window, and the three before it.
func (b boardAt) recent(win board.Window) []board.Period {
	list := []board.Period{periodOf(win, b.now)}
	for range 3 {
		list = append(list, periodOf(win, list[len(list)-1].Start.Add(-time.Second)))
	}
	return list
}

package boardoracle

import (
	"context"
	"math/big"
	"reflect"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// Rename gives a member another name.
func (b boardAt) Rename(_ context.Context, member, to string, a board.Action) (board.Moderated, error) {
	return b.moveAll("rename", member, to, a)
}

// Merge adds the results of one member to those of another.
func (b boardAt) Merge(_ context.Context, from, into string, a board.Action) (board.Moderated, error) {
	return b.moveAll("merge", from, into, a)
}

// checkMove returns the error of a call that renames or merges.
func (b boardAt) checkMove(kind audit.Kind, member, to string, a board.Action) error {
	if err := refusesAction(member, a); err != nil {
		return err
	}
	switch {
	case to == "":
		return board.ErrMember
	case to == member:
		return board.ErrAction
	case b.banned[member] || b.banned[to]:
		return board.ErrBanned
	case b.hidden[member] || b.hidden[to]:
		return board.ErrHidden
	case kind == "rename" && len(b.places(to)) > 0:
		return board.ErrExists
	}
	return nil
}

// moveAll moves what the board has of a member to another one.
func (b boardAt) moveAll(kind audit.Kind, member, to string, a board.Action) (m board.Moderated, err error) {
	if err := b.checkMove(kind, member, to, a); err != nil {
		return m, err
	}
	old := b.clone()
	for _, closed := range []bool{false, true} {
		for _, win := range b.spec.Windows {
			for _, p := range b.periods(win) {
				if _, ok := p.entries[member]; !ok || b.closed(win, p.Period, b.now) != closed {
					continue
				}
				place, err := b.moveEntry(win, p, member, to)
				if err != nil {
					*b.World = *old
					return m, err
				}
				m.Places = append(m.Places, place)
			}
		}
	}
	for _, win := range b.windows {
		win.moveBeside(member, to)
		win.moveSeats(kind, member, to)
		m.Awards += win.moveAwards(member, to, a.Reason)
	}
	if a.DryRun {
		*b.World = *old
		return m, nil
	}
	b.moveRows(kind, member, to)
	b.moveInUnion(member, to)
	return b.audited(kind, member, a, m, func(e *audit.Entry) { e.To = to }), nil
}

// moveEntry moves the entry of a member in one period, and returns its place.
func (b boardAt) moveEntry(win board.Window, p periodWorld, member, to string) (at board.Place, err error) {
	at = b.placeNow(win, p, member)
	before := b.ranksOf(p)
	from, into, had := p.entries[member], entry{}, false
	into, had = p.entries[to]
	next, all, err := b.united(win, p, member, to)
	if err != nil && !at.Closed {
		return at, err
	}
	if err != nil { // the score would be out of range
		next, all = into, p.all[to]
	}
	if delete(p.entries, member); !had {
		next.meta = from.meta
	}
	p.entries[to] = next
	if delete(p.all, member); b.spec.K > 0 {
		p.all[to] = all
	}
	b.changed(win, p.Name)
	if !had || !reflect.DeepEqual(next.score, into.score) || next.reached != into.reached || next.arrival != into.arrival {
		b.changed(win, p.Name)
	}
	row := b.rowIn(b.windows[win.Name].periods[p.Name], to)
	at.NewRank, at.NewScore = b.placeRank(row), row.Score
	if at.Closed && b.spec.Top == nil {
		for other, rank := range b.ranksOf(b.windows[win.Name].periods[p.Name]) {
			if other != to && before[other] != rank {
				at.Moved++
			}
		}
	}
	return at, nil
}

// ranksOf returns the places of the members in a ranking whose members close up.
func (b boardAt) ranksOf(p periodWorld) map[string]int {
	ranks := map[string]int{}
	for i, row := range b.rows(b.visible(p.entries)) {
		ranks[row.Member] = i
	}
	return ranks
}

// united returns the entry that a member has in a period with the results of another one, and its results. In a rolling window it moves the results.
func (b boardAt) united(win board.Window, p periodWorld, member, to string) (next entry, all []entry, err error) {
	from := p.entries[member]
	into, had := p.entries[to]
	switch {
	case win.Kind == window.Rolling:
		next, err = b.unitedRolling(win, p, member, to)
		return next, nil, err
	case !had:
		return from, p.all[member], nil
	case b.spec.K > 0:
		return b.unitedKept(p, member, to)
	}
	at := from.reached
	if b.spec.Ties == board.ByMember && from.times != nil {
		at = from.times[0]
	}
	next, err = b.added(into, from, at)
	return next, nil, err
}

// added returns the entry that a member has after the score of another entry is submitted for it, as of a time. Of the two that are one then, the one
// that tells when the score was reached tells when it arrived; if both do, the later one.
func (w *World) added(into, from entry, at int64) (entry, error) {
	next, changed, err := w.merge(into, true, nil, entry{score: from.score, reached: from.reached}, at)
	if changed {
		next.arrival = mergedArrival(next, into, from)
	}
	return next, err
}

func mergedArrival(next, into, from entry) (arrival int) {
	all := slices.DeleteFunc([]entry{into, from}, func(e entry) bool { return e.reached != next.reached })
	if len(all) == 0 {
		all = []entry{into, from}
	}
	for _, e := range all {
		arrival = max(arrival, e.arrival)
	}
	return arrival
}

// unitedRolling moves the results of a member in a rolling window to another one, and returns the entry that it has with them.
func (b boardAt) unitedRolling(win board.Window, p periodWorld, member, to string) (next entry, err error) {
	results := b.windows[win.Name].results
	from, moved := p.entries[member], results[member]
	into, had := p.entries[to]
	switch {
	case !had:
		next = from
	case b.refuses(win, into, true) || b.refuses(win, from, true):
		return into, board.ErrOverflow
	case b.spec.Op == board.Sum:
		if next, err = b.added(into, from, from.reached); err != nil {
			return into, err
		}
	}
	delete(results, member)
	list := slices.Clone(results[to])
	for _, r := range slices.SortedStableFunc(slices.Values(b.stored(moved)), func(a, b rollingResult) int { return a.leaves.Compare(b.leaves) }) {
		if had && b.spec.Op != board.Sum {
			last := into
			if len(list) > 0 {
				last = b.fold(into, list)
			}
			if r.next, err = b.added(last, r.sub, r.at); err != nil {
				return into, err
			}
		}
		list = append(list, r)
	}
	if results[to] = list; had && b.spec.Op != board.Sum {
		next = b.fold(into, list)
	}
	return next, nil
}

// unitedKept is united for operators that keep results. Results of the other member count as if they arrived after those that were there.
func (b boardAt) unitedKept(p periodWorld, member, to string) (next entry, all []entry, err error) {
	from, into := p.entries[member], p.entries[to]
	all = slices.Clone(p.all[to])
	for _, r := range p.all[member] {
		b.arrival++
		r.arrival = b.arrival
		all = append(all, r)
	}
	next = entry{meta: into.meta}
	counts := counted(b.spec, all)
	for i, c := range b.spec.Columns {
		var sum big.Int
		for _, r := range counts {
			sum.Add(&sum, big.NewInt(units(r.score[i])))
		}
		if !sum.IsInt64() {
			return into, p.all[to], board.ErrOverflow
		}
		if next.score = append(next.score, board.Int(sum.Int64())); !inBounds(c, next.score[i]) {
			err = board.ErrBounds
		}
	}
	if err != nil {
		return into, p.all[to], err
	}
	switch {
	case b.spec.Ties == board.ByMember:
	case b.spec.Op == board.DropWorst:
		next.reached = max(into.reached, from.reached)
		before := slices.Concat(counted(b.spec, p.all[to]), counted(b.spec, all[len(p.all[to]):]))
		for _, r := range counts {
			if !slices.ContainsFunc(before, func(x entry) bool { return x.arrival == r.arrival }) {
				next.reached = max(next.reached, r.reached)
			}
		}
	default:
		for _, r := range counts {
			next.reached = max(next.reached, r.reached)
		}
	}
	if slices.Equal(next.score, into.score) && (b.spec.Ties != board.FirstToReach || next.reached >= into.reached) {
		return into, all, nil
	}
	next.arrival = mergedArrival(next, into, from)
	return next, all, nil
}

// moveBeside moves the best rank and the baselines of a member.
func (w windowWorld) moveBeside(member, to string) {
	if rank, ok := w.best[member]; ok {
		if best, has := w.best[to]; !has || rank < best {
			w.best[to] = rank
		}
		delete(w.best, member)
	}
	for _, entries := range w.bases {
		e, ok := entries[member]
		if _, has := entries[to]; ok && !has {
			entries[to] = e
		}
		delete(entries, member)
	}
}

// moveAwards moves the awards of a member. Where the other one has an award, that of the member is withheld if it waits. It returns how many were.
func (w windowWorld) moveAwards(member, to, reason string) (withheld int) {
	for name, p := range w.settled {
		if slices.Contains(p.without, member) {
			others := slices.DeleteFunc(slices.Clone(p.without), func(other string) bool { return other == member || other == to })
			p.without = slices.Sorted(slices.Values(append(others, to)))
			w.settled[name] = p
		}
		a, ok := p.awards[member]
		if _, has := p.awards[to]; ok && !has {
			p.awards[to] = a
			delete(p.awards, member)
		} else if ok && p.state(a) == awards.Waiting {
			a.withheld = reason
			p.awards[member] = a
			withheld++
		}
	}
	return withheld
}

// moveRows gives the rows of the journal of a member to another one. Those that the other one had cannot be reverted any more, and after a merge none can.
func (b boardAt) moveRows(kind audit.Kind, member, to string) {
	b.logged.rows = slices.Clone(b.logged.rows)
	for i := range b.logged.rows {
		row := &b.logged.rows[i]
		if row.Member == to || row.Member == member && kind == "merge" {
			row.version = 0
		}
		if row.Member == member {
			row.Member = to
		}
	}
	b.forgetRows(to)
	if kind == "merge" {
		b.forgetRows(member)
	}
	for i := range b.logged.history { // a copy
		if row := &b.logged.history[i]; row.Member == member {
			row.Member = to
		}
	}
	for name, p := range b.logged.base { // copies, too
		if e, ok := p.entries[member]; ok {
			p.set(to, e, p.all[member], p.results[member])
			delete(p.entries, member)
			delete(p.all, member)
			delete(p.results, member)
		}
		b.logged.base[name] = p
	}
	if kind == "rename" {
		return
	}
	for _, win := range b.spec.Windows {
		for _, p := range b.periods(win) {
			if e, ok := p.entries[to]; ok {
				b.logged.set(rankingName(win, p.Name), to, e, p.all[to], b.windows[win.Name].results[to])
			}
		}
	}
}

// set makes an entry one that a member had before the first row of its history.
func (l *logged) set(ranking, member string, e entry, all []entry, results []rollingResult) {
	p := l.base[ranking]
	p.set(member, e, all, results)
	l.base[ranking] = p
}

// set gives a member an entry, and all of its results.
func (p *periodWorld) set(member string, e entry, all []entry, results []rollingResult) {
	if p.entries == nil {
		p.entries, p.all = map[string]entry{}, map[string][]entry{}
	}
	if p.results == nil {
		p.results = map[string][]rollingResult{}
	}
	p.entries[member], p.all[member], p.results[member] = e, all, results
}

package boardoracle

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// Submit is SubmitAll with one submission.
func (b boardAt) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	changes, err := b.SubmitAll(ctx, []board.Submission{sub})
	if err != nil {
		return board.Change{}, err.(*board.BatchError).Err
	}
	return changes[0], nil
}

// SubmitAll applies all submissions or none.
func (b boardAt) SubmitAll(ctx context.Context, subs []board.Submission) (changes []board.Change, err error) {
	for i, sub := range subs {
		if err := b.validate(sub); err != nil {
			return nil, &board.BatchError{Index: i, Err: err}
		}
	}
	kept := b.clone()
	for i, sub := range subs {
		c, err := b.submit(sub)
		if err != nil {
			*b.World = *kept
			return nil, &board.BatchError{Index: i, Err: err}
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// validate returns the errors of a submission that do not depend on earlier submissions. If it has a Once key, decide checks its periods
// instead: a duplicate is no error, even if its periods have closed since.
func (b boardAt) validate(sub board.Submission) error {
	switch {
	case sub.Member == "":
		return board.ErrMember
	case len(sub.Meta) > b.spec.MaxMeta:
		return board.ErrMeta
	}
	for _, win := range b.spec.Windows {
		if periodOf(win, sub.At).Start.After(b.now) {
			return board.ErrTime
		}
	}
	if sub.Once == "" {
		return b.checkOpen(sub)
	}
	return nil
}

// checkOpen returns ErrPeriodClosed if one of a submission's periods is closed.
func (b boardAt) checkOpen(sub board.Submission) error {
	for _, win := range b.spec.Windows {
		if b.closed(win, periodOf(win, sub.At), b.now) || isLate(win, sub.At, b.now) {
			return board.ErrPeriodClosed
		}
	}
	return nil
}

// submit applies a submission that validate has accepted, unless its Once key makes it a duplicate.
func (b boardAt) submit(sub board.Submission) (c board.Change, err error) {
	used, duplicate := b.once[sub.Once]
	duplicate = duplicate && b.now.Sub(used) < time.Duration(b.spec.OnceFor)
	var before [][]board.Row
	hidden := b.hidden[sub.Member]
	moves := make([]board.Move, len(b.spec.Windows))
	for i, win := range b.spec.Windows {
		p := periodOf(win, sub.At)
		before = append(before, b.capped(b.windows[win.Name].periods[p.Name].entries))
		moves[i] = board.Move{Window: win.Name, Period: p.Name, Hidden: hidden, Len: len(b.shown(before[i]))}
		moves[i].Before, moves[i].Ranked = rowOf(before[i], sub.Member)
		moves[i].After = moves[i].Before
	}
	if c.Duplicate = duplicate; !duplicate {
		if c.Skipped, err = b.decide(sub, moves, before); err != nil {
			return board.Change{}, err
		}
	}
	for i := range moves {
		m := &moves[i]
		if m.After.Rank > 0 && sub.Near > 0 && !m.After.Beyond {
			m.Near = rowsAround(b.shown(b.capped(b.windows[m.Window].periods[m.Period].entries)), m.After.Rank, sub.Near)
		}
	}
	c.Move, c.Others = moves[0], moves[1:]
	return c, nil
}

// decide stores the changes of a submission and fills in the moves. before has the rows of each window before the submission. It reports
// whether the submission was skipped.
func (b boardAt) decide(sub board.Submission, moves []board.Move, before [][]board.Row) (skipped bool, err error) {
	if b.banned[sub.Member] {
		return false, board.ErrBanned
	}
	if err := b.checkOpen(sub); err != nil {
		return false, err
	}
	values, scoreErr := checkScore(b.spec, sub.Score)
	first, had := b.windows[moves[0].Window].periods[moves[0].Period].entries[sub.Member]
	if b.skips(sub.If, values, scoreErr, first, had) {
		return true, nil
	}
	if scoreErr != nil {
		return false, scoreErr
	}
	b.arrival++
	submitted := entry{score: values, reached: sub.At.UnixMicro(), arrival: b.arrival}
	result := submitted
	if b.spec.Ties == board.ByMember {
		submitted.reached, submitted.arrival = 0, 0
	}
	row := loggedRow{result: result, meta: sub.Meta != nil}
	for i, win := range b.spec.Windows {
		period := moves[i].Period
		_, had := b.windows[win.Name].periods[period].entries[sub.Member]
		switch {
		case b.spec.Ties == board.ByMember:
		case win.Kind == window.Rolling: // results of hidden members are kept in their order too
			submitted.arrival = b.arrival
		default:
			submitted.arrival = b.windows[win.Name].periods[period].arrivals + 1 + int(b.nextRow())
		}
		if err := b.apply(win, sub, submitted, result, &moves[i], before[i]); err != nil {
			return false, err
		}
		row.windows = append(row.windows, loggedWindow{period, submitted, moves[i].Changed, had})
	}
	row.JournalRow = board.JournalRow{At: time.UnixMicro(sub.At.UnixMicro()).UTC(), Member: sub.Member, Score: sub.Score, Once: sub.Once}
	b.log(row)
	if sub.Once != "" {
		b.once[sub.Once] = b.now
		maps.DeleteFunc(b.once, func(_ string, used time.Time) bool { return b.now.Sub(used) >= time.Duration(b.spec.OnceFor) })
	}
	return false, nil
}

// apply stores the changes of a submission in one window and fills in its move.
func (b boardAt) apply(win board.Window, sub board.Submission, submitted, result entry, m *board.Move, before []board.Row) error {
	p, periods := periodOf(win, sub.At), b.windows[win.Name].periods
	old, had := periods[p.Name].entries[sub.Member]
	results := append(slices.Clone(periods[p.Name].all[sub.Member]), result)
	next, changed, err := b.merge(old, had, results, submitted, sub.At.UnixMicro())
	if err == nil && b.refuses(win, old, had) {
		err = board.ErrOverflow
	}
	if err != nil {
		return err
	}
	b.record(win, sub.Member, sub.At, submitted, next)
	if !had && b.hasLeagues(win.Name) {
		b.place(win, p, sub.Member, sub.Skill)
	}
	if periods[p.Name].entries == nil {
		periods[p.Name] = periodWorld{Period: p, entries: map[string]entry{}, all: map[string][]entry{}}
	}
	if b.spec.K > 0 {
		periods[p.Name].all[sub.Member] = results
	}
	if !changed {
		if had {
			periods[p.Name].entries[sub.Member] = next // its times
		}
		return nil
	}
	if sub.Meta != nil {
		next.meta = string(sub.Meta)
	}
	periods[p.Name].entries[sub.Member] = next
	if b.hidden[sub.Member] {
		m.Changed, m.Improved = true, !had || compareScores(b.spec.Columns, next.score, old.score) < 0
		return nil
	}
	b.changed(win, p.Name)
	b.moved(m, before, sub)
	return nil
}

// skips reports whether the condition of a submission skips it. bad is the error of its score, or nil. first is the entry in the first window, which alone
// decides, if the member had one.
func (b boardAt) skips(c board.Condition, values []board.Value, bad error, first entry, had bool) bool {
	switch c {
	case board.IfNew:
		return had
	case board.IfRanked:
		return !had
	case board.IfBetter:
		return bad == nil && had && compareScores(b.spec.Columns, values, first.score) >= 0
	}
	return false
}

// moved fills in the move of a member that has changed.
func (b boardAt) moved(m *board.Move, before []board.Row, sub board.Submission) {
	win, member := b.windows[m.Window], sub.Member
	rows := b.capped(win.periods[m.Period].entries)
	m.Changed, m.Len = true, len(b.shown(rows))
	m.After, _ = rowOf(rows, member)
	m.Improved = !m.Ranked || compareScores(b.spec.Columns, scoreValues(m.After.Score), scoreValues(m.Before.Score)) < 0
	for _, row := range b.shown(before) {
		stoodBefore := !m.Ranked || row.Rank < m.Before.Rank
		if now, _ := rowOf(rows, row.Member); row.Member != member && stoodBefore && !m.After.Beyond && now.Rank > m.After.Rank {
			if m.Passed++; !now.Beyond {
				m.Overtaken = append(m.Overtaken, now)
			}
		}
	}
	slices.SortFunc(m.Overtaken, func(a, b board.Row) int { return a.Rank - b.Rank })
	m.Overtaken = m.Overtaken[:min(len(m.Overtaken), sub.Overtaken)]
	if best := win.best[member]; b.spec.BestRanks && !m.After.Beyond && (best == 0 || m.After.Rank < best) {
		win.best[member] = m.After.Rank
	}
}

// rowsAround returns the row at a place, from 1, and each rows on both sides. At an end of the ranking the other side gets the missing rows.
func rowsAround(rows []board.Row, place, each int) []board.Row {
	size := min(2*each+1, len(rows))
	lo := min(max(place-1-each, 0), len(rows)-size)
	return slices.Clone(rows[lo : lo+size])
}

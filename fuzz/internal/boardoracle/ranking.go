package boardoracle

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

// ranking is a ranking of the oracle: a list of rows, which every method walks. It has the methods that operations use.
type ranking struct {
	board.Ranking // the methods that no operation uses
	spec          board.Spec
	info          board.Info
	all           []board.Row
	beyond        []board.Row // the members beyond the best ones
}

// Live returns the ranking of the live period.
func (b boardAt) Live(ctx context.Context, name string) (board.Ranking, error) {
	return b.At(context.Background(), name, b.now)
}

// At returns the ranking of the period that a time lies in.
func (b boardAt) At(ctx context.Context, name string, t time.Time) (board.Ranking, error) {
	win, err := b.window(name)
	if err != nil {
		return nil, err
	}
	p := periodOf(win, t)
	return b.ranking(b.windows[name].periods[p.Name].entries, board.Info{Period: p.Name, Start: p.Start, End: p.End, Closed: b.closed(win, p, b.now)}), nil
}

// Period returns the ranking of a period by its name.
func (b boardAt) Period(ctx context.Context, name, period string) (board.Ranking, error) {
	win, err := b.window(name)
	if err != nil {
		return nil, err
	}
	p := b.windows[name].periods[period]
	if len(b.visible(p.entries)) == 0 {
		return nil, board.ErrNoPeriod
	}
	return b.ranking(p.entries, board.Info{Period: period, Closed: b.closed(win, p.Period, b.now)}), nil
}

// LastClosed returns the ranking of the last closed period that had entries when it was closed.
func (b boardAt) LastClosed(ctx context.Context, name string) (board.Ranking, error) {
	win, err := b.window(name)
	if err != nil {
		return nil, err
	}
	done := slices.DeleteFunc(b.periods(win), func(p periodWorld) bool { return !b.closed(win, p.Period, b.now) })
	if len(done) == 0 {
		return nil, board.ErrNoPeriod
	}
	p := done[len(done)-1]
	return b.ranking(p.entries, board.Info{Period: p.Name, Closed: true}), nil
}

// Baseline returns a saved ranking.
func (b boardAt) Baseline(ctx context.Context, name, base string) (board.Ranking, error) {
	if base == "" {
		return nil, board.ErrBaseline
	}
	if _, err := b.window(name); err != nil {
		return nil, err
	}
	return ranking{spec: b.spec, info: board.Info{Period: base, Closed: true}, all: b.inOnePart().rows(b.windows[name].bases[base])}, nil
}

// Periods returns the periods with rows.
func (b boardAt) Periods(ctx context.Context, name string) (all []board.Usage, err error) {
	win, err := b.window(name)
	for _, p := range b.periods(win) {
		if n := len(b.visible(p.entries)); n > 0 {
			all = append(all, board.Usage{Info: board.Info{Period: p.Name, Closed: b.closed(win, p.Period, b.now)}, Members: n})
		}
	}
	return all, err
}

// Baselines returns the names of baselines.
func (b boardAt) Baselines(ctx context.Context, name string) ([]string, error) {
	_, err := b.window(name)
	return slices.Sorted(maps.Keys(b.windows[name].bases)), err
}

// BestRank returns the best rank ever.
func (b boardAt) BestRank(ctx context.Context, name, member string) (rank int, ok bool, err error) {
	_, err = b.window(name)
	rank, ok = b.windows[name].best[member]
	return rank, ok, err
}

func (b boardAt) ranking(entries map[string]entry, info board.Info) ranking {
	all := b.capped(entries)
	for i, row := range all {
		if meta := entries[row.Member].meta; meta != "" {
			all[i].Meta = []byte(meta)
		}
	}
	n := len(b.shown(all))
	return ranking{spec: b.spec, info: info, all: all[:n:n], beyond: all[n:]}
}

// Info returns the period.
func (r ranking) Info(context.Context) (board.Info, error) { return r.info, nil }

// By gives ranks in another mode.
func (r ranking) By(mode board.Mode) board.Ranking {
	ranked := slices.Clone(r.all)
	for i := range ranked {
		ranked[i].Rank = r.rank(mode, i, r.all[i].Score, 0)
	}
	r.all, r.beyond, r.info.Mode = ranked, r.othersBy(mode), mode
	return r
}

// othersBy returns the rows of the members beyond the best n in another mode.
func (r ranking) othersBy(mode board.Mode) []board.Row {
	if r.spec.Top == nil || r.spec.Top.Segments == 0 {
		return r.beyond
	}
	whole := r
	whole.all = slices.Concat(r.all, r.beyond)
	rows := slices.Clone(r.beyond)
	for i := range rows {
		rows[i].Rank = whole.rank(mode, len(r.all)+i, rows[i].Score, 0)
	}
	return rows
}

// rank returns the rank, from 1, of a score at place i, from 0. more is the number of entries with that score that the ranking does not have yet.
func (r ranking) rank(mode board.Mode, i int, score board.Score, more int) int {
	better, equal, distinct := 0, more, map[board.Score]bool{}
	for _, row := range r.all {
		switch c := r.compare(row.Score, score); {
		case c < 0:
			better++
			distinct[row.Score] = true
		case c == 0:
			equal++
		}
	}
	return map[board.Mode]int{board.Ordinal: i + 1, board.Competition: better + 1, board.Modified: better + equal, board.Dense: len(distinct) + 1}[mode]
}

func (r ranking) compare(a, b board.Score) int {
	return compareScores(r.spec.Columns, scoreValues(a), scoreValues(b))
}

// place returns the place of a member, from 0, or -1.
func (r ranking) place(member string) int {
	return slices.IndexFunc(r.all, func(row board.Row) bool { return row.Member == member })
}

// Len returns the number of rows.
func (r ranking) Len(ctx context.Context) (int, error) { return len(r.all), nil }

// Rank returns a member's row.
func (r ranking) Rank(ctx context.Context, member string) (row board.Row, ok bool, err error) {
	if row, ok = rowOf(r.all, member); !ok {
		row, ok = rowOf(r.beyond, member)
	}
	return row, ok, nil
}

// Places returns the rows at places first to last, both from 1 and included; negative places count from the end.
func (r ranking) Places(ctx context.Context, first, last int) (rows []board.Row, err error) {
	n := len(r.all)
	if first < 0 {
		first += n + 1
	}
	if last < 0 {
		last += n + 1
	}
	for place := max(first, 1); place <= min(last, n); place++ {
		rows = append(rows, r.all[place-1])
	}
	return rows, nil
}

// Page returns all rows: the oracle has no cursors.
func (r ranking) Page(ctx context.Context, _ board.Cursor, _ int) ([]board.Row, board.Cursor, error) {
	return r.all, board.Cursor{}, nil
}

// Around returns the rows around a member.
func (r ranking) Around(ctx context.Context, member string, each int) (rows []board.Row, ok bool, err error) {
	if i := r.place(member); i >= 0 {
		return rowsAround(r.all, i+1, each), true, nil
	}
	return nil, false, nil
}

// Between returns the rows with scores from best to worst.
func (r ranking) Between(ctx context.Context, best, worst *board.Score, skip, limit int) (rows []board.Row, err error) {
	for _, bound := range []*board.Score{best, worst} {
		if bound == nil {
			continue
		}
		values, err := checkRanked(r.spec, *bound)
		if err != nil {
			return nil, err
		}
		*bound = board.Values(values...)
	}
	for _, row := range r.all {
		if (best == nil || r.compare(row.Score, *best) >= 0) && (worst == nil || r.compare(row.Score, *worst) <= 0) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// RankOf returns the rank that a new member with a score would have.
func (r ranking) RankOf(ctx context.Context, score board.Score) (int, error) {
	values, err := checkRanked(r.spec, score)
	if err != nil {
		return 0, err
	}
	score = board.Values(values...)
	place := 0
	for _, row := range r.all {
		if c := r.compare(row.Score, score); c < 0 || c == 0 && r.spec.Ties != board.LastToReach {
			place++
		}
	}
	return r.rank(r.info.Mode, place, score, 1), nil
}

// Percentile returns the share of members behind a member.
func (r ranking) Percentile(ctx context.Context, member string) (p board.Percentile, ok bool, err error) {
	i, n := r.place(member), len(r.all)
	if i < 0 {
		return p, false, nil
	}
	better, worse := 0, 0
	for _, row := range r.all {
		switch c := r.compare(row.Score, r.all[i].Score); {
		case c < 0:
			better++
		case c > 0:
			worse++
		}
	}
	p.Ahead, p.Top = 100, int(math.Ceil(float64(100*(better+1))/float64(n)))
	if n > 1 {
		p.Ahead = float64(100*worse) / float64(n-1)
	}
	return p, true, nil
}

// Gap returns the difference of scores between a member and the member that many places above.
func (r ranking) Gap(ctx context.Context, member string, above int) (gap board.Gap, ok bool, err error) {
	i := r.place(member)
	if i < 1 {
		return gap, false, nil
	}
	gap.To, gap.Column = r.all[max(i-above, 0)], -1
	for c := range r.spec.Columns {
		a, b := gap.To.Score.At(c), r.all[i].Score.At(c)
		if a == b {
			continue
		}
		if gap.Column = c; a.IsAbsent() || b.IsAbsent() {
			gap.By = board.Absent
		} else if a.IsFloat() {
			gap.By = board.Float(math.Abs(a.Float() - b.Float()))
		} else if more := max(a.Int(), b.Int()) - min(a.Int(), b.Int()); more >= 0 {
			gap.By = board.Int(more)
		} else {
			gap.By = board.Int(math.MaxInt64)
		}
		break
	}
	return gap, true, nil
}

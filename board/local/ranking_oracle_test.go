package local

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// readChecker makes all reads of a ranking in one mode, and compares the results with those of a plain list.
type readChecker struct {
	*world
	t    *testing.T
	r    board.Ranking
	mode board.Mode
	want []board.Row // the plain list: all rows, best first
	buf  []board.Row // rows of the Append calls, used again by each
	n    int         // the number of comparisons
}

// expect counts a comparison, and fails the test if it is false or err is not nil.
func (a *readChecker) expect(ok bool, err error, call string, args ...any) {
	a.n++
	if !ok || err != nil {
		require.FailNow(a.t, "not as the plain list", "%s%v: %v\nmode %v, %d columns %v, ties %s, %d members",
			call, args, err, a.mode, len(a.columns), a.columns, a.rules.Ties(), len(a.want))
	}
}

// slice returns want[lo:hi], without places outside the list.
func (a *readChecker) slice(lo, hi int) []board.Row {
	lo, hi = max(lo, 0), min(hi, len(a.want))
	return a.want[min(lo, max(hi, 0)):max(hi, 0)]
}

// TestEveryRead makes every read of rankings with every mode, tie rule, number, order and kind of columns, in both encodings of a set.
// It compares each result with that of a plain list.
func TestEveryRead(t *testing.T) {
	worlds, compared, seed := 0, 0, uint64(1)
	for _, lists := range [][][]board.Column{directions(1), directions(2), directions(3), directions(4), wide()} {
		for i, list := range lists {
			for _, ties := range allTies {
				seed++
				if seed%5 >= uint64(fewer(5)) {
					continue
				}
				for _, n := range []int{0, 1, 2, 3, []int{100, 129}[seed%2]} {
					w := newWorld(t, seed, list, ties, i%2 == 0)
					w.fill(t, n)
					compared += w.checkReads(t)
					worlds++
				}
			}
		}
	}
	t.Logf("%d rankings, %d answers compared", worlds, compared)
}

// TestEveryReadOfMany is TestEveryRead with more members than a leaf of the set holds.
func TestEveryReadOfMany(t *testing.T) {
	compared := 0
	for i, ties := range allTies {
		w := newWorld(t, uint64(i), directions(2)[i+1], ties, false)
		w.fill(t, fewer(3000))
		compared += w.checkReads(t)
	}
	t.Logf("%d answers compared", compared)
}

// checkReads makes every read in every mode, and returns the number of comparisons.
func (w *world) checkReads(t *testing.T) (compared int) {
	for _, mode := range allModes {
		a := &readChecker{world: w, t: t, r: w.By(mode), mode: mode, want: w.sorted(mode)}
		for i := range 12 {
			if len(a.want) > 0 {
				places := []int{0, len(a.want) - 1, 1 % len(a.want), w.rng.IntN(len(a.want))}
				a.member(places[i%4])
			}
			a.scores(w.drawScore(), w.drawScore())
		}
		a.absent()
		a.places()
		a.among()
		a.percentages()
		if mode == board.Ordinal { // histograms have no ranks, so one mode is enough
			a.histograms()
		}
		a.pages()
		a.arrows()
		compared += a.n
	}
	return compared
}

// member checks the reads of the member at a place, from 0.
func (a *readChecker) member(place int) {
	ctx := context.Background()
	row, n := a.want[place], len(a.want)
	got, ok, err := a.r.Rank(ctx, row.Member)
	a.expect(ok && equal([]board.Row{got}, []board.Row{row}), err, "Rank", row.Member, got, row)
	score, ok, err := a.r.Score(ctx, row.Member)
	a.expect(ok && score == row.Score, err, "Score", row.Member)
	for _, each := range []int{0, 1, 2, n / 2, n, math.MaxInt} {
		side := min(each, n)
		lo := max(min(place-side, n-(2*side+1)), 0)
		want := a.slice(lo, lo+2*side+1)
		rows, ok, err := a.r.Around(ctx, row.Member, each)
		a.expect(ok && equal(rows, want), err, "Around", place, each, rows, want)
		a.buf, ok, err = a.r.AppendAround(ctx, a.buf[:0], row.Member, each)
		a.expect(ok && equal(a.buf, want), err, "AppendAround", place, each, a.buf, want)
		card, err := a.r.Card(ctx, row.Member, 3, each)
		a.expect(card.Ranked && card.Len == n && equal(card.Top, a.slice(0, 3)) && equal(card.Around, want) &&
			equal([]board.Row{card.Own}, []board.Row{row}), err, "Card", place, each, card)
	}
	for _, above := range []int{1, 2, n, math.MaxInt} {
		a.gap(place, above)
	}
	worse, better := 0, 0
	for _, other := range a.want {
		switch c := a.compare(other.Score, row.Score); {
		case c > 0:
			worse++
		case c < 0:
			better++
		}
	}
	want := board.Percentile{Ahead: 100, Top: int(math.Ceil(float64(100*(better+1)) / float64(n)))}
	if n > 1 {
		want.Ahead = 100 * float64(worse) / float64(n-1)
	}
	p, ok, err := a.r.Percentile(ctx, row.Member)
	a.expect(ok && p == want, err, "Percentile", place, p, want)
	a.inverse(p, better)
}

// inverse checks that AtPercentile is the inverse of Percentile.Top, for a member with better members of better score: the best percent of
// Top includes the first of its equals, and that of Top-1 does not.
func (a *readChecker) inverse(p board.Percentile, better int) {
	in, ok, err := a.r.AtPercentile(context.Background(), float64(p.Top))
	a.expect(ok && slices.IndexFunc(a.want, func(row board.Row) bool { return row.Member == in.Member }) >= better, err, "AtPercentile(Top)", p.Top)
	if p.Top > 1 && better > 0 {
		out, ok, err := a.r.AtPercentile(context.Background(), float64(p.Top-1))
		a.expect(ok && slices.IndexFunc(a.want, func(row board.Row) bool { return row.Member == out.Member }) < better, err, "AtPercentile(Top-1)", p.Top)
	}
}

// gap checks the Gap of the member at a place, from 0.
func (a *readChecker) gap(place, above int) {
	gap, ok, err := a.r.Gap(context.Background(), a.want[place].Member, above)
	if place == 0 {
		a.expect(!ok && gap.To.Member == "", err, "Gap of the first")
		return
	}
	own, to := a.want[place], a.want[max(place-above, 0)]
	column := -1
	for i := len(a.columns) - 1; i >= 0; i-- {
		if own.Score.At(i) != to.Score.At(i) {
			column = i
		}
	}
	want := board.Value{}
	if column >= 0 {
		want = absDifference(own.Score.At(column), to.Score.At(column))
	}
	a.expect(ok && equal([]board.Row{gap.To}, []board.Row{to}) && gap.Column == column && gap.By == want, err, "Gap", place, above, gap)
}

// absDifference returns the absolute difference of two values, limited to the range of their kind.
func absDifference(a, b board.Value) board.Value {
	if a.IsFloat() {
		d := new(big.Float).Sub(big.NewFloat(a.Float()), big.NewFloat(b.Float()))
		f, _ := d.Abs(d).Float64()
		return rules.Float(min(f, math.MaxFloat64))
	}
	d := new(big.Int).Sub(big.NewInt(whole(a.Units())), big.NewInt(whole(b.Units())))
	if d.Abs(d); !d.IsInt64() {
		return rules.Decimal(math.MaxInt64, a.Decimals())
	}
	return rules.Decimal(d.Int64(), a.Decimals())
}

// scores checks Count and Between for intervals of scores with these bounds.
func (a *readChecker) scores(best, worst board.Score) {
	lo, equals, hi := 0, 0, 0
	for _, row := range a.want {
		if a.compare(row.Score, best) < 0 {
			lo++
		}
		if a.compare(row.Score, best) == 0 {
			equals++
		}
		if a.compare(row.Score, worst) <= 0 {
			hi++
		}
	}
	bounds := []struct {
		best, worst *board.Score
		lo, hi      int
	}{{&best, &worst, lo, max(lo, hi)}, {nil, &worst, 0, hi}, {&best, nil, lo, len(a.want)}, {nil, nil, 0, len(a.want)}, {&best, &best, lo, lo + equals}}
	for _, b := range bounds {
		n, err := a.r.Count(context.Background(), b.best, b.worst)
		a.expect(n == b.hi-b.lo, err, "Count", best, worst, n)
		for _, limit := range [][2]int{{0, -1}, {0, 0}, {1, 2}, {3, math.MaxInt}, {math.MaxInt, 1}, {0, math.MinInt}} {
			skip, most := limit[0], limit[1]
			from := b.lo + min(skip, b.hi-b.lo)
			to := b.hi
			if most >= 0 {
				to = from + min(most, b.hi-from)
			}
			rows, err := a.r.Between(context.Background(), b.best, b.worst, skip, most)
			a.expect(equal(rows, a.slice(from, to)), err, "Between", best, worst, skip, most, rows)
		}
	}
	a.newMember(best)
}

// newMember compares RankOf with the rank of a new member with the score, and AroundScore with the rows around it.
func (a *readChecker) newMember(score board.Score) {
	rows := slices.Clone(a.want)
	at := 0 // the place of the new member, from 0
	for at < len(rows) {
		c := a.compare(rows[at].Score, score)
		if c > 0 || c == 0 && a.rules.Ties() == rules.LastToReach {
			break
		}
		at++
	}
	var want int
	a.number(slices.Insert(rows, at, board.Row{Member: "new", Score: score}), a.mode, func(row *board.Row, rank int) {
		if row.Member == "new" {
			want = rank
		}
	})
	rank, err := a.r.RankOf(context.Background(), score)
	a.expect(rank == want, err, "RankOf", score, rank, want)
	for _, each := range []int{0, 1, 3, len(a.want), math.MaxInt} {
		side := min(each, len(a.want))
		lo := max(min(at-side, len(a.want)-2*side), 0)
		rows, err := a.r.AroundScore(context.Background(), score, each)
		a.expect(equal(rows, a.slice(lo, lo+2*side)), err, "AroundScore", score, each, rows)
	}
}

// absent checks the reads of members that are not ranked.
func (a *readChecker) absent() {
	ctx := context.Background()
	for _, member := range []string{"", "nobody", string(make([]byte, 1<<16))} {
		_, ranked, err := a.r.Rank(ctx, member)
		a.expect(!ranked, err, "Rank")
		_, ranked, err = a.r.Score(ctx, member)
		a.expect(!ranked, err, "Score")
		rows, ranked, err := a.r.Around(ctx, member, 3)
		a.expect(!ranked && rows == nil, err, "Around")
		_, ranked, err = a.r.Gap(ctx, member, 1)
		a.expect(!ranked, err, "Gap")
		_, ranked, err = a.r.Percentile(ctx, member)
		a.expect(!ranked, err, "Percentile")
		card, err := a.r.Card(ctx, member, 2, 2)
		a.expect(!card.Ranked && card.Around == nil && card.Own.Member == "" && equal(card.Top, a.slice(0, 2)) && card.Len == len(a.want), err, "Card")
	}
}

// places checks Len, Places, At and Top for places inside and outside the ranking.
func (a *readChecker) places() {
	ctx := context.Background()
	n := len(a.want)
	length, err := a.r.Len(ctx)
	a.expect(length == n, err, "Len")
	places := []int{math.MinInt, -n - 1, -n, -2, -1, 0, 1, 2, n / 2, n, n + 1, math.MaxInt}
	for _, first := range places {
		for _, last := range places {
			var want []board.Row
			for i := range a.want {
				if (first > 0 && i+1 < first || first < 0 && i-n < first) || (last >= 0 && i+1 > last || last < 0 && i-n > last) {
					continue
				}
				want = append(want, a.want[i])
			}
			rows, err := a.r.Places(ctx, first, last)
			a.expect(equal(rows, want), err, "Places", first, last, rows)
			a.buf, err = a.r.AppendPlaces(ctx, a.buf[:0], first, last)
			a.expect(len(a.buf) == 0 && len(want) == 0 || equal(a.buf, want), err, "AppendPlaces", first, last, a.buf)
		}
		row, ok, err := a.r.At(ctx, first)
		if place := first - 1; first > 0 && first <= n || first < 0 && first >= -n {
			if first < 0 {
				place = n + first
			}
			a.expect(ok && equal([]board.Row{row}, a.want[place:place+1]), err, "At", first)
		} else {
			a.expect(!ok, err, "At", first)
		}
		if first >= 0 {
			rows, err := a.r.Top(ctx, first)
			a.expect(equal(rows, a.slice(0, first)), err, "Top", first)
			rows, err = a.r.AppendTop(ctx, rows, first)
			a.expect(equal(rows, slices.Concat(a.slice(0, first), a.slice(0, first))), err, "AppendTop", first)
		}
	}
}

// among checks Among for all members, each third and each tenth, given twice and in random order.
func (a *readChecker) among() {
	for _, part := range []int{1, 3, 10} {
		members := []string{"nobody", ""}
		var rows []board.Row
		for i, row := range a.want {
			if i%part == 0 {
				members = append(members, row.Member, row.Member)
				rows = append(rows, row)
			}
		}
		want := make([]board.AmongRow, 0, len(rows))
		a.number(rows, a.mode, func(row *board.Row, rank int) { want = append(want, board.AmongRow{Row: *row, Local: rank}) })
		a.rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		list, err := a.r.Among(context.Background(), members...)
		a.expect(slices.EqualFunc(list, want, func(x, y board.AmongRow) bool {
			return equal([]board.Row{x.Row}, []board.Row{y.Row}) && x.Local == y.Local
		}), err,
			"Among", part, list, want)
	}
}

// percentages checks AtPercentile for percentages in and out of range.
func (a *readChecker) percentages() {
	n := len(a.want)
	for _, percent := range []float64{-1, 100.5, math.NaN(), math.Inf(1)} {
		_, ok, err := a.r.AtPercentile(context.Background(), percent)
		a.expect(!ok, err, "AtPercentile", percent)
	}
	expectPlace := func(percent float64, place int) {
		row, ok, err := a.r.AtPercentile(context.Background(), percent)
		a.expect(ok == (n > 0) && (!ok || equal([]board.Row{row}, a.want[max(place, 1)-1:max(place, 1)])), err, "AtPercentile", percent, place)
	}
	for percent := range 101 {
		expectPlace(float64(percent), percent*n/100)
	}
	for i := 0; i < n; i += 1 + n/40 {
		expectPlace(100*float64(i+1)/float64(n), i+1)
		expectPlace(float64(i+1)/float64(n)*100, i+1)
	}
}

// arrows pins the ranking, changes, removes and adds members, and checks Arrows against the pin.
func (a *readChecker) arrows() {
	base := mustPin(a.t, a.world)
	was := a.want
	var members []string
	for i, row := range slices.Clone(a.want) {
		members = append(members, row.Member)
		switch i % 4 {
		case 0:
			a.put(a.t, row.Member, a.drawScore())
		case 1:
			a.remove(a.t, row.Member)
		}
	}
	for range len(members) / 3 {
		member := a.drawMember()
		members = append(members, member)
		a.put(a.t, member, a.drawScore())
	}
	a.want = a.sorted(a.mode)
	members = append(members, "nobody", "nobody")
	list, err := a.r.Arrows(context.Background(), base, members...)
	a.expect(len(list) == len(members), err, "Arrows")
	ranks := func(rows []board.Row) map[string]int {
		m := map[string]int{}
		for _, row := range rows {
			m[row.Member] = row.Rank
		}
		return m
	}
	now, then := ranks(a.want), ranks(was)
	for i, member := range members {
		want := board.Arrow{Member: member}
		want.Rank, want.Ranked = now[member], now[member] > 0
		want.Was, want.WasRanked = then[member], then[member] > 0
		if want.Ranked && want.WasRanked {
			want.Up = want.Was - want.Rank
		}
		a.expect(list[i] == want, nil, "Arrow", list[i], want)
	}
}

// whole returns the units of a value that has some.
func whole(units int64, ok bool) int64 {
	if !ok {
		panic("the value has no units")
	}
	return units
}

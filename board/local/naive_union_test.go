package local

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// naiveUnion is the oracle of a union: it lists what every source has of every member, and computes each score from its list.
type naiveUnion struct {
	spec    board.UnionSpec
	columns [][]rules.Column // of the sources
	ties    board.Ties
	parts   map[string][]naivePart
}

// naivePart is what one ranking has of a member.
type naivePart struct {
	source  int
	values  []board.Value
	reached int64
}

// unite returns the rows of a union of the oracles' boards, or an error of the kind that Boards.Union returns.
func (s *script) unite(spec board.UnionSpec) ([]board.Row, error) {
	u := &naiveUnion{spec: spec, parts: map[string][]naivePart{}}
	for i, source := range spec.Sources {
		n := s.boards[source.Board]
		at := slices.IndexFunc(n.windows, func(w *naiveWindow) bool { return w.Name == source.Window || source.Window == "" })
		if at < 0 {
			return nil, board.ErrNoWindow
		}
		lists, err := n.windows[at].naiveSource(source, s.clock.Now())
		if err != nil {
			return nil, err
		}
		for _, entries := range lists {
			for member, e := range entries {
				part := naivePart{source: i, reached: e.Reached}
				for c := range n.spec.Columns {
					part.values = append(part.values, e.Score.At(c))
				}
				u.parts[member] = append(u.parts[member], part)
			}
		}
		u.columns = append(u.columns, n.rules.Columns())
		if u.ties = n.rules.Ties(); i > 0 && u.ties != s.boards[spec.Sources[0].Board].rules.Ties() {
			u.ties = board.ByMember
		}
	}
	for i := range spec.Sources {
		if s.boards[spec.Sources[i].Board].rules.Ties() != s.boards[spec.Sources[0].Board].rules.Ties() {
			u.ties = board.ByMember
		}
	}
	for i, columns := range u.columns {
		if len(columns) != len(u.columns[0]) || len(spec.Sources[i].Weights) > 1 && len(spec.Sources[i].Weights) != len(columns) {
			return nil, board.ErrUnion
		}
		for c := range columns {
			if columns[c].Absent != "" || columns[c].Kind != u.columns[0][c].Kind || columns[c].Order != u.columns[0][c].Order {
				return nil, board.ErrUnion
			}
		}
	}
	if n := len(spec.Columns); n > 0 && n != len(u.columns[0]) {
		return nil, board.ErrUnion
	}
	return u.rows(), nil
}

// naiveSource returns the entries of each ranking of a source.
func (w *naiveWindow) naiveSource(s board.UnionSource, now time.Time) (lists []naiveEntries, err error) {
	live, err := w.cal.At(now)
	if err != nil {
		return nil, err
	}
	if s.Baseline != "" {
		if len(w.bases[s.Baseline]) == 0 {
			return nil, board.ErrNoPeriod
		}
		return []naiveEntries{w.bases[s.Baseline]}, nil
	}
	first, last := live, live
	for range s.Last - 1 {
		if before, ok := w.cal.Prev(first); ok {
			first = before
		}
	}
	if s.Period != "" || s.From != "" {
		if first, err = w.cal.Parse(s.Period + s.From); err != nil {
			return nil, err
		}
	}
	if s.Period != "" {
		last = first
	} else if s.To != "" {
		if last, err = w.cal.Parse(s.To); err != nil {
			return nil, err
		}
	}
	if first.Start.After(last.Start) {
		return nil, board.ErrUnion
	}
	periods := slices.SortedFunc(func(yield func(*naivePeriod) bool) {
		for _, p := range w.periods {
			if !p.Start.Before(first.Start) && !p.Start.After(last.Start) && len(p.entries) > 0 && !yield(p) {
				return
			}
		}
	}, func(a, b *naivePeriod) int { return b.Start.Compare(a.Start) })
	for _, p := range periods {
		lists = append(lists, p.entries)
	}
	if s.Period != "" && len(lists) == 0 {
		return nil, board.ErrNoPeriod
	}
	return lists, nil
}

// weight returns the weight of a source for a column.
func (u *naiveUnion) weight(source, column int) *big.Rat {
	text := "1"
	switch w := u.spec.Sources[source].Weights; len(w) {
	case 0:
	case 1:
		text = w[0].String()
	default:
		text = w[column].String()
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// weighted returns a column of a part times its weight.
func (u *naiveUnion) weighted(p naivePart, column int) *big.Rat {
	r, ok := new(big.Rat).SetString(p.values[column].String())
	if !ok {
		panic(p.values[column].String())
	}
	return r.Mul(r, u.weight(p.source, column))
}

// operator returns the operator of a column.
func (u *naiveUnion) operator(column int) board.Op {
	own := board.Op("")
	if len(u.spec.Columns) > 0 {
		own = u.spec.Columns[column]
	}
	return cmp.Or(own, u.spec.Combine, board.Sum)
}

// column returns a column of a member's score, and when it was reached.
func (u *naiveUnion) column(parts []naivePart, column int) (*big.Rat, int64) {
	op := u.operator(column)
	total := new(big.Rat)
	if op != board.Sum {
		total = slices.MinFunc(parts, func(a, b naivePart) int {
			c := u.weighted(a, column).Cmp(u.weighted(b, column))
			if op == board.Max {
				return -c
			}
			return c
		}).weightedBy(u, column)
	}
	var times []int64
	for _, p := range parts {
		switch {
		case op == board.Sum:
			total.Add(total, u.weighted(p, column))
			times = append(times, p.reached)
		case u.weighted(p, column).Cmp(total) == 0:
			times = append(times, p.reached)
		}
	}
	if op == board.Sum {
		return total, slices.Max(times)
	}
	return total, u.preferred(times)
}

func (p naivePart) weightedBy(u *naiveUnion, column int) *big.Rat { return u.weighted(p, column) }

func (u *naiveUnion) preferred(times []int64) int64 {
	if u.ties == board.LastToReach {
		return slices.Max(times)
	}
	return slices.Min(times)
}

// compare orders two scores: the better one first.
func (u *naiveUnion) compare(a, b []*big.Rat) int {
	for i, c := range u.columns[0] {
		if x := a[i].Cmp(b[i]); x != 0 && c.Order == board.Asc {
			return x
		} else if x != 0 {
			return -x
		}
	}
	return 0
}

// score returns a member's score, and when it was reached.
func (u *naiveUnion) score(parts []naivePart) (score []*big.Rat, reached int64) {
	whole := func(p naivePart) (all []*big.Rat) {
		for c := range u.columns[0] {
			all = append(all, u.weighted(p, c))
		}
		return all
	}
	if u.spec.Combine == board.Best {
		best := slices.MinFunc(parts, func(a, b naivePart) int { return u.compare(whole(a), whole(b)) })
		var times []int64
		for _, p := range parts {
			if u.compare(whole(p), whole(best)) == 0 {
				times = append(times, p.reached)
			}
		}
		return whole(best), u.preferred(times)
	}
	var times []int64
	for c := range u.columns[0] {
		v, at := u.column(parts, c)
		score, times = append(score, v), append(times, at)
	}
	return score, slices.Max(times)
}

// value returns a number as a value of a column of the union.
func (u *naiveUnion) value(r *big.Rat, column int) board.Value {
	if u.columns[0][column].Kind == board.Float64 {
		f, _ := r.Float64()
		return board.Float(f)
	}
	decimals := 0
	for i, columns := range u.columns {
		own := 0
		for w := u.weight(i, column); !w.IsInt(); own++ {
			w.Mul(w, big.NewRat(10, 1))
		}
		decimals = max(decimals, columns[column].Decimals+own)
	}
	r = new(big.Rat).Set(r)
	for range decimals {
		r.Mul(r, big.NewRat(10, 1))
	}
	if !r.IsInt() || !r.Num().IsInt64() {
		panic(r.String())
	}
	return board.Decimal(r.Num().Int64(), decimals)
}

// rows returns the ranking.
func (u *naiveUnion) rows() (rows []board.Row) {
	scores := map[string][]*big.Rat{}
	for member, parts := range u.parts {
		score, reached := u.score(parts)
		scores[member] = score
		var values []board.Value
		for c, v := range score {
			values = append(values, u.value(v, c))
		}
		row := board.Row{Member: member, Score: board.Values(values...)}
		if u.ties != board.ByMember {
			row.Reached = time.UnixMicro(reached).UTC()
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b board.Row) int {
		later := a.Reached.Compare(b.Reached)
		if u.ties == board.LastToReach {
			later = -later
		}
		return cmp.Or(u.compare(scores[a.Member], scores[b.Member]), later, strings.Compare(a.Member, b.Member))
	})
	for i := range rows {
		rows[i].Rank = i + 1
	}
	return rows
}

// unionSpec returns a random spec of a union, which may be impossible.
func (s *script) unionSpec() board.UnionSpec {
	pick := func(n int) int { return s.rng.IntN(n) }
	spec := board.UnionSpec{Combine: []board.Op{"", board.Sum, board.Min, board.Max, board.Best}[pick(5)]}
	name, n, _ := s.pick()
	if spec.Combine != board.Best && pick(3) == 0 {
		for range n.rules.Columns() {
			spec.Columns = append(spec.Columns, []board.Op{"", board.Sum, board.Min, board.Max}[pick(4)])
		}
	}
	for range 1 + pick(4) {
		if pick(6) == 0 { // mostly one board, so that columns match
			name, n, _ = s.pick()
		}
		w := n.windows[pick(len(n.windows))]
		source := board.UnionSource{Board: name, Window: w.Name}
		at := func() string {
			p, err := w.cal.At(s.clock.Now().Add(-time.Duration(pick(100)) * time.Hour))
			require.NoError(s.t, err)
			return p.Name
		}
		switch pick(6) {
		case 0:
			source.Period = at()
		case 1:
			source.Last = 1 + pick(20)
		case 2:
			if source.From = at(); pick(2) == 0 {
				source.To = at()
			}
		case 3:
			source.Baseline = string(rune('x' + pick(2)))
		}
		for range []int{0, 0, 1, len(n.rules.Columns())}[pick(4)] {
			source.Weights = append(source.Weights, []board.Value{board.Int(2), board.Int(-1), board.Int(0), board.Float(0.5), board.Decimal(150, 2)}[pick(5)])
		}
		spec.Sources = append(spec.Sources, source)
	}
	return spec
}

// unionNames are the names of the stored unions: one is that of a board.
var unionNames = []string{"shop", "weeks"}

// union computes a random union, and perhaps stores or drops it.
func (s *script) union() {
	ctx, spec := context.Background(), s.unionSpec()
	want, err := s.unite(spec)
	r, bad := s.bs.Union(ctx, spec)
	if s.same(err, bad) {
		got, err := r.Top(ctx, 1<<20)
		require.NoError(s.t, err)
		require.Equal(s.t, fmt.Sprint(want), fmt.Sprint(got), "%+v", spec)
		s.counts["united"] += len(want)
	} else {
		s.counts["unions refused"]++
	}
	s.counts["unions"]++
	if s.rng.IntN(2) == 0 {
		s.storeUnion()
	}
}

// storeUnion stores or drops a union.
func (s *script) storeUnion() {
	ctx, name := context.Background(), unionNames[s.rng.IntN(2)]
	if s.rng.IntN(4) == 0 {
		err := error(nil)
		if _, stored := s.stored[name]; !stored {
			err = board.ErrNoUnion
		}
		delete(s.stored, name)
		s.same(err, s.bs.DropUnion(ctx, name))
		return
	}
	spec := s.unionSpec()
	want, err := s.unite(spec)
	if s.same(err, s.bs.StoreUnion(ctx, name, spec)) {
		s.stored[name] = want
		s.counts["unions stored"]++
	}
}

// storedText returns the expected dump of the stored unions.
func (s *script) storedText() (text string) {
	for _, name := range unionNames {
		if rows, stored := s.stored[name]; stored {
			text += fmt.Sprintf("union %s:", name)
			for _, row := range rows {
				text += rowText(row)
			}
			text += "\n"
		}
	}
	return text
}

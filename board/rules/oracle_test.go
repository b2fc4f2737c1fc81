package rules_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/internal/matrix"
)

var (
	allOps  = []rules.Op{rules.Best, rules.Last, rules.First, rules.Sum, rules.Min, rules.Max}
	allTies = []rules.Ties{rules.FirstToReach, rules.LastToReach, rules.ByMember}
)

// ints and floats are the edge cases of arithmetic. The first elements of floats are finite.
var ints = []int64{0, 1, -1, 2, 5, 1 << 33, 1 << 53, 1<<53 - 1, 1<<53 + 1, -1 << 53, -1<<53 + 1, -1<<53 - 1, math.MaxInt64,
	math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}

var floats = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 0.2, 5e-324, -5e-324, 0x1p-1022, 1 << 53, 1<<53 + 2, 1e16, -1 << 63,
	math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

var times = []int64{0, 1, 2, 3, 4, 5, -1, -2, math.MinInt64, math.MaxInt64}

// choices are a source of random numbers, or the bytes of a fuzzer.
type choices interface {
	IntN(n int) int
}

// bytesOf takes its numbers from the bytes of a fuzzer, and 0 after the last one.
type bytesOf struct{ rest []byte }

func (b *bytesOf) IntN(n int) int {
	if len(b.rest) == 0 {
		return 0
	}
	c := int(b.rest[0])
	b.rest = b.rest[1:]
	return c % n
}

// choose returns an element of list.
func choose[T any](c choices, list []T) T { return list[c.IntN(len(list))] }

// finite is the number of finite floats.
const finite = 15

// goodNumber returns a value that a column of the kind accepts.
func goodNumber(c choices, kind rules.ColumnKind) number {
	if kind == rules.Float64 {
		return number{f: floats[c.IntN(finite)], float: true}
	}
	return number{i: choose(c, ints)}
}

// narrowPool returns values for a column that has bounds. A column that adds gets bounds about 0, so that most sums are within them.
func narrowPool(c choices, column *rules.Column, op rules.Op) []number {
	d := column.Decimals
	if op == rules.Sum {
		lo, hi := rules.Decimal(-15, d), rules.Decimal(16, d)
		column.Min, column.Max = &lo, &hi
		return []number{{decimals: d}, {}, {decimals: d}, {i: 1, decimals: d}, {i: -1, decimals: d}}
	}
	one, two := within(c, whole(column.Min.Units()), whole(column.Max.Units())), within(c, whole(column.Min.Units()), whole(column.Max.Units()))
	one.decimals, two.decimals = d, d
	return []number{one, one, one, two}
}

// within returns an integer from lowest to highest, often one of them.
func within(c choices, lowest, highest int64) number {
	span := uint64(highest) - uint64(lowest)
	offset := uint64(c.IntN(256))<<56 | uint64(c.IntN(256))<<24 | uint64(c.IntN(256))
	if span < math.MaxUint64 {
		offset %= span + 1
	}
	return number{i: choose(c, []int64{lowest, highest, int64(uint64(lowest) + offset)})}
}

// anyNumber returns a value of either kind, finite or not.
func anyNumber(c choices) number {
	if c.IntN(2) == 0 {
		return number{f: choose(c, floats), float: true}
	}
	return number{i: choose(c, ints), decimals: choose(c, []int{0, 0, 1, 3})}
}

// trial is one board with its model, and counts of what was compared.
type trial struct {
	t                                      *testing.T
	c                                      choices
	r                                      *rules.Rules
	m                                      *model
	pools                                  [][]number // the values of submissions by column: few, so that scores are often equal
	entries                                map[string]rules.Entry
	times                                  map[string][]byte // stored beside the entries
	places                                 map[string]standing
	submissions, refused, rankings, equals int
}

// newTrial makes a board with columns of these kinds and orders. c chooses the bounds and the operators of columns.
func newTrial(t *testing.T, c choices, columns []rules.Column, op rules.Op, ties rules.Ties) *trial {
	byColumn := op == rules.Sum || op == rules.Min || op == rules.Max
	tr := &trial{t: t, c: c, entries: map[string]rules.Entry{}, times: map[string][]byte{}, places: map[string]standing{}}
	for i := range columns {
		column := &columns[i]
		if c.IntN(4) == 0 {
			column.Absent = choose(c, []rules.Absence{rules.AbsentFirst, rules.AbsentLast})
			for _, bound := range []*rules.Value{column.Min, column.Max} {
				if bound != nil && (whole(bound.Units()) == math.MinInt64 || whole(bound.Units()) == math.MaxInt64) {
					column.Absent = "" // it may be the value whose place absence takes
				}
			}
		}
		if byColumn && c.IntN(2) == 0 {
			column.Op = choose(c, allOps[1:]) // Best compares whole scores: no column can have it
		}
		if column.Min != nil && column.Max != nil {
			tr.pools = append(tr.pools, narrowPool(c, column, cmp.Or(column.Op, op)))
			continue
		}
		if column.Kind != rules.Float64 && column.Min == nil && column.Max == nil && c.IntN(3) == 0 {
			column.Decimals = choose(c, []int{1, 2, 18})
		}
		pool := make([]number, 1+c.IntN(3))
		for j := range pool {
			pool[j] = goodNumber(c, column.Kind)
			pool[j].decimals = column.Decimals
		}
		// One integer in every pool: a float64 column takes it too.
		tr.pools = append(tr.pools, append(pool, number{i: int64(c.IntN(2))}))
		if column.Min == nil && column.Decimals == 0 && c.IntN(8) == 0 {
			lowest, highest := rules.Int(choose(c, ints[:5])), rules.Int(choose(c, ints[:5]))
			if whole(lowest.Units()) > whole(highest.Units()) {
				lowest, highest = highest, lowest
			}
			column.Min, column.Max = choose(c, []*rules.Value{nil, &lowest}), choose(c, []*rules.Value{nil, &highest})
		}
	}
	var err error
	tr.r, err = rules.New(columns, op, ties)
	require.NoError(t, err)
	tr.m = &model{columns: tr.r.Columns(), op: op, ties: ties, log: map[string][]submission{}}
	for i := range tr.m.columns {
		column := &tr.m.columns[i]
		column.Op = cmp.Or(column.Op, op)
	}
	return tr
}

// run submits results of a few members, and compares the whole ranking after each.
func (tr *trial) run(submissions int) {
	for n := range submissions {
		values := make([]number, len(tr.pools))
		scores := make([]rules.Value, len(values))
		for i, pool := range tr.pools {
			values[i] = choose(tr.c, pool)
			if tr.m.columns[i].Absent != "" && tr.c.IntN(3) == 0 || tr.c.IntN(300) == 299 {
				values[i] = number{absent: true}
			}
			if tr.c.IntN(10*max(4, len(values))) == 39 {
				values[i] = anyNumber(tr.c)
			}
			scores[i] = values[i].value()
		}
		member, at := choose(tr.c, []string{"", "a", "b", "c\x00"}), times[tr.c.IntN(8+tr.c.IntN(3))]
		sub := rules.Entry{Score: rules.Values(scores...), Reached: at, Arrival: uint64(n + 1)}
		if tr.c.IntN(40) == 39 {
			tr.wrongColumns(member, scores, sub)
		}
		tr.submit(member, values, sub)
		tr.compare()
	}
}

// wrongColumns submits a score with one column less and one with one more: both are refused.
func (tr *trial) wrongColumns(member string, scores []rules.Value, sub rules.Entry) {
	old, had := tr.entries[member]
	for _, wrong := range [][]rules.Value{scores[1:], append(slices.Clone(scores), rules.Int(0))} {
		sub.Score = rules.Values(wrong...)
		next, changed, err := tr.r.Apply(old, had, sub)
		require.ErrorIs(tr.t, err, rules.ErrColumns)
		require.Equal(tr.t, old, next, "violates R5")
		require.False(tr.t, changed, "violates R5")
	}
}

// submit applies one submission to the board and to the model, and compares the entries.
func (tr *trial) submit(member string, values []number, sub rules.Entry) {
	old, had := tr.entries[member]
	next, changed, after, err := tr.r.ApplyTimed(old, had, tr.times[member], sub)
	taken, faults := tr.m.take(member, values, sub.Reached, sub.Arrival)
	tr.submissions++
	if len(faults) > 0 {
		tr.refused++
		require.True(tr.t, explains(faults, err), "%v, want one of %v", err, faults)
		require.Equal(tr.t, old, next, "violates R5")
		require.False(tr.t, changed, "violates R5")
		return
	}
	require.NoError(tr.t, err)
	behind := tr.behind(member, old)
	tr.m.log[member] = append(tr.m.log[member], taken)
	tr.places[member] = tr.m.stand(member)
	want := tr.places[member].entry()
	require.Equal(tr.t, want, next, "%s after %v", member, tr.m.log[member])
	require.Equal(tr.t, !had || want != old, changed)
	tr.entries[member], tr.times[member] = next, after
	if had && next.Score == old.Score {
		for _, other := range behind {
			require.Positive(tr.t, bytes.Compare(tr.text(other), tr.text(member)), "violates R1: %q is behind %q", member, other)
		}
	}
	if tr.m.op == rules.Best {
		require.True(tr.t, slices.ContainsFunc(tr.m.log[member], func(s submission) bool {
			return standing{values: s.values}.entry().Score == next.Score
		}), "violates R2")
	}
}

// behind returns the members with the score of e that are ranked behind a member.
func (tr *trial) behind(member string, e rules.Entry) (members []string) {
	for other, otherEntry := range tr.entries {
		if other != member && otherEntry.Score == e.Score && bytes.Compare(tr.text(other), tr.text(member)) > 0 {
			members = append(members, other)
			tr.equals++
		}
	}
	return members
}

// text returns the bytes that a set sorts a member by: the score, the tie, the member.
func (tr *trial) text(member string) []byte {
	score, tie := tr.r.Encode(nil, tr.entries[member])
	require.Len(tr.t, tie, tr.r.TieWidth())
	text := binary.BigEndian.AppendUint64(nil, uint64(score)^1<<63)
	return append(append(text, tie...), member...)
}

// compare compares the order of all forms with the model's ranking, and checks Decode, Prefix and Compare for each.
func (tr *trial) compare() {
	var places []standing
	var members []string
	for member, place := range tr.places {
		places = append(places, place)
		members = append(members, member)
		e := tr.entries[member]
		score, tie := tr.r.Encode(nil, e)
		require.Equal(tr.t, e, tr.r.Decode(score, tie), "violates R4")
		prefix, beginning := tr.r.Prefix(nil, e.Score)
		require.Equal(tr.t, score, prefix)
		require.Equal(tr.t, string(tie[:tr.r.ScoreTie()]), string(beginning))
	}
	slices.SortFunc(members, func(a, b string) int { return bytes.Compare(tr.text(a), tr.text(b)) })
	for i, place := range tr.m.sorted(places) {
		require.Equal(tr.t, place.member, members[i], "violates R3 at %d", i)
		if i > 0 {
			before, e := tr.entries[members[i-1]], tr.entries[members[i]]
			want := -1
			if before.Score == e.Score {
				want = 0
			}
			require.Equal(tr.t, want, tr.r.Compare(before.Score, e.Score))
			require.Equal(tr.t, -want, tr.r.Compare(e.Score, before.Score))
		}
	}
	tr.rankings++
}

// eachShape yields all kinds and orders of 1 to 4 columns.
func eachShape(yield func(columns []rules.Column) bool) {
	for n := 1; n <= 4; n++ {
		for shape := range 1 << (2 * n) {
			columns := make([]rules.Column, n)
			for i := range columns {
				bits := shape >> (2 * i)
				columns[i].Kind = []rules.ColumnKind{rules.Int64, rules.Float64}[bits&1]
				columns[i].Order = []rules.Order{rules.Desc, rules.Asc}[bits>>1&1]
			}
			if !yield(columns) {
				return
			}
		}
	}
}

// wideColumns returns 5 to MaxColumns columns that fit: most are int64 with bounds, two may be of 64 bits.
func wideColumns(c choices) []rules.Column {
	columns := make([]rules.Column, 5+c.IntN(rules.MaxColumns-4))
	spans := []int64{0, 1, 2, 6, 15, 16, 30}
	if len(columns) < 12 {
		spans = append(spans, 1000, 1<<13)
	}
	for i := range columns {
		columns[i].Order = choose(c, []rules.Order{rules.Desc, rules.Asc})
		lowest := choose(c, []int64{0, -3, 7, math.MinInt64, math.MaxInt64 - 1<<13})
		columns[i].Decimals = choose(c, []int{0, 0, 2})
		lo, hi := rules.Decimal(lowest, columns[i].Decimals), rules.Decimal(lowest+choose(c, spans), columns[i].Decimals)
		columns[i].Min, columns[i].Max = &lo, &hi
	}
	if i := c.IntN(2 * len(columns)); i < len(columns) {
		columns[i].Min = nil
	}
	if i := c.IntN(2 * len(columns)); i < len(columns) {
		columns[i] = rules.Column{Kind: rules.Float64}
	}
	return columns
}

// TestOracle compares the rules with the model for every operator, tie rule, kind and order of 1 to 4 columns.
func TestOracle(t *testing.T) {
	const seed = 6
	steps := 12 + matrix.Pick(0, 18)
	var boards uint64
	var sum trial
	for _, op := range allOps {
		for _, ties := range allTies {
			t.Run(fmt.Sprintf("op=%s/ties=%s", op, ties), func(t *testing.T) {
				for columns := range eachShape {
					boards++
					tr := newTrial(t, rand.New(rand.NewPCG(seed, boards)), columns, op, ties)
					tr.run(steps)
					sum.submissions += tr.submissions
					sum.refused += tr.refused
					sum.rankings += tr.rankings
					sum.equals += tr.equals
				}
			})
		}
	}
	require.EqualValues(t, 6*3*(4+16+64+256), boards)
	sum.log(t, seed, boards)
}

// TestOracleWide compares the rules with the model for columns that are packed.
func TestOracleWide(t *testing.T) {
	const seed = 7
	var boards uint64
	var sum trial
	for _, op := range allOps {
		for _, ties := range allTies {
			for range matrix.Pick(20, 2000) {
				boards++
				rng := rand.New(rand.NewPCG(seed, boards))
				tr := newTrial(t, rng, wideColumns(rng), op, ties)
				tr.run(40)
				sum.submissions += tr.submissions
				sum.refused += tr.refused
				sum.rankings += tr.rankings
				sum.equals += tr.equals
			}
		}
	}
	sum.log(t, seed, boards)
}

// log logs the counts, and checks that they are of use.
func (sum *trial) log(t *testing.T, seed, boards uint64) {
	t.Logf("seed %d: %d boards, %d submissions of which %d were refused, %d rankings, %d equals that must not come ahead",
		seed, boards, sum.submissions, sum.refused, sum.rankings, sum.equals)
	require.Greater(t, sum.equals, sum.submissions/60, "too few scores are equal")
	require.Less(t, sum.refused, sum.submissions/2, "too much is refused")
}

// FuzzOracle is TestOracle with the choices of a fuzzer.
func FuzzOracle(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
	f.Add(bytes.Repeat([]byte{3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 89, 79, 32, 38}, 12))
	f.Fuzz(func(t *testing.T, input []byte) {
		c := &bytesOf{input[:min(len(input), 400)]}
		op, ties := choose(c, allOps), choose(c, allTies)
		columns := make([]rules.Column, 1+c.IntN(5))
		for i := range columns {
			columns[i].Kind = choose(c, []rules.ColumnKind{rules.Int64, rules.Float64})
			columns[i].Order = choose(c, []rules.Order{rules.Desc, rules.Asc})
		}
		if len(columns) > 4 {
			columns = wideColumns(c)
		}
		newTrial(t, c, columns, op, ties).run(24)
	})
}

package rules_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

func ptr(v rules.Value) *rules.Value { return &v }

// TestDefaults checks what zero values stand for.
func TestDefaults(t *testing.T) {
	r, err := rules.New(nil, "", "")
	require.NoError(t, err)
	require.Equal(t, []rules.Column{{Name: "score", Kind: rules.Int64, Order: rules.Desc}}, r.Columns())
	require.Equal(t, rules.Best, r.Op())
	require.Equal(t, rules.FirstToReach, r.Ties())

	r, err = rules.New([]rules.Column{{Op: rules.Sum}, {Op: rules.Max, Kind: rules.Float64, Min: ptr(rules.Int(1))}}, rules.Sum, rules.ByMember)
	require.NoError(t, err)
	require.Equal(t, []rules.Column{
		{Name: "score", Kind: rules.Int64, Order: rules.Desc},
		{Name: "score2", Kind: rules.Float64, Order: rules.Desc, Op: rules.Max, Min: ptr(rules.Float(1))},
	}, r.Columns(), "a column's op that equals the board's is left out, and bounds have the column's kind")
}

// TestImpossible checks that New refuses every impossible value, and that the error names each.
func TestImpossible(t *testing.T) {
	for _, row := range []struct {
		name    string
		columns []rules.Column
		op      rules.Op
		ties    rules.Ties
		want    []string
	}{
		{"33 columns", make([]rules.Column, 33), "", "", []string{"33 columns, want 1 to 32"}},
		{"five columns of 64 bits", make([]rules.Column, 5), "", "", []string{"5 columns take 320 bits, want at most 256"}},
		{"seven columns of 64 bits", make([]rules.Column, 7), "", rules.ByMember, []string{"7 columns take 448 bits, want at most 384"}},
		{"words", []rules.Column{{Kind: "int", Order: "up"}, {Order: "up"}}, "total", "earliest", []string{
			`op is "total"`, `ties is "earliest"`, `kind of column "score" is "int"`, `order of column "score2" is "up"`}},
		{"names", []rules.Column{{Name: "a"}, {Name: "a"}, {Name: strings.Repeat("x", 65)}, {Name: "\xff"}}, "", "", []string{
			`column "a" is there twice`, "name of column 2 has 65 bytes, want at most 64", `name of column 3, "\xff", is not UTF-8`}},
		{"a control character", []rules.Column{{Name: "a\nb"}}, "", "", []string{`"a\nb", is not UTF-8 without control`}},
		{"a default name that is taken", []rules.Column{{Name: "score2"}, {}}, "", "", []string{`column "score2" is there twice`}},
		{"an op of its own", []rules.Column{{Op: rules.Sum}}, rules.Best, "", []string{`has an op, "sum", where the board's is best`}},
		{"an op of its own, unlike any", []rules.Column{{Op: "avg"}, {Op: rules.Best}}, rules.Max, "", []string{
			`op of column "score" is "avg", want one of [last first sum min max]`, `op of column "score2" is "best"`}},
		{"absence", []rules.Column{{Absent: "middle"}, {Absent: rules.AbsentLast, Min: ptr(rules.Int(math.MinInt64))},
			{Absent: rules.AbsentFirst, Order: rules.Asc, Min: ptr(rules.Int(math.MinInt64))}, {Max: ptr(rules.Absent)}}, "", "", []string{
			`absent of column "score" is "middle"`, `min or max of column "score2" is -9223372036854775808, whose place absent values take`,
			`min or max of column "score3" is -9223372036854775808`, `bound - of column "score4"`}},
		{"absence needs a bit", []rules.Column{{}, {}, {Min: ptr(rules.Int(0)), Max: ptr(rules.Int(1<<62 - 1))}, {Min: ptr(rules.Int(0)), Max: ptr(rules.Int(1<<62 - 1))},
			{Absent: rules.AbsentLast, Min: ptr(rules.Int(0)), Max: ptr(rules.Int(15))}}, "", "", []string{
			`5 columns take 257 bits, want at most 256; an int64 column with min and max takes what its range needs, others 64: "score" takes 64, "score2" takes 64`}},
		{"sums", []rules.Column{{Name: "a"}, {Name: "f", Kind: rules.Float64}, {Name: "none", Of: map[string]rules.Value{}},
			{Name: "self", Of: map[string]rules.Value{"self": rules.Int(1)}}, {Name: "b", Of: map[string]rules.Value{"x": rules.Int(1)}},
			{Name: "c", Of: map[string]rules.Value{"b": rules.Int(1)}}, {Name: "d", Of: map[string]rules.Value{"a": rules.Absent}},
			{Name: "e", Kind: rules.Int64, Of: map[string]rules.Value{"f": rules.Int(1)}}, {Name: "g", Decimals: 1, Of: map[string]rules.Value{"a": rules.Decimal(125, 2)}},
			{Name: "h", Absent: rules.AbsentLast, Of: map[string]rules.Value{"a": rules.Int(1)}},
			{Name: "i", Decimals: 18, Of: map[string]rules.Value{"a": rules.Int(10)}}, {Name: "j", Kind: rules.Int64, Of: map[string]rules.Value{"a": rules.Float(1e300)}},
			{Name: "k", Of: map[string]rules.Value{"a": rules.Float(math.Inf(1))}}, {Name: "l", Of: map[string]rules.Value{"a": rules.Decimal(1, 18)}, Decimals: 18, Kind: rules.Float64}},
			"", "", []string{
				`of of column "none" names no columns`, `of of column "self" names the column itself`, `of of column "b" names "x", and there is no such column`,
				`of of column "c" names "b", which is computed`, `the weight of "a" is -, want a finite number`, `kind of column "e" is int64, and of names "f", of kind float64`,
				`of of column "g": the weight of "a", 1.25, needs 2 decimals, and the column has 1`, `column "h" is computed, and has op "" and absent "last"`,
				`of of column "i": the weight of "a", 10, overflows`, `of of column "j": the weight of "a", 1e+300, overflows`,
				`the weight of "a" is +Inf, want a finite number`, `decimals of column "l", of kind float64`}},
		{"only sums", []rules.Column{{Name: "a", Of: map[string]rules.Value{"b": rules.Int(1)}}, {Name: "b", Of: map[string]rules.Value{"a": rules.Int(1)}}}, "", "", []string{
			`of of column "a" names "b", which is computed`, `of of column "b" names "a", which is computed`, `all columns are computed`}},
		{"an op of a computed column", []rules.Column{{Name: "a"}, {Name: "b", Op: rules.Max, Of: map[string]rules.Value{"a": rules.Int(1)}}}, rules.Sum, "", []string{
			`column "b" is computed, and has op "max"`}},
		{"bounds", []rules.Column{{Min: ptr(rules.Int(2)), Max: ptr(rules.Int(1))}, {Min: ptr(rules.Float(1.5))},
			{Kind: rules.Float64, Max: ptr(rules.Int(math.MaxInt64))}, {Kind: rules.Float64, Max: ptr(rules.Float(math.NaN()))}}, "", "",
			[]string{`min of column "score" is 2, more than max, 1`, `bound 1.5 of column "score2"`,
				`bound 9223372036854775807 of column "score3"`, `bound NaN of column "score4"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, err := rules.New(row.columns, row.op, row.ties)
			require.Nil(t, r)
			require.ErrorIs(t, err, rules.ErrRules)
			for _, want := range row.want {
				require.ErrorContains(t, err, want)
			}
			require.Len(t, strings.Split(err.Error(), "\n"), len(row.want))
		})
	}
}

// TestOwned checks that rules share no memory with the values that callers pass and get.
func TestOwned(t *testing.T) {
	high := rules.Int(10)
	columns := []rules.Column{{Name: "a", Max: &high}}
	r, err := rules.New(columns, "", "")
	require.NoError(t, err)
	high, columns[0].Name = rules.Int(99), "b"
	got := r.Columns()
	*got[0].Max, got[0].Order = rules.Int(99), rules.Asc

	_, err = r.Check(rules.Ints(11))
	var fault *rules.ScoreError
	require.ErrorAs(t, err, &fault)
	require.Equal(t, rules.Int(10), *fault.Max)
	*fault.Max = rules.Int(99)
	require.Equal(t, []rules.Column{{Name: "a", Kind: rules.Int64, Order: rules.Desc, Max: ptr(rules.Int(10))}}, r.Columns())
}

// TestBounds checks the bounds of submitted values and of sums.
func TestBounds(t *testing.T) {
	bounded := func(op rules.Op) *rules.Rules {
		r, err := rules.New([]rules.Column{{Name: "s", Min: ptr(rules.Int(-5)), Max: ptr(rules.Int(5))},
			{Name: "f", Kind: rules.Float64, Min: ptr(rules.Int(0))}}, op, "")
		require.NoError(t, err)
		return r
	}
	score := func(s int64, f float64) rules.Score { return rules.Values(rules.Int(s), rules.Float(f)) }
	for _, row := range []struct {
		op    rules.Op
		had   bool
		old   rules.Score
		sub   rules.Score
		value rules.Value // the value that is out of bounds
		text  string      // of the error; "": the submission is accepted
	}{
		{rules.Best, false, rules.Score{}, score(5, 0), rules.Value{}, ""},
		{rules.Best, true, score(5, 0), score(6, 0), rules.Int(6), `board: value is out of bounds: 6 in column "s", want -5..5`},
		{rules.First, true, score(5, 0), score(6, 0), rules.Int(6), `board: value is out of bounds: 6 in column "s", want -5..5`},
		{rules.Last, true, score(5, 0), score(5, -0.5), rules.Float(-0.5), `board: value is out of bounds: -0.5 in column "f", want 0.0..`},
		{rules.Sum, false, rules.Score{}, score(-6, 0), rules.Int(-6), `board: value is out of bounds: -6 in column "s", want -5..5`},
		{rules.Sum, true, score(-5, 0), score(10, 0), rules.Value{}, ""},
		{rules.Sum, true, score(5, 1), score(1, 0), rules.Int(6), `board: value is out of bounds: 6 in column "s", want -5..5`},
		{rules.Sum, true, score(5, 1), score(0, -1), rules.Value{}, ""},
		{rules.Sum, true, score(5, 1), score(0, -1.25), rules.Float(-0.25), `board: value is out of bounds: -0.25 in column "f", want 0.0..`},
		{rules.Sum, true, score(5, 1), score(math.MaxInt64, 0), rules.Int(math.MaxInt64),
			`board: sum overflows: 9223372036854775807 in column "s"`},
		{rules.Max, true, score(5, 1), score(-6, 1), rules.Int(-6), `board: value is out of bounds: -6 in column "s", want -5..5`},
	} {
		old := rules.Entry{Score: row.old, Reached: 7, Arrival: 7}
		next, changed, err := bounded(row.op).Apply(old, row.had, rules.Entry{Score: row.sub, Reached: 8, Arrival: 8})
		if row.text == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, row.text)
		var fault *rules.ScoreError
		require.ErrorAs(t, err, &fault)
		require.Equal(t, row.value, fault.Value)
		require.Equal(t, old, next, "violates R5")
		require.False(t, changed, "violates R5")
	}
}

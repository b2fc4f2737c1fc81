package rules_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// TestConvert checks the entry, or the error, that Convert returns for each change of columns.
func TestConvert(t *testing.T) {
	three, minusThree := ptr(rules.Int(3)), ptr(rules.Int(-3))
	column := func(name string, kind rules.ColumnKind) rules.Column { return rules.Column{Name: name, Kind: kind} }
	for _, row := range []struct {
		name     string
		from, to []rules.Column
		score    rules.Score
		want     rules.Score
		reason   error
		column   int
		value    rules.Value
	}{
		{name: "the same", from: make([]rules.Column, 2), to: make([]rules.Column, 2), score: rules.Ints(1, 2), want: rules.Ints(1, 2)},
		{name: "turned round", from: []rules.Column{{Name: "a"}, {Name: "b"}}, to: []rules.Column{{Name: "b", Order: rules.Asc}, {Name: "a"}},
			score: rules.Ints(1, math.MinInt64), want: rules.Ints(math.MinInt64, 1)},
		{name: "one gone, one new", from: []rules.Column{{Name: "a"}, {Name: "b"}}, to: []rules.Column{{Name: "c"}, {Name: "b"}},
			score: rules.Ints(1, 2), want: rules.Ints(0, 2)},
		{name: "new ones with bounds", from: []rules.Column{{Name: "a"}}, to: []rules.Column{{Name: "a"}, {Name: "b", Min: three},
			{Name: "c", Max: minusThree, Kind: rules.Float64}, {Name: "d", Min: minusThree, Max: three, Kind: rules.Float64}},
			score: rules.Ints(1), want: rules.Values(rules.Int(1), rules.Int(3), rules.Float(-3), rules.Float(0))},
		{name: "int64 to float64", from: []rules.Column{column("a", "")}, to: []rules.Column{column("a", rules.Float64)},
			score: rules.Ints(1 << 53), want: rules.Floats(1 << 53)},
		{name: "int64 to float64, not exact", from: []rules.Column{column("a", "")}, to: []rules.Column{column("b", ""), column("a", rules.Float64)},
			score: rules.Ints(1<<53 + 1), reason: rules.ErrKind, column: 1, value: rules.Int(1<<53 + 1)},
		{name: "the greatest int64 to float64", from: []rules.Column{column("a", "")}, to: []rules.Column{column("a", rules.Float64)},
			score: rules.Ints(math.MaxInt64), reason: rules.ErrKind, value: rules.Int(math.MaxInt64)},
		{name: "float64 to int64", from: []rules.Column{column("a", rules.Float64)}, to: []rules.Column{column("a", "")},
			score: rules.Floats(-1 << 63), want: rules.Ints(math.MinInt64)},
		{name: "float64 to int64, not whole", from: []rules.Column{column("a", rules.Float64)}, to: []rules.Column{column("a", "")},
			score: rules.Floats(0.5), reason: rules.ErrKind, value: rules.Float(0.5)},
		{name: "float64 to int64, too great", from: []rules.Column{column("a", rules.Float64)}, to: []rules.Column{column("a", "")},
			score: rules.Floats(1 << 63), reason: rules.ErrKind, value: rules.Float(1 << 63)},
		{name: "float64 to int64, too small", from: []rules.Column{column("a", rules.Float64)}, to: []rules.Column{column("a", "")},
			score: rules.Floats(-1e19), reason: rules.ErrKind, value: rules.Float(-1e19)},
		{name: "bounds", from: []rules.Column{{}}, to: []rules.Column{{Min: three}}, score: rules.Ints(2), reason: rules.ErrBounds, value: rules.Int(2)},
		{name: "bounds, met", from: []rules.Column{{}}, to: []rules.Column{{Min: three}}, score: rules.Ints(3), want: rules.Ints(3)},
	} {
		t.Run(row.name, func(t *testing.T) {
			from, to := newRules(t, "", row.from...), newRules(t, "", row.to...)
			got, err := rules.Convert(from, to)(rules.Entry{Score: row.score, Reached: 5, Arrival: 6})
			require.ErrorIs(t, err, row.reason)
			if row.reason == nil {
				require.Equal(t, rules.Entry{Score: row.want, Reached: 5, Arrival: 6}, got)
				_, err = to.Check(got.Score)
				require.NoError(t, err)
				return
			}
			var fault *rules.ScoreError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, row.column, fault.Column)
			require.Equal(t, row.value, fault.Value)
			require.Zero(t, got)
		})
	}
}

// TestConvertTimes checks times for every pair of tie rules: Convert keeps them unless one of the rules is ByMember.
func TestConvertTimes(t *testing.T) {
	for _, from := range allTies {
		for _, to := range allTies {
			e := rules.Entry{Score: rules.Ints(1), Reached: 5, Arrival: 6}
			want := e
			if from == rules.ByMember || to == rules.ByMember {
				want.Reached, want.Arrival = 0, 0
			}
			got, err := rules.Convert(newRules(t, from), newRules(t, to))(e)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s to %s", from, to)
		}
	}
}

// TestConvertSums checks that Convert applies the bounds of a Sum column to the sum.
func TestConvertSums(t *testing.T) {
	limit := rules.Int(10)
	to, err := rules.New([]rules.Column{{Max: &limit}}, rules.Sum, "")
	require.NoError(t, err)
	_, err = rules.Convert(newRules(t, ""), to)(rules.Entry{Score: rules.Ints(11)})
	require.EqualError(t, err, `board: value is out of bounds: 11 in column "score", want ..10`)
}

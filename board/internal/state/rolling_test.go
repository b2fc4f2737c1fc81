package state

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

func rolled(columns []rules.Column, op rules.Op) board.Spec {
	return board.Spec{Name: "a", Columns: columns, Op: op, Windows: []window.Window{{Kind: window.All}, {Name: "3h", Kind: window.Rolling, Span: 1000}}}
}

// TestRollingRules checks which rules a rolling window can have, and that the error names the column and the window.
func TestRollingRules(t *testing.T) {
	two := []rules.Column{{Name: "points"}, {Name: "time", Order: rules.Asc}}
	for _, op := range []rules.Op{rules.Best, rules.Last, rules.First, rules.Sum} {
		require.NoError(t, rolled(two, op).Validate(), op)
	}
	for _, op := range []rules.Op{rules.Best, rules.Last, rules.First, rules.Min, rules.Max} {
		require.NoError(t, rolled([]rules.Column{{Kind: rules.Float64, Min: bounded(rules.Int(0))}}, op).Validate(), op)
	}
	require.NoError(t, rolled([]rules.Column{{Decimals: 2}}, rules.Sum).Validate())
	for _, row := range []struct {
		columns []rules.Column
		op      rules.Op
		want    string
	}{
		{[]rules.Column{{Name: "km", Kind: rules.Float64}}, rules.Sum, `window "3h": board: impossible rules: kind of column "km" is float64, and a rolling`},
		{[]rules.Column{{Name: "gold", Min: bounded(rules.Int(0))}}, rules.Sum, `column "gold" has a min or max`},
		{[]rules.Column{{Name: "gold", Max: bounded(rules.Int(9))}}, rules.Sum, `column "gold" has a min or max`},
		{two, rules.Max, `op of column "time" is max, and in a rolling window all of several columns are sum`},
		{[]rules.Column{{}, {Name: "most", Op: rules.Max}}, rules.Sum, `op of column "most" is max`},
	} {
		err := rolled(row.columns, row.op).Validate()
		require.ErrorIs(t, err, board.ErrSpec)
		require.ErrorIs(t, err, rules.ErrRules)
		require.ErrorContains(t, err, row.want)
	}
	both := rolled(nil, rules.Sum)
	both.Windows[1].Keep = 3
	require.ErrorIs(t, both.Validate(), window.ErrWindow)
	require.ErrorContains(t, both.Validate(), `"3h": keep is 3, want 0 or more, and 0 where nothing ends`)
}

// TestConvertRolling checks that a migration cannot change the rules of a rolling window, and that its error names each difference.
func TestConvertRolling(t *testing.T) {
	from := rolled(nil, rules.Sum)
	same := rolled(nil, rules.Sum)
	same.MaxMeta, same.BestRanks, same.OnceFor, same.Windows = 9, true, window.Forever, append(same.Windows, window.Window{Kind: window.Day})
	_, _, err := ConvertSpec(from, same)
	require.NoError(t, err)
	other := rolled([]rules.Column{{Name: "gold"}}, rules.Best)
	_, _, err = ConvertSpec(from, other)
	require.ErrorIs(t, err, board.ErrSpec)
	require.ErrorContains(t, err, `"a": window 3h keeps its results as they are, give it another name: column gold is new`)
	require.ErrorContains(t, err, `op is sum, not best`)
	other.Windows[1].Name = "v2"
	_, _, err = ConvertSpec(from, other)
	require.NoError(t, err)
}

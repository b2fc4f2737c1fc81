package rules_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// TestValueText checks that a value's text reads back as the same value of the same kind.
func TestValueText(t *testing.T) {
	for _, row := range []struct {
		v    rules.Value
		want string
	}{
		{rules.Value{}, "0"},
		{rules.Int(-1), "-1"},
		{rules.Int(1<<53 + 1), "9007199254740993"},
		{rules.Int(math.MinInt64), "-9223372036854775808"},
		{rules.Int(math.MaxInt64), "9223372036854775807"},
		{rules.Float(0), "0.0"},
		{rules.Float(math.Copysign(0, -1)), "0.0"},
		{rules.Float(5), "5.0"},
		{rules.Float(-0.1), "-0.1"},
		{rules.Float(1e-6), "0.000001"},
		{rules.Float(1e-7), "1e-07"},
		{rules.Float(1e20), "100000000000000000000.0"},
		{rules.Float(1e21), "1e+21"},
		{rules.Float(5e-324), "5e-324"},
		{rules.Float(-math.MaxFloat64), "-1.7976931348623157e+308"},
	} {
		require.Equal(t, row.want, row.v.String())
		v, err := rules.ParseValue(row.want)
		require.NoError(t, err)
		require.Equal(t, row.v, v)
		b, err := json.Marshal(row.v)
		require.NoError(t, err)
		require.Equal(t, row.want, string(b))
		require.NoError(t, json.Unmarshal(b, &v))
		require.Equal(t, row.v, v)
	}
	require.Equal(t, "NaN +Inf -Inf", rules.Floats(math.NaN(), math.Inf(1), math.Inf(-1)).String())
}

// TestParseValue checks texts that ParseValue refuses.
func TestParseValue(t *testing.T) {
	for _, text := range []string{"", " 1", "1 ", "abc", "NaN", "Inf", "-inf", "infinity", "0x1p-2", "0x1.8", "0xe", "1_000", "1_0.5", "1e400",
		"-1.5e999", "9223372036854775808", "-9223372036854775809", "1.2.3", "e", ".", "--1", "1,5"} {
		v, err := rules.ParseValue(text)
		require.ErrorIs(t, err, rules.ErrNumber, text)
		require.Zero(t, v)
	}
	v, err := rules.ParseValue("-0")
	require.NoError(t, err)
	require.Equal(t, rules.Int(0), v)
}

// TestValueAs checks Units, which are exact and which a float64 does not have, Float of int64 values, and the columns of a score.
func TestValueAs(t *testing.T) {
	for _, v := range []rules.Value{rules.Float(1531.97), rules.Float(15), rules.Float(0), rules.Float(math.Inf(1)), rules.Float(math.NaN()), rules.Absent} {
		units, ok := v.Units()
		require.False(t, ok, v)
		require.Zero(t, units)
	}
	for _, want := range []int64{0, 15, math.MinInt64, math.MaxInt64} {
		require.Equal(t, want, whole(rules.Int(want).Units()))
	}
	require.Equal(t, 9007199254740992.0, rules.Int(1<<53+1).Float())
	s := rules.Values(rules.Int(9), rules.Float(935.5))
	require.Equal(t, 2, s.Len())
	require.Equal(t, []any{int64(9), 9.0, 935.5}, []any{whole(s.At(0).Units()), s.At(0).Float(), s.At(1).Float()})
	require.Equal(t, []rules.Value{rules.Int(0), rules.Int(0)}, []rules.Value{s.At(-1), s.At(2)})
	require.True(t, s.At(1).IsFloat())
	require.Equal(t, "9 935.5", s.String())
	require.Equal(t, rules.Floats(0), rules.Floats(math.Copysign(0, -1)))
	require.NotEqual(t, rules.Floats(0), rules.Ints(0))
}

// TestScoreJSON checks scores in JSON, 0 to 4 columns.
func TestScoreJSON(t *testing.T) {
	type result struct {
		Score rules.Score `json:"score"`
	}
	for text, want := range map[string]rules.Score{
		`{"score":[]}`:                              {},
		`{"score":9223372036854775807}`:             rules.Ints(math.MaxInt64),
		`{"score":2.0}`:                             rules.Floats(2),
		`{"score":[9,935]}`:                         rules.Ints(9, 935),
		`{"score":[-9223372036854775808,0.5,0,-1]}`: rules.Values(rules.Int(math.MinInt64), rules.Float(0.5), rules.Int(0), rules.Int(-1)),
	} {
		var got result
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got.Score)
		b, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, text, string(b))
	}
	for text, want := range map[string]rules.Score{"[15]": rules.Ints(15), " [ 1 ,\n2.5e0 ] ": rules.Values(rules.Int(1), rules.Float(2.5))} {
		var got rules.Score
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got)
	}
}

// TestScoreJSONRefused checks JSON that is no score: it leaves the score as it was.
func TestScoreJSONRefused(t *testing.T) {
	for text, want := range map[string]error{
		`"-"`: rules.ErrNumber, `"5"`: rules.ErrNumber, `true`: rules.ErrNumber, `{"a":1}`: rules.ErrNumber,
		`[[1]]`: rules.ErrNumber, `1e999`: rules.ErrNumber, `9223372036854775808`: rules.ErrNumber, "[" + strings.Repeat("1,", 32) + "1]": rules.ErrColumns,
		`[1,"2"]`: rules.ErrNumber,
	} {
		got := rules.Ints(7)
		require.ErrorIs(t, json.Unmarshal([]byte(text), &got), want, text)
		require.Equal(t, rules.Ints(7), got)
	}
	var s rules.Score
	require.Error(t, s.UnmarshalJSON([]byte("1,2")), "a method that is called by hand reads no more than JSON does")
	_, err := json.Marshal(rules.Floats(math.Inf(1)))
	require.ErrorIs(t, err, rules.ErrNotFinite)
	_, err = json.Marshal(rules.Floats(1, math.NaN()))
	require.ErrorIs(t, err, rules.ErrNotFinite)
	for _, n := range []int{33, 255, 256, 257, 300} {
		many := rules.Ints(make([]int64, n)...)
		require.Equal(t, min(n, math.MaxUint8), many.Len())
		_, err = json.Marshal(many)
		require.ErrorIs(t, err, rules.ErrColumns, n)
		require.Equal(t, strings.Repeat("0 ", 32)+"…", many.String())
	}
}

// FuzzValue checks that a value or a score that can be read is written so that it reads back as the same.
func FuzzValue(f *testing.F) {
	for _, text := range []string{"0", "-0.0", "1e-400", "9007199254740993", "0x1p-2", "[1,2.5]", "[1,", "1,2", " [1]", "[]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := rules.ParseValue(text); err == nil {
			again, err := rules.ParseValue(v.String())
			require.NoError(t, err)
			require.Equal(t, v, again)
		} else {
			require.ErrorIs(t, err, rules.ErrNumber)
			require.Zero(t, v)
		}
		var s, again rules.Score
		if json.Unmarshal([]byte(text), &s) != nil {
			require.Zero(t, s)
			return
		}
		require.LessOrEqual(t, s.Len(), rules.MaxColumns)
		b, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &again))
		require.Equal(t, s, again)
		require.NotContains(t, strings.ToLower(string(b)), "n", "no infinities")
	})
}

package rules_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// TestDecimal checks the texts of decimal numbers, and what they are as an int64 and as a float64.
func TestDecimal(t *testing.T) {
	for _, row := range []struct {
		units    int64
		decimals int
		text     string
		float    float64
	}{
		{114, 2, "1.14", 1.14},
		{110, 2, "1.10", 1.1},
		{-5, 3, "-0.005", -0.005},
		{0, 2, "0.00", 0},
		{-100, 2, "-1.00", -1},
		{7, -1, "7", 7},
		{7, 19, "0.000000000000000007", 7e-18},
		{math.MaxInt64, 18, "9.223372036854775807", 9.223372036854775807},
		{math.MinInt64, 18, "-9.223372036854775808", -9.223372036854775808},
		{math.MinInt64, 1, "-922337203685477580.8", -922337203685477580.8},
	} {
		v := rules.Decimal(row.units, row.decimals)
		require.Equal(t, row.text, v.String())
		require.Equal(t, row.units, whole(v.Units()))
		require.Equal(t, row.float, v.Float(), row.text)
		require.False(t, v.IsFloat())
		b, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, row.text, string(b))
	}
	require.Equal(t, rules.Int(7), rules.Decimal(7, 0))
	require.Zero(t, rules.Float(1.5).Decimals())
}

// TestParseDecimal checks which texts become a float64, and which a decimal number, because no float64 is that number.
func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]rules.Value{
		"1.14": rules.Float(1.14), "1.10": rules.Float(1.1), "1e2": rules.Float(100), "-0.0": rules.Float(0), "+1.5": rules.Float(1.5),
		"0.30000000000000004":   rules.Float(0.30000000000000004),
		"9007199254740993.25":   rules.Decimal(900719925474099325, 2),
		"-9007199254740993.250": rules.Decimal(-9007199254740993250, 3),
		"0.123456789012345678":  rules.Decimal(123456789012345678, 18),
		"123.4567890123456789":  rules.Decimal(1234567890123456789, 16),
		"92233720368547758.080": rules.Float(92233720368547758.08), // more units than an int64 has
	} {
		v, err := rules.ParseValue(text)
		require.NoError(t, err, text)
		require.Equal(t, want, v, text)
	}
}

// TestDecimalColumn submits values of all kinds to a column with two decimals: it takes those that it can hold exactly, and adds exactly.
func TestDecimalColumn(t *testing.T) {
	r, err := rules.New([]rules.Column{{Name: "time", Decimals: 2, Order: rules.Asc}}, rules.Sum, "")
	require.NoError(t, err)
	for v, want := range map[rules.Value]rules.Value{
		rules.Float(1.14): rules.Decimal(114, 2), rules.Float(-3): rules.Decimal(-300, 2), rules.Int(7): rules.Decimal(700, 2),
		rules.Decimal(11, 1): rules.Decimal(110, 2), rules.Decimal(1100, 3): rules.Decimal(110, 2), rules.Float(1e15): rules.Decimal(1e17, 2),
	} {
		s, err := r.Check(rules.Values(v))
		require.NoError(t, err, "%v", v)
		require.Equal(t, rules.Values(want), s)
	}
	for _, v := range []rules.Value{rules.Float(1.145), rules.Float(0.30000000000000004), rules.Decimal(1145, 3), rules.Int(math.MaxInt64), rules.Float(1e300)} {
		_, err := r.Check(rules.Values(v))
		require.ErrorIs(t, err, rules.ErrKind, "%v", v)
	}
	_, err = r.Check(rules.Floats(math.NaN()))
	require.ErrorIs(t, err, rules.ErrNotFinite)
	var e rules.Entry
	for i := range 300 { // 0.1 added as a float64 would be 29.999999999999950
		e, _, err = r.Apply(e, i > 0, rules.Entry{Score: rules.Floats(0.1)})
		require.NoError(t, err)
	}
	require.Equal(t, "30.00", e.Score.String())
	for _, bad := range []rules.Column{{Decimals: -1}, {Decimals: 19}, {Decimals: 2, Kind: rules.Float64}} {
		_, err = rules.New([]rules.Column{bad}, "", "")
		require.ErrorIs(t, err, rules.ErrRules)
		require.ErrorContains(t, err, "decimals of column")
	}
}

// TestConvertDecimals converts a column to other decimals, and to the other kinds, where that is exact.
func TestConvertDecimals(t *testing.T) {
	from := newRules(t, "", rules.Column{Name: "a", Decimals: 2})
	for _, row := range []struct {
		to    rules.Column
		units int64
		want  rules.Value
		fails bool
	}{
		{rules.Column{Name: "a", Decimals: 3}, 114, rules.Decimal(1140, 3), false},
		{rules.Column{Name: "a", Decimals: 1}, 110, rules.Decimal(11, 1), false},
		{rules.Column{Name: "a", Decimals: 1}, 114, rules.Value{}, true},
		{rules.Column{Name: "a"}, 300, rules.Int(3), false},
		{rules.Column{Name: "a"}, 114, rules.Value{}, true},
		{rules.Column{Name: "a", Kind: rules.Float64}, 114, rules.Float(1.14), false},
		{rules.Column{Name: "b", Decimals: 1}, 114, rules.Decimal(0, 1), false},
	} {
		e, err := rules.Convert(from, newRules(t, "", row.to))(rules.Entry{Score: rules.Values(rules.Decimal(row.units, 2))})
		if row.fails {
			require.ErrorIs(t, err, rules.ErrKind, "%v", row)
			continue
		}
		require.NoError(t, err, "%v", row)
		require.Equal(t, rules.Values(row.want), e.Score)
	}
	back, err := rules.Convert(newRules(t, "", rules.Column{Name: "a", Kind: rules.Float64}), from)(rules.Entry{Score: rules.Floats(2.5)})
	require.NoError(t, err)
	require.Equal(t, rules.Values(rules.Decimal(250, 2)), back.Score)
}

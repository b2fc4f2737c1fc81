package rules_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// weights returns the weights of a computed column, as a spec file has them.
func weights(t *testing.T, text string) (of map[string]rules.Value) {
	require.NoError(t, json.Unmarshal([]byte(text), &of))
	return of
}

// TestComputedKinds: the kind of a computed column is that of the columns that it adds up, with the decimals that columns and weights need.
func TestComputedKinds(t *testing.T) {
	for text, want := range map[string]rules.Column{
		`{"likes": 1, "gifts": 10}`:                 {Kind: rules.Int64},
		`{"likes": 1, "gifts": 10, "minutes": 0.5}`: {Kind: rules.Int64, Decimals: 1},
		`{"hours": 0.25, "likes": 1}`:               {Kind: rules.Int64, Decimals: 4},
		`{"likes": 1, "rate": 2}`:                   {Kind: rules.Float64},
		`{"likes": 1e300}`:                          {Kind: rules.Float64},
	} {
		r, err := rules.New([]rules.Column{{Name: "score", Of: weights(t, text)}, {Name: "likes"}, {Name: "gifts"}, {Name: "minutes"},
			{Name: "hours", Decimals: 2}, {Name: "rate", Kind: rules.Float64}}, rules.Sum, rules.ByMember)
		require.NoError(t, err, text)
		require.Equal(t, want.Kind, r.Columns()[0].Kind, text)
		require.Equal(t, want.Decimals, r.Columns()[0].Decimals, text)
	}
}

// TestComputed adds up random columns with random weights, and compares the computed column with rational numbers. It is first: it decides the rank.
func TestComputed(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 1))
	refused := 0
	for range 3000 {
		op := choose(rng, []rules.Op{rules.Sum, rules.Best, rules.Last, rules.Max})
		columns := []rules.Column{{Name: "all", Of: map[string]rules.Value{}}, {Name: "a", Decimals: rng.IntN(3)}, {Name: "b", Absent: rules.AbsentLast}, {Name: "c"}}
		for _, c := range columns[1:] {
			weight := rules.Decimal(choose(rng, []int64{0, 1, -1, 3, 10, 1 << 31}), rng.IntN(3))
			columns[0].Of[c.Name] = weight
		}
		r, err := rules.New(columns, op, "")
		require.NoError(t, err)
		var e rules.Entry
		for i := range 4 {
			values := make([]rules.Value, 3)
			for j, c := range columns[1:] {
				if values[j] = rules.Decimal(choose(rng, ints), c.Decimals); c.Absent != "" && (rng.IntN(2) == 0 || values[j] == rules.Int(math.MinInt64)) {
					values[j] = rules.Absent
				}
			}
			next, _, err := r.Apply(e, i > 0, rules.Entry{Score: rules.Values(values...), Reached: int64(i)})
			if err != nil {
				if !errors.Is(err, rules.ErrBounds) { // the sum of an Absent column has come to the value whose place absence takes
					require.ErrorIs(t, err, rules.ErrOverflow)
				}
				refused++
				require.Equal(t, e, next)
				if i == 0 {
					break
				}
				continue
			}
			e = next
			want := new(big.Rat)
			for j, c := range r.Columns() {
				if j > 0 && !e.Score.At(j).IsAbsent() {
					want.Add(want, new(big.Rat).Mul(rat(t, e.Score.At(j)), rat(t, r.Columns()[0].Of[c.Name])))
				}
			}
			require.Zero(t, want.Cmp(rat(t, e.Score.At(0))), "%v of %v, want %v", e.Score, r.Columns()[0].Of, want)
			form, tie := r.Encode(nil, e)
			require.Equal(t, e, r.Decode(form, tie), "violates R4")
		}
	}
	t.Logf("seed %d, %d submissions refused", seed, refused)
	require.Positive(t, refused)
}

func rat(t *testing.T, v rules.Value) *big.Rat {
	x, ok := new(big.Rat).SetString(v.String())
	require.True(t, ok, "%v", v)
	return x
}

// TestComputedIsNotSubmitted: a submission has the other columns only. A score of a ranking has all, and is taken where scores are compared.
func TestComputedIsNotSubmitted(t *testing.T) {
	r, err := rules.New([]rules.Column{{Name: "all", Max: ptr(rules.Int(100)), Of: weights(t, `{"likes": 1, "gifts": 10}`)}, {Name: "likes"}, {Name: "gifts"}}, "", "")
	require.NoError(t, err)
	s, err := r.Check(rules.Ints(5, 2))
	require.NoError(t, err)
	require.Equal(t, rules.Ints(25, 5, 2), s)
	_, err = r.Check(rules.Ints(25, 5, 2))
	require.ErrorIs(t, err, rules.ErrColumns)
	_, err = r.Check(rules.Ints(5, 20))
	require.EqualError(t, err, `board: value is out of bounds: 205 in column "all", want ..100`)
	_, err = r.Check(rules.Ints(5, math.MaxInt64))
	require.EqualError(t, err, `board: sum overflows: 92233720368547760000.0 in column "all"`)
	for _, given := range []rules.Score{rules.Ints(5, 2), rules.Ints(30, 5, 2)} {
		s, err := r.CheckRanked(given)
		require.NoError(t, err)
		require.Equal(t, 3, s.Len())
		require.Equal(t, given.Len() == 3, s.At(0) == rules.Int(30))
	}
}

// TestConvertComputed: other weights compute open entries anew, and leave frozen ones. A new computed column is computed in both.
func TestConvertComputed(t *testing.T) {
	columns := func(text string) *rules.Rules {
		return newRules(t, "", rules.Column{Name: "all", Of: weights(t, text)}, rules.Column{Name: "likes"}, rules.Column{Name: "gifts"})
	}
	plain, from, to := newRules(t, "", rules.Column{Name: "likes"}, rules.Column{Name: "gifts"}), columns(`{"likes": 1, "gifts": 10}`), columns(`{"likes": 1, "gifts": 20}`)
	for name, c := range map[string]struct {
		convert   func(rules.Entry) (rules.Entry, error)
		was, want rules.Score
	}{
		"open":           {rules.Convert(from, to), rules.Ints(25, 5, 2), rules.Ints(45, 5, 2)},
		"frozen":         {rules.ConvertFrozen(from, to), rules.Ints(25, 5, 2), rules.Ints(25, 5, 2)},
		"new":            {rules.Convert(plain, to), rules.Ints(5, 2), rules.Ints(45, 5, 2)},
		"new, frozen":    {rules.ConvertFrozen(plain, to), rules.Ints(5, 2), rules.Ints(45, 5, 2)},
		"gone":           {rules.Convert(from, plain), rules.Ints(25, 5, 2), rules.Ints(5, 2)},
		"to a plain one": {rules.Convert(from, newRules(t, "", rules.Column{Name: "all"})), rules.Ints(25, 5, 2), rules.Ints(25)},
	} {
		e, err := c.convert(rules.Entry{Score: c.was})
		require.NoError(t, err, name)
		require.Equal(t, c.want, e.Score, name)
	}
	_, err := rules.Convert(from, to)(rules.Entry{Score: rules.Ints(0, 0, math.MaxInt64/10)})
	require.ErrorIs(t, err, rules.ErrOverflow)
}

// TestConvertAbsent: an absent value stays absent where the column may be, and otherwise becomes that of a new column.
func TestConvertAbsent(t *testing.T) {
	last, first := rules.Column{Name: "a", Absent: rules.AbsentLast}, rules.Column{Name: "a", Absent: rules.AbsentFirst}
	for _, row := range []struct {
		from, to  rules.Column
		was, want rules.Value
	}{
		{last, first, rules.Absent, rules.Absent},
		{last, first, rules.Int(3), rules.Int(3)},
		{last, rules.Column{Name: "a", Min: ptr(rules.Int(2))}, rules.Absent, rules.Int(2)},
		{last, rules.Column{Name: "a", Kind: rules.Float64}, rules.Absent, rules.Float(0)},
		{rules.Column{Name: "b"}, last, rules.Int(3), rules.Absent},
		{rules.Column{Name: "a"}, last, rules.Int(0), rules.Int(0)},
	} {
		e, err := rules.Convert(newRules(t, "", row.from), newRules(t, "", row.to))(rules.Entry{Score: rules.Values(row.was)})
		require.NoError(t, err, "%v", row)
		require.Equal(t, rules.Values(row.want), e.Score, "%v", row)
	}
	_, err := rules.Convert(newRules(t, "", rules.Column{Name: "a"}), newRules(t, "", last))(rules.Entry{Score: rules.Ints(math.MinInt64)})
	require.EqualError(t, err, `board: value is out of bounds: -9223372036854775808 in column "a", want -9223372036854775807..`)
}

// TestAbsentTexts checks how an absent value is written and read.
func TestAbsentTexts(t *testing.T) {
	s := rules.Values(rules.Int(3), rules.Absent)
	require.Equal(t, "3 -", s.String())
	b, err := json.Marshal(s)
	require.NoError(t, err)
	require.Equal(t, "[3,null]", string(b))
	var back rules.Score
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, s, back)
	require.NoError(t, json.Unmarshal([]byte("null"), &back))
	require.Equal(t, rules.Values(rules.Absent), back)
	v, err := rules.ParseValue("-")
	require.NoError(t, err)
	require.True(t, v.IsAbsent() && v.Float() == 0 && v.Decimals() == 0 && !v.IsFloat())
	r := newRules(t, "", rules.Column{Name: "a"})
	_, err = r.Check(rules.Values(rules.Absent))
	require.EqualError(t, err, `board: column has no value: - in column "a"`)
}

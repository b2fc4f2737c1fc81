package rules_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

func newRules(t testing.TB, ties rules.Ties, columns ...rules.Column) *rules.Rules {
	r, err := rules.New(columns, rules.Best, ties)
	require.NoError(t, err)
	return r
}

// TestForms checks the order of the forms of every pair of special values, in the first column and in the second, in both orders.
func TestForms(t *testing.T) {
	values := map[rules.ColumnKind][]rules.Value{}
	for _, i := range ints {
		values[rules.Int64] = append(values[rules.Int64], rules.Int(i))
	}
	for _, f := range floats[:finite] {
		values[rules.Float64] = append(values[rules.Float64], rules.Float(f))
	}
	pairs := 0
	for kind, values := range values {
		for _, order := range []rules.Order{rules.Desc, rules.Asc} {
			column := rules.Column{Kind: kind, Order: order}
			one, two := newRules(t, rules.ByMember, column), newRules(t, rules.ByMember, rules.Column{}, column)
			for _, a := range values {
				for _, b := range values {
					var want int
					if kind == rules.Float64 {
						want = cmp.Compare(a.Float(), b.Float())
					} else {
						want = cmp.Compare(whole(a.Units()), whole(b.Units()))
					}
					if order == rules.Desc {
						want = -want
					}
					scoreA, tie := one.Encode(nil, rules.Entry{Score: rules.Values(a)})
					scoreB, _ := one.Encode(nil, rules.Entry{Score: rules.Values(b)})
					require.Equal(t, want, cmp.Compare(scoreA, scoreB), "%v %v", a, b)
					require.Empty(t, tie)
					require.Equal(t, a, one.Decode(scoreA, nil).Score.At(0))
					_, tieA := two.Encode(nil, rules.Entry{Score: rules.Values(rules.Int(0), a)})
					_, tieB := two.Encode(nil, rules.Entry{Score: rules.Values(rules.Int(0), b)})
					require.Equal(t, want, bytes.Compare(tieA, tieB), "%v %v", a, b)
					pairs++
				}
			}
		}
	}
	t.Logf("%d pairs", pairs)
}

// TestTimes checks that times and arrivals keep their whole range and order, and that Encode appends.
func TestTimes(t *testing.T) {
	reached := []int64{math.MinInt64, -1, 0, 1, math.MaxInt64}
	arrivals := []uint64{0, 1, math.MaxInt64, 1 << 63, math.MaxUint64}
	for _, ties := range []rules.Ties{rules.FirstToReach, rules.LastToReach} {
		r := newRules(t, ties, rules.Column{}, rules.Column{})
		require.Equal(t, []int{8, 24}, []int{r.ScoreTie(), r.TieWidth()})
		var forms [][]byte
		for _, at := range reached {
			for _, arrival := range arrivals {
				e := rules.Entry{Score: rules.Ints(-3, 4), Reached: at, Arrival: arrival}
				score, tie := r.Encode([]byte("x"), e)
				require.Equal(t, byte('x'), tie[0])
				require.Len(t, tie, 25)
				require.Equal(t, e, r.Decode(score, tie[1:]))
				forms = append(forms, tie)
			}
		}
		if ties == rules.LastToReach {
			slices.Reverse(forms)
		}
		require.True(t, slices.IsSortedFunc(forms, bytes.Compare))
		require.Len(t, slices.CompactFunc(forms, bytes.Equal), len(reached)*len(arrivals))
	}
	widest := newRules(t, "", make([]rules.Column, 4)...)
	require.Equal(t, rules.MaxTie, widest.TieWidth())
}

// TestShortTie checks that Decode does not panic for a tie of the wrong width, and reads missing words as zero.
func TestShortTie(t *testing.T) {
	r := newRules(t, "", rules.Column{}, rules.Column{Order: rules.Asc}, rules.Column{Kind: rules.Float64})
	e := rules.Entry{Score: rules.Values(rules.Int(5), rules.Int(math.MinInt64+1), rules.Float(1.5)), Reached: -1, Arrival: 9}
	score, tie := r.Encode(nil, e)
	for n := range tie {
		padded := make([]byte, len(tie))
		copy(padded, tie[:n&^7])
		require.Equal(t, asText(r.Decode(score, padded)), asText(r.Decode(score, tie[:n])))
	}
	require.Equal(t, e, r.Decode(score, append(tie, 1, 2, 3)))
}

// asText returns a form of an entry that can be compared even if it has a NaN.
func asText(e rules.Entry) []any { return []any{e.Score.String(), e.Reached, e.Arrival} }

// FuzzForm checks Decode and Encode for any bytes: Decode reads every form that Encode makes, and Encode makes the same form again. Decode
// does not panic for forms that Encode cannot make, such as a float64 column of -0, NaN or infinity.
func FuzzForm(f *testing.F) {
	f.Add([]byte{}, int64(0), uint8(0), uint8(0))
	f.Add(bytes.Repeat([]byte{0xff}, 40), int64(-1), uint8(0b10010011), uint8(1))
	f.Add(bytes.Repeat([]byte{0x80, 0, 0, 0, 0, 0, 0, 0}, 5), int64(math.MinInt64), uint8(0xff), uint8(2))
	f.Add(bytes.Repeat([]byte{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 5), int64(math.MaxInt64), uint8(0x55), uint8(11))
	f.Fuzz(func(t *testing.T, tie []byte, score int64, shape, more uint8) {
		columns := make([]rules.Column, 1+more/3%4)
		for i := range columns {
			columns[i].Kind = []rules.ColumnKind{rules.Int64, rules.Float64}[shape>>(2*i)&1]
			columns[i].Order = []rules.Order{rules.Desc, rules.Asc}[shape>>(2*i+1)&1]
		}
		r := newRules(t, allTies[more%3], columns...)
		e := r.Decode(score, tie)
		require.Equal(t, len(columns), e.Score.Len())
		if len(tie) < r.TieWidth() {
			return
		}
		checked, err := r.Check(e.Score)
		if err != nil {
			require.ErrorIs(t, err, rules.ErrNotFinite)
			return
		}
		require.Equal(t, e.Score, checked)
		again, bytes := r.Encode(nil, e)
		require.Equal(t, e, r.Decode(again, bytes), "violates R4")
		if !hasZero(e.Score) { // the form of a 0 may have been that of -0
			require.Equal(t, score, again)
			require.Equal(t, string(tie[:r.TieWidth()]), string(bytes))
		}
	})
}

// hasZero reports whether a float64 column is 0.
func hasZero(s rules.Score) bool {
	for i := range s.Len() {
		if s.At(i) == rules.Float(0) {
			return true
		}
	}
	return false
}

// TestPrefix checks that the least form of a score is its prefix and zero bytes, and that the prefix of the next score follows directly.
func TestPrefix(t *testing.T) {
	r := newRules(t, rules.LastToReach, rules.Column{}, rules.Column{Order: rules.Asc})
	score, prefix := r.Prefix(nil, rules.Ints(7, 1))
	before, tie := r.Encode(nil, rules.Entry{Score: rules.Ints(7, 1), Reached: math.MaxInt64, Arrival: math.MaxUint64})
	require.Equal(t, score, before)
	require.Equal(t, append(slices.Clone(prefix), make([]byte, 16)...), tie, "the least")
	_, next := r.Prefix(nil, rules.Ints(7, 2))
	require.Equal(t, binary.BigEndian.Uint64(prefix)+1, binary.BigEndian.Uint64(next))
}

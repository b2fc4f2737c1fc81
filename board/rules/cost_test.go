package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// calls are the functions of Rules, on rules with the largest number of columns that are not packed.
func calls(t testing.TB) map[string]func() {
	columns := []rules.Column{{Max: ptr(rules.Int(1 << 40))}, {Kind: rules.Float64, Order: rules.Asc}, {Order: rules.Asc}, {Op: rules.Max}}
	r, err := rules.New(columns, rules.Sum, "")
	require.NoError(t, err)
	best, err := rules.New(make([]rules.Column, 4), rules.Best, "")
	require.NoError(t, err)
	old, _, err := r.Apply(rules.Entry{}, false, rules.Entry{Score: rules.Values(rules.Int(1), rules.Int(2), rules.Int(3), rules.Int(4))})
	require.NoError(t, err)
	sub := rules.Entry{Score: rules.Values(rules.Int(0), rules.Float(0.5), rules.Int(-1), rules.Int(9)), Reached: 5, Arrival: 6}
	better := rules.Entry{Score: rules.Ints(1, 2, 3, 5), Reached: 5}
	worse := rules.Entry{Score: rules.Ints(1, 2, 3, 4), Reached: 4}
	dst := make([]byte, 0, rules.MaxTie)
	score, tie := r.Encode(make([]byte, 0, rules.MaxTie), old)
	return map[string]func(){
		"call=Apply/op=sum":  func() { _, _, _ = r.Apply(old, true, sub) },
		"call=Apply/op=best": func() { _, _, _ = best.Apply(worse, true, better) },
		"call=Check":         func() { _, _ = r.Check(sub.Score) },
		"call=Compare":       func() { best.Compare(worse.Score, better.Score) },
		"call=Encode":        func() { r.Encode(dst, old) },
		"call=Prefix":        func() { r.Prefix(dst, old.Score) },
		"call=Decode":        func() { r.Decode(score, tie) },
	}
}

// TestAllocations checks that none of the calls allocates.
func TestAllocations(t *testing.T) {
	for name, call := range calls(t) {
		require.Zero(t, testing.AllocsPerRun(100, call), name)
	}
}

// Benchmark measures each call.
func Benchmark(b *testing.B) {
	for name, call := range calls(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call()
			}
		})
	}
}

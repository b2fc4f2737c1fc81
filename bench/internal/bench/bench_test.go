package bench

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func samples(line, system string, m figure.Metric, n int, values ...float64) (list []Sample) {
	for i, v := range values {
		list = append(list, Sample{Line: line, System: system, Round: i, N: n, Figures: figure.Figures{m: v}})
	}
	return list
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		target  Target
		samples []Sample
		found   float64
		want    Verdict
	}{
		"at most, met":    {Target{Limit: 2}, samples("l", Zrank, "m", 0, 1, 2, 9), 2, Met},
		"at most, missed": {Target{Limit: 2}, samples("l", Zrank, "m", 0, 1, 2.1, 9), 2.1, Missed},
		"nothing":         {Target{Limit: 2}, nil, 0, NotMeasured},
		// The machine was ten times slower in the second round, for both.
		"ratio within a round": {Target{Limit: 0.8, Peer: "p", Least: true},
			append(samples("l", Zrank, "m", 0, 80, 9, 70, 5), samples("l", "p", "m", 0, 100, 10, 100)...), 0.8, Met},
		"no round has both": {Target{Limit: 0.5, Peer: "p"}, append(samples("l", Zrank, "m", 0, 4, 4)[1:], samples("l", "p", "m", 0, 1)...), 0, NotMeasured},
		"within noise":      {Target{Limit: 1, Base: "b", Noise: true}, append(samples("l", Zrank, "m", 0, 2, 3, 4), samples("b", Zrank, "m", 0, 1, 1, 2)...), 2, Met},
		"outside noise":     {Target{Limit: 1, Base: "b", Noise: true}, append(samples("l", Zrank, "m", 0, 3, 3, 4), samples("b", Zrank, "m", 0, 1, 1, 2)...), 3, Missed},
		"too little log":    {Target{Limit: 9, Log: 64e6}, samples("l", Zrank, "m", 0, 1), 0, NotMeasured},
		"the worst line":    {Target{Line: "l k", Limit: 5}, append(samples("l", Zrank, "m", 0, 1), samples("k", Zrank, "m", 0, 6)...), 6, Missed},
	} {
		c.target.Metric = "m"
		if c.target.Line == "" {
			c.target.Line = "l"
		}
		found, v := c.target.Judge(&Result{Samples: c.samples}, 0)
		assert.Equal(t, c.want, v, name)
		assert.InDelta(t, c.found, found.Value, 1e-9, name)
	}
}

func TestWhichResultCounts(t *testing.T) {
	b := &Benchmark{Name: "b", Targets: []Target{{Line: "l", Metric: "m", Limit: 50, At: 1e6}, {Line: "l", Metric: "m", Limit: 50}}}
	stand := func(workload string, sizes ...int) []Standing {
		found := map[int]float64{1e5: 49, 1e6: 51, 1e7: 48}
		r := &Result{Kind: "b", Workload: workload}
		for _, n := range sizes {
			r.Samples = append(r.Samples, samples("l", Zrank, "m", n, found[n])...)
		}
		return Stand([]*Benchmark{b}, r)
	}
	for _, c := range []struct {
		sizes []int
		n     int
		want  Verdict
	}{{[]int{1e5}, 1e5, Met}, {[]int{1e7, 1e5}, 1e7, Met}, {[]int{1e7, 1e6, 1e5}, 1e6, Missed}} {
		s := stand("", c.sizes...)[0]
		assert.Equal(t, c.n, s.N)
		assert.Equal(t, c.want, s.Verdict)
	}
	assert.Equal(t, Missed, stand("uniform", 1e6, 1e7)[1].Verdict, "of a target for any size the one that misses it counts")
	assert.Equal(t, NotMeasured, stand("zipf", 1e6)[0].Verdict)
	assert.Equal(t, "b --n 1e6", stand("")[0].Command)
}

func TestQuantities(t *testing.T) {
	for want, got := range map[string]string{
		"950 ns": Quantity(950, figure.Nanoseconds), "1.20 ms": Quantity(1.2e6, figure.Nanoseconds), "12.0 s": Quantity(12e3, figure.Milliseconds),
		"1,234": Quantity(1234.4, figure.PerSecond), "64.0 MB": Quantity(64e6, figure.Bytes), "0.50x": Quantity(0.5, figure.Times),
		"<0.01x": Quantity(0.004, figure.Times), "100 B": Quantity(99.96, figure.BytesEach), "1,234,567": Comma(1234567), "7": Comma(7),
	} {
		assert.Equal(t, want, got)
	}
}

func TestTurnsCountEveryCall(t *testing.T) {
	made, halted := 0, 0
	s := &Turns{For: 10 * time.Millisecond, Halt: func() error { halted++; return nil }, Resume: func() error { halted--; return nil },
		Finish: func(calls int) error { return Want("calls", calls, made) },
		Spots: []Spot{{Line: "two", Callers: 1, Timed: true, Units: 2, Call: func(int) (int, error) { made++; return 1, nil }},
			{Line: "none", Callers: 1}}}
	for range 4 {
		require.NoError(t, s.Turn())
	}
	assert.Equal(t, 0, halted)
	found, err := s.End()
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Positive(t, found[0].Figures[figure.Rate])
	assert.Positive(t, found[0].Figures[figure.P99])

	broken := errors.New("broken")
	s = &Turns{For: time.Second, Spots: []Spot{{Callers: 1, Call: func(int) (int, error) { return 0, broken }}}}
	assert.ErrorIs(t, s.Turn(), broken)
}

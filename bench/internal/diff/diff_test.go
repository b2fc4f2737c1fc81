package diff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// result is of durable, with one figure of each system in every round.
func result(m figure.Metric, ours, pebble []float64) *bench.Result {
	r := &bench.Result{Benchmark: &traffic.Durable, Kind: "durable", N: 1000}
	for system, values := range map[string][]float64{bench.Zrank: ours, "pebble": pebble} {
		for i, v := range values {
			r.Samples = append(r.Samples, bench.Sample{Line: "sync/1", System: system, Round: i, Figures: figure.Figures{m: v}})
		}
	}
	return r
}

func compare(t *testing.T, from, to *bench.Result, against string) *Diff {
	d, err := Compare(from, to, Options{Alpha: 0.05, Against: against})
	require.NoError(t, err)
	require.Len(t, d.Rows, 1)
	return d
}

// The exact two-sided p of small samples without ties can be counted by hand: of the ways to choose one of both, those that lie as far out.
func TestTheKnownPOfSmallSamples(t *testing.T) {
	for _, c := range []struct {
		old, new []float64
		p        float64
		want     Verdict
	}{
		{[]float64{1, 2, 3}, []float64{4, 5, 6}, 2.0 / 20, Same},
		{[]float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70, Worse},
		{[]float64{5, 6, 7, 8}, []float64{1, 2, 3, 4}, 2.0 / 70, Better},
		{[]float64{1, 2, 3, 5}, []float64{4, 6, 7, 8}, 4.0 / 70, Same},
		{[]float64{7, 7, 7, 7}, []float64{7, 7, 7, 7}, 1, Same},
	} {
		d := compare(t, result(figure.P99, c.old, nil), result(figure.P99, c.new, nil), "")
		assert.InDelta(t, c.p, d.Rows[0].P, 1e-9)
		assert.Equal(t, c.want, d.Rows[0].Verdict)
	}
}

func TestAPeerDividesTheMachineOut(t *testing.T) {
	// The machine is a fourth as fast in the new one, for both.
	from := result(figure.Rate, []float64{410, 420, 430, 440}, []float64{41, 42, 43, 44})
	to := result(figure.Rate, []float64{101, 102, 103, 104}, []float64{10.1, 10.2, 10.3, 10.4})
	d := compare(t, from, to, "")
	assert.Equal(t, Worse, d.Rows[0].Verdict, "a rate is better when it is more")
	assert.Len(t, d.WorseBy(50), 1)
	assert.Empty(t, d.WorseBy(90))
	var b strings.Builder
	require.NoError(t, d.WriteText(&b))
	for _, text := range []string{"Sync, 1 caller: calls/s", "the times of the peers, whose code is the same, are +315 %", "1 worse, 0 better", "0.029", "4+4"} {
		assert.Contains(t, b.String(), text)
	}
	assert.Equal(t, Same, compare(t, from, to, "pebble").Rows[0].Verdict)
	_, err := Compare(from, to, Options{Alpha: 0.05, Against: "redis"})
	assert.ErrorContains(t, err, `no figure of the peer "redis" to divide ours by`)
}

package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// The rows of the design's section 8 that concern the sorted set, written a second time: a limit changes in both places
// or not by accident.
func TestTargetsAreThoseOfTheDesign(t *testing.T) {
	type key struct {
		metric  measure.Metric
		against string
	}
	want := map[key]float64{
		{measure.Bytes, ""}: 50, {measure.BytesSmall, ""}: 31,
		{measure.Score, "map"}: 1.2, {measure.Update, "tidwall"}: 0.7, {measure.Incr, "tidwall"}: 0.8,
		{measure.Rank, "tidwall"}: 0.33, {measure.Rank, "bytedance"}: 0.25, {measure.Page, "bytedance"}: 0.5,
		{measure.GC, "gc_empty"}: 1, {measure.Slowest, ""}: 2, {measure.Update, "update_1k"}: 12,
		{measure.BytesLeft, "bytes_anew"}: 1.5,
		{measure.AllocsUpdate, ""}:        0, {measure.AllocsScore, ""}: 0, {measure.AllocsRank, ""}: 0, {measure.AllocsWalk, ""}: 0,
	}
	got := map[key]float64{}
	for _, target := range Targets {
		got[key{target.Metric, target.Peer + string(target.Base)}] = target.Limit
		assert.NotEmpty(t, unitOf(target.Metric), "%s is not described", target.Metric)
		if target.Peer != "" {
			_, err := peers.Named(target.Peer)
			assert.NoError(t, err)
		}
	}
	assert.Equal(t, want, got)
	assert.Len(t, Targets, len(want))
}

// figures are runs of one peer with one metric.
func figures(peer string, m measure.Metric, values ...float64) []Run {
	var runs []Run
	for i, v := range values {
		runs = append(runs, Run{Peer: peer, Repetition: i, Figures: measure.Figures{m: v}})
	}
	return runs
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		target Target
		runs   []Run
		found  float64
		want   Verdict
	}{
		"at most, met": {
			Target{Metric: measure.Bytes, Rule: AtMost, Limit: 50}, figures("zset", measure.Bytes, 50, 49, 90), 50, Met,
		},
		"at most, missed": {
			Target{Metric: measure.Bytes, Rule: AtMost, Limit: 50}, figures("zset", measure.Bytes, 51), 51, Missed,
		},
		"the slowest insert of the best repetition": {
			Target{Metric: measure.Slowest, Rule: AtMost, Limit: 2}, figures("zset", measure.Slowest, 9, 1, 5), 1, Met,
		},
		"ratio, missed": {
			Target{Metric: measure.Rank, Rule: RatioToPeer, Limit: 0.33, Peer: "tidwall"},
			append(figures("zset", measure.Rank, 40), figures("tidwall", measure.Rank, 100)...), 0.4, Missed,
		},
		"ratio, no peer": {
			Target{Metric: measure.Rank, Rule: RatioToPeer, Limit: 0.33, Peer: "tidwall"},
			figures("zset", measure.Rank, 40), 0, NotMeasured,
		},
		"within noise": {
			Target{Metric: measure.GC, Rule: WithinNoise, Limit: 1, Base: measure.GCEmpty},
			append(figures("zset", measure.GC, 2, 3, 4), figures("zset", measure.GCEmpty, 1, 1, 2)...), 3, Met,
		},
		"outside noise": {
			Target{Metric: measure.GC, Rule: WithinNoise, Limit: 1, Base: measure.GCEmpty},
			append(figures("zset", measure.GC, 3, 3, 4), figures("zset", measure.GCEmpty, 1, 1, 2)...), 3, Missed,
		},
		"one allocation in a hundred": {
			Target{Metric: measure.AllocsRank, Rule: None}, figures("zset", measure.AllocsRank, 0.01), 0.01, Missed,
		},
		"slabs that grow now and then": {
			Target{Metric: measure.AllocsUpdate, Rule: None}, figures("zset", measure.AllocsUpdate, 0.0009), 0.0009, Missed,
		},
		"none": {
			Target{Metric: measure.AllocsRank, Rule: None}, figures("zset", measure.AllocsRank, 0.00002), 0.00002, Met,
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := c.target.judge(Summarize(c.runs))
			assert.Equal(t, c.want, j.Verdict)
			assert.InDelta(t, c.found, j.Found, 1e-9)
		})
	}
}

func TestSummary(t *testing.T) {
	st, ok := Summarize(figures("map", measure.Score, 30, 10, 20)).Stat("map", measure.Score)
	require.True(t, ok)
	assert.Equal(t, Stat{Value: 20, Min: 10, Max: 30}, st)
	assert.Equal(t, 50.0, st.Spread())

	even, _ := Summarize(figures("map", measure.Score, 1, 2, 3, 10)).Stat("map", measure.Score)
	assert.Equal(t, 2.5, even.Value)

	_, ok = Summarize(nil).Stat("map", measure.Score)
	assert.False(t, ok)
}

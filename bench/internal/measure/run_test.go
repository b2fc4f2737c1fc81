package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/peers"
)

func TestEveryMetricIsDescribedOnceAndMeasured(t *testing.T) {
	ours, err := peers.Select([]string{"zset"})
	require.NoError(t, err)
	got := Run(ours[0], Options{N: 2000, Seed: 1, Budget: 50 * time.Millisecond})
	described := Figures{}
	for _, d := range Descriptions {
		assert.NotContains(t, described, d.Metric)
		described[d.Metric] = 0
		assert.Contains(t, got, d.Metric)
	}
	assert.Len(t, got, len(described), "figures without a description")
	for _, m := range []Metric{Build, Score, Update, Update1k, Incr, Rank, Page, Walk, Bytes, Small, GC, GCEmpty} {
		assert.Positive(t, got[m], m)
	}
	assert.Greater(t, got[Bytes], 20.0, "the members alone are 20 bytes each")
}

func TestABareMapHasNoOrder(t *testing.T) {
	bare, err := peers.Select([]string{"map"})
	require.NoError(t, err)
	got := Run(bare[1], Options{N: 2000, Seed: 1, Budget: 10 * time.Millisecond})
	assert.Contains(t, got, Score)
	assert.NotContains(t, got, Rank)
	assert.NotContains(t, got, Update1k)
}

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
		assert.LessOrEqual(t, len(d.Title), 30, d.Title)
		assert.Contains(t, got, d.Metric)
	}
	assert.Len(t, got, len(described), "figures without a description")
	for _, m := range []Metric{Build, Score, Update, Update1k, Incr, Rank, Page, Walk, Bytes, BytesSmall, GC, GCEmpty,
		UpdateFraction, Churn, BytesUpdated, BytesFraction, BytesLeft, BytesAnew, Slowest} {
		assert.Positive(t, got[m], m)
	}
	for _, m := range []Metric{Bytes, BytesUpdated, BytesFraction, BytesSmall, BytesLeft, BytesAnew} {
		assert.Greater(t, got[m], 20.0, "the members alone are 20 bytes each: %s", m)
	}
}

func TestABareMapHasNoOrder(t *testing.T) {
	bare, err := peers.Select([]string{"map"})
	require.NoError(t, err)
	got := Run(bare[1], Options{N: 2000, Seed: 1, Budget: 10 * time.Millisecond})
	assert.Contains(t, got, Score)
	assert.NotContains(t, got, Rank)
	assert.NotContains(t, got, Update1k)
	assert.Contains(t, got, BytesLeft)
}

func TestEarlierStaysBehind(t *testing.T) {
	for i := range 10_000 {
		j := earlier(i)
		assert.True(t, j >= 0 && j <= i, "%d for %d", j, i)
	}
}

package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// named is the options of a peer, with little time.
func named(t *testing.T, peer string) Options {
	p, err := peers.Named(peer)
	require.NoError(t, err)
	return Options{Peer: p, N: 2000, Seed: 1, Budget: time.Millisecond, Dir: t.TempDir()}
}

func TestEveryMetricIsDescribedOnceAndMeasured(t *testing.T) {
	got, err := Run(named(t, "zset"))
	require.NoError(t, err)
	described := Figures{}
	for _, d := range Descriptions {
		assert.NotContains(t, described, d.Metric)
		described[d.Metric] = 0
		assert.LessOrEqual(t, len(d.Title), 30, d.Title)
		if d.Metric == Replay {
			assert.NotContains(t, got, Replay)
		} else {
			assert.Contains(t, got, d.Metric)
		}
	}
	assert.Len(t, got, len(described)-1, "figures without a description")
	for _, m := range []Metric{Build, Score, Update, Update1k, Incr, Rank, Page, Walk, Bytes, BytesSmall, GC, GCEmpty,
		UpdateFraction, Churn, BytesUpdated, BytesFraction, BytesLeft, BytesAnew, Slowest} {
		assert.Positive(t, got[m], m)
	}
	for _, m := range []Metric{Bytes, BytesUpdated, BytesFraction, BytesSmall, BytesLeft, BytesAnew} {
		assert.Greater(t, got[m], 20.0, "the members alone are 20 bytes each: %s", m)
	}
}

func TestABareMapHasNoOrder(t *testing.T) {
	got, err := Run(named(t, "map"))
	require.NoError(t, err)
	assert.Contains(t, got, Score)
	assert.NotContains(t, got, Rank)
	assert.NotContains(t, got, Update1k)
	assert.Contains(t, got, BytesLeft)
}

// What is not in this process's heap has no figures of the heap.
func TestPebbleHasTimesAlone(t *testing.T) {
	got, err := Run(named(t, "pebble"))
	require.NoError(t, err)
	for _, d := range Descriptions {
		timed := d.Unit == Nanoseconds && d.Metric != UpdateFraction && d.Metric != Replay
		_, there := got[d.Metric]
		assert.Equal(t, timed, there, d.Metric)
	}
}

func TestRedisHasTimesAndMemory(t *testing.T) {
	o := named(t, "redis")
	if program, err := o.Peer.Lacks(); program != "" {
		require.NoError(t, err)
		t.Skipf("no %s in the path", program)
	}
	got, err := Run(o)
	require.NoError(t, err)
	assert.Greater(t, got[Bytes], 40.0)
	assert.Less(t, got[Bytes], 200.0)
	assert.Positive(t, got[Page])
	assert.NotContains(t, got, Build, "it was filled without a wait for each answer")
	assert.NotContains(t, got, AllocsRank)
}

func TestEveryWorkloadOnManyBoardsAndOne(t *testing.T) {
	for _, name := range workload.Names() {
		o := named(t, "zset")
		o.N = 200
		var err error
		o.Workload, err = workload.Find(name)
		require.NoError(t, err)
		got, err := Run(o)
		require.NoError(t, err)
		assert.Contains(t, got, BytesLeft, name)
		assert.NotContains(t, got, Replay)
	}
}

func TestCoreIsWhatAGrowthShows(t *testing.T) {
	o := named(t, "counted")
	o.N, o.Core = 100, true
	got, err := Run(o)
	require.NoError(t, err)
	assert.Len(t, got, 6)
	for m := range got {
		d, _ := Describe(m)
		assert.True(t, d.Core, m)
	}
}

// TestAReplay has a file whose every member gets 1 and then 2.
func TestAReplay(t *testing.T) {
	for _, column := range []string{"delta", "score"} {
		var text strings.Builder
		fmt.Fprintf(&text, "board,member,%s\n", column)
		for i := range 500 {
			fmt.Fprintf(&text, "%d,m%d,%d\n", i%3, i%250, 1+i/250)
		}
		o := named(t, "zset")
		file := filepath.Join(t.TempDir(), "events.csv")
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
		var err error
		o.Workload, err = workload.Find(file)
		require.NoError(t, err)
		for _, peer := range []string{"zset", "map", "bytedance"} {
			o.Peer, err = peers.Named(peer)
			require.NoError(t, err)
			got, err := Run(o)
			require.NoError(t, err)
			assert.Equal(t, peer != "map", got[Replay] > 0)
			assert.NotContains(t, got, Update1k)
		}
	}
}

func TestAPeerThatReplaysWrongIsReported(t *testing.T) {
	r := &run{Options: named(t, "zset"), now: wallTime, got: Figures{}}
	var err error
	r.peer, err = r.Peer.Start("")
	require.NoError(t, err)
	l := workload.New(200, 10, 1)
	l.Events = workload.Events{Stream: l.Lookup, Fresh: make([]bool, 10)}
	_, err = r.replay(l)
	assert.ErrorContains(t, err, "zset: after the replay \"player:")
}

func TestEarlierStaysBehind(t *testing.T) {
	for i := range 10_000 {
		j := earlier(i)
		assert.True(t, j >= 0 && j <= i, "%d for %d", j, i)
	}
}

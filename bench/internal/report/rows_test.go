package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
)

// row finds one by its name.
func row(t *testing.T, rows []Row, what string) Row {
	for _, r := range rows {
		if r.What == what {
			return r
		}
	}
	require.Fail(t, "no row", what)
	return Row{}
}

func TestEveryRowSaysWhoMeasuresIt(t *testing.T) {
	rows := Rows()
	goals := 0
	for _, l := range layouts {
		goals += len(l.goals)
	}
	assert.Len(t, rows, len(Targets)+goals, "a kind with goals is not listed")
	for _, r := range rows {
		assert.NotEmpty(t, r.Command, r.What)
		assert.Equal(t, NotMeasured, r.Verdict)
		assert.Equal(t, "-", r.Found)
	}
	assert.Equal(t, "compare --n 1e6", row(t, rows, "memory per member").Command)
	assert.Equal(t, "compare", row(t, rows, "allocations, rank").Command)
	assert.Equal(t, "recover --n 1e7", row(t, rows, "open after a clean close").Command)
	t.Logf("%d rows", len(rows))
}

// sizes is a comparison with one figure of zset at each size.
func sizesOf(load string, m measure.Metric, found map[int]float64, order ...int) *Report {
	r := &Report{Workload: load, Peers: []string{"zset"}}
	for _, n := range order {
		r.Sizes = append(r.Sizes, NewSize(n, figures("zset", m, found[n])))
	}
	return r
}

func TestWhichReportCounts(t *testing.T) {
	found := map[int]float64{1e5: 49, 1e6: 51, 1e7: 48}
	memory := func(docs ...Document) Row { return row(t, Rows(docs...), "memory per member") }
	for _, c := range []struct {
		order []int
		n     int
		want  Verdict
	}{
		{[]int{1e5}, 1e5, Met}, {[]int{1e5, 1e7}, 1e7, Met}, {[]int{1e7, 1e5}, 1e7, Met},
		{[]int{1e7, 1e6, 1e5}, 1e6, Missed}, {[]int{1e6, 1e7}, 1e6, Missed},
	} {
		got := memory(sizesOf("uniform", measure.Bytes, found, c.order...))
		assert.Equal(t, c.n, got.N, c.order)
		assert.Equal(t, c.want, got.Verdict, c.order)
	}
	assert.Equal(t, "49.0 B", memory(sizesOf("", measure.Bytes, found, 1e5)).Found, "an old report")
	assert.Equal(t, NotMeasured, memory(sizesOf("zipf", measure.Bytes, found, 1e6)).Verdict, "another load")

	allocations := map[int]float64{1e5: 1, 1e6: 0}
	for _, order := range [][]int{{1e5, 1e6}, {1e6, 1e5}} {
		got := row(t, Rows(sizesOf("uniform", measure.AllocsRank, allocations, order...)), "allocations, rank")
		assert.Equal(t, Missed, got.Verdict, "of a target for any size the one that misses it counts")
		assert.Equal(t, 100_000, got.N)
	}

	s := &Sheet{Kind: Durable, N: 1000}
	s.Samples = append(samples("sync/256", durable.Zrank, figure.Rate, 90), samples("sync/256", durable.Pebble, figure.Rate, 100)...)
	got := row(t, Rows(s), "updates/s, Sync, 256 callers")
	assert.Equal(t, Met, got.Verdict)
	assert.Equal(t, "0.90x", got.Found)

	var b strings.Builder
	require.NoError(t, WriteRows(&b, Rows(sizesOf("", measure.Bytes, found, 1e5))))
	assert.Contains(t, b.String(), "49.0 B*")
	assert.Contains(t, b.String(), "* found with another number of members")
}

// What was opened with another log than the design's is no answer.
func TestAShortLogSaysNothing(t *testing.T) {
	const what = "open after kill -9, 64 MB of log"
	for log, want := range map[float64]Verdict{1e6: NotMeasured, 63.9e6: NotMeasured, 64 << 20: Met} {
		s := &Sheet{Kind: Recover, N: 1000, Samples: []Sample{
			{Line: LineKilled, System: zrank, Figures: figure.Figures{figure.Open: 100, figure.Log: log}}}}
		assert.Equal(t, want, row(t, Rows(s), what).Verdict, log)
	}
	none := &Sheet{Kind: Recover, N: 1000, Samples: samples(LineKilled, zrank, figure.Open, 100)}
	assert.Equal(t, NotMeasured, row(t, Rows(none), what).Verdict)
}

func TestAllocationsCanBeLost(t *testing.T) {
	for theirs, want := range map[float64]int{0: 1, 0.0002: 1, 0.5: 1, 0.995: 0, 2: 0} {
		r := &Report{Peers: []string{"zset", "tidwall"}, Sizes: []Size{NewSize(1000,
			append(figures("zset", measure.AllocsPage, 1), figures("tidwall", measure.AllocsPage, theirs)...))}}
		sec, err := r.Section()
		require.NoError(t, err)
		assert.Len(t, sec.Losses, want, theirs)
		for _, l := range sec.Losses {
			assert.Equal(t, theirs < 0.01, l.Times == "none at all", theirs)
		}
	}
}

func TestAGrowthHasAColumnForEachSize(t *testing.T) {
	s := &Sheet{Kind: Growth, N: 1e5, Rounds: 1, Load: "100 to 100,000 members"}
	s.Samples = append(GrowthSamples("zset", 100, 0, 1, measure.Figures{measure.Update: 300, measure.Bytes: 40, measure.Walk: 7}),
		GrowthSamples("tidwall", 1e5, 0, 1, measure.Figures{measure.Update: 1234, measure.GC: 2.5})...)
	assert.Len(t, s.Samples, 4, "a walk is not shown")
	var b strings.Builder
	require.NoError(t, s.WriteTables(&b))
	for _, text := range []string{"        100 ", "    100,000 ", "300 ns ±0%", "1.23 µs ±0%", "40.0 B ±0%", "2.50 ms ±0%"} {
		assert.Contains(t, b.String(), text)
	}
	assert.NotContains(t, b.String(), "1,000 ", "a size that was not measured")
	assert.NotContains(t, b.String(), "a flush of", "no disk was measured")
}

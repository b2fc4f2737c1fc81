package board

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPeriod: the periods of every window at hard times, in the order of windows.
func TestPeriod(t *testing.T) {
	for at, want := range map[string][]string{
		"2026-11-20T15:04:05Z":             {"all", "2026-11-20T15", "2026-11-20", "2026-W47", "2026-11", "2026"},
		"2020-12-31T23:59:59.999999999Z":   {"all", "2020-12-31T23", "2020-12-31", "2020-W53", "2020-12", "2020"},
		"2021-01-01T00:00:00Z":             {"all", "2021-01-01T00", "2021-01-01", "2020-W53", "2021-01", "2021"},
		"2021-01-02T00:00:00Z":             {"all", "2021-01-02T00", "2021-01-02", "2020-W53", "2021-01", "2021"},
		"2021-01-03T23:59:59Z":             {"all", "2021-01-03T23", "2021-01-03", "2020-W53", "2021-01", "2021"}, // Sunday
		"2021-01-04T00:00:00Z":             {"all", "2021-01-04T00", "2021-01-04", "2021-W01", "2021-01", "2021"}, // Monday
		"2024-12-29T23:59:59Z":             {"all", "2024-12-29T23", "2024-12-29", "2024-W52", "2024-12", "2024"},
		"2024-12-30T00:00:00Z":             {"all", "2024-12-30T00", "2024-12-30", "2025-W01", "2024-12", "2024"},
		"2024-02-29T12:00:00Z":             {"all", "2024-02-29T12", "2024-02-29", "2024-W09", "2024-02", "2024"},
		"2000-02-29T12:00:00Z":             {"all", "2000-02-29T12", "2000-02-29", "2000-W09", "2000-02", "2000"},
		"1900-03-01T00:00:00Z":             {"all", "1900-03-01T00", "1900-03-01", "1900-W09", "1900-03", "1900"},
		"1969-12-31T23:59:59Z":             {"all", "1969-12-31T23", "1969-12-31", "1970-W01", "1969-12", "1969"},
		"1916-07-02T00:44:00Z":             {"all", "1916-07-02T00", "1916-07-02", "1916-W26", "1916-07", "1916"},
		"2038-01-19T03:14:08Z":             {"all", "2038-01-19T03", "2038-01-19", "2038-W03", "2038-01", "2038"},
		"0001-01-01T00:00:00Z":             {"all", "0001-01-01T00", "0001-01-01", "0001-W01", "0001-01", "0001"},
		"0000-01-03T00:00:00Z":             {"all", "0000-01-03T00", "0000-01-03", "0000-W01", "0000-01", "0000"},
		"0000-02-29T00:00:00Z":             {"all", "0000-02-29T00", "0000-02-29", "0000-W09", "0000-02", "0000"},
		"9999-12-31T23:59:59.999999999Z":   {"all", "9999-12-31T23", "9999-12-31", "9999-W52", "9999-12", "9999"},
		"2021-01-04T00:30:00+01:00":        {"all", "2021-01-03T23", "2021-01-03", "2020-W53", "2021-01", "2021"},
		"2020-12-31T20:00:00-05:00":        {"all", "2021-01-01T01", "2021-01-01", "2020-W53", "2021-01", "2021"},
		"2026-11-20T00:15:00.000001+05:45": {"all", "2026-11-19T18", "2026-11-19", "2026-W47", "2026-11", "2026"},
	} {
		when, err := time.Parse(time.RFC3339Nano, at)
		require.NoError(t, err)
		for i, w := range windows {
			assert.Equal(t, want[i], w.Period(when), "%s %s", w, at)
			assertSpan(t, w, when)
		}
	}
}

// assertSpan checks that the span of a time is the whole of its period: it holds the time, both its ends have the period's
// name and what is beyond them has not.
func assertSpan(t *testing.T, w Window, when time.Time) {
	start, end := w.span(when)
	if w == All {
		require.Equal(t, start, end)
		return
	}
	period := w.Period(when)
	require.False(t, when.Before(start), "%s %s starts after %s", w, period, when)
	require.True(t, when.Before(end), "%s %s ends before %s", w, period, when)
	require.Equal(t, period, w.Period(start), "%s %s: start", w, when)
	require.Equal(t, period, w.Period(end.Add(-1)), "%s %s: last moment", w, when)
	require.NotEqual(t, period, w.Period(start.Add(-1)), "%s %s: before", w, when)
	require.NotEqual(t, period, w.Period(end), "%s %s: after", w, when)
}

// TestSpanAndOrder: at random times in random zones, span and Period agree, and texts order as times do.
func TestSpanAndOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	from, to := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	times := make([]time.Time, fewer(10_000))
	for i := range times {
		zone := time.FixedZone("", rng.IntN(26*3600)-12*3600)
		times[i] = time.Unix(from+rng.Int64N(to-from), rng.Int64N(1e9)).In(zone)
		if i%2 == 1 { // and one near it
			times[i] = times[i-1].Add(time.Duration(rng.Int64N(int64(60 * 24 * time.Hour))))
		}
	}
	times = slices.DeleteFunc(times, func(when time.Time) bool { return when.UTC().Year() > 9999 })
	slices.SortFunc(times, time.Time.Compare)
	for _, w := range windows {
		for i, when := range times {
			assertSpan(t, w, when)
			if i > 0 {
				require.LessOrEqual(t, w.Period(times[i-1]), w.Period(when), "%s %s %s", w, times[i-1], when)
			}
		}
	}
}

// TestFirstWeek: the first two days of year 0 belong to the last week of the year before, the only period with a minus. It
// still stands first.
func TestFirstWeek(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{Week}})
	mustSubmit(t, b, "b", 1, time.Date(0, 1, 3, 0, 0, 0, 0, time.UTC))
	mustSubmit(t, b, "a", 1, time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))
	periods, err := b.Periods(Week)
	require.NoError(t, err)
	assert.Equal(t, []string{"-001-W52", "0000-W01"}, periods)
}

// TestPeriodKeyCache goes to and fro between periods, of which a board remembers only the last.
func TestPeriodKeyCache(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: windows})
	edge := time.Date(2021, 1, 4, 0, 0, 0, 0, time.UTC)
	for range 2 {
		for _, step := range []time.Duration{0, -1, 1, -time.Hour, time.Hour, -4 * 24 * time.Hour, 365 * 24 * time.Hour} {
			at := edge.Add(step)
			for i, w := range windows {
				require.Equal(t, b.spec.key(w, w.Period(at)), b.keyAt(i, at), "%s %s", w, at)
			}
		}
	}
}

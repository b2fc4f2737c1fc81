package window

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNames checks the name of the period at a time, and that Parse finds the period by it.
func TestNames(t *testing.T) {
	for _, row := range []struct{ window, at, name string }{
		{"all", "2026-11-20T15:00:00Z", "all"},
		{"hour", "1969-12-31T23:59:59.999999999Z", "1969-12-31T23"},
		{"day", "1916-07-02T18:00:00Z", "1916-07-02"}, // the first goal of the Copa América
		{"day@America/Argentina/Buenos_Aires", "1916-07-02T02:00:00Z", "1916-07-01"},
		{"day", "2028-02-29T23:59:59Z", "2028-02-29"},
		{"day", "2038-01-19T03:14:08Z", "2038-01-19"},
		{"hour@Asia/Tokyo", "2038-01-19T03:14:08Z", "2038-01-19T12"},
		{"month", "2100-02-28T23:59:59Z", "2100-02"},
		{"year", "0000-01-01T00:00:00Z", "0000"},
		{"year", "9999-12-31T23:59:59Z", "9999"},
		{"day", "0001-01-01T00:00:00Z", "0001-01-01"},
		{"week", "2026-11-22T23:59:59Z", "2026-W47"},
		{"week@Asia/Shanghai", "2026-11-22T16:00:00Z", "2026-W48"},
		{"week-sunday", "2026-11-21T23:59:59Z", "2026-11-15"},
		{"week-saturday", "2026-11-21T23:59:59Z", "2026-11-21"},
		{"week-friday", "2026-11-19T23:59:59Z", "2026-11-13"},
		// The ends of ISO years.
		{"week", "1976-12-31T12:00:00Z", "1976-W53"},
		{"week", "1977-01-02T12:00:00Z", "1976-W53"},
		{"week", "2005-01-01T12:00:00Z", "2004-W53"},
		{"week", "2008-12-29T12:00:00Z", "2009-W01"},
		{"week", "2010-01-03T12:00:00Z", "2009-W53"},
		{"week", "2024-12-30T12:00:00Z", "2025-W01"},
		{"week", "2026-12-31T12:00:00Z", "2026-W53"},
		{"week", "2027-01-03T12:00:00Z", "2026-W53"},
		{"week", "2027-01-04T00:00:00Z", "2027-W01"},
		{"week", "9999-12-31T23:59:59Z", "9999-W52"},
		// Every.
		{"every-3h", "2026-11-20T17:59:59Z", "2026-11-20T15:00:00Z"},
		{"every-1h30m", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
		{"every-1h30m", "1969-12-31T23:59:59Z", "1969-12-31T22:30:00Z"},
		{"every-1h30m-2026-11-20T00:15:00Z", "2026-11-20T00:14:59Z", "2026-11-19T22:45:00Z"},
		{"every-240h-2026-11-21T00:00:00+08:00@Asia/Shanghai", "2026-12-01T00:00:00+08:00", "2026-11-30T16:00:00Z"},
		{"every-1s", "2026-11-20T17:59:59.9Z", "2026-11-20T17:59:59Z"},
		{"every-2540400h", "1969-12-31T23:59:59Z", "1680-03-11T00:00:00Z"},
	} {
		w, err := ParseShort(row.window)
		require.NoError(t, err)
		c := compile(t, w)
		p := mustAt(t, c, instant(t, row.at))
		require.Equal(t, row.name, p.Name, "%s at %s", row.window, row.at)
		again, err := c.Parse(p.Name)
		require.NoError(t, err)
		require.Equal(t, p, again)
		if w.Kind != All {
			require.Equal(t, location(t, w.TimeZone).String(), p.Start.Location().String())
		}
	}
}

// TestWrongNames checks names that Parse refuses.
func TestWrongNames(t *testing.T) {
	wrong := map[string][]string{
		"all": {"", "ALL", "all ", "2026"},
		"hour": {"", "b", "2026-11-20T24", "2026-11-20T1", "2026-11-20T15a", "2026-11-20T15b", "2026-11-20T15bb", "2026-11-20 15",
			"2026-11-20T15:00", "2026-11-20"},
		"day":         {"2026-11-31", "2026-02-29", "2026-1-1", "26-11-20", "2026-11-20T", "+2026-11-20", "-0001-01-01", "10000-01-01", "2026/11/20"},
		"week":        {"2026-W00", "2026-W54", "2025-W53", "2026-W5", "2026W47", "2026-w47", "2026-W+7", "+026-W47", "2026-W047", "-W", "2026-11-16"},
		"week-sunday": {"2026-11-16", "2026-W47", "0000-01-01"},
		"month":       {"2026-00", "2026-13", "2026-1", "2026"},
		"year":        {"26", "12026", "-001", "2026 "},
		"every-3h": {"2026-11-20T15:00:01Z", "2026-11-20T16:00:00Z", "2026-11-20T15:00:00", "2026-11-20T15:00:00+00:00",
			"2026-11-20T15:00:00.0Z", "2026-11-20"},
	}
	n := 0
	for window, list := range wrong {
		w, err := ParseShort(window)
		require.NoError(t, err)
		c := compile(t, w)
		for _, name := range list {
			_, err := c.Parse(name)
			require.ErrorIs(t, err, ErrPeriodName, "%s: %q", window, name)
			var wrongName *PeriodNameError
			require.True(t, errors.As(err, &wrongName))
			require.Equal(t, name, wrongName.Name)
			require.Equal(t, w.Label(), wrongName.Window)
			n++
		}
	}
	_, err := compile(t, Window{Kind: Week, Name: "weekly"}).Parse("2026-47")
	require.EqualError(t, err, `window: no such period: weekly has no "2026-47"; its periods are named like 2026-W47`)
	t.Logf("%d names refused", n)
}

// TestEdges: the first and the last period of each kind; there are no periods beyond them.
func TestEdges(t *testing.T) {
	for _, row := range []struct{ window, first, start, last, end string }{
		{"hour", "0000-01-01T00", "0000-01-01", "9999-12-31T23", "10000-01-01"},
		{"day", "0000-01-01", "0000-01-01", "9999-12-31", "10000-01-01"},
		{"week", "0000-W01", "0000-01-03", "9999-W52", "10000-01-03"},
		{"week-sunday", "0000-01-02", "0000-01-02", "9999-12-26", "10000-01-02"},
		{"month", "0000-01", "0000-01-01", "9999-12", "10000-01-01"},
		{"year", "0000", "0000-01-01", "9999", "10000-01-01"},
		{"year@Asia/Tokyo", "0000", "0000-01-01", "9999", "10000-01-01"},
		{"hour@America/New_York", "0000-01-01T00", "0000-01-01", "9999-12-31T23", "10000-01-01"},
		{"every-24h-2000-01-01T12:00:00Z", "0000-01-01T12:00:00Z", "0000-01-01", "9999-12-31T12:00:00Z", "10000-01-01"},
	} {
		w, err := ParseShort(row.window)
		require.NoError(t, err)
		c := compile(t, w)
		first, err := c.Parse(row.first)
		require.NoError(t, err)
		last, err := c.Parse(row.last)
		require.NoError(t, err)
		require.Equal(t, row.start, first.Start.Format("2006-01-02"))
		require.Equal(t, row.end, last.End.Format("2006-01-02"))
		require.Equal(t, first, mustAt(t, c, first.Start))
		require.Equal(t, last, mustAt(t, c, last.End.Add(-1)))
		for _, at := range []time.Time{first.Start.Add(-1), last.End, first.Start.AddDate(-5000, 0, 0), last.End.AddDate(5000, 0, 0)} {
			_, err := c.At(at)
			require.ErrorIs(t, err, ErrTime, "%s at %s", row.window, at)
		}
		_, ok := c.Prev(first)
		require.False(t, ok)
		_, ok = c.Next(last)
		require.False(t, ok)
		all := between(c, last.Start, last.End.AddDate(5000, 0, 0))
		require.Equal(t, []Period{last}, all)
		for p := range c.Between(first.Start.AddDate(-5000, 0, 0), first.End) {
			require.Equal(t, first, p)
		}
	}
	c := compile(t, Window{Kind: All})
	for _, at := range []string{"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"} {
		require.Equal(t, Period{Name: "all"}, mustAt(t, c, instant(t, at)))
	}
	for _, at := range []time.Time{time.Unix(firstOf(0)-1, 0), time.Unix(firstOf(years), 0)} {
		_, err := c.At(at)
		require.ErrorIs(t, err, ErrTime)
	}
}

// TestLeaves: a result leaves a rolling window a Span after it happened or, with buckets, a Span after the end of its bucket.
func TestLeaves(t *testing.T) {
	for _, row := range []struct{ span, bucket, at, want int64 }{
		{1, 0, 0, 1}, {10, 0, -25, -15}, {10, 3, 0, 13}, {10, 3, 2, 13}, {10, 3, 3, 16}, {10, 3, -1, 10}, {10, 3, -3, 10}, {10, 3, -4, 7}, {10, 10, 9, 20},
	} {
		us := func(n int64) Duration { return Duration(time.Duration(n) * time.Microsecond) }
		require.Equal(t, row.want, Window{Kind: Rolling, Span: us(row.span), Bucket: us(row.bucket)}.Leaves(row.at), row)
	}
}

// TestOpen: the period of the kinds all and rolling has neither end nor neighbours.
func TestOpen(t *testing.T) {
	testOpen(t, Window{Kind: All, TimeZone: "Asia/Tokyo"})
	testOpen(t, Window{Kind: Rolling, TimeZone: "Asia/Tokyo", Span: 1000})
}

func testOpen(t *testing.T, w Window) {
	c := compile(t, w)
	p := mustAt(t, c, instant(t, "2026-11-20T15:00:00Z"))
	_, ok := c.Next(p)
	require.False(t, ok)
	_, ok = c.Prev(p)
	require.False(t, ok)
	_, ok = c.Closes(p)
	require.False(t, ok)
	require.Empty(t, between(c, time.Unix(firstOf(0), 0), time.Unix(firstOf(years), 0)))
}

// TestRandom runs checkPeriod at random moments of two centuries, for each kind and zone.
func TestRandom(t *testing.T) {
	const n = 20_000
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	strides := []Window{{Kind: Every, Every: Duration(90 * time.Minute)}, {Kind: Every, Every: Duration(time.Second)},
		{Kind: Every, Every: Duration(10 * 24 * time.Hour), Anchor: time.Unix(1795186800, 0)}}
	kinds := append(append([]Window{}, civilWindows...), strides...)
	lo, hi := firstOf(1900), firstOf(2101)
	checked := map[Kind]int{}
	for _, zone := range zones {
		for _, w := range kinds {
			c := compile(t, in(zone, w))
			for range n / len(zones) / len(kinds) {
				checkPeriod(t, c, time.Unix(lo+r.Int64N(hi-lo), r.Int64N(1e9)))
				checked[w.Kind]++
			}
		}
	}
	t.Logf("periods: %v", checked)
}

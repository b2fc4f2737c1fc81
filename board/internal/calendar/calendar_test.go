package calendar

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata" // for machines without zone files

	"github.com/stretchr/testify/require"
)

func civil(t testing.TB, text string) Civil {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05", text)
	require.NoError(t, err)
	return Of(at)
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	require.NoError(t, err)
	return l
}

func TestFirstPassage(t *testing.T) {
	for _, row := range []struct{ zone, civil, instant string }{
		{"UTC", "1970-01-01T00:00:00", "1970-01-01T00:00:00Z"},
		{"Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T01:59:59+01:00"},
		{"Europe/Berlin", "2026-03-29T02:00:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-03-29T02:59:59", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-03-29T03:00:01", "2026-03-29T03:00:01+02:00"},
		{"Europe/Berlin", "2026-10-25T02:00:00", "2026-10-25T02:00:00+02:00"},
		{"Europe/Berlin", "2026-10-25T02:59:59", "2026-10-25T02:59:59+02:00"},
		{"Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00"},
		{"America/St_Johns", "2010-11-06T23:30:00", "2010-11-06T23:30:00-02:30"},
		{"America/St_Johns", "2010-11-07T00:00:59", "2010-11-07T00:00:59-02:30"},
		{"America/St_Johns", "2010-11-07T00:01:00", "2010-11-07T00:01:00-03:30"},
		{"Pacific/Apia", "2011-12-30T00:00:00", "2011-12-31T00:00:00+14:00"},
		{"Pacific/Apia", "2011-12-31T00:00:00", "2011-12-31T00:00:00+14:00"},
		{"Australia/Lord_Howe", "2026-04-05T01:59:59", "2026-04-05T01:59:59+11:00"},
		{"Australia/Lord_Howe", "2026-04-05T02:00:00", "2026-04-05T02:00:00+10:30"},
		{"Europe/Berlin", "2028-12-31T00:00:00", "2028-12-31T00:00:00+01:00"},
		{"Australia/Sydney", "2029-01-01T00:00:00", "2029-01-01T00:00:00+11:00"},
	} {
		got := time.Unix(FirstPassage(zone(t, row.zone), civil(t, row.civil)), 0).In(zone(t, row.zone))
		require.Equal(t, row.instant, got.Format(time.RFC3339), "%s in %s", row.civil, row.zone)
	}
}

// TestFirstPassageWalked compares FirstPassage with the first second at which the clocks show the civil time or later, found second by
// second.
func TestFirstPassageWalked(t *testing.T) {
	n := 25
	if testing.Short() {
		n = 8
	}
	seed := rand.Uint64()
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	lo, hi := On(1860, time.January, 1), On(2101, time.January, 1)
	inGaps := 0
	for _, name := range []string{"Europe/Berlin", "America/Juneau", "Pacific/Apia", "Australia/Lord_Howe", "America/St_Johns", "America/Havana"} {
		z := zone(t, name)
		for i := range n {
			c := lo + Civil(rng.Int64N(int64(hi-lo)))
			if i%2 == 0 {
				c = nearShift(z, c, rng)
			}
			at := int64(c) - maxOffset
			for Shown(z, at) < c {
				at++
			}
			require.Equal(t, at, FirstPassage(z, c), "%s in %s", c.UTC(), name)
			if Shown(z, at) > c {
				inGaps++
			}
		}
	}
	require.Positive(t, inGaps)
	t.Logf("%d civil times, %d of them left out", 6*n, inGaps)
}

// nearShift returns a civil time within an hour after the last one that the clocks show before the next shift of a zone.
func nearShift(z *time.Location, c Civil, rng *rand.Rand) Civil {
	_, end := c.UTC().In(z).ZoneBounds()
	if end.IsZero() {
		return c
	}
	return Shown(z, end.Unix()-1) + Civil(rng.IntN(3600))
}

// TestUnits compares Floor and Next with the hours at which a cell begins according to package time, found hour by hour.
func TestUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lo, hi := On(-100, time.January, 1), On(10100, time.January, 1)
	units := map[Unit]func(time.Time) bool{ // whether a cell begins at an hour
		Hour:                 func(time.Time) bool { return true },
		Day:                  func(t time.Time) bool { return t.Hour() == 0 },
		Week(time.Monday):    func(t time.Time) bool { return t.Hour() == 0 && t.Weekday() == time.Monday },
		Week(time.Sunday):    func(t time.Time) bool { return t.Hour() == 0 && t.Weekday() == time.Sunday },
		Week(time.Wednesday): func(t time.Time) bool { return t.Hour() == 0 && t.Weekday() == time.Wednesday },
		Month:                func(t time.Time) bool { return t.Hour() == 0 && t.Day() == 1 },
		Year:                 func(t time.Time) bool { return t.Hour() == 0 && t.YearDay() == 1 },
	}
	for range 200 {
		c := lo + Civil(rng.Int64N(int64(hi-lo)))
		for u, begins := range units {
			start := Hour.Floor(c)
			for !begins(start.UTC()) {
				start -= secondsPerHour
			}
			end := Hour.Floor(c) + secondsPerHour
			for !begins(end.UTC()) {
				end += secondsPerHour
			}
			require.Equal(t, start, u.Floor(c), c.UTC())
			require.Equal(t, end, u.Next(start), c.UTC())
			require.Equal(t, start, u.Floor(start))
			require.Equal(t, start, u.Floor(end-1))
		}
	}
	t.Logf("200 civil times, %d units", len(units))
}

func TestISOWeek(t *testing.T) {
	for year := -5; year < 10005; year++ {
		for _, week := range []int{1, 26, 52} {
			c := ISOWeek(year, week)
			y, w := c.UTC().ISOWeek()
			require.Equal(t, []int{year, week}, []int{y, w})
			require.Equal(t, time.Monday, c.UTC().Weekday())
			require.Equal(t, c, Day.Floor(c))
		}
		y, w := ISOWeek(year, 53).UTC().ISOWeek()
		require.True(t, y == year && w == 53 || y == year+1 && w == 1)
	}
}

func TestFloor(t *testing.T) {
	for _, row := range [][3]int64{{0, 7, 0}, {6, 7, 0}, {7, 7, 7}, {-1, 7, -7}, {-7, 7, -7}, {-8, 7, -14}} {
		require.Equal(t, row[2], Floor(row[0], row[1]))
	}
}

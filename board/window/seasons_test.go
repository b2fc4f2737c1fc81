package window

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// seasonal returns a window of three seasons with a gap of a week before the last one.
func seasonal(t testing.TB) Window {
	return Window{Kind: Seasons, Name: "ladder", TimeZone: "Asia/Shanghai", Seasons: []Season{
		{"spring", instant(t, "2026-03-01T00:00:00+08:00"), instant(t, "2026-06-01T00:00:00+08:00")},
		{"summer", instant(t, "2026-06-01T00:00:00+08:00"), instant(t, "2026-09-01T00:00:00+08:00")},
		{"autumn", instant(t, "2026-09-08T00:00:00+08:00"), instant(t, "2026-12-01T00:00:00+08:00")},
	}}
}

// TestSeasons checks the season at a time, and the seasons before and after a time between seasons.
func TestSeasons(t *testing.T) {
	c := compile(t, seasonal(t))
	for _, row := range []struct{ at, name, before, after string }{
		{"2026-02-28T23:59:59.999+08:00", "", "", "spring"},
		{"2026-03-01T00:00:00+08:00", "spring", "", ""},
		{"2026-05-31T23:59:59.999+08:00", "spring", "", ""},
		{"2026-06-01T00:00:00+08:00", "summer", "", ""},
		{"2026-09-01T00:00:00+08:00", "", "summer", "autumn"},
		{"2026-09-07T23:59:59+08:00", "", "summer", "autumn"},
		{"2026-09-08T00:00:00+08:00", "autumn", "", ""},
		{"2026-12-01T00:00:00+08:00", "", "autumn", ""},
		{"9999-12-01T00:00:00+08:00", "", "autumn", ""},
	} {
		p, err := c.At(instant(t, row.at))
		if row.name != "" {
			require.NoError(t, err)
			require.Equal(t, row.name, p.Name)
			again, err := c.Parse(p.Name)
			require.NoError(t, err)
			require.Equal(t, p, again)
			continue
		}
		require.ErrorIs(t, err, ErrOutside)
		var outside *OutsideError
		require.True(t, errors.As(err, &outside))
		require.Equal(t, "ladder", outside.Window)
		require.True(t, outside.Time.Equal(instant(t, row.at)))
		require.Equal(t, row.before, nameOf(outside.Before))
		require.Equal(t, row.after, nameOf(outside.After))
	}
	_, err := c.At(instant(t, "2026-09-01T00:00:00Z"))
	require.EqualError(t, err, "window: time is in no season of ladder: 2026-09-01T08:00:00+08:00; "+
		"summer ended 2026-09-01T00:00:00+08:00; autumn begins 2026-09-08T00:00:00+08:00")
}

func nameOf(p *Period) string {
	if p == nil {
		return ""
	}
	return p.Name
}

func TestSeasonNeighbours(t *testing.T) {
	c := compile(t, seasonal(t))
	p, err := c.Parse("spring")
	require.NoError(t, err)
	_, ok := c.Prev(p)
	require.False(t, ok)
	var list []string
	for ok := true; ok; p, ok = c.Next(p) {
		list = append(list, p.Name)
	}
	require.Equal(t, []string{"spring", "summer", "autumn"}, list)
	p, err = c.Parse("autumn")
	require.NoError(t, err)
	p, ok = c.Prev(p)
	require.True(t, ok)
	require.Equal(t, "summer", p.Name)
	_, err = c.Parse("winter")
	require.EqualError(t, err, `window: no such period: ladder has no "winter"; its periods are named like spring, summer, autumn`)

	at := func(text string) time.Time { return instant(t, text) }
	require.Equal(t, []string{"spring", "summer", "autumn"}, names(between(c, time.Time{}, at("9000-01-01T00:00:00Z"))))
	require.Equal(t, []string{"summer"}, names(between(c, at("2026-06-01T00:00:00+08:00"), at("2026-09-01T00:00:00+08:00"))))
	require.Empty(t, between(c, at("2026-09-01T00:00:00+08:00"), at("2026-11-30T23:59:59+08:00")))
}

func TestEvent(t *testing.T) {
	start, end := instant(t, "2026-11-21T09:00:00Z"), instant(t, "2026-11-23T09:00:00Z")
	c := compile(t, Window{Kind: Event, Seasons: []Season{{"", start, end}}})
	require.Equal(t, Period{"event", start, end}, mustAt(t, c, start))
	_, err := c.At(end)
	require.ErrorIs(t, err, ErrOutside)
	c = compile(t, Window{Kind: Event, Seasons: []Season{{"launch", start, end}}})
	require.Equal(t, "launch", mustAt(t, c, end.Add(-1)).Name)
	_, err = c.Parse("event")
	require.ErrorIs(t, err, ErrPeriodName)
}

// TestAsleep: Between returns the three periods that ended while a process was down, each once.
func TestAsleep(t *testing.T) {
	c := compile(t, Window{Kind: Day, TimeZone: "Asia/Beirut", Grace: Duration(10 * time.Minute)})
	stopped, started := instant(t, "2024-03-29T23:59:59.9+02:00"), instant(t, "2024-04-01T00:00:00+03:00")
	require.Equal(t, []string{"2024-03-29", "2024-03-30", "2024-03-31"}, names(between(c, stopped, started)))
	require.Equal(t, []string{"2024-03-29", "2024-03-30"}, names(between(c, stopped, started.Add(-1))))
	require.Empty(t, between(c, started, started))
	require.Empty(t, between(c, started, stopped))
	for p := range c.Between(stopped, started) {
		require.Equal(t, "2024-03-29", p.Name)
		break
	}
	p := mustAt(t, c, started.Add(-1))
	closes, ok := c.Closes(p)
	require.True(t, ok)
	require.True(t, closes.Equal(started.Add(10*time.Minute)))
	_, ok = compile(t, Window{Kind: Day, Grace: Forever}).Closes(p)
	require.False(t, ok)
}

package window

import (
	"fmt"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // for machines without zone files

	"github.com/stretchr/testify/require"
)

// zones were chosen for the variety of their shifts.
var zones = []string{
	"UTC",
	"Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg", "Africa/Juba", "Africa/Monrovia",
	"America/Asuncion", "America/Bogota", "America/Caracas", "America/Goose_Bay", "America/Havana", "America/Juneau",
	"America/New_York", "America/Nuuk", "America/Santiago", "America/Sao_Paulo", "America/Scoresbysund", "America/St_Johns",
	"Antarctica/Troll",
	"Asia/Amman", "Asia/Beirut", "Asia/Gaza", "Asia/Ho_Chi_Minh", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Manila",
	"Asia/Pyongyang", "Asia/Shanghai", "Asia/Singapore", "Asia/Tehran", "Asia/Tokyo",
	"Atlantic/Azores", "Australia/Eucla", "Australia/Lord_Howe", "Australia/Sydney", "Etc/GMT+12",
	"Europe/Amsterdam", "Europe/Berlin", "Europe/Dublin", "Europe/Istanbul", "Europe/London", "Europe/Moscow", "Europe/Volgograd",
	"Pacific/Apia", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Enderbury", "Pacific/Fakaofo", "Pacific/Guam",
	"Pacific/Kiritimati", "Pacific/Kwajalein", "Pacific/Norfolk", "Pacific/Tongatapu",
}

// civilWindows are the windows that cut civil time, without a zone.
var civilWindows = []Window{{Kind: Hour}, {Kind: Day}, {Kind: Week}, {Kind: Week, Start: Sunday}, {Kind: Week, Start: Thursday},
	{Kind: Month}, {Kind: Year}}

// in returns a window in a zone.
func in(zone string, w Window) Window {
	w.TimeZone = zone
	return w
}

func location(t testing.TB, zone string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(zone)
	require.NoError(t, err)
	return l
}

func compile(t testing.TB, w Window) *Calendar {
	t.Helper()
	c, err := w.Calendar()
	require.NoError(t, err)
	return c
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}

func mustAt(t testing.TB, c *Calendar, at time.Time) Period {
	t.Helper()
	p, err := c.At(at)
	require.NoError(t, err, at)
	return p
}

// show writes a period with its offsets.
func show(p Period) string {
	return fmt.Sprintf("%s %s %s", p.Name, p.Start.Format(time.RFC3339), p.End.Format(time.RFC3339))
}

func names(periods []Period) []string {
	list := make([]string, len(periods))
	for i, p := range periods {
		list[i] = p.Name
	}
	return list
}

// between collects what Between yields.
func between(c *Calendar, from, to time.Time) []Period { return slices.Collect(c.Between(from, to)) }

// checkPeriod returns the period that a moment lies in. It checks it against its neighbours, its name and its bounds, for a window without
// gaps.
func checkPeriod(t testing.TB, c *Calendar, at time.Time) Period {
	t.Helper()
	p := mustAt(t, c, at)
	if p.Start.After(at) || !p.End.After(at) {
		t.Fatalf("%s: %s is not in %s", c.label, at, show(p))
	}
	requireSame := func(call string, want, got Period, err error) {
		t.Helper()
		if err != nil || show(got) != show(want) {
			t.Fatalf("%s: %s of %s is %s, %v", c.label, call, show(p), show(got), err)
		}
	}
	next, ok := c.Next(p)
	if !ok || !next.Start.Equal(p.End) || next.Name <= p.Name {
		t.Fatalf("%s: after %s comes %s, %v", c.label, show(p), show(next), ok)
	}
	prev, ok := c.Prev(next)
	require.True(t, ok)
	requireSame("Prev(Next)", p, prev, nil)
	got, err := c.Parse(p.Name)
	requireSame("Parse(Name)", p, got, err)
	got, err = c.At(p.Start)
	requireSame("At(Start)", p, got, err)
	got, err = c.At(p.End.Add(-1))
	requireSame("At(End-1ns)", p, got, err)
	got, err = c.At(p.End)
	requireSame("At(End)", next, got, err)
	ended := between(c, p.Start, next.End.Add(-1))
	if len(ended) != 1 || show(ended[0]) != show(p) {
		t.Fatalf("%s: from the start of %s to the end of the next, there ended %v", c.label, show(p), names(ended))
	}
	return p
}

package window

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The oracle reads the clocks of a zone second by second, with package time, and notes each name that is greater than all names
// before it: a cell begins when the clocks pass its beginning for the first time. It skips stretches in which the clocks run without
// a shift within one cell. It uses neither package calendar nor the calendar's bounds.

// begun is a period of the oracle: its name and its start.
type begun struct {
	name string
	unix int64
}

// label returns the name of a moment by what the clocks show, for hours without the letter.
func label(w Window, t time.Time) string {
	switch w.Kind {
	case Hour:
		return t.Format("2006-01-02T15")
	case Day:
		return t.Format("2006-01-02")
	case Month:
		return t.Format("2006-01")
	case Year:
		return t.Format("2006")
	}
	if w.Start == Monday {
		year, week := t.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	}
	date := time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC)
	for date.Weekday().String()[:3] != map[Weekday]string{Thursday: "Thu", Sunday: "Sun"}[w.Start] {
		date = date.AddDate(0, 0, -1)
	}
	return date.Format("2006-01-02")
}

// walk returns the periods that begin in (from, to].
func walk(w Window, zone *time.Location, from, to int64) []begun {
	var list []begun
	passed := label(w, time.Unix(from, 0).In(zone))
	var scan func(from, to int64) // halves (from, to] until the clocks run steadily, or reads each second
	scan = func(from, to int64) {
		switch {
		case isSteady(w, zone, from, to):
		case to-from > 4:
			mid := (from + to) / 2
			scan(from, mid)
			scan(mid, to)
		default:
			for s := from + 1; s <= to; s++ {
				if l := label(w, time.Unix(s, 0).In(zone)); l > passed {
					list = append(list, begun{l, s})
					passed = l
				}
			}
		}
	}
	for ; from < to; from += 600 {
		scan(from, min(from+600, to))
	}
	if w.Kind == Hour {
		return splitHours(list)
	}
	return list
}

// isSteady reports whether two moments have the same offset and the same date and, for hours, the same hour.
func isSteady(w Window, zone *time.Location, from, to int64) bool {
	a, b := time.Unix(from, 0).In(zone), time.Unix(to, 0).In(zone)
	_, o1 := a.Zone()
	_, o2 := b.Zone()
	return o1 == o2 && a.Day() == b.Day() && (w.Kind != Hour || a.Hour() == b.Hour())
}

// splitHours splits periods of two hours and more after each full hour, and appends the letters to their names.
func splitHours(list []begun) []begun {
	var split []begun
	for i, b := range list {
		split = append(split, b)
		for k := 1; i+1 < len(list) && list[i+1].unix-b.unix >= int64(k+1)*3600; k++ {
			split = append(split, begun{b.name + string("abcdefghijklmnopqrstuvwxyz"[k]), b.unix + int64(k)*3600})
		}
	}
	return split
}

// shifts returns the shifts of a zone between the beginnings of two years. It compares offsets 4 days apart, and then bisects.
func shifts(zone *time.Location, first, last int) []int64 {
	offset := func(unix int64) int {
		_, o := time.Unix(unix, 0).In(zone).Zone()
		return o
	}
	const step = 4 * 86400
	var list []int64
	end := time.Date(last, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	for lo := time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC).Unix(); lo < end; lo += step {
		before, after := lo, lo+step
		if offset(before) == offset(after) {
			continue
		}
		for after-before > 1 {
			if mid := (before + after) / 2; offset(mid) == offset(lo) {
				before = mid
			} else {
				after = mid
			}
		}
		list = append(list, after)
	}
	return list
}

// compareWithOracle compares a calendar with the oracle from one time to another, and returns the number of periods that it compared.
func compareWithOracle(t *testing.T, w Window, from, to int64) int {
	c := compile(t, w)
	list := walk(w, c.zone, from, to)
	for i := 0; i+1 < len(list); i++ {
		p := checkPeriod(t, c, time.Unix(list[i].unix, 0))
		got := begun{p.Name, p.Start.Unix()}
		if got != list[i] || p.End.Unix() != list[i+1].unix {
			t.Fatalf("%s: the clocks say that %s lasts from %d to %d, the calendar that %s lasts from %d to %d",
				w.Text(), list[i].name, list[i].unix, list[i+1].unix, p.Name, p.Start.Unix(), p.End.Unix())
		}
	}
	if len(list) > 1 {
		ended := between(c, time.Unix(list[0].unix, 0), time.Unix(list[len(list)-1].unix, 0))
		if len(ended) != len(list)-1 {
			t.Fatalf("%s: %d periods ended, the oracle has %d", w.Text(), len(ended), len(list)-1)
		}
	}
	return max(len(list)-1, 0)
}

// TestShifts compares with the oracle around the shifts of every zone: around each 60th shift and, of the unusual ones, which are
// not by one hour at 1, 2 or 3 o'clock, around each 7th.
func TestShifts(t *testing.T) {
	everyAny, everyUnusual := 60, 7
	if testing.Short() {
		everyAny, everyUnusual = 240, 60
	}
	compared, seen := 0, 0
	for _, name := range zones {
		zone := location(t, name)
		for i, at := range shifts(zone, 1840, 2101) {
			if i%everyAny != 0 && (plainShift(zone, at) || i%everyUnusual != 0) {
				continue
			}
			seen++
			for _, w := range civilWindows[:3] {
				compared += compareWithOracle(t, in(name, w), at-30*3600, at+30*3600)
			}
		}
	}
	require.Greater(t, seen, 100)
	t.Logf("%d zones, %d shifts, %d periods as the clocks say", len(zones), seen, compared)
}

// plainShift reports whether a shift is by one hour at 1, 2 or 3 o'clock.
func plainShift(zone *time.Location, at int64) bool {
	before, after := time.Unix(at-1, 0).In(zone), time.Unix(at, 0).In(zone)
	_, o1 := before.Zone()
	_, o2 := after.Zone()
	hour := before.Add(1).Hour()
	return (o2-o1 == 3600 || o1-o2 == 3600) && 0 < hour && hour < 4 && before.Minute() == 59 && before.Second() == 59
}

// TestYearEnds compares with the oracle around the ends of years, leap years too, and over 500 days for the kinds with long periods.
func TestYearEnds(t *testing.T) {
	years := []int{1900, 1969, 1999, 2000, 2015, 2020, 2024, 2026, 2027, 2028, 2032, 2037, 2038, 2048, 2096, 2099, 2100}
	if testing.Short() {
		years = []int{2028, 2037}
	}
	compared := 0
	for _, name := range zones {
		for i, year := range years {
			end := time.Date(year, 12, 31, 18, 0, 0, 0, time.UTC).Unix()
			for k, w := range civilWindows {
				days := int64(12)
				if w.Kind == Hour {
					days = 1
				}
				if (i+k)%5 == 0 {
					compared += compareWithOracle(t, in(name, w), end-days*86400, end+days*86400)
				}
			}
		}
	}
	long := []string{"America/Havana", "UTC", "Europe/Berlin", "Australia/Lord_Howe"}
	if testing.Short() {
		long = long[:1]
	}
	for _, name := range long {
		from := time.Date(2026, 12, 25, 0, 0, 0, 0, time.UTC).Unix()
		for _, w := range civilWindows[3:] {
			compared += compareWithOracle(t, in(name, w), from, from+500*86400)
		}
	}
	require.Greater(t, compared, 500)
	t.Logf("%d periods as the clocks say", compared)
}

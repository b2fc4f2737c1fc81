package window

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The oracle walks along the seconds where the clocks do not just tick on, reads them with package time and writes down each
// name that is greater than all before it: a cell begins when the clocks pass its beginning for the first time. It knows nothing
// of bounds, cells and civil seconds.

// begun is a period of the oracle's: its name and when it began.
type begun struct {
	name string
	unix int64
}

// label returns the name that the clocks alone give a moment, hours without their letters.
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
	var stretch func(from, to int64)
	stretch = func(from, to int64) {
		switch {
		case ticks(w, zone, from, to):
		case to-from > 4:
			mid := (from + to) / 2
			stretch(from, mid)
			stretch(mid, to)
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
		stretch(from, min(from+600, to))
	}
	if w.Kind == Hour {
		return letters(list)
	}
	return list
}

// ticks says whether the clocks just tick on between two moments, within a day or an hour.
func ticks(w Window, zone *time.Location, from, to int64) bool {
	a, b := time.Unix(from, 0).In(zone), time.Unix(to, 0).In(zone)
	_, o1 := a.Zone()
	_, o2 := b.Zone()
	return o1 == o2 && a.Day() == b.Day() && (w.Kind != Hour || a.Hour() == b.Hour())
}

// letters cuts what lasts two hours and more.
func letters(list []begun) []begun {
	var cut []begun
	for i, b := range list {
		cut = append(cut, b)
		for k := 1; i+1 < len(list) && list[i+1].unix-b.unix >= int64(k+1)*3600; k++ {
			cut = append(cut, begun{b.name + string("abcdefghijklmnopqrstuvwxyz"[k]), b.unix + int64(k)*3600})
		}
	}
	return cut
}

// shifts returns when the clocks of a zone shift, from one year to another.
func shifts(zone *time.Location, first, last int) []int64 {
	offset := func(unix int64) int {
		_, o := time.Unix(unix, 0).In(zone).Zone()
		return o
	}
	const step = 4 * 86400
	var list []int64
	end := time.Date(last, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	for lo := time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC).Unix(); lo < end; lo += step {
		a, b := lo, lo+step
		if offset(a) == offset(b) {
			continue
		}
		for b-a > 1 {
			if mid := (a + b) / 2; offset(mid) == offset(lo) {
				a = mid
			} else {
				b = mid
			}
		}
		list = append(list, b)
	}
	return list
}

// meet compares a calendar with the oracle over a stretch of time and returns how many periods it met.
func meet(t *testing.T, w Window, from, to int64) int {
	c := compile(t, w)
	list := walk(w, c.zone, from, to)
	for i := 0; i+1 < len(list); i++ {
		p := hold(t, c, time.Unix(list[i].unix, 0))
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

// TestShifts meets the oracle around shifts of every zone: one in seven of those that are not by one hour at 1, 2 or 3 o'clock,
// and a few of the others.
func TestShifts(t *testing.T) {
	every, odd := 60, 7
	if testing.Short() {
		every, odd = 240, 60
	}
	met, seen := 0, 0
	for _, name := range zones {
		zone := location(t, name)
		for i, at := range shifts(zone, 1840, 2101) {
			if i%every != 0 && (plainShift(zone, at) || i%odd != 0) {
				continue
			}
			seen++
			for _, w := range ways[:3] {
				met += meet(t, in(name, w), at-30*3600, at+30*3600)
			}
		}
	}
	require.Greater(t, seen, 100)
	t.Logf("%d zones, %d shifts, %d periods as the clocks say", len(zones), seen, met)
}

func plainShift(zone *time.Location, at int64) bool {
	before, after := time.Unix(at-1, 0).In(zone), time.Unix(at, 0).In(zone)
	_, o1 := before.Zone()
	_, o2 := after.Zone()
	hour := before.Add(1).Hour()
	return (o2-o1 == 3600 || o1-o2 == 3600) && 0 < hour && hour < 4 && before.Minute() == 59 && before.Second() == 59
}

// TestYearEnds meets the oracle around the ends of years, leap years too, for the kinds whose periods are long.
func TestYearEnds(t *testing.T) {
	years := []int{1900, 1969, 1999, 2000, 2015, 2020, 2024, 2026, 2027, 2028, 2032, 2037, 2038, 2048, 2096, 2099, 2100}
	if testing.Short() {
		years = []int{2028, 2037}
	}
	met := 0
	for _, name := range zones {
		for i, year := range years {
			end := time.Date(year, 12, 31, 18, 0, 0, 0, time.UTC).Unix()
			for k, w := range ways {
				days := int64(12)
				if w.Kind == Hour {
					days = 1
				}
				if (i+k)%5 == 0 {
					met += meet(t, in(name, w), end-days*86400, end+days*86400)
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
		for _, w := range ways[3:] {
			met += meet(t, in(name, w), from, from+500*86400)
		}
	}
	require.Greater(t, met, 500)
	t.Logf("%d periods as the clocks say", met)
}

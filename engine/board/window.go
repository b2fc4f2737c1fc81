package board

import (
	"fmt"
	"time"
)

// Window is how a board is cut in time, in UTC.
type Window string

// The windows. A week starts on Monday.
const (
	All   Window = "all"
	Hour  Window = "hour"
	Day   Window = "day"
	Week  Window = "week"
	Month Window = "month"
	Year  Window = "year"
)

// windows are all there are.
var windows = []Window{All, Hour, Day, Week, Month, Year}

// Period returns the name of the window's period that t lies in. O(1).
func (w Window) Period(t time.Time) string {
	t = t.UTC()
	switch w {
	case Hour:
		return t.Format("2006-01-02T15")
	case Day:
		return t.Format("2006-01-02")
	case Week:
		year, week := t.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case Month:
		return t.Format("2006-01")
	case Year:
		return t.Format("2006")
	default:
		return string(All)
	}
}

// span returns the start of the period that t lies in and of the next. All time has no span: its start is its end.
func (w Window) span(t time.Time) (start, end time.Time) {
	t = t.UTC()
	year, month, day := t.Date()
	switch w {
	case Hour:
		start = time.Date(year, month, day, t.Hour(), 0, 0, 0, time.UTC)
		return start, start.Add(time.Hour)
	case Day:
		return date(year, month, day), date(year, month, day+1)
	case Week:
		monday := day - (int(t.Weekday())+6)%7
		return date(year, month, monday), date(year, month, monday+7)
	case Month:
		return date(year, month, 1), date(year, month+1, 1)
	case Year:
		return date(year, 1, 1), date(year+1, 1, 1)
	default:
		return time.Time{}, time.Time{}
	}
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

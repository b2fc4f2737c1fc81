package calendar

import "time"

// Unit is a kind of cell.
type Unit struct {
	size  size
	first time.Weekday // of a week
}

type size uint8

const (
	hour size = iota
	day
	week
	month
	year
)

// The units except weeks: see Week.
var (
	Hour  = Unit{size: hour}
	Day   = Unit{size: day}
	Month = Unit{size: month}
	Year  = Unit{size: year}
)

// Week returns the unit of the weeks that begin on a day.
func Week(first time.Weekday) Unit { return Unit{size: week, first: first} }

// Floor returns the beginning of the cell that c is in.
func (u Unit) Floor(c Civil) Civil {
	switch u.size {
	case hour:
		return Civil(Floor(int64(c), secondsPerHour))
	case day:
		return Civil(Floor(int64(c), secondsPerDay))
	case week:
		since := (c.UTC().Weekday() - u.first + 7) % 7
		return Civil(Floor(int64(c), secondsPerDay) - int64(since)*secondsPerDay)
	case month:
		t := c.UTC()
		return On(t.Year(), t.Month(), 1)
	default:
		return On(c.UTC().Year(), time.January, 1)
	}
}

// Next returns the beginning of the cell after the one that c begins.
func (u Unit) Next(c Civil) Civil {
	switch u.size {
	case hour:
		return c + secondsPerHour
	case day:
		return c + secondsPerDay
	case week:
		return c + 7*secondsPerDay
	case month:
		t := c.UTC()
		return On(t.Year(), t.Month()+1, 1)
	default:
		return On(c.UTC().Year()+1, time.January, 1)
	}
}

// ISOWeek returns the Monday of a week of ISO 8601. Week 1 is the one with the year's first Thursday, and so with January 4th;
// a week above the last of its year counts on into the next.
func ISOWeek(year, week int) Civil {
	return Week(time.Monday).Floor(On(year, time.January, 4)) + Civil(week-1)*7*secondsPerDay
}

// Cell returns the Unix times between which a zone is in the cell that c begins: from the first passage of its beginning to
// the first passage of the next. They are equal if the zone left the cell out.
func (u Unit) Cell(zone *time.Location, c Civil) (start, end int64) {
	return FirstPassage(zone, c), FirstPassage(zone, u.Next(c))
}

// CellAt returns the cell that a Unix time lies in: its beginning, and the Unix times between which the zone is in it.
func (u Unit) CellAt(zone *time.Location, unix int64) (c Civil, start, end int64) {
	c = u.Floor(Shown(zone, unix))
	start, end = u.Cell(zone, c)
	for end <= unix { // the clocks were set back to show this cell again
		c, start = u.Next(c), end
		end = FirstPassage(zone, u.Next(c))
	}
	return c, start, end
}

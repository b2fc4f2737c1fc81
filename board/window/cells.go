package window

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/internal/calendar"
)

// cells is the cut of the kinds day, week, month and year.
type cells struct {
	unit   calendar.Unit
	zone   *time.Location
	layout string // layout of the names for package time; "" for weeks of ISO 8601
}

// newCells returns the cut of one of the kinds hour, day, week, month and year. Cells of hours may be longer than an hour: type hours
// divides them.
func newCells(w Window, zone *time.Location) cells {
	switch w.Kind {
	case Hour:
		return cells{calendar.Hour, zone, "2006-01-02T15"}
	case Day:
		return cells{calendar.Day, zone, time.DateOnly}
	case Month:
		return cells{calendar.Month, zone, "2006-01"}
	case Year:
		return cells{calendar.Year, zone, "2006"}
	}
	if w.Start == Monday {
		return cells{calendar.Week(time.Monday), zone, ""}
	}
	return cells{calendar.Week(w.Start.std()), zone, time.DateOnly}
}

func (c cells) at(unix int64) run {
	civil, from, to := c.unit.CellAt(c.zone, unix)
	return run{c.name(civil), from, to}
}

func (c cells) parse(name string) (run, bool) {
	civil, ok := c.parseName(name)
	if !ok {
		return run{}, false
	}
	from, to := c.unit.Cell(c.zone, civil)
	return run{name, from, to}, from < to // a date that the zone left out is no period
}

func (c cells) like() string { return c.name(c.unit.Floor(calendar.Civil(exampleTime))) }

func (c cells) bounds() (lo, hi int64) {
	return calendar.FirstPassage(c.zone, c.first(0)), calendar.FirstPassage(c.zone, c.first(years))
}

// first returns the beginning of the first cell whose name has a year.
func (c cells) first(year int) calendar.Civil {
	if c.layout == "" {
		return calendar.ISOWeek(year, 1)
	}
	begin := calendar.On(year, time.January, 1)
	if floor := c.unit.Floor(begin); floor < begin {
		return c.unit.Next(floor)
	}
	return begin
}

// name returns the name of the cell that civil begins.
func (c cells) name(civil calendar.Civil) string {
	if c.layout != "" {
		return civil.UTC().Format(c.layout)
	}
	year, week := civil.UTC().ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}

// parseName returns the beginning of the cell with a name. It accepts only names that name returns: it refuses week 53 of a year with 52
// weeks, and a date that is not the first day of a week.
func (c cells) parseName(name string) (calendar.Civil, bool) {
	var civil calendar.Civil
	if c.layout != "" {
		t, err := time.Parse(c.layout, name)
		if err != nil {
			return 0, false
		}
		civil = c.unit.Floor(calendar.Of(t))
	} else {
		year, week, _ := strings.Cut(name, "-W")
		yearNumber, yearErr := strconv.ParseUint(year, 10, 14)
		weekNumber, weekErr := strconv.ParseUint(week, 10, 7)
		if yearErr != nil || weekErr != nil {
			return 0, false
		}
		civil = calendar.ISOWeek(int(yearNumber), int(weekNumber))
	}
	return civil, c.name(civil) == name
}

package window

import (
	"fmt"
	"iter"
	"sync/atomic"
	"time"
)

// Calendar finds the period that a moment lies in. Window.Calendar makes it. It does not change, and all goroutines may use it.
type Calendar struct {
	label string
	zone  *time.Location
	open  bool // the kind is all or rolling: the one period has neither beginning nor end
	gaps  bool // a moment may lie between two periods
	grace Duration
	cut   cut
	last  atomic.Pointer[runPeriod] // the last result of At: most calls ask for the same period again
}

// runPeriod is a run and its period.
type runPeriod struct {
	run
	period Period
}

// Calendar validates the window, loads its zone and returns its calendar. The error is that of Validate. O(seasons).
func (w Window) Calendar() (*Calendar, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	zone, err := loadZone(w.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("%w %q: zone is %q: %w", ErrWindow, w.Label(), w.TimeZone, err)
	}
	c := &Calendar{label: w.Label(), zone: zone, grace: w.Grace, cut: w.cut(zone)}
	c.open = !w.Ends()
	c.gaps = w.Kind == Seasons || w.Kind == Event
	return c, nil
}

// cut returns how the window cuts time in its zone.
func (w Window) cut(zone *time.Location) cut {
	switch w.Kind {
	case All, Rolling:
		return whole{}
	case Every:
		return newTiles(newStride(w.anchor().Unix(), int64(w.Every)/int64(time.Second)))
	case Seasons, Event:
		return w.seasons()
	case Hour:
		return newTiles(hours{newCells(w, zone)})
	default:
		return newTiles(newCells(w, zone))
	}
}

// Zone returns the zone of the times of the calendar's periods.
func (c *Calendar) Zone() *time.Location { return c.zone }

// At returns the period that t lies in. The error wraps ErrOutside (an *OutsideError) or ErrTime. O(1) and without allocation if
// t lies in the same period as in the call before; otherwise it looks up the zone about four times, or takes O(log seasons).
func (c *Calendar) At(t time.Time) (Period, error) {
	unix := t.Unix()
	if last := c.last.Load(); last != nil && last.from <= unix && unix < last.to {
		return last.period, nil
	}
	return c.find(t)
}

// Has reports whether t lies in a period, as At, which then does not return ErrOutside. It is true for a window that has no gaps. Costs as At.
func (c *Calendar) Has(t time.Time) bool {
	if !c.gaps {
		return true
	}
	_, ok := c.cut.at(t.Unix())
	return ok
}

// find is At without the period of the last call.
func (c *Calendar) find(t time.Time) (Period, error) {
	unix := t.Unix()
	r, ok := c.cut.at(unix)
	switch {
	case ok:
		last := &runPeriod{r, c.period(r)}
		c.last.Store(last)
		return last.period, nil
	case !c.gaps:
		return Period{}, fmt.Errorf("%w: %s in %s", ErrTime, t.In(c.zone).Format(time.RFC3339), c.label)
	}
	outside := &OutsideError{Window: c.label, Time: t.In(c.zone)}
	if r, ok := c.cut.before(unix); ok {
		p := c.period(r)
		outside.Before = &p
	}
	if r, ok := c.cut.after(unix); ok {
		p := c.period(r)
		outside.After = &p
	}
	return Period{}, outside
}

// Next returns the period after p, which is one of the calendar's. There is none after the last season, after the year 9999, and in a
// window of the kinds all and rolling. Costs as At.
func (c *Calendar) Next(p Period) (Period, bool) { return c.periodIf(c.cut.after(p.End.Unix())) }

// Prev returns the period before p, which is one of the calendar's. There is none before the first season, before the year 0, and in a
// window of the kinds all and rolling. Costs as At.
func (c *Calendar) Prev(p Period) (Period, bool) { return c.periodIf(c.cut.before(p.Start.Unix())) }

// Parse returns the period of a name. The error wraps ErrPeriodName (a *PeriodNameError) if the name has another form, or
// names a time that the clocks left out. Costs as At, or O(seasons).
func (c *Calendar) Parse(name string) (Period, error) {
	r, ok := c.cut.parse(name)
	if !ok {
		return Period{}, &PeriodNameError{Window: c.label, Name: name, Like: c.cut.like()}
	}
	return c.period(r), nil
}

// Between returns the periods that end in (from, to], in order: those that a process has to close if it was down from from to to.
// Each costs as At, so from should be the to of the call before, and not the beginning of time.
func (c *Calendar) Between(from, to time.Time) iter.Seq[Period] {
	return func(yield func(Period) bool) {
		last := to.Unix()
		for r, ok := c.cut.after(from.Unix()); ok && r.to <= last; r, ok = c.cut.after(r.to) {
			if !yield(c.period(r)) {
				return
			}
		}
	}
}

// Closes returns the time from which p, which is one of the calendar's periods, takes no more results: its end and the grace. It returns
// false if p never closes by itself: if the grace is Forever, or the window is of the kinds all and rolling. O(1).
func (c *Calendar) Closes(p Period) (time.Time, bool) {
	if c.open || c.grace == Forever {
		return time.Time{}, false
	}
	return p.End.Add(time.Duration(c.grace)), true
}

// period converts a run to a Period.
func (c *Calendar) period(r run) Period {
	if c.open {
		return Period{Name: r.name}
	}
	return Period{Name: r.name, Start: time.Unix(r.from, 0).In(c.zone), End: time.Unix(r.to, 0).In(c.zone)}
}

func (c *Calendar) periodIf(r run, ok bool) (Period, bool) {
	if !ok {
		return Period{}, false
	}
	return c.period(r), true
}

package boardtest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// moment is a time in a scenario, which may depend on the present time.
type moment func(now time.Time) time.Time

// civilForms are the layouts of a civil time: a date and a time of day.
var civilForms = []string{"2006-01-02 15:04:05", "2006-01-02 15:04"}

// parseMoment reads a time: see the package's doc.
func parseMoment(text string) (moment, error) {
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		d, err := time.ParseDuration(text)
		return func(now time.Time) time.Time { return now.Add(d) }, err
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return func(time.Time) time.Time { return t }, nil
	}
	words := strings.Fields(text)
	if len(words) != 3 {
		return nil, fmt.Errorf("time is %q, want +3h, 2026-11-20T12:00:00Z, or a date or weekday, a time of day and a zone", text)
	}
	zone, err := time.LoadLocation(words[2])
	if err != nil {
		return nil, fmt.Errorf("time is %q: %w", text, err)
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if day.String() == words[0] {
			return parseWeekday(day, words[1], zone)
		}
	}
	t, err := civil(words[0]+" "+words[1], zone)
	return func(time.Time) time.Time { return t }, err
}

// civil returns the only moment at which the clocks of a zone show text. Error if they never show it, or show it twice.
func civil(text string, zone *time.Location) (time.Time, error) {
	for _, form := range civilForms {
		t, err := time.ParseInLocation(form, text, zone)
		if err != nil {
			continue
		}
		shows := func(at time.Time) bool { return at.Format(form) == text }
		showsAgain := func(d time.Duration) bool { return shows(t.Add(d)) || shows(t.Add(-d)) }
		switch {
		case !shows(t):
			return t, fmt.Errorf("clocks in %s never show %s", zone, text)
		case slices.ContainsFunc([]time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour, 24 * time.Hour}, showsAgain):
			return t, fmt.Errorf("clocks in %s show %s twice: write it with its offset from UTC", zone, text)
		}
		return t, nil
	}
	return time.Time{}, fmt.Errorf("time is %q, want one like 2026-11-20 23:59:50", text)
}

// parseWeekday returns a moment: the first one after now at which the clocks of a zone show that time on that day of the week.
func parseWeekday(day time.Weekday, clock string, zone *time.Location) (moment, error) {
	ofDay, err := time.Parse("15:04", clock)
	if err != nil {
		return nil, fmt.Errorf("time is %s %q, want one like Monday 00:00", day, clock)
	}
	return func(now time.Time) time.Time {
		y, m, d := now.In(zone).Date()
		for ; ; d++ {
			t := time.Date(y, m, d, ofDay.Hour(), ofDay.Minute(), 0, 0, zone)
			if t.After(now) && t.Weekday() == day {
				return t
			}
		}
	}, nil
}

// moment takes the remaining words as a time; ok is false if there are none.
func (a *args) moment() (at moment, ok bool) {
	words := a.rest()
	if len(words) == 0 {
		return nil, false
	}
	at, err := parseMoment(strings.Join(words, " "))
	if err != nil {
		a.fail("%w", err)
	}
	return at, true
}

// momentOf takes an option that is a time, the zero time if it is not there.
func (a *args) momentOf(key string) moment {
	text, ok := a.option(key)
	if !ok {
		return func(time.Time) time.Time { return time.Time{} }
	}
	return a.parseMoment(key, text)
}

func (a *args) parseMoment(what, text string) moment {
	at, err := parseMoment(text)
	if err != nil {
		a.fail("%s: %w", what, err)
	}
	return at
}

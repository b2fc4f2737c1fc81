package calendar

import "time"

// Civil is a civil time: the number of seconds on a wall clock since it showed 1970-01-01 00:00:00. Every day has 86,400 of them, as in Unix
// time.
type Civil int64

const (
	secondsPerHour = 60 * 60
	secondsPerDay  = 24 * secondsPerHour

	// maxOffset exceeds the offset of every zone, in seconds: the largest was that of Manila, 15:56:08 behind UTC until 1844.
	maxOffset = 26 * secondsPerHour
)

// On returns the beginning of a date. A month or a day outside its range counts on into its neighbours, as in time.Date.
func On(year int, month time.Month, day int) Civil {
	return Civil(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix())
}

// Of returns the civil time that t shows, without the fraction of its second.
func Of(t time.Time) Civil {
	_, offset := t.Zone()
	return Civil(t.Unix() + int64(offset))
}

// Shown returns what the clocks of a zone show at a Unix time.
func Shown(zone *time.Location, unix int64) Civil { return Of(time.Unix(unix, 0).In(zone)) }

// UTC returns the instant at which the clocks of UTC show c: c as a time.Time, to take apart or to format.
func (c Civil) UTC() time.Time { return time.Unix(int64(c), 0).UTC() }

// FirstPassage returns the first Unix time at which the clocks of a zone show c or later. It looks the zone up about twice.
func FirstPassage(zone *time.Location, c Civil) int64 {
	at := int64(c) - maxOffset // the clocks show less than c here, whatever the offset
	for {
		t := time.Unix(at, 0).In(zone)
		_, offset := t.Zone()
		end, shifts := heldUntil(t)
		if passed := max(at, int64(c)-int64(offset)); !shifts || passed < end {
			return passed
		}
		at = end
	}
}

// heldUntil returns a Unix time after t up to which the offset at t holds, if it ever ends.
func heldUntil(t time.Time) (unix int64, ends bool) {
	_, end := t.ZoneBounds()
	if end.IsZero() {
		return 0, false
	}
	// In a zone with a yearly rule, ZoneBounds ends the last offset of a year 365 days after the beginning of the year, in UTC. On the last
	// day of a leap year that end is before t, and the offset holds to the end of the day.
	if end.After(t) {
		return end.Unix(), true
	}
	return Floor(t.Unix(), secondsPerDay) + secondsPerDay, true
}

// Floor returns the greatest multiple of step that is not above n.
func Floor(n, step int64) int64 {
	rest := n % step
	if rest < 0 {
		rest += step
	}
	return n - rest
}

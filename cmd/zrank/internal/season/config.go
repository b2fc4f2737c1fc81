package season

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// The defaults of a Config: the season of the demo. It ends on 2026-11-16, a Monday.
const (
	DefaultPlayers = 30_000
	DefaultResults = 400_000
	DefaultWeeks   = 6
)

// DefaultStart is when the season of the demo starts: a Monday, so that its weeks are calendar weeks.
var DefaultStart = time.Date(2026, time.October, 5, 0, 0, 0, 0, time.UTC)

const (
	maxWeeks      = 520 // ten years
	hoursPerWeek  = 7 * 24
	millisPerHour = 3_600_000
)

// Config is the size of a season. A zero field means its default; every Seed, also 0, gives another season.
type Config struct {
	Seed    uint64
	Players int       // at most 40,960,000, as many as there are names; not everyone need play
	Results int       // the exact number of results
	Start   time.Time // no result is earlier
	Weeks   int       // length of the season: no result is later; at most 520
}

// withDefaults fills in the zero fields and turns Start to UTC.
func (c Config) withDefaults() Config {
	if c.Players == 0 {
		c.Players = DefaultPlayers
	}
	if c.Results == 0 {
		c.Results = DefaultResults
	}
	if c.Start.IsZero() {
		c.Start = DefaultStart
	}
	c.Start = c.Start.UTC()
	if c.Weeks == 0 {
		c.Weeks = DefaultWeeks
	}
	return c
}

// Validate reports everything that is wrong, in one error.
func (c Config) Validate() error {
	var all []error
	bad := func(field string, value, most int) {
		if value < 0 || value > most {
			all = append(all, fmt.Errorf("season: %s is %d, must be 0 to %d", field, value, most))
		}
	}
	bad("Players", c.Players, maxNames)
	bad("Results", c.Results, math.MaxInt)
	bad("Weeks", c.Weeks, maxWeeks)
	return errors.Join(all...)
}

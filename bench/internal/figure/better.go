package figure

import "strings"

// Direction says which way a figure is better.
type Direction string

// The directions.
const (
	Less    Direction = "less"
	More    Direction = "more"
	Neither Direction = "neither" // it says how much was done, not how well
)

// Better returns which way the metric is better.
func (m Metric) Better() Direction {
	switch m {
	case Rate:
		return More
	case Calls, Commits, Log, Snapshots, SetOwn, Collections:
		return Neither
	}
	return Less
}

// Title returns what a reader calls the metric: its name without the unit.
func (m Metric) Title() string {
	switch m {
	case Rate:
		return "calls/s"
	case P999:
		return "p99.9"
	case Max:
		return "worst"
	case Call:
		return "time of a call"
	case Member:
		return "memory of a member"
	}
	name := string(m)
	for _, unit := range []string{"_ns", "_ms", "_bytes"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}

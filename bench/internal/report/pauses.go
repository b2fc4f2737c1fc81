package report

import (
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/pauses"
)

// levelTitles are the levels as the design writes them.
var levelTitles = map[string]string{"sync": "Sync", "interval": "Interval", "none": "None"}

// pausesLayout is a row for each level, event and side.
func pausesLayout() layout {
	l := layout{notes: `Calls: 4,000 a second from 64 writers, half of them to the big set, timed from when each was due, from the beginning of the event until a
second, or what --for says, after its end; worst: of all rounds. Snapshotted: for the first time, so every page is written.`}
	for _, level := range pauses.Levels {
		title := levelTitles[level.String()]
		for _, e := range pauses.Events {
			l.callers = append(l.callers,
				callerLine{e.Line(level, pauses.Big), title + ", " + e.Title + ": big set", ours1},
				callerLine{e.Line(level, pauses.Small), title + ", " + e.Title + ": others", ours1})
			l.facts = append(l.facts, fact{title + ", " + e.Title + ": how long", e.Line(level, pauses.Big), figure.Took, false})
			if e.Name == "snapshot" {
				l.goals = append(l.goals, Goal{What: "p99.9 while snapshotted, " + title, Line: e.Line(level, pauses.Big),
					Metric: figure.P999, Limit: 2e6, At: 1e7})
			}
		}
	}
	return l
}

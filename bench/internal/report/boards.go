package report

import (
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/periods"
)

// boardsLayout is calls a second, a row for each level, kind and system, and a column for each number of callers; then what
// periods cost, and what submitters wait for.
func boardsLayout() layout {
	l := layout{grids: []grid{boardsGrid()}, redis: true,
		facts: []fact{
			{"memory of a player in a window, live", periods.Live, figure.Live, false},
			{"memory of a player, closed", periods.Kept, figure.Closed, false},
			{"disk for a player, closed", periods.Kept, figure.Stored, false},
			{"  all files of that engine, log included", periods.Kept, figure.Files, false},
			{"close a day, nobody submits", periods.Kept, figure.Took, false},
			{"  the snapshot after it", periods.Kept, figure.Snapshot, false},
			{"first card of a closed day, from the disk", periods.Kept, figure.Touch, false},
			{"migrate a closed day to other ties", periods.Kept, figure.Migrate, false},
		},
		notes: `Submits: points added in three windows, with the rank in each; /100: 100 in a transaction, without ranks. sets: three plain sets of this
engine, bytedance: under one lock, redis: MULTI, three ZINCRBY and three ZREVRANK, EXEC; those know no ties by time, no calendar and
nothing of before. Ratios: ours over it, zrank over those that ask for ranks, apply/100 over the others; above 1x boards make more.
Cards: the first 10, a player's row and 5 around it on each side, in memory; redis: two round trips. Hot tail: zipf, 1.1.
Interval: a power cut takes 1 s at most, as with appendfsync everysec; Sync: none, as with always. Submitters: 4,000 a second from 64
writers, timed from when each was due, at Interval(100ms), from midnight until a second, or what --after says, after the end. Names of
players count up: the disk's figures gain by that.`}
	for _, e := range periods.Events {
		l.callers = append(l.callers, callerLine{e.Name, "submitters, " + e.Title, ours1})
		if e.Happens() {
			l.facts = append(l.facts, fact{"under load: " + e.Title, e.Name, figure.Took, false})
		}
	}
	l.goals = []Goal{{What: "p99.9 of submitters, a day is closed", Line: "close", Metric: figure.P999, Limit: 2e6, At: 1e6}}
	return l
}

func boardsGrid() grid {
	g := grid{}
	for _, n := range boards.Callers {
		g.head = append(g.head, fmt.Sprintf("%d callers", n))
	}
	g.head[0] = "1 caller"
	for _, level := range boards.Levels {
		for _, k := range boards.Kinds {
			first := true
			for _, system := range level.Systems {
				if !level.Has(system, k) {
					continue
				}
				row := gridRow{system: system}
				if first {
					row.title = level.Title + ", " + k.Title
				}
				first = false
				ours, _ := boards.Ours(system)
				for _, n := range boards.Callers {
					row.cells = append(row.cells, gridCell{line: level.Line(k, n), system: system, metric: figure.Rate, ours: ours})
				}
				g.rows = append(g.rows, row)
			}
		}
	}
	return g
}

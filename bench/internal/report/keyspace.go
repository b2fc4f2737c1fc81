package report

import (
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/keyspace"
)

// LineSets is the one line of a Keyspace sheet.
const LineSets = "sets"

// keyspaceLayout is a row for each figure, a column for each system.
func keyspaceLayout() layout {
	g := grid{head: keyspace.Systems}
	for _, f := range []struct {
		title  string
		metric figure.Metric
	}{
		{"time to fill", figure.Fill},
		{"bytes of memory a set", figure.SetBytes},
		{"  key and entries", figure.SetOwn},
		{"  overhead", figure.SetOverhead},
		{"time to close", figure.Close},
		{"bytes of files a set", figure.SetDisk},
		{"time to open", figure.Open},
		{"bytes of memory a set, not touched", figure.SetCold},
		{"first touch of a set, p50", figure.P50},
		{"first touch of a set, p99", figure.P99},
	} {
		row := gridRow{title: f.title}
		for _, system := range keyspace.Systems {
			row.cells = append(row.cells, gridCell{line: LineSets, system: system, metric: f.metric})
		}
		g.rows = append(g.rows, row)
	}
	return layout{grids: []grid{g}, redis: true,
		goals: []Goal{{What: "overhead of a small set", Line: LineSets, Metric: figure.SetOverhead, Limit: 120, At: 1e6}},
		notes: `A commit, or a ZADD, for each set. memory: zrank without a disk; zrank: at Interval. Memory: live heap, or Redis's used_memory. Entries:
as the bytes of zrank's listpack, for all alike. Close: with a snapshot, or SAVE. Redis loads everything when it opens; zrank loads a
set when it is first touched. bytedance: in a map.`}
}

package report

import (
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// engineLayout is calls a second: a row for each case, mix and system, a column for each number of goroutines.
func engineLayout() layout {
	g := grid{}
	for _, n := range traffic.Callers {
		g.head = append(g.head, fmt.Sprintf("%d goroutines", n))
	}
	g.head[0] = "1 goroutine"
	for _, c := range traffic.Cases {
		for _, m := range traffic.Mixes {
			for i, system := range c.Systems {
				row := gridRow{system: system}
				ours, _ := traffic.Ours(system)
				if i == 0 {
					row.title = c.Describe() + ", " + m.Title
				}
				for _, n := range traffic.Callers {
					row.cells = append(row.cells, gridCell{line: c.Line(m, n), system: system, metric: figure.Rate, ours: ours})
				}
				g.rows = append(g.rows, row)
			}
		}
	}
	return layout{grids: []grid{g}, redis: true, notes: `Calls/s; behind a peer's, ours over it: above 1x zrank makes more. 50/50, 95/5: per cent of reads (a rank) and of writes (another
score). Redis: a process of its own over loopback, a connection for each goroutine. zrank/16: 16 calls in a transaction; redis/16: 16
commands are sent before the replies are read; these two are held against each other. Interval: a power cut takes 1 s of writes at
most, as with appendfsync everysec; Sync: none, as with always. bytedance: each set with its lock; many are in a map under another.`}
}

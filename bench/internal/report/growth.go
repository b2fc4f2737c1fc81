package report

import (
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// GrowthSizes are the numbers of members of a Growth sheet.
var GrowthSizes = []int{100, 1000, 10_000, 100_000, 1_000_000, 10_000_000}

// growthFigure is where the figure of a metric of measure stands in a Growth sheet.
func growthFigure(m measure.Metric) figure.Metric {
	switch m {
	case measure.Bytes:
		return figure.Member
	case measure.GC:
		return figure.GC
	}
	return figure.Call
}

// GrowthSamples makes samples of a Growth sheet of what one process found: a line is the metric's name, its system the peer.
func GrowthSamples(peer string, n, round int, seconds float64, found measure.Figures) (list []Sample) {
	for _, d := range measure.Descriptions {
		if v, ok := found[d.Metric]; ok && d.Core {
			list = append(list, Sample{Line: string(d.Metric), System: peer, N: n, Round: round, Seconds: seconds,
				Figures: figure.Figures{growthFigure(d.Metric): v}})
		}
	}
	return list
}

// growthLayout is a row for each metric and peer, a column for each size.
func growthLayout() layout {
	g := grid{}
	for _, n := range GrowthSizes {
		g.head = append(g.head, count(n))
	}
	for _, d := range measure.Descriptions {
		m := d.Metric
		if !d.Core {
			continue
		}
		for i, p := range peers.Names() {
			row := gridRow{system: p}
			if i == 0 {
				row.title = d.Title
			}
			for _, n := range GrowthSizes {
				row.cells = append(row.cells, gridCell{line: string(m), system: p, metric: growthFigure(m), n: n})
			}
			g.rows = append(g.rows, row)
		}
	}
	return layout{grids: []grid{g}, notes: `A column is a number of members. CPU time of the calling thread; of pebble and redis wall time. Ranks and pages of google, huandu and
pebble are counted, O(n). Collections: of the whole process, the members' list of the measurement included, which has no pointers.`}
}

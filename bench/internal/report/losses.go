package report

import (
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// losses lists the figures of a sheet where a peer that ours is held against is the better.
func (s *Sheet) losses(l layout) (list []Loss) {
	for _, g := range l.grids {
		title := ""
		for _, row := range g.rows {
			if row.title != "" {
				title = row.title
			}
			for i, c := range row.cells {
				if c.ours == "" {
					continue
				}
				if loss, ok := s.loss(c.line, c.ours, c.system, c.metric); ok {
					loss.What, loss.Where = title, g.head[i]
					list = append(list, loss)
				}
			}
		}
	}
	for _, c := range l.callers {
		for _, m := range []figure.Metric{figure.Rate, figure.P50, figure.P99, figure.P999} {
			list = s.worst(list, c.title, m.Title(), c.line, c.systems, m)
		}
	}
	if s.Kind != Growth {
		return list
	}
	for _, n := range GrowthSizes {
		for _, d := range measure.Descriptions {
			if d.Core {
				list = s.of(n).worst(list, d.Title, "n = "+count(n), string(d.Metric), peers.Names(), growthFigure(d.Metric))
			}
		}
	}
	return list
}

// worst adds the loss of the first system to the best of the others, if one of them is better.
func (s *Sheet) worst(list []Loss, what, where, line string, systems []string, m figure.Metric) []Loss {
	var most Loss
	for _, peer := range systems[1:] {
		if loss, ok := s.loss(line, systems[0], peer, m); ok && loss.times > most.times {
			most = loss
		}
	}
	if most.times == 0 {
		return list
	}
	most.What, most.Where = what, where
	return append(list, most)
}

// loss compares our figure with a peer's, round by round, and reports whether it is a peer, not code of ours beside ours, and the
// better, both in the median of the rounds and of the quotients.
func (s *Sheet) loss(line, system, peer string, m figure.Metric) (Loss, bool) {
	over, ok := s.ratioTo(line, system, line, peer, m, m)
	if !ok || over.Value <= 0 || IsOurs(peer) {
		return Loss{}, false
	}
	times := over.Value
	if m.Better() == figure.More {
		times = 1 / times
	}
	own, _ := s.stat(line, system, m)
	theirs, _ := s.stat(line, peer, m)
	if times <= 1 || (own.Value > theirs.Value) == (m.Better() == figure.More) {
		return Loss{}, false
	}
	return Loss{Ours: quantity(own.Value, m.Unit()), Theirs: quantity(theirs.Value, m.Unit()), Peer: peer, Times: ratio(times), times: times}, true
}

package report

import (
	"github.com/zrankdb/zrank/bench/internal/figure"
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
		if len(c.systems) < 2 {
			continue
		}
		for _, peer := range c.systems[1:] {
			for _, m := range []figure.Metric{figure.Rate, figure.P99} {
				if loss, ok := s.loss(c.line, c.systems[0], peer, m); ok {
					loss.What, loss.Where = c.title, m.Title()
					list = append(list, loss)
				}
			}
		}
	}
	return list
}

// loss compares our figure with a peer's, round by round, and reports whether it is a peer, not code of ours beside ours, and the
// better.
func (s *Sheet) loss(line, system, peer string, m figure.Metric) (Loss, bool) {
	over, ok := s.ratioTo(line, system, line, peer, m, m)
	if !ok || over.Value <= 0 || IsOurs(peer) {
		return Loss{}, false
	}
	times := over.Value
	if m.Better() == figure.More {
		times = 1 / times
	}
	if times <= 1 {
		return Loss{}, false
	}
	own, _ := s.stat(line, system, m)
	theirs, _ := s.stat(line, peer, m)
	return Loss{Ours: quantity(own.Value, m.Unit()), Theirs: quantity(theirs.Value, m.Unit()), Peer: peer, Times: ratio(times), times: times}, true
}

package metrics

import (
	"context"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
)

// boardCollector is a prometheus.Collector.
type boardCollector struct {
	boards    *local.Boards
	waiting   *prometheus.Desc
	failed    *prometheus.Desc
	unsettled *prometheus.Desc
}

// NewBoardCollector returns a collector of what the windows of boards still have to award. Each metric gets these labels, and the labels "board" and
// "window". Windows that award nothing have no metrics. For closed boards it collects nothing. A scrape reads no award: O(settled periods that are kept).
func NewBoardCollector(boards *local.Boards, labels prometheus.Labels) prometheus.Collector {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("zrank_board_"+name, help, []string{"board", "window"}, labels)
	}
	return &boardCollector{
		boards:    boards,
		waiting:   desc("waiting_awards", "Awards that wait to be delivered or claimed."),
		failed:    desc("failed_awards", "Awards that wait after they could not be delivered."),
		unsettled: desc("unsettled_periods", "Closed periods whose awards are not known yet."),
	}
}

// Describe implements prometheus.Collector.
func (c *boardCollector) Describe(out chan<- *prometheus.Desc) {
	out <- c.waiting
	out <- c.failed
	out <- c.unsettled
}

// Collect implements prometheus.Collector.
func (c *boardCollector) Collect(out chan<- prometheus.Metric) {
	for _, b := range c.boards.All() {
		spec := b.Spec()
		for _, w := range spec.Windows {
			list, err := b.Settlements(context.Background(), w.Name)
			awards := slices.ContainsFunc(spec.Awards, func(p awards.Plan) bool { return p.Window == w.Name })
			if err != nil || len(list) == 0 && !awards { // an error: the boards are closed, or the board was dropped or changed meanwhile
				continue
			}
			c.collect(out, b.Name(), w.Name, list)
		}
	}
}

// collect collects the metrics of a window.
func (c *boardCollector) collect(out chan<- prometheus.Metric, name, window string, list []awards.Settlement) {
	waiting, failed, unsettled := 0, 0, 0
	for _, s := range list {
		waiting += s.Waiting
		failed += s.Failed
		if !s.Settled {
			unsettled++
		}
	}
	out <- prometheus.MustNewConstMetric(c.waiting, gauge, float64(waiting), name, window)
	out <- prometheus.MustNewConstMetric(c.failed, gauge, float64(failed), name, window)
	out <- prometheus.MustNewConstMetric(c.unsettled, gauge, float64(unsettled), name, window)
}

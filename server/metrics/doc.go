// Package metrics exports the figures of engines to Prometheus and to expvar, and those of the awards of boards to Prometheus. It is a
// separate package, so that the engine depends on neither.
//
//	registry.MustRegister(metrics.NewCollector(e, prometheus.Labels{"engine": "game"}))
//	registry.MustRegister(metrics.NewBoardCollector(boards, prometheus.Labels{"engine": "game"}))
//	expvar.Publish("zrank", metrics.Expvar(e))
//
// A scrape calls Engine.Stats once and visits no set, so it costs the same with a million sets as with one. Of boards it reads the summaries of their
// settlements, which are in memory. A board's metrics have the labels "board" and "window":
//
//	zrank_board_waiting_awards     awards that wait to be delivered or claimed
//	zrank_board_failed_awards      those of them that could not be delivered
//	zrank_board_unsettled_periods  closed periods whose awards are not known yet
//
// # Where things are
//
//	collector.go  a collector for Prometheus
//	boards.go     a collector of what boards have to award
//	expvar.go     the figures of an engine for expvar
package metrics

// Package metrics exports the figures of engines to Prometheus and to expvar. It is a separate package, so that the engine depends on neither.
//
//	registry.MustRegister(metrics.NewCollector(e, prometheus.Labels{"engine": "game"}))
//	expvar.Publish("zrank", metrics.Expvar(e))
//
// A scrape calls Engine.Stats once and visits no set, so it costs the same with a million sets as with one.
//
// # Where things are
//
//	collector.go  a collector for Prometheus
//	expvar.go     the same figures for expvar
package metrics

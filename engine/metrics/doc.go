// Package metrics shows the figures of engines to Prometheus and to expvar. It is a package of its own, so that the engine
// depends on neither.
//
//	registry.MustRegister(metrics.NewCollector(e, prometheus.Labels{"engine": "game"}))
//	expvar.Publish("zrank", metrics.Expvar(e))
//
// A scrape asks Engine.Stats once and looks at no set, so that it costs the same with a million sets as with one.
//
// # Where things are
//
//	collector.go  a collector for Prometheus
//	expvar.go     the same figures for expvar
package metrics

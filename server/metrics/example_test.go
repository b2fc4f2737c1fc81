package metrics_test

import (
	"expvar"
	"log"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/metrics"
)

// An engine's figures under /metrics for Prometheus, and under /debug/vars for people.
func Example() {
	e, err := engine.New(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	prometheus.MustRegister(metrics.NewCollector(e, prometheus.Labels{"engine": "game"}))
	expvar.Publish("zrank", metrics.Expvar(e))
	http.Handle("/metrics", promhttp.Handler())
	// Output:
}

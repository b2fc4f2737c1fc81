package metrics

import (
	"expvar"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Expvar returns the figures of an engine as a variable for expvar.Publish: an object of numbers under the names of the Prometheus metrics
// without the prefix. Call times are their count, and their sum and quantiles in seconds. For a closed engine the object is {"up":0}. To read
// it calls Engine.Stats once.
func Expvar(e *engine.Engine) expvar.Var { return expvar.Func(func() any { return figures(e) }) }

// figures returns the object that Expvar shows.
func figures(e *engine.Engine) map[string]any {
	st, err := e.Stats()
	if err != nil {
		return map[string]any{"up": 0}
	}
	all := map[string]any{"up": 1, "update_duration_seconds": times(&st.Updates), "view_sample_duration_seconds": times(&st.Views)}
	for _, m := range metricsOf {
		name := m.name
		if m.label != "" {
			name = "memory_" + m.label + "_bytes"
		}
		all[name] = m.value(&st)
	}
	return all
}

// times returns call times as numbers.
func times(t *engine.CallTimes) map[string]any {
	seconds := func(d time.Duration) float64 { return d.Seconds() }
	return map[string]any{"count": t.Count, "sum": seconds(t.Sum), "max": seconds(t.Max),
		"p50": seconds(t.Quantile(0.5)), "p99": seconds(t.Quantile(0.99)), "p999": seconds(t.Quantile(0.999))}
}

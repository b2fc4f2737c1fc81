package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zrankdb/zrank/engine"
)

// metric is one figure of engine.Stats, in base units: its name, and the function that reads it.
type metric struct {
	name, help string
	kind       prometheus.ValueType
	label      string // the value of the label "layer"; "": the metric has none
	value      func(st *engine.Stats) float64
}

const (
	gauge   = prometheus.GaugeValue
	counter = prometheus.CounterValue
	prefix  = "zrank_engine_"
	layered = "memory_layer_bytes"
	layers  = "Memory by what it is for."
)

// metricsOf are all metrics except the histograms and "up".
var metricsOf = []metric{
	{"sets", "Sets that exist.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Sets) }},
	{"loaded_sets", "Sets in memory.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Loaded) }},
	{"loaded_members", "Members of the sets in memory.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Members) }},
	{"private_keys", "Private keys in memory.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Private) }},
	{"memory_bytes", "Memory held by the sets, which the memory limit limits.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Memory) }},
	{layered, layers, gauge, "listpacks", func(st *engine.Stats) float64 { return float64(st.Layers.Listpacks) }},
	{layered, layers, gauge, "indexes", func(st *engine.Stats) float64 { return float64(st.Layers.Indexes) }},
	{layered, layers, gauge, "tables", func(st *engine.Stats) float64 { return float64(st.Layers.Tables) }},
	{layered, layers, gauge, "keyspace", func(st *engine.Stats) float64 { return float64(st.Layers.Keyspace) }},
	{"loads_total", "Sets read from the disk.", counter, "", func(st *engine.Stats) float64 { return float64(st.Loads) }},
	{"written_out_sets_total", "Sets that were written out to leave memory under the memory limit.", counter, "", func(st *engine.Stats) float64 { return float64(st.WrittenOut) }},
	{"room_waits_total", "Transactions that have waited for room under the memory limit.", counter, "", func(st *engine.Stats) float64 { return float64(st.RoomWaits) }},
	{"evictions_total", "Sets that have left memory.", counter, "", func(st *engine.Stats) float64 { return float64(st.Evicted) }},
	{"expired_sets_total", "Sets collected after their time.", counter, "", func(st *engine.Stats) float64 { return float64(st.Expired) }},
	{"commits_total", "Transactions that have changed something.", counter, "", func(st *engine.Stats) float64 { return float64(st.Commits) }},
	{"rollbacks_total", "Transactions that have failed after they had begun.", counter, "", func(st *engine.Stats) float64 { return float64(st.RolledBack) }},
	{"restarts_total", "Runs of closures that had to begin again, because a set that they asked for was not free.", counter, "", func(st *engine.Stats) float64 { return float64(st.Restarts) }},
	{"slow_calls_total", "Calls that took longer than Options.SlowCall.", counter, "", func(st *engine.Stats) float64 { return float64(st.SlowCalls) }},
	{"waiting_calls", "Calls that have waited for a key for Options.SlowCall, and still do.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Waiting) }},
	{"longest_wait_seconds", "How long the first of the waiting calls has waited.", gauge, "", func(st *engine.Stats) float64 { return st.LongestWait.Seconds() }},
	{"lost_events_total", "Events that the listener was too slow for.", counter, "", func(st *engine.Stats) float64 { return float64(st.EventsLost) }},
	{"log_bytes", "Log that the next opening would read.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Log) }},
	{"disk_bytes", "Files.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Disk) }},
	{"lag_commits", "Commits that are not known to be on the disk.", gauge, "", func(st *engine.Stats) float64 { return float64(st.LastSeq - st.DurableSeq) }},
	{"lag_seconds", "Age of the oldest commit that is not known to be on the disk.", gauge, "", func(st *engine.Stats) float64 { return st.Lag.Seconds() }},
	{"disk_waits_total", "Times that a caller has waited for the disk.", counter, "", func(st *engine.Stats) float64 { return float64(st.DiskWaits) }},
	{"disk_wait_seconds_total", "Time that callers have waited for the disk.", counter, "", func(st *engine.Stats) float64 { return st.DiskWaited.Seconds() }},
	{"snapshots_total", "Snapshots taken.", counter, "", func(st *engine.Stats) float64 { return float64(st.Snapshots.Taken) }},
	{"snapshot_failures_total", "Snapshots that have failed.", counter, "", func(st *engine.Stats) float64 { return float64(st.Snapshots.Failed) }},
	{"snapshot_age_seconds", "Time since the last snapshot; 0 if there is none.", gauge, "", func(st *engine.Stats) float64 { return st.Snapshots.Age.Seconds() }},
	{"snapshot_duration_seconds", "Time that the last snapshot took.", gauge, "", func(st *engine.Stats) float64 { return st.Snapshots.Duration.Seconds() }},
	{"snapshot_bytes", "Pages that the last snapshot has written.", gauge, "", func(st *engine.Stats) float64 { return float64(st.Snapshots.Bytes) }},
}

// collector is a prometheus.Collector.
type collector struct {
	e       *engine.Engine
	up      *prometheus.Desc
	metrics []*prometheus.Desc // of metricsOf, in that order
	updates *prometheus.Desc
	views   *prometheus.Desc
}

// NewCollector returns a collector of the figures of an engine. Each metric gets these labels, which tell the engines of one process apart.
// For a closed engine it collects only zrank_engine_up 0. A scrape calls Engine.Stats once.
func NewCollector(e *engine.Engine, labels prometheus.Labels) prometheus.Collector {
	desc := func(name, help string, variable ...string) *prometheus.Desc {
		return prometheus.NewDesc(prefix+name, help, variable, labels)
	}
	c := &collector{
		e:       e,
		up:      desc("up", "1 if the engine is open."),
		updates: desc("update_duration_seconds", "Time that Updates took, waiting for locks and for the disk included."),
		views:   desc("view_sample_duration_seconds", "Time that Views took, of a random sample of one in 16."),
	}
	byName := map[string]*prometheus.Desc{}
	for _, m := range metricsOf {
		if byName[m.name] == nil {
			var variable []string
			if m.label != "" {
				variable = []string{"layer"}
			}
			byName[m.name] = desc(m.name, m.help, variable...)
		}
		c.metrics = append(c.metrics, byName[m.name])
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for i, d := range c.metrics {
		if i == 0 || c.metrics[i-1] != d {
			out <- d
		}
	}
	out <- c.up
	out <- c.updates
	out <- c.views
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	st, err := c.e.Stats()
	if err != nil {
		out <- prometheus.MustNewConstMetric(c.up, gauge, 0)
		return
	}
	out <- prometheus.MustNewConstMetric(c.up, gauge, 1)
	for i, m := range metricsOf {
		var variable []string
		if m.label != "" {
			variable = []string{m.label}
		}
		out <- prometheus.MustNewConstMetric(c.metrics[i], m.kind, m.value(&st), variable...)
	}
	out <- histogram(c.updates, &st.Updates)
	out <- histogram(c.views, &st.Views)
}

// histogram returns call times with a bucket for every power of two of nanoseconds, written in seconds.
func histogram(desc *prometheus.Desc, t *engine.CallTimes) prometheus.Metric {
	buckets := map[float64]uint64{}
	for bound, n := range t.Buckets() {
		buckets[float64(bound)/float64(time.Second)] = n
	}
	return prometheus.MustNewConstHistogram(desc, t.Count, t.Sum.Seconds(), buckets)
}

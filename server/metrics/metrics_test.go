package metrics

import (
	"encoding/json"
	"expvar"
	"fmt"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// open returns an engine with 3 sets, 2 of them small, a private key, and a snapshot.
func open(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open("m", engine.Options{FS: persist.MemFS()})
	require.NoError(t, err)
	for i, n := range []int{1, 20, 1000} {
		key := fmt.Sprint("set", i)
		require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
			s, err := tx.Set(key)
			for i := range n {
				if err == nil {
					_, err = s.Add(fmt.Append(nil, i), float64(i))
				}
			}
			return err
		}, key))
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error { return tx.Put("k", []byte("v")) }))
	for range 1000 {
		require.NoError(t, e.View(t.Context(), func(*engine.Tx) error { return nil }))
	}
	return e
}

// scrape returns the text of a scrape.
func scrape(t *testing.T, r *prometheus.Registry) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(r, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, w.Code, w.Body)
	return w.Body.String()
}

// TestCollector: promlint accepts the names, two engines fit in one registry, and the figures are those of Stats.
func TestCollector(t *testing.T) {
	r := prometheus.NewPedanticRegistry()
	e, other := open(t), open(t)
	require.NoError(t, r.Register(NewCollector(e, prometheus.Labels{"engine": "a"})))
	require.NoError(t, r.Register(NewCollector(other, prometheus.Labels{"engine": "b"})))
	text := scrape(t, r)
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	require.Empty(t, problems)
	for _, line := range []string{
		`zrank_engine_up{engine="a"} 1`,
		`zrank_engine_sets{engine="a"} 3`,
		`zrank_engine_sets{engine="b"} 3`,
		`zrank_engine_loaded_members{engine="a"} 1021`,
		`zrank_engine_commits_total{engine="a"} 4`,
		`zrank_engine_snapshots_total{engine="a"} 1`,
		`zrank_engine_lag_commits{engine="a"} 0`,
		`zrank_engine_update_duration_seconds_count{engine="a"} 4`,
		`zrank_engine_update_duration_seconds_bucket{engine="a",le="+Inf"} 4`,
	} {
		require.Contains(t, text, line+"\n")
	}
	st, err := e.Stats()
	require.NoError(t, err)
	require.Contains(t, text, fmt.Sprintf("zrank_engine_memory_layer_bytes{engine=\"a\",layer=\"tables\"} %d\n", st.Layers.Tables))
	require.Positive(t, st.Layers.Tables)
	names := regexp.MustCompile(`(?m)^# TYPE (\S+)`).FindAllStringSubmatch(text, -1)
	buckets := strings.Count(text, `zrank_engine_update_duration_seconds_bucket{engine="a"`)
	t.Logf("%d metrics of 2 engines, %d lines, %d buckets a histogram, no complaint of promlint", len(names), strings.Count(text, "\n"), buckets)

	require.NoError(t, e.Close())
	text = scrape(t, r)
	require.Equal(t, 1, strings.Count(text, `engine="a"`))
	require.Contains(t, text, `zrank_engine_up{engine="a"} 0`)
	require.NoError(t, other.Close())
}

// TestMemoryOnly: an engine without a store has all metrics too.
func TestMemoryOnly(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	r := prometheus.NewPedanticRegistry()
	require.NoError(t, r.Register(NewCollector(e, nil)))
	require.Contains(t, scrape(t, r), "zrank_engine_disk_bytes 0\n")
	require.NoError(t, e.Close())
}

// TestExpvar: the variable is JSON with every metric, under names that are different.
func TestExpvar(t *testing.T) {
	e := open(t)
	v := Expvar(e)
	expvar.Publish("zrank.test", v)
	var all map[string]any
	require.NoError(t, json.Unmarshal([]byte(expvar.Get("zrank.test").String()), &all))
	require.Len(t, all, len(metricsOf)+3)
	require.EqualValues(t, 3, all["sets"])
	require.EqualValues(t, 1021, all["loaded_members"])
	updates := all["update_duration_seconds"].(map[string]any)
	require.EqualValues(t, 4, updates["count"])
	var rising []float64
	for _, q := range []string{"p50", "p99", "p999", "max"} {
		rising = append(rising, updates[q].(float64))
	}
	require.True(t, slices.IsSorted(rising) && rising[0] > 0, rising)
	require.NoError(t, e.Close())
	require.Equal(t, `{"up":0}`, v.String())
	t.Logf("%d figures", len(all))
}

package middleware

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"
)

// TestMetrics: requests are counted by route, method and class of status, and measured, but for streams; promlint accepts the names.
func TestMetrics(t *testing.T) {
	w := newWorld(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/panic") {
			panic(http.ErrAbortHandler)
		}
		if strings.HasSuffix(r.URL.Path, "/missing") {
			http.NotFound(w, r)
		}
	})
	for i := range 5 {
		w.send(t, "GET", fmt.Sprintf("/boards/%d", i), nil)
		w.send(t, fmt.Sprintf("ODD%d", i), fmt.Sprintf("/none/%d", i), nil)
	}
	w.send(t, "POST", "/boards/missing", nil)
	w.send(t, "GET", "/events", nil)
	w.send(t, "GET", "/boards", nil, "X-Caller", "nobody")
	r, err := http.NewRequestWithContext(t.Context(), "POST", w.URL+"/boards/panic", nil)
	require.NoError(t, err)
	_, err = w.transport().RoundTrip(r)
	require.Error(t, err)
	w.Close()
	text := scrape(t, w.registry)
	require.Equal(t, []string{
		`zrank_http_requests_in_flight{kind="answer"} 0`,
		`zrank_http_requests_in_flight{kind="events"} 0`,
		`zrank_http_requests_total{method="GET",route="/boards",status="2xx"} 5`,
		`zrank_http_requests_total{method="GET",route="/boards",status="4xx"} 1`,
		`zrank_http_requests_total{method="GET",route="/events",status="2xx"} 1`,
		`zrank_http_requests_total{method="POST",route="/boards",status="4xx"} 1`,
		`zrank_http_requests_total{method="POST",route="/boards",status="aborted"} 1`,
		`zrank_http_requests_total{method="other",route="none",status="2xx"} 5`,
	}, lines(text, "zrank_http_requests"))
	require.Equal(t, []string{
		`zrank_http_request_duration_seconds_count{method="GET",route="/boards"} 6`,
		`zrank_http_request_duration_seconds_count{method="POST",route="/boards"} 2`,
		`zrank_http_request_duration_seconds_count{method="other",route="none"} 5`,
	}, lines(text, "zrank_http_request_duration_seconds_count"), "no stream")
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	require.Empty(t, problems)
}

// scrape returns the text of a scrape.
func scrape(t *testing.T, r *prometheus.Registry) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(r, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, w.Code, w.Body)
	return w.Body.String()
}

// lines returns the lines of a text that begin with another.
func lines(text, begin string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, begin) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// TestSharedMetrics: two handlers may have one registry; a metric of another kind and the same name is an error.
func TestSharedMetrics(t *testing.T) {
	r := prometheus.NewRegistry()
	share := func(o *Options) { o.Registerer = r }
	newWorld(t, share, hello).send(t, "GET", "/a", nil)
	newWorld(t, share, hello).send(t, "GET", "/b", nil)
	require.Len(t, lines(scrape(t, r), "zrank_http_requests_total"), 2)

	r = prometheus.NewRegistry()
	require.NoError(t, r.Register(prometheus.NewCounter(prometheus.CounterOpts{Name: "zrank_http_requests_total", Help: "another"})))
	_, err := Wrap(http.NotFoundHandler(), Options{Route: routeOf, Client: clientOf, Registerer: r})
	require.Error(t, err)

	h := newWorld(t, func(o *Options) { o.Registerer = nil }, hello)
	_, text := h.send(t, "GET", "/", nil)
	require.Equal(t, "hello", text)
}

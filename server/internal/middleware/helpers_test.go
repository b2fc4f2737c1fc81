package middleware

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/problem"
)

// safeBuffer is a buffer that goroutines share.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// world is a server with the middleware around a handler.
type world struct {
	*httptest.Server
	log      *safeBuffer
	registry *prometheus.Registry
}

// routeOf is the route of tests: /events and /export are streams, /big takes 4 KiB, /free is not limited.
func routeOf(r *http.Request) Route {
	route := Route{Pattern: "/" + strings.SplitN(r.URL.Path, "/", 3)[1]}
	switch route.Pattern {
	case "/events":
		route.Kind = Events
	case "/export":
		route.Kind = Export
	case "/big":
		route.MaxBody = 4 << 10
	case "/free":
		route.Unlimited = true
	case "/none":
		route.Pattern = ""
	}
	return route
}

// clientOf is the address of a client in tests: that of X-Client, if it has one.
func clientOf(r *http.Request) netip.Addr {
	if addr, err := netip.ParseAddr(r.Header.Get("X-Client")); err == nil {
		return addr
	}
	return netip.MustParseAddrPort(r.RemoteAddr).Addr()
}

// callerOf authenticates requests with X-Caller: all are let in but "nobody".
func callerOf(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := r.Header.Get("X-Caller")
		if c == "nobody" {
			problem.Write(w, *problem.New(http.StatusUnauthorized, "unauthorized", ""))
			return
		}
		if c == "panic" {
			panic("in Authenticate")
		}
		if c != "" {
			SetCaller(r.Context(), Caller{ID: c, Label: "label of " + c[:1], MaxStreams: len(strings.TrimPrefix(c, "few"))})
		}
		next.ServeHTTP(w, r)
	})
}

// newWorld starts a server; change changes its options.
func newWorld(t testing.TB, change func(o *Options), handler http.HandlerFunc) *world {
	t.Helper()
	w := newUnstarted(t, change, handler)
	w.Start()
	return w
}

func newUnstarted(t testing.TB, change func(o *Options), handler http.HandlerFunc) *world {
	t.Helper()
	w := &world{log: &safeBuffer{}, registry: prometheus.NewPedanticRegistry()}
	o := Options{
		Route: routeOf, Client: clientOf, Authenticate: callerOf, Registerer: w.registry,
		Logger: slog.New(slog.NewJSONHandler(w.log, nil)),
	}
	if change != nil {
		change(&o)
	}
	h, err := Wrap(handler, o)
	require.NoError(t, err)
	w.Server = httptest.NewUnstartedServer(h)
	w.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(w.Close)
	return w
}

// send sends a request and returns the answer, whose body has been read. Headers are pairs.
func (w *world) send(t testing.TB, method, path string, body io.Reader, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.URL+path, body)
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := w.transport().RoundTrip(r)
	require.NoError(t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	return a, string(text)
}

// transport does not ask for compression on its own.
func (w *world) transport() *http.Transport {
	transport := w.Client().Transport.(*http.Transport)
	transport.DisableCompression = true
	return transport
}

// requireProblem checks that an answer is a problem with a status and a code.
func requireProblem(t testing.TB, a *http.Response, text string, status int, code string) problem.Problem {
	t.Helper()
	require.Equal(t, status, a.StatusCode, text)
	require.Equal(t, problem.MediaType, a.Header.Get("Content-Type"))
	var p problem.Problem
	require.NoError(t, json.Unmarshal([]byte(text), &p))
	require.Equal(t, code, p.Code)
	require.Equal(t, status, p.Status)
	require.Equal(t, a.Header.Get("X-Request-Id"), p.RequestID)
	return p
}

// records returns the records of the log with a message, once there are so many.
func (w *world) records(t testing.TB, message string, n int) (list []map[string]any) {
	t.Helper()
	w.Close() // waits for the handlers
	for line := range strings.Lines(w.log.String()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &record))
		if record["msg"] == message {
			list = append(list, record)
		}
	}
	require.Equal(t, n, len(list))
	return list
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

package middleware

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestValidate: one error names everything that is wrong.
func TestValidate(t *testing.T) {
	_, err := Wrap(http.NotFoundHandler(), Options{MaxBody: -1, Timeout: -1, MaxStreams: -1, StreamTimeout: -1, Origins: []string{
		"https://game.example", "http://localhost:8080", "*", "https://*.example", "game.example", "https://game.example/", "https://Game.example", "null", "",
		"https://a b", "https://a.example,https://b.example", "https://u@game.example",
	}})
	require.ErrorIs(t, err, ErrOptions)
	for _, part := range []string{"Route is nil", "Client is nil", "MaxBody", "Timeout", "MaxStreams", "StreamTimeout"} {
		require.ErrorContains(t, err, part)
	}
	for i := range 12 {
		require.Equal(t, i >= 2, strings.Contains(err.Error(), "Origins["+string("0123456789"[i%10])+"]") || i >= 10, "%d", i)
	}
	require.ErrorContains(t, err, "Origins[10]")
	require.ErrorContains(t, err, "Origins[11]")
}

// TestRequestID: a sane ID is taken, any other replaced by a random one; the answer and the context have it.
func TestRequestID(t *testing.T) {
	w := newWorld(t, nil, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, RequestID(r.Context())) })
	for _, id := range []string{"a", "A-z_0.9", strings.Repeat("x", maxRequestID)} {
		a, text := w.send(t, "GET", "/", nil, "X-Request-Id", id)
		require.Equal(t, id, text)
		require.Equal(t, id, a.Header.Get("X-Request-Id"))
	}
	seen := map[string]bool{}
	for _, id := range []string{"", "a b", "a\"b", "é", "<script>", "a,b", strings.Repeat("x", maxRequestID+1)} {
		a, text := w.send(t, "GET", "/", nil, "X-Request-Id", id)
		require.Regexp(t, "^[0-9a-f]{32}$", text)
		require.Equal(t, text, a.Header.Get("X-Request-Id"))
		require.False(t, seen[text])
		seen[text] = true
	}
	broken := newWorld(t, func(o *Options) { o.Random = strings.NewReader("") }, hello)
	a, text := broken.send(t, "GET", "/", nil)
	require.Equal(t, "hello", text)
	require.NotContains(t, a.Header, "X-Request-Id")
}

// TestWithoutTheMiddleware: a context that has not come through it has an empty request.
func TestWithoutTheMiddleware(t *testing.T) {
	require.Empty(t, RequestID(context.Background()))
	require.Equal(t, Route{}, RouteOf(context.Background()))
	SetCaller(context.Background(), Caller{ID: "x"})
}

// TestAccessLog: a record for each request, with the route and no query; the path at level Debug only.
func TestAccessLog(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fail" {
			w.WriteHeader(503)
			return
		}
		hello(w, r)
	}
	w := newWorld(t, nil, handler)
	w.send(t, "GET", "/members/zoe?access_token=secret", nil, "X-Caller", "game", "X-Request-Id", "r1", "Authorization", "Bearer secret")
	w.send(t, "POST", "/fail", nil)
	w.send(t, "GET", "/none/such/path", nil, "X-Caller", "nobody")
	list := w.records(t, "request", 3)
	require.NotContains(t, w.log.String(), "secret")
	require.NotContains(t, w.log.String(), "zoe")
	require.NotContains(t, w.log.String(), "such")
	first := list[0]
	require.NotZero(t, first["took"])
	for name, want := range map[string]any{
		"level": "INFO", "method": "GET", "route": "/members", "status": 200.0, "bytes": 5.0, "request": "r1", "from": "127.0.0.1", "caller": "label of g",
	} {
		require.Equal(t, want, first[name], name)
	}
	require.Equal(t, "WARN", list[1]["level"])
	require.Equal(t, 503.0, list[1]["status"])
	require.Equal(t, 401.0, list[2]["status"])
	require.Equal(t, "none", list[2]["route"])

	verbose := newWorld(t, func(o *Options) {
		o.AccessLevel = slog.LevelDebug
	}, handler)
	verbose.send(t, "GET", "/members/zoe", nil)
	verbose.send(t, "GET", "/fail", nil)
	require.Equal(t, 503.0, verbose.records(t, "request", 1)[0]["status"], "what succeeds is at level Debug, and the logger begins at Info")

	var out safeBuffer
	debug := newWorld(t, func(o *Options) {
		o.Logger = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}, handler)
	debug.send(t, "GET", "/members/zoe?q=secret", nil)
	debug.Close()
	require.Contains(t, out.String(), "path=/members/zoe")
	require.NotContains(t, out.String(), "secret")
}

// panics panics before, after and in the middle of its answer.
func panics(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/before":
		w.Header().Set("ETag", `"7"`)
		w.Header().Set("Content-Length", "1000")
		panic(errors.New("broken handler"))
	case "/header":
		w.WriteHeader(200)
		panic("after the header")
	case "/events/flush": // an answer that is compressed is flushed with its first bytes only
		_ = http.NewResponseController(w).Flush()
		panic("after a flush")
	case "/small":
		hello(w, r)
		panic("after a few bytes")
	case "/large":
		_, _ = w.Write(make([]byte, 100_000))
		panic("after many bytes")
	case "/abort":
		panic(http.ErrAbortHandler)
	}
	hello(w, r)
}

// TestPanics: a handler that panics is answered with 500 and the connection stays; if a part of the answer is out, the connection is closed.
func TestPanics(t *testing.T) {
	w := newWorld(t, nil, panics)
	for _, encoding := range []string{"identity", "gzip"} {
		reused := false
		trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }}
		get := func(path string, headers ...string) (*http.Response, error) {
			r, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), "POST", w.URL+path, nil) // a GET is sent again
			require.NoError(t, err)
			r.Header.Set("Accept-Encoding", encoding)
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			return w.transport().RoundTrip(r)
		}
		w.CloseClientConnections()
		for i, caller := range []string{"game", "panic", "game"} {
			a, err := get("/before", "X-Caller", caller)
			require.NoError(t, err)
			text, err := io.ReadAll(a.Body)
			require.NoError(t, err)
			require.NoError(t, a.Body.Close())
			requireProblem(t, a, string(text), 500, CodeInternal)
			require.NotContains(t, string(text), "broken")
			require.Empty(t, a.Header.Get("ETag"))
			require.Equal(t, i > 0, reused, "the connection stays")
		}
		for _, path := range []string{"/header", "/events/flush", "/small", "/large", "/abort"} {
			a, err := get(path)
			if err == nil {
				_, err = io.ReadAll(a.Body)
				require.NoError(t, a.Body.Close())
			}
			require.Error(t, err, "%s %s: a part must not pass for an answer", encoding, path)
		}
	}
	for _, record := range w.records(t, "panic", 2*(3+4)) {
		require.Contains(t, record["stack"], "middleware")
		require.NotEmpty(t, record["request"])
	}
	aborted := 0
	for _, record := range w.records(t, "request", 2*(3+5)) {
		require.Equal(t, "WARN", record["level"])
		if record["status"] == 0.0 {
			aborted++
		}
	}
	require.Equal(t, 10, aborted)
}

// TestAnswersOfNothing: a handler that writes nothing has answered 200, and a 1xx before it is no answer.
func TestAnswersOfNothing(t *testing.T) {
	w := newWorld(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hints" {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNotFound)
		}
	})
	a, _ := w.send(t, "GET", "/", nil)
	require.Equal(t, 200, a.StatusCode)
	a, _ = w.send(t, "GET", "/hints", nil)
	require.Equal(t, 404, a.StatusCode)
	list := w.records(t, "request", 2)
	require.Equal(t, 200.0, list[0]["status"])
	require.Equal(t, 404.0, list[1]["status"])
}

// TestZeroOptions: what may be nil may be nil; a request without a body or an address works.
func TestZeroOptions(t *testing.T) {
	h, err := Wrap(http.HandlerFunc(hello), Options{Route: func(*http.Request) Route { return Route{} }, Client: func(*http.Request) (a netip.Addr) { return a }})
	require.NoError(t, err)
	for _, kind := range []string{"GET", "POST"} {
		rec := httptest.NewRecorder()
		r := httptest.NewRequest(kind, "/", nil)
		r.Body = nil
		h.ServeHTTP(rec, r)
		require.Equal(t, "hello", rec.Body.String())
	}
}

// TestDeadline: a handler has a deadline, and a stream has none.
func TestDeadline(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Timeout = time.Hour }, func(w http.ResponseWriter, r *http.Request) {
		at, has := r.Context().Deadline()
		if has && time.Until(at) > 0 && time.Until(at) <= time.Hour {
			_, _ = io.WriteString(w, "an hour")
		}
	})
	_, text := w.send(t, "GET", "/", nil)
	require.Equal(t, "an hour", text)
	for _, path := range []string{"/events", "/export"} {
		_, text := w.send(t, "GET", path, nil)
		require.Empty(t, text)
	}
	soon := newWorld(t, func(o *Options) { o.Timeout = time.Millisecond }, func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		_, _ = io.WriteString(w, r.Context().Err().Error())
	})
	_, text = soon.send(t, "GET", "/", nil)
	require.Equal(t, context.DeadlineExceeded.Error(), text)
}

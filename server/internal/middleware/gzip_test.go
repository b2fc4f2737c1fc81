package middleware

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// page is a handler of an answer of n bytes, with the tag "7", that compares If-None-Match weakly.
func page(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.URL.Query().Get("n"))
	if kind := r.URL.Query().Get("type"); kind != "" {
		w.Header().Set("Content-Type", kind)
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	w.Header().Set("ETag", `"7"`)
	if strings.TrimPrefix(r.Header.Get("If-None-Match"), "W/") == `"7"` {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if r.URL.Query().Get("status") != "" {
		w.WriteHeader(http.StatusNotFound)
	}
	for range n / 10 {
		_, _ = io.WriteString(w, "0123456789")
	}
}

func unzip(t *testing.T, text string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
	require.NoError(t, err)
	plain, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(plain)
}

// TestGzip: large texts are compressed for clients that take it, with a weak tag, and either form is 304 if the client has it.
func TestGzip(t *testing.T) {
	w := newWorld(t, nil, page)
	want := strings.Repeat("0123456789", 1000)
	for _, query := range []string{"n=10000", "n=10000&status=404", "n=10000&type=application/problem%2Bjson", "n=10000&type=text/csv;charset=utf-8"} {
		a, text := w.send(t, "GET", "/board?"+query, nil, "Accept-Encoding", "zstd, br, gzip;q=0.5")
		require.Equal(t, "gzip", a.Header.Get("Content-Encoding"), query)
		require.Equal(t, `W/"7"`, a.Header.Get("ETag"))
		require.Contains(t, a.Header.Values("Vary"), "Accept-Encoding")
		require.Equal(t, want, unzip(t, text))
		require.Equal(t, strings.Contains(query, "status"), a.StatusCode == 404)

		a, text = w.send(t, "GET", "/board?"+query, nil)
		require.Empty(t, a.Header.Get("Content-Encoding"))
		require.Equal(t, `"7"`, a.Header.Get("ETag"))
		require.Contains(t, a.Header.Values("Vary"), "Accept-Encoding")
		require.Equal(t, want, text)
	}
	for _, c := range []struct{ query, accept string }{
		{"n=10000", "gzip;q=0"}, {"n=10000", "br"}, {"n=10000", "zstd"}, {"n=10000", ""}, {"n=1000", "gzip"}, {"n=0", "gzip"}, {"n=10000&type=image/png", "gzip"},
		{"n=10000&type=application/octet-stream", "gzip"}, {"n=10000&type=text/event-stream", "gzip"},
	} {
		a, text := w.send(t, "GET", "/board?"+c.query, nil, "Accept-Encoding", c.accept)
		require.Empty(t, a.Header.Get("Content-Encoding"), c)
		require.Equal(t, `"7"`, a.Header.Get("ETag"))
		require.Equal(t, strings.Contains(c.query, "n=0"), text == "")
	}
	for _, tag := range []string{`"7"`, `W/"7"`} {
		for _, accept := range []string{"", "gzip"} {
			a, text := w.send(t, "GET", "/board?n=10000", nil, "If-None-Match", tag, "Accept-Encoding", accept)
			require.Equal(t, 304, a.StatusCode)
			require.Equal(t, `"7"`, a.Header.Get("ETag"))
			require.Empty(t, a.Header.Get("Content-Encoding"))
			require.Empty(t, text)
		}
	}
	for _, accept := range []string{"", "gzip"} {
		a, text := w.send(t, "HEAD", "/board?n=10000", nil, "Accept-Encoding", accept)
		require.Equal(t, 200, a.StatusCode)
		require.Empty(t, text)
		require.Empty(t, a.Header.Get("Content-Encoding"))
		require.Equal(t, `"7"`, a.Header.Get("ETag"))
	}
}

// TestGzipOfTags: a weak tag stays as it is, and an answer without one gets none.
func TestGzipOfTags(t *testing.T) {
	for tag, want := range map[string]string{`W/"7"`: `W/"7"`, `"7"`: `W/"7"`, "": "", "odd": "odd"} {
		w := newWorld(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			if tag != "" {
				w.Header().Set("ETag", tag)
			}
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusEarlyHints)
			_, _ = w.Write(bytes.Repeat([]byte("x"), 5000))
		})
		a, _ := w.send(t, "GET", "/", nil, "Accept-Encoding", "gzip")
		require.Equal(t, "gzip", a.Header.Get("Content-Encoding"))
		require.Equal(t, want, a.Header.Get("ETag"))
	}
}

// TestEventsAreNotHeldBack: the header of a stream of events, and each event, arrive when the handler flushes them, compressed for nobody. An export
// arrives in pieces too, and is compressed.
func TestEventsAreNotHeldBack(t *testing.T) {
	next, done := make(chan bool), make(chan bool)
	w := newWorld(t, nil, func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if r.URL.Path == "/events" {
			w.Header().Set("Content-Type", "text/event-stream")
			require.NoError(t, c.Flush())
		} else {
			w.Header().Set("Content-Type", "application/x-ndjson")
		}
		for range next {
			_, _ = io.WriteString(w, "data: 1\n\n")
			require.NoError(t, c.Flush())
		}
		done <- true
	})
	for _, path := range []string{"/events", "/export"} {
		next = make(chan bool)
		r, err := http.NewRequestWithContext(t.Context(), "GET", w.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set("Accept-Encoding", "gzip")
		if path == "/export" { // its header is sent with its first piece
			go func() { next <- true }()
		}
		a, err := w.transport().RoundTrip(r)
		require.NoError(t, err)
		body := io.Reader(a.Body)
		if path == "/export" {
			require.Equal(t, "gzip", a.Header.Get("Content-Encoding"))
			body, err = gzip.NewReader(a.Body)
			require.NoError(t, err)
		} else {
			require.Empty(t, a.Header.Get("Content-Encoding"))
			next <- true
		}
		for i := range 3 {
			if i > 0 {
				next <- true
			}
			event := make([]byte, 9)
			_, err := io.ReadFull(body, event)
			require.NoError(t, err)
			require.Equal(t, "data: 1\n\n", string(event))
		}
		close(next)
		<-done
		require.NoError(t, a.Body.Close())
	}
}

package middleware

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const game = "https://game.example"

// TestPreflight: browsers are told what pages of the listed origins may send, and nothing about others; it needs no key, and reaches no handler.
func TestPreflight(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Origins = []string{game, "http://localhost:8080"} }, func(http.ResponseWriter, *http.Request) { t.Error("called") })
	ask := func(origin, method, headers string) http.Header {
		a, text := w.send(t, "OPTIONS", "/boards", nil, "Origin", origin, "Access-Control-Request-Method", method, "Access-Control-Request-Headers", headers,
			"X-Caller", "nobody")
		require.Equal(t, 204, a.StatusCode)
		require.Empty(t, text)
		require.Contains(t, strings.Join(a.Header.Values("Vary"), ","), "Origin")
		require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"))
		return a.Header
	}
	for _, origin := range []string{game, "http://localhost:8080"} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH"} {
			h := ask(origin, method, "authorization,content-type,idempotency-key")
			require.Equal(t, origin, h.Get("Access-Control-Allow-Origin"))
			require.Equal(t, method, h.Get("Access-Control-Allow-Methods"))
			require.Equal(t, "authorization,content-type,idempotency-key", h.Get("Access-Control-Allow-Headers"))
			require.Equal(t, "3600", h.Get("Access-Control-Max-Age"))
		}
	}
	for _, origin := range []string{"https://evil.example", "http://game.example", "https://game.example:444", "https://a.game.example", "https://game.example.evil", "null"} {
		require.Empty(t, ask(origin, "GET", "authorization").Get("Access-Control-Allow-Origin"), origin)
	}
	require.Empty(t, ask(game, "TRACE", "authorization").Get("Access-Control-Allow-Origin"))
	require.Empty(t, ask(game, "GET", "x-other").Get("Access-Control-Allow-Origin"))
}

// TestOrigins: answers to pages of listed origins may be read by them, also those of the middleware itself; a page of another origin changes nothing.
func TestOrigins(t *testing.T) {
	for _, origins := range [][]string{{game}, nil} {
		called := 0
		w := newWorld(t, func(o *Options) { o.Origins = origins }, func(w http.ResponseWriter, r *http.Request) { called++; hello(w, r) })
		for _, c := range []struct {
			method, origin, site string
			ok                   bool
		}{
			{"GET", game, "cross-site", true}, {"POST", game, "cross-site", origins != nil}, {"GET", "https://evil.example", "cross-site", true},
			{"POST", "https://evil.example", "cross-site", false}, {"DELETE", "https://evil.example", "", false}, {"POST", "null", "", false},
			{"POST", "", "", true}, {"POST", w.URL, "", true}, {"POST", w.URL, "same-origin", true}, {"POST", "", "cross-site", false},
		} {
			before := called
			headers := []string{"X-Test", "1"}
			if c.origin != "" {
				headers = append(headers, "Origin", c.origin)
			}
			if c.site != "" {
				headers = append(headers, "Sec-Fetch-Site", c.site)
			}
			a, text := w.send(t, c.method, "/", nil, headers...)
			if c.ok {
				require.Equal(t, "hello", text, "%v", c)
				require.Equal(t, before+1, called)
			} else {
				requireProblem(t, a, text, 403, CodeOrigin)
				require.Equal(t, before, called)
			}
			readable := a.Header.Get("Access-Control-Allow-Origin")
			require.Equal(t, map[bool]string{true: game}[origins != nil && c.origin == game], readable, "%v", c)
			require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"))
			if readable != "" {
				require.Contains(t, a.Header.Get("Access-Control-Expose-Headers"), "Etag")
			}
		}
		a, text := w.send(t, "GET", "/", nil, "Origin", game, "X-Caller", "nobody")
		requireProblem(t, a, text, 401, "unauthorized")
		require.Equal(t, origins != nil, a.Header.Get("Access-Control-Allow-Origin") == game, "a page must see why it is refused")
	}
}

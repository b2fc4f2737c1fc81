package middleware

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/internal/testclock"
)

// newLimiter returns a limiter of 2 in 10 s and 5 in a minute, and its engine and clock.
func newLimiter(t *testing.T) (*ratelimit.Limiter, *engine.Engine, *testclock.Clock) {
	t.Helper()
	clock := testclock.New()
	e, err := engine.New(engine.Options{Clock: clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	l, err := ratelimit.New(e, ratelimit.Spec{Name: "api", Limits: []ratelimit.Limit{{Max: 2, Window: 10 * time.Second}, {Max: 5, Window: time.Minute}}})
	require.NoError(t, err)
	return l, e, clock
}

// TestRateLimit: a caller gets 429 for a request too many, and when to come again; the headers are of the limit that has the least left.
func TestRateLimit(t *testing.T) {
	l, _, clock := newLimiter(t)
	called := 0
	w := newWorld(t, func(o *Options) { o.Limiter = l }, func(w http.ResponseWriter, r *http.Request) { called++; hello(w, r) })
	get := func(status int, limit, remaining, reset string) {
		t.Helper()
		a, text := w.send(t, "GET", "/", nil, "X-Caller", "game")
		require.Equal(t, status, a.StatusCode, text)
		require.Equal(t, []string{limit, remaining, reset}, []string{a.Header.Get("RateLimit-Limit"), a.Header.Get("RateLimit-Remaining"), a.Header.Get("RateLimit-Reset")})
		if status == 429 {
			p := requireProblem(t, a, text, 429, CodeRate)
			require.Equal(t, reset, a.Header.Get("Retry-After"))
			require.Equal(t, "more requests than "+limit+" in "+map[string]string{"2": "10s", "5": "1m0s"}[limit], p.Detail)
			require.Positive(t, p.RetryAfter)
		}
	}
	get(200, "2", "1", "10")
	get(200, "2", "0", "10")
	get(429, "2", "0", "10")
	clock.Add(10 * time.Second)
	get(200, "2", "1", "10")
	get(200, "2", "0", "10")
	clock.Add(10 * time.Second)
	get(200, "5", "0", "60")
	clock.Add(40*time.Second - 1)
	a, text := w.send(t, "GET", "/", nil, "X-Caller", "game")
	p := requireProblem(t, a, text, 429, CodeRate)
	require.Equal(t, int64(1), p.RetryAfter, "a nanosecond is a second, rounded up")
	require.Equal(t, 5, called)
}

// TestRateLimitByCaller: callers count by themselves, and requests without one by address; of IPv6 addresses the first 64 bits count.
func TestRateLimitByCaller(t *testing.T) {
	l, _, _ := newLimiter(t)
	w := newWorld(t, func(o *Options) { o.Limiter = l }, hello)
	long := strings.Repeat("x", 5000)
	status := func(path, caller, from string) int {
		a, _ := w.send(t, "GET", path, nil, "X-Caller", caller, "X-Client", from)
		return a.StatusCode
	}
	for _, c := range []struct{ caller, from string }{
		{"a", ""}, {"b", ""}, {"", "192.0.2.1"}, {"", "192.0.2.2"}, {"", "2001:db8::1"}, {"", "2001:db8:0:1::1"}, {long + "1", ""}, {long + "2", ""}, {"address:192.0.2.9/32", ""},
	} {
		require.Equal(t, 200, status("/", c.caller, c.from))
		require.Equal(t, 200, status("/", c.caller, c.from))
		require.Equal(t, 429, status("/", c.caller, c.from), "%v", c)
		require.Equal(t, 200, status("/free", c.caller, c.from), "a route that is not limited")
	}
	require.Equal(t, 429, status("/", "", "2001:db8::ffff:ffff:ffff:ffff"))
	require.Equal(t, 429, status("/", "a", "192.0.2.8"), "a caller counts at each address")
	require.Equal(t, 200, status("/", "", "192.0.2.9"), "no name of a caller is an address")
	a, _ := w.send(t, "GET", "/free", nil, "X-Caller", "a")
	require.NotContains(t, a.Header, "Ratelimit-Limit")
	require.Equal(t, 401, status("/", "nobody", "192.0.2.1"), "who is refused by Authenticate is not counted")
}

// TestTightestLimit: of limits that have as little left the headers show the one that takes longer to forget.
func TestTightestLimit(t *testing.T) {
	_, e, _ := newLimiter(t)
	for name, windows := range map[string][2]time.Duration{"short first": {time.Second, time.Hour}, "long first": {time.Hour, time.Second}} {
		l, err := ratelimit.New(e, ratelimit.Spec{Name: name, Limits: []ratelimit.Limit{{Max: 2, Window: windows[0]}, {Max: 2, Window: windows[1]}}})
		require.NoError(t, err)
		w := newWorld(t, func(o *Options) { o.Limiter = l }, hello)
		a, _ := w.send(t, "GET", "/", nil)
		require.Equal(t, "3600", a.Header.Get("RateLimit-Reset"), name)
	}
}

// TestBrokenLimiter: where the limiter fails requests are let through, and that is logged.
func TestBrokenLimiter(t *testing.T) {
	l, e, _ := newLimiter(t)
	w := newWorld(t, func(o *Options) { o.Limiter = l }, hello)
	require.NoError(t, e.Close())
	_, text := w.send(t, "GET", "/", nil)
	require.Equal(t, "hello", text)
	require.Contains(t, w.records(t, "no rate limit", 1)[0]["error"], "closed")
}

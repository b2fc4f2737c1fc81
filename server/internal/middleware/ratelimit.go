package middleware

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/internal/problem"
)

// Headers of every answer that the rate limit counts: of the limit that has the least left. Reset is in seconds.
const (
	limitHeader     = "RateLimit-Limit"
	remainingHeader = "RateLimit-Remaining"
	resetHeader     = "RateLimit-Reset"
)

// limitRate counts each request for its caller, or for its address if it has none, and answers 429 to one too many. If the limiter fails, as it does on
// an engine whose disk is full, requests are let through, and that is logged: reads of a ranking need no disk.
func limitRate(o Options, next http.Handler) http.Handler {
	if o.Limiter == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := of(r.Context())
		if q.route.Unlimited {
			next.ServeHTTP(w, r)
			return
		}
		result, err := o.Limiter.Allow(r.Context(), rateKey(q), 1)
		if err != nil {
			o.Logger.LogAttrs(r.Context(), slog.LevelError, "no rate limit", slog.Any("error", err), slog.String("request", q.id))
			next.ServeHTTP(w, r)
			return
		}
		setRateHeaders(w.Header(), result)
		if result.Allowed {
			next.ServeHTTP(w, r)
			return
		}
		p := problem.New(http.StatusTooManyRequests, CodeRate, fmt.Sprintf("more requests than %v", tightest(result).Limit))
		p.RetryAfter = problem.Seconds(result.RetryAfter)
		problem.Write(w, *p)
	})
}

// rateKey returns the key by which the limiter counts a request. IDs of callers may be longer than its keys.
func rateKey(q *request) string {
	if q.caller.ID == "" {
		return "address:" + block(q.from).String()
	}
	if len(q.caller.ID) <= 128 {
		return "caller:" + q.caller.ID
	}
	sum := sha256.Sum256([]byte(q.caller.ID))
	return "hash:" + hex.EncodeToString(sum[:])
}

// block returns the addresses that count as one, as access.Block does.
func block(addr netip.Addr) netip.Prefix {
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	p, _ := addr.Prefix(bits)
	return p
}

// tightest returns the status of the limit that has the least left, and of these the one that takes the longest to forget.
func tightest(r ratelimit.Result) ratelimit.Status {
	least := r.Limits[0]
	for _, s := range r.Limits[1:] {
		if s.Remaining < least.Remaining || s.Remaining == least.Remaining && s.ResetAfter > least.ResetAfter {
			least = s
		}
	}
	return least
}

// setRateHeaders sets the headers of an answer.
func setRateHeaders(h http.Header, r ratelimit.Result) {
	s := tightest(r)
	h.Set(limitHeader, strconv.Itoa(s.Limit.Max))
	h.Set(remainingHeader, strconv.Itoa(s.Remaining))
	h.Set(resetHeader, strconv.FormatInt(problem.Seconds(s.ResetAfter), 10))
}

package middleware

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// observe measures each request, and logs it.
func observe(o Options, m *metrics, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w}
		begun, done := o.Clock(), false
		m.begin(of(r.Context()).route)
		defer func() {
			if done && rec.status == 0 {
				rec.status = http.StatusOK // the server writes it for a handler that has written nothing
			}
			if !done {
				rec.status = aborted
			}
			x := outcome{r.Method, r.URL.Path, rec.status, rec.bytes} // not r and rec, which hold the buffers of the connection
			q := of(r.Context())
			ctx := context.WithoutCancel(r.Context())
			q.atEnd(func() {
				took := o.Clock().Sub(begun)
				m.end(q.route, x.method, x.status, took)
				logRequest(ctx, o, q, x, took)
			})
		}()
		next.ServeHTTP(rec, r)
		done = true
	})
}

// outcome is what has become of a request.
type outcome struct {
	method, path string
	status       int
	bytes        int64
}

// logRequest logs a request: at Options.AccessLevel, and one that the server has failed at level Warn at least. Queries are never logged, for they may
// have secrets, and paths at level Debug only: they have names of members, which must be gone from all files once they are erased.
func logRequest(ctx context.Context, o Options, q *request, x outcome, took time.Duration) {
	level := o.AccessLevel
	if x.status >= 500 || x.status == aborted {
		level = max(level, slog.LevelWarn)
	}
	if !o.Logger.Enabled(ctx, level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 9),
		slog.String("method", x.method), slog.String("route", routeLabel(q.route)), slog.Int("status", x.status), slog.Int64("bytes", x.bytes),
		slog.Duration("took", took), slog.String("request", q.id), slog.Any("from", q.from), slog.String("caller", q.caller.Label))
	if o.Logger.Enabled(ctx, slog.LevelDebug) {
		attrs = append(attrs, slog.String("path", x.path))
	}
	o.Logger.LogAttrs(ctx, level, "request", attrs...)
}

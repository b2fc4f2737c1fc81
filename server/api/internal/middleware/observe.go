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
			took := o.Clock().Sub(begun)
			m.end(of(r.Context()).route, r.Method, rec.status, took)
			logRequest(o, r, rec, took)
		}()
		next.ServeHTTP(rec, r)
		done = true
	})
}

// logRequest logs a request: at Options.AccessLevel, and one that the server has failed at level Warn at least. Queries are never logged, for they may
// have secrets, and paths at level Debug only: they have names of members, which must be gone from all files once they are erased.
func logRequest(o Options, r *http.Request, rec *recorder, took time.Duration) {
	level := o.AccessLevel
	if rec.status >= 500 || rec.status == aborted {
		level = max(level, slog.LevelWarn)
	}
	ctx := context.WithoutCancel(r.Context())
	if !o.Logger.Enabled(ctx, level) {
		return
	}
	q := of(ctx)
	attrs := append(make([]slog.Attr, 0, 9),
		slog.String("method", r.Method), slog.String("route", routeLabel(q.route)), slog.Int("status", rec.status), slog.Int64("bytes", rec.bytes),
		slog.Duration("took", took), slog.String("request", q.id), slog.Any("from", q.from), slog.String("caller", q.caller.Label))
	if o.Logger.Enabled(ctx, slog.LevelDebug) {
		attrs = append(attrs, slog.String("path", r.URL.Path))
	}
	o.Logger.LogAttrs(ctx, level, "request", attrs...)
}

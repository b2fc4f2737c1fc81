package middleware

import (
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/zrankdb/zrank/internal/problem"
)

// recoverPanics answers a request whose handler panics with 500, and logs it; the connection stays. If a part of the answer has been written, the
// connection is closed instead, so that the client does not take the part for the whole. http.ErrAbortHandler, by which a handler asks for that, is not
// logged.
func recoverPanics(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w}
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			o.Logger.LogAttrs(r.Context(), slog.LevelError, "panic", slog.Any("panic", v), slog.String("request", RequestID(r.Context())),
				slog.String("route", routeLabel(RouteOf(r.Context()))), slog.String("stack", string(debug.Stack())))
			if rec.status != 0 {
				panic(http.ErrAbortHandler)
			}
			problem.Write(rec, *problem.New(http.StatusInternalServerError, CodeInternal, "the server has failed; its log says how"))
		}()
		next.ServeHTTP(rec, r)
	})
}

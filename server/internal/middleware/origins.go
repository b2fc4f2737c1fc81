package middleware

import (
	"net/http"
	"time"

	"github.com/rs/cors"

	"github.com/zrankdb/zrank/internal/problem"
)

// preflightAge is how long browsers may remember the answer to a preflight.
const preflightAge = time.Hour

// allowOrigins lets pages of the origins of the options read answers, and refuses requests that change something from pages of others. Such a page
// cannot have a key, which is sent by no browser on its own, but an open server needs none. Programs that are no browsers send no Origin.
func allowOrigins(o Options, next http.Handler) (http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.Origins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		problem.Write(w, *problem.New(http.StatusForbidden, CodeOrigin, "a page of this origin may not do that"))
	}))
	next = protection.Handler(next)
	if len(o.Origins) == 0 {
		return next, nil // package cors would allow all of them
	}
	return cors.New(cors.Options{
		AllowedOrigins: o.Origins,
		AllowedMethods: methods,
		AllowedHeaders: []string{"Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", requestIDHeader},
		ExposedHeaders: []string{
			"Content-Disposition", "ETag", "Link", "Location", "Retry-After", requestIDHeader, limitHeader, remainingHeader, resetHeader, "WWW-Authenticate",
		},
		MaxAge: int(preflightAge / time.Second),
	}).Handler(next), nil
}

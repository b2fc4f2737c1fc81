// Package middleware is what happens around every handler of the HTTP API: it names, logs and measures requests, limits them, and compresses answers.
//
//	h, err := middleware.Wrap(mux, middleware.Options{
//		Route:  func(r *http.Request) middleware.Route { … },
//		Client: guard.Client,
//		Authenticate: func(next http.Handler) http.Handler { … middleware.SetCaller(r.Context(), …); next.ServeHTTP(w, r) … },
//	})
//
// What a request meets, in this order:
//
//  1. a deadline for its body; its ID, which the answer has in X-Request-Id, and its route;
//  2. the access log and the metrics, which see every answer of those below;
//  3. a panic becomes an answer, or closes the connection if a part of the answer is out;
//  4. origins of pages: CORS;
//  5. Options.Authenticate;
//  6. the rate limit of its caller, or of its address;
//  7. the limit of streams, and a deadline for each write of a stream;
//  8. its body, which is read whole, and a deadline for its handler;
//  9. compression.
//
// What they refuse is a problem of package problem, with one of the codes here.
//
// # What the server must do
//
// An http.Server needs ReadHeaderTimeout and IdleTimeout, for what comes before a handler, and WriteTimeout, longer than Options.Timeout, for clients
// that do not take their answer. Streams set their own deadlines, whatever WriteTimeout is.
//
// # Where things are
//
//	wrap.go       Wrap: all of it around a handler
//	options.go    Options, codes of problems
//	request.go    Route, Caller, and what else is known of a request
//	requestid.go  the ID of a request, and what is known of it at its beginning
//	observe.go    the access log
//	metrics.go    metrics for Prometheus
//	recover.go    panics
//	origins.go    CORS, and requests that pages of other origins make
//	ratelimit.go  the rate limit
//	streams.go    limits of streams
//	events.go     ServeEvents: streams of server-sent events
//	body.go       limits of bodies and of time
//	gzip.go       compression, and tags of compressed answers
//	recorder.go   a ResponseWriter that knows what has been written
package middleware

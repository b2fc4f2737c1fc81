package middleware

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/internal/problem"
)

// Codes of the problems that the middleware answers with.
const (
	CodeInternal     = "internal"             // 500: the handler has panicked
	CodeOrigin       = "forbidden_origin"     // 403: a page of another origin would change something
	CodeRate         = "rate_limited"         // 429: more requests than Options.Limiter allows
	CodeStreams      = "too_many_streams"     // 503, or 429 for the caller's own limit
	CodeBodyTooLarge = "body_too_large"       // 413
	CodeBodyTimeout  = "body_timeout"         // 408: the body has not arrived within Options.Timeout
	CodeBody         = "bad_body"             // 400: the body has ended early
	CodeEncoding     = "unsupported_encoding" // 415: the body is compressed
)

// Defaults of Options.
const (
	DefaultMaxBody       = 1 << 20
	DefaultTimeout       = 30 * time.Second
	DefaultStreamTimeout = 30 * time.Second
	DefaultMaxStreams    = 10_000
)

// ErrOptions is returned when options have an impossible value; the error names every one.
var ErrOptions = errors.New("middleware: impossible options")

// Options say what Wrap does. Route and Client must be set.
type Options struct {
	// Route returns the route of a request, before its handler runs.
	Route func(r *http.Request) Route
	// Client returns the address that a request comes from.
	Client func(r *http.Request) netip.Addr
	// Authenticate returns a handler that answers requests whose callers may not come in, and passes on the others, after it has called SetCaller.
	// It stands before the limits. nil: every request is passed on.
	Authenticate func(next http.Handler) http.Handler
	// Limiter limits the requests of each caller, and of each address where there is no caller. nil: there is no limit. On an engine that is
	// durable each request costs a commit: an engine made by engine.New costs none.
	Limiter *ratelimit.Limiter
	// Origins are those of pages whose scripts may call the API and read its answers, such as "https://game.example". No wildcards.
	Origins []string
	// MaxBody is the largest body of a request, in bytes. 0 means DefaultMaxBody.
	MaxBody int64
	// Body checks the body of a request, and returns what the handler gets. nil: as it has come.
	Body func(body []byte) ([]byte, *problem.Problem)
	// Timeout is how long a body may take to arrive, and the deadline of the context of handlers that are no streams. 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxStreams is how many streams may be open at a time. 0 means DefaultMaxStreams.
	MaxStreams int
	// StreamTimeout is how long the client of a stream may take nothing before it is dropped. 0 means DefaultStreamTimeout.
	StreamTimeout time.Duration
	// Registerer gets the metrics. nil: nothing is measured.
	Registerer prometheus.Registerer
	// Logger gets a record for each request and each panic. nil: nothing is logged.
	Logger *slog.Logger
	// AccessLevel is the level of the records of requests. The zero value is Info.
	AccessLevel slog.Level
	// Clock measures how long requests take. nil: time.Now. Time limits go by the real clock, as sockets do.
	Clock func() time.Time
	// Random gives random bytes for the IDs of requests, to any goroutine. nil: crypto/rand.Reader.
	Random io.Reader
}

// Validate returns one error that names every field with an impossible value, or nil. The error is ErrOptions.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if o.Route == nil {
		bad("Route is nil")
	}
	if o.Client == nil {
		bad("Client is nil")
	}
	if o.MaxBody < 0 {
		bad("MaxBody is %d: want 0 or more", o.MaxBody)
	}
	if o.Timeout < 0 {
		bad("Timeout is %v: want 0 or more", o.Timeout)
	}
	if o.MaxStreams < 0 {
		bad("MaxStreams is %d: want 0 or more", o.MaxStreams)
	}
	if o.StreamTimeout < 0 {
		bad("StreamTimeout is %v: want 0 or more", o.StreamTimeout)
	}
	for i, origin := range o.Origins {
		if !isOrigin(origin) {
			bad("Origins[%d] is %q: want a scheme and a host in lower case, such as https://game.example", i, origin)
		}
	}
	return errors.Join(errs...)
}

// isOrigin reports whether a text is one origin: a scheme and a host, perhaps a port, and nothing else.
func isOrigin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != "" && s == u.Scheme+"://"+u.Host && s == strings.ToLower(s) && !strings.ContainsAny(s, "*, ")
}

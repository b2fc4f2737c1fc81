package admin

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"time"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine/delayqueue"
	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// ErrOptions is returned by New when the options have an impossible value; the error names every one.
var ErrOptions = access.ErrOptions

// Limiter is a limiter of rates whose limits the pages show.
type Limiter struct {
	Name    string             // as the pages show it
	Limiter *ratelimit.Limiter // whose keys they look up
	Limits  []ratelimit.Limit  // as the Limiter was made with
}

// Options are for New. Keys or Open must be set.
type Options struct {
	// Title is what the pages are called. "" means DefaultTitle.
	Title string
	// Local is the boards again, if they are in an engine, for its figures and health. nil: the boards are elsewhere, as on a cluster, and there are none.
	Local *local.Boards

	// Keys are those with which one can sign in. None: the pages change nothing.
	Keys []access.Key
	// Open lets everybody look who reaches the pages. Without Keys the audit log can be seen too.
	Open bool
	// Hosts are the names by which browsers know the server, if it is open; the names and addresses of this machine need not be among them.
	Hosts []string
	// TrustedProxies are the addresses of reverse proxies: what they say in X-Forwarded-For and X-Forwarded-Proto is believed.
	TrustedProxies []netip.Prefix
	// Failures is how many times a minute an address may sign in wrongly. 0 means access.DefaultFailures.
	Failures int

	// Queues are queues to show, by what they are called.
	Queues map[string]*delayqueue.Queue
	// Limits are limiters to show.
	Limits []Limiter
	// Backups is the folder in which the operator keeps copies of the engine's directory, each in a folder of its own: the pages show how old they are. "": none.
	Backups string

	// MaxStreams is how many pages may be open at a time. 0 means DefaultMaxStreams.
	MaxStreams int
	// Refresh is how often the moving part of an open page is read. 0 means DefaultRefresh.
	Refresh time.Duration
	// Logger gets a record for each request, and for what goes wrong. nil: nothing is logged.
	Logger *slog.Logger
	// Clock tells the time: how old sessions are. nil: time.Now.
	Clock func() time.Time
	// Random gives random bytes for sessions. nil: crypto/rand.Reader.
	Random io.Reader
}

// Defaults of Options.
const (
	DefaultTitle      = "zrank"
	DefaultMaxStreams = 1000
	DefaultRefresh    = time.Second
)

// Validate returns one error that names every field with an impossible value, or nil. No secret is part of it. The error is ErrOptions.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if len(o.Keys) == 0 && !o.Open {
		bad("Keys are empty, and Open is not set: nobody could look")
	}
	if len(o.Keys) > 0 {
		if err := o.guard().Validate(); err != nil {
			errs = append(errs, err)
		}
	}
	if o.MaxStreams < 0 {
		bad("MaxStreams is %d: want 0 or more", o.MaxStreams)
	}
	if o.Refresh < 0 {
		bad("Refresh is %v: want 0 or more", o.Refresh)
	}
	for name, q := range o.Queues {
		if q == nil {
			bad("Queues[%q] is nil", name)
		}
	}
	for i, l := range o.Limits {
		if l.Limiter == nil {
			bad("Limits[%d].Limiter is nil", i)
		}
	}
	return errors.Join(errs...)
}

// guard returns the options of what checks keys.
func (o Options) guard() access.Options {
	return access.Options{Keys: o.Keys, Open: len(o.Keys) == 0, Hosts: o.Hosts, TrustedProxies: o.TrustedProxies, Failures: o.Failures, Clock: o.Clock, Random: o.Random, Logger: o.Logger}
}

func (o Options) withDefaults() Options {
	o.Title, o.MaxStreams, o.Refresh = cmp.Or(o.Title, DefaultTitle), cmp.Or(o.MaxStreams, DefaultMaxStreams), cmp.Or(o.Refresh, DefaultRefresh)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return o
}

// middleware returns the options of what stands around the handlers.
func (o Options) middleware() middleware.Options {
	return middleware.Options{MaxStreams: o.MaxStreams, Logger: o.Logger, AccessLevel: slog.LevelDebug, Clock: o.Clock, Random: o.Random}
}

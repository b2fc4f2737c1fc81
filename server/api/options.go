package api

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// ErrOptions is returned by New when the options have an impossible value; the error names every one.
var ErrOptions = access.ErrOptions

// Options are for New. One of Keys, Tokens and Open must be set.
type Options struct {
	// Access says who may use the API. Its Clock, Random and Logger are those of Options unless they are set.
	Access access.Options

	// MaxRows is the most rows of an answer, neighbours and all submissions of a batch included, and the most names of a request. 0 means DefaultMaxRows.
	MaxRows int
	// MaxBody is the most bytes of a request. 0 means DefaultMaxBody.
	MaxBody int64
	// Timeout is how long a request may take that is no stream and no export. 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxStreams is how many streams and exports may be open at a time; a player may have MaxPlayerStreams of them. 0 means DefaultMaxStreams.
	MaxStreams int
	// StreamTimeout is how long the client of a stream may take nothing before it is dropped. 0 means DefaultStreamTimeout.
	StreamTimeout time.Duration
	// Limiter limits the requests of each key, each player and, where access is open, each address. nil: there is no limit. One of an engine that is durable
	// makes each request a commit: an engine made by engine.New costs none.
	Limiter *ratelimit.Limiter
	// Origins are those of pages whose scripts may call the API, such as "https://game.example". No wildcards.
	Origins []string
	// Registerer gets metrics by route. nil: nothing is measured.
	Registerer prometheus.Registerer
	// MaxPins is the most rankings that are pinned at a time. 0 means DefaultMaxPins.
	MaxPins int
	// MaxPinRows is how many members the pinned rankings have together: a member takes about 50 bytes. 0 means DefaultMaxPinRows.
	MaxPinRows int
	// PinTime is how long a pinned ranking stays after its last use. 0 means DefaultPinTime.
	PinTime time.Duration
	// Logger gets a record for each request, and for what goes wrong. nil: nothing is logged.
	Logger *slog.Logger
	// Clock tells the time. nil: time.Now.
	Clock func() time.Time
	// Random gives random bytes for ids and ETags. nil: crypto/rand.Reader.
	Random io.Reader
}

// Defaults of Options.
const (
	DefaultMaxRows             = 10_000
	DefaultMaxBody       int64 = 4 << 20
	DefaultMaxPins             = 16
	DefaultMaxPinRows          = 5_000_000
	DefaultPinTime             = time.Minute
	DefaultTimeout             = middleware.DefaultTimeout
	DefaultMaxStreams          = middleware.DefaultMaxStreams
	DefaultStreamTimeout       = middleware.DefaultStreamTimeout
	MaxPlayerStreams           = 4
)

// Validate returns one error that names every field with an impossible value, or nil. The error is ErrOptions.
func (o Options) Validate() error {
	errs := []error{o.Access.Validate()}
	for _, x := range []struct {
		name  string
		value int64
	}{{"MaxRows", int64(o.MaxRows)}, {"MaxBody", o.MaxBody}, {"MaxPins", int64(o.MaxPins)}, {"MaxPinRows", int64(o.MaxPinRows)}, {"PinTime", int64(o.PinTime)}, {"MaxStreams", int64(o.MaxStreams)}, {"Timeout", int64(o.Timeout)}, {"StreamTimeout", int64(o.StreamTimeout)}} {
		if x.value < 0 {
			errs = append(errs, fmt.Errorf("%w: %s is %d, want at least 0", ErrOptions, x.name, x.value))
		}
	}
	return errors.Join(errs...)
}

func (o Options) withDefaults() Options {
	o.MaxRows, o.MaxBody = cmp.Or(o.MaxRows, DefaultMaxRows), cmp.Or(o.MaxBody, DefaultMaxBody)
	o.MaxPins, o.MaxPinRows, o.PinTime = cmp.Or(o.MaxPins, DefaultMaxPins), cmp.Or(o.MaxPinRows, DefaultMaxPinRows), cmp.Or(o.PinTime, DefaultPinTime)
	o.StreamTimeout = cmp.Or(o.StreamTimeout, DefaultStreamTimeout)
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

// access returns the options of the guard.
func (o Options) access() access.Options {
	a := o.Access
	if a.Clock == nil {
		a.Clock = o.Clock
	}
	if a.Logger == nil {
		a.Logger = o.Logger
	}
	if a.Random == nil {
		a.Random = o.Random
	}
	return a
}

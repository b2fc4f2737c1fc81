package middleware

import (
	"cmp"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"
)

// Wrap returns a handler that does what the options say around another one. Errors: ErrOptions; those of Options.Registerer.
func Wrap(next http.Handler, o Options) (http.Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	m, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, err
	}
	// From the inside to the outside.
	h, err := compress(next)
	if err != nil {
		return nil, err
	}
	h = limitRate(o, limitStreams(o, bound(o, h)))
	if o.Authenticate != nil {
		h = o.Authenticate(h)
	}
	if h, err = allowOrigins(o, h); err != nil {
		return nil, err
	}
	return expectBody(o, identify(o, observe(o, m, recoverPanics(o, h)))), nil
}

// withDefaults returns the options with defaults in place of zeros.
func (o Options) withDefaults() Options {
	o.MaxBody, o.Timeout = cmp.Or(o.MaxBody, DefaultMaxBody), cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxStreams, o.StreamTimeout = cmp.Or(o.MaxStreams, DefaultMaxStreams), cmp.Or(o.StreamTimeout, DefaultStreamTimeout)
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

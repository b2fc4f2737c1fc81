package ratelimit

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
)

const (
	// MaxKey is the length of the longest key, in bytes.
	MaxKey = 1 << 10
	// MaxName is the length of the longest name of a limiter, in bytes.
	MaxName = 1 << 10
	// MaxEvents is the largest Max of a limit: this number of events fits in one commit.
	MaxEvents = 500_000
	// MaxWindow is the longest window, 100 years of 365 days.
	MaxWindow = 100 * 365 * 24 * time.Hour
)

// Limit is at most Max events in any window of length Window.
type Limit struct {
	// Max is how many events a window may hold, from 1 to MaxEvents.
	Max int
	// Window is a whole number of microseconds, from one to MaxWindow.
	Window time.Duration
}

// String returns the limit as "10 in 1s".
func (l Limit) String() string { return fmt.Sprintf("%d in %v", l.Max, l.Window) }

// Spec is the name of a limiter and its limits.
type Spec struct {
	// Name keeps the keys of this limiter apart from those of others: 1 to MaxName bytes.
	Name string
	// Limits must all allow a call. There is at least one. Result.Limits has the same order.
	Limits []Limit
}

// Validate returns one error that names every field with an impossible value, or nil. The error is ErrSpec.
func (s Spec) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrSpec}, args...)...))
	}
	if len(s.Name) == 0 || len(s.Name) > MaxName {
		bad("Name has %d bytes: want 1 to %d", len(s.Name), MaxName)
	}
	if len(s.Limits) == 0 {
		bad("Limits is empty: want one at least")
	}
	for i, l := range s.Limits {
		if l.Max < 1 || l.Max > MaxEvents {
			bad("Limits[%d].Max is %d: want 1 to %d", i, l.Max, MaxEvents)
		}
		if l.Window < time.Microsecond || l.Window > MaxWindow || l.Window%time.Microsecond != 0 {
			bad("Limits[%d].Window is %v: want whole microseconds, 1µs to %v", i, l.Window, MaxWindow)
		}
	}
	return errors.Join(errs...)
}

// longest returns the longest window, in microseconds.
func (s Spec) longest() (micros int64) {
	for _, l := range s.Limits {
		micros = max(micros, l.Window.Microseconds())
	}
	return micros
}

const prefix = "ratelimit/"

var escape = strings.NewReplacer("%", "%25", "/", "%2F")

// Limiter counts events by key. Its methods may be called from any goroutine, also if several Limiters have the same name.
type Limiter struct {
	e       *engine.Engine
	limits  []Limit
	longest int64  // the longest window, in microseconds
	prefix  string // of the sets' keys
}

// New returns the limiter with spec.Name on an engine. It stores nothing until something is allowed. Errors: ErrSpec.
func New(e *engine.Engine, spec Spec) (*Limiter, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	limits := append([]Limit(nil), spec.Limits...) // the caller keeps its own
	return &Limiter{e: e, limits: limits, longest: spec.longest(), prefix: prefix + escape.Replace(spec.Name) + "/"}, nil
}

// SetKey returns the key of the set that is the log of a key. For the transaction of AllowTx it is a hint: see engine.Engine.Update. O(len).
func (l *Limiter) SetKey(key string) string { return l.prefix + key }

// validate returns an error if the key is too long, or if no call of this cost can be allowed.
func (l *Limiter) validate(key string, cost int) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: %d bytes, %q…", ErrKey, len(key), key[:16])
	}
	if cost < 1 {
		return fmt.Errorf("%w: %d for %q", ErrCost, cost, key)
	}
	for _, limit := range l.limits {
		if cost > limit.Max {
			return fmt.Errorf("%w: %d for %q, where the limit is %v", ErrNever, cost, key, limit)
		}
	}
	return nil
}

// Status is the state of one limit for a key.
type Status struct {
	// Limit is the limit, as in the spec.
	Limit Limit
	// Remaining is how many more events the limit allows now. After a call that was allowed, the events of the call count as used.
	Remaining int
	// ResetAfter is the time until the limit counts no events, if nothing more is recorded; 0 if it counts none now.
	ResetAfter time.Duration
}

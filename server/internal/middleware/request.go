package middleware

import (
	"context"
	"net/netip"
	"sync"
)

// Kind says how long an answer may take, and how it is sent.
type Kind uint8

const (
	// Answer is an answer that is made and sent at once. It has a time limit.
	Answer Kind = iota
	// Export is a long answer: it has no time limit, and counts as a stream.
	Export
	// Events are server-sent events: as Export, and never compressed, so that each event arrives when it is flushed.
	Events
	kinds
)

// Route is what the middleware must know of the handler of a request.
type Route struct {
	// Pattern is what was registered, such as "/v1/boards/{board}", for logs and metrics; never a path, of which there is no end. "": no route.
	Pattern string
	Kind    Kind
	// MaxBody is the largest body, in bytes. 0 means Options.MaxBody.
	MaxBody int64
	// Unlimited: the rate limit does not count it.
	Unlimited bool
}

// Caller is who sends a request, as Options.Authenticate knows it.
type Caller struct {
	// ID is a text that no other caller has: the rate limit counts by it. "": by address.
	ID string
	// Label is what the access log says of the caller.
	Label string
	// MaxStreams is how many streams the caller may have open at a time. 0: as many as there may be.
	MaxStreams int
}

// request is what the middleware knows of a request. It belongs to the goroutine of the handler, but for what mu guards.
type request struct {
	id     string
	route  Route
	from   netip.Addr
	caller Caller

	mu       sync.Mutex
	detached bool
	ended    bool
	ends     []func() // what is to be done when the request ends
}

// atEnd calls fn when the request ends: now, behind its handler, unless that has detached it.
func (q *request) atEnd(fn func()) {
	q.mu.Lock()
	later := q.detached && !q.ended
	if later {
		q.ends = append(q.ends, fn)
	}
	q.mu.Unlock()
	if !later {
		fn()
	}
}

// Detach says that the request of a context does not end with its handler, which has taken its connection over and goes on in another goroutine: that one
// calls end. Until then the request counts as open, and is not logged.
func Detach(ctx context.Context) (end func()) {
	q := of(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.detached = true
	return func() {
		q.mu.Lock()
		q.ended = true
		ends := q.ends
		q.mu.Unlock()
		for _, fn := range ends {
			fn()
		}
	}
}

type requestKey struct{}

// of returns what the middleware knows of a request; an empty one for a request that has not come through it.
func of(ctx context.Context) *request {
	if q, ok := ctx.Value(requestKey{}).(*request); ok {
		return q
	}
	return &request{}
}

// RequestID returns the ID of the request of a context, "" if it has none.
func RequestID(ctx context.Context) string { return of(ctx).id }

// RouteOf returns the route of the request of a context.
func RouteOf(ctx context.Context) Route { return of(ctx).route }

// SetCaller tells the middleware who sends the request of a context. Only Options.Authenticate may call it, before it calls the next handler.
func SetCaller(ctx context.Context, c Caller) { of(ctx).caller = c }

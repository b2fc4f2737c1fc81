package resp

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// config is what a host is made with. All fields are set.
type config struct {
	conn         connOptions
	maxReply     int
	maxClients   int
	clientMemory int64
	databases    int
	idleTimeout  time.Duration // 0: none
	scores       wire.ScoreText
	users        users
	log          *slog.Logger
}

// host is what all clients of a server share. Its methods may be called from any goroutine.
type host struct {
	e        *engine.Engine
	space    *space
	commands table // the caller of newHost sets it
	o        config
	budget   *budget.Budget
	turns    chan struct{} // see memory.go
	rand     *randomness
	// deferAbove is how many entries a set operation may go through inside a transaction: the constant, but for tests.
	deferAbove int

	ctx  context.Context // ends when the server begins to close
	work context.Context // of deferred set operations; ends when the server stops waiting for them

	maxClients  atomic.Int64
	idleTimeout atomic.Int64 // a time.Duration
	clients     registry
	waited      waitedKeys
	counters    counters
	authDelay   authDelay

	wrongAuth, noTLS, evicted throttledLog
}

// deferAbove is how many entries a set operation may go through inside a transaction.
const deferAbove = 4096

// counters are totals since the server was made, for INFO.
type counters struct {
	connections atomic.Int64 // accepted
	refused     atomic.Int64 // because of maxClients
	evicted     atomic.Int64 // disconnected because of clientMemory
}

// newHost returns the shared state of the clients of a space. ctx ends when the server begins to close, work when it stops waiting.
func newHost(ctx, work context.Context, e *engine.Engine, keys *space, o config) *host {
	h := &host{
		e: e, space: keys, o: o,
		budget: budget.New(o.clientMemory),
		// One turn more than processors, for a client that waits for the disk.
		turns:      make(chan struct{}, runtime.GOMAXPROCS(0)+1),
		rand:       newRandomness(rand.Uint64()),
		deferAbove: deferAbove,
		ctx:        ctx, work: work,
	}
	h.maxClients.Store(int64(o.maxClients))
	h.idleTimeout.Store(int64(o.idleTimeout))
	return h
}

// resetStats sets all totals to 0.
func (h *host) resetStats() {
	h.counters.connections.Store(0)
	h.counters.refused.Store(0)
	h.counters.evicted.Store(0)
	for _, m := range h.commands.all() {
		m.calls.Store(0)
	}
}

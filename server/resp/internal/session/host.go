package session

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Config is the options of a host. They have no defaults: the server fills them.
type Config struct {
	Conn         conn.Options
	MaxReply     int
	MaxClients   int
	ClientMemory int64
	Databases    int
	IdleTimeout  time.Duration // 0: none
	Scores       wire.ScoreText
	Users        auth.Users
	Log          *slog.Logger
}

// Host is what all clients of a server share. Its methods may be called from any goroutine.
type Host struct {
	Engine   *engine.Engine
	Space    *keyspace.Space
	Commands Table  // the caller of NewHost sets it
	Config   Config // as NewHost got it; MaxClients and IdleTimeout may have changed since
	Budget   *budget.Budget
	Turns    chan struct{} // holds one value for each turn that a client has: see memory.go
	Rand     *randomness
	// DeferAbove is how many entries a set operation may go through inside a transaction. Tests change it.
	DeferAbove int

	Ctx  context.Context // ends when the server begins to close
	Work context.Context // of deferred set operations; ends when the server stops waiting for them

	MaxClients  atomic.Int64 // CONFIG SET changes it
	IdleTimeout atomic.Int64 // a time.Duration; CONFIG SET changes it
	Clients     registry     // the connected clients
	Waited      waitedKeys   // the keys that clients wait for
	Counters    counters
	AuthDelay   auth.Delay

	wrongAuth, noTLS, evicted ThrottledLog
}

// DeferAbove is how many entries a set operation may go through inside a transaction.
const DeferAbove = 4096

// counters are totals since the server was made, for INFO.
type counters struct {
	Connections atomic.Int64 // accepted
	Refused     atomic.Int64 // because of MaxClients
	Evicted     atomic.Int64 // disconnected because of Config.ClientMemory
}

// NewHost returns the shared state of the clients of a space. ctx ends when the server begins to close, work when it stops waiting.
func NewHost(ctx, work context.Context, e *engine.Engine, keys *keyspace.Space, o Config) *Host {
	h := &Host{
		Engine: e, Space: keys, Config: o,
		Budget: budget.New(o.ClientMemory),
		// One turn more than processors, for a client that waits for the disk.
		Turns:      make(chan struct{}, runtime.GOMAXPROCS(0)+1),
		Rand:       NewRandomness(rand.Uint64()),
		DeferAbove: DeferAbove,
		Ctx:        ctx, Work: work,
	}
	h.MaxClients.Store(int64(o.MaxClients))
	h.IdleTimeout.Store(int64(o.IdleTimeout))
	return h
}

// ResetStats sets all totals to 0.
func (h *Host) ResetStats() {
	h.Counters.Connections.Store(0)
	h.Counters.Refused.Store(0)
	h.Counters.Evicted.Store(0)
	for _, m := range h.Commands.All() {
		m.Calls.Store(0)
	}
}

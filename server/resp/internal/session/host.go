package session

import (
	"context"
	"math/rand/v2"
	"runtime"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// DeferAbove is how many entries a set operation may go through inside a transaction.
const DeferAbove = 4096

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

package resp

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
)

// Server speaks the Redis protocol in front of an engine. Its methods may be called from any goroutine.
type Server struct {
	e        *engine.Engine
	o        Options
	commands map[string]*command
	plain    plain
	budget   *flow.Budget

	ctx  context.Context // ends when Close begins
	stop context.CancelFunc
	done sync.WaitGroup // of listeners and clients

	mu        sync.Mutex
	closed    bool
	listeners map[*listener]struct{}
	clients   map[int64]*client
	lastID    atomic.Int64
	counters  counters
}

// counters are figures since the server was made, for INFO.
type counters struct {
	connections atomic.Int64 // taken
	refused     atomic.Int64 // over MaxClients
	commands    atomic.Int64
	blocked     atomic.Int64 // clients that wait for members now
}

// New returns a server of an engine, which listens nowhere yet: see Listen and Serve. The engine stays the caller's, who closes the
// server first. O(strings and plain sets that are stored). Errors: those of Options.Validate and of the engine.
func New(e *engine.Engine, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.filled()
	s := &Server{e: e, o: o, commands: commandTable(), budget: flow.NewBudget(o.MaxBuffers),
		listeners: map[*listener]struct{}{}, clients: map[int64]*client{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	if err := s.plain.load(e); err != nil {
		return nil, err
	}
	return s, nil
}

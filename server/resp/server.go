package resp

import (
	"context"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
)

// Server speaks the Redis protocol in front of an engine. Its methods may be called from any goroutine.
type Server struct {
	e        *engine.Engine
	o        Options
	commands map[string]*command
	each     []*command // all of them, by name
	runID    string     // tells servers apart
	plain    plain
	chance   chance
	// patientFrom is the constant, but for tests.
	patientFrom int
	settings    settings
	seed        maphash.Seed // of the order in which SCAN walks plain values
	// elsewhere: a client has named a key that is not the engine's own word for it: of another database, say.
	elsewhere atomic.Bool
	started   time.Time
	saving    atomic.Bool // BGSAVE is under way
	budget    *budget.Budget
	turns     chan struct{} // see memory.go

	ctx     context.Context // ends when Close begins
	stop    context.CancelFunc
	work    context.Context // of what is left to the engine: ends when Close waits no longer
	abandon context.CancelFunc
	done    sync.WaitGroup // of listeners and clients

	mu                        sync.Mutex
	closed                    bool
	listeners                 map[*listener]struct{}
	clients                   map[int64]*client
	lastID                    atomic.Int64
	refused, wrongAuth, noTLS seldom // what the log is told of clients
	evicted                   seldom
	counters                  counters
	authDelay                 authDelay
	watchers                  watchers
	waited                    waited
	forReplicas               atomic.Int64 // how many clients wait for replicas
}

// counters are figures since the server was made, for INFO.
type counters struct {
	connections atomic.Int64 // taken
	refused     atomic.Int64 // over MaxClients
	evicted     atomic.Int64 // disconnected for their memory
}

// New returns a server of an engine, which listens nowhere yet: see Listen and Serve. The engine stays the caller's, who closes the
// server first. O(keys). Errors: those of Options.Validate and of the engine.
func New(e *engine.Engine, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.filled()
	s := &Server{e: e, o: o, commands: commandTable(), budget: budget.New(o.ClientMemory), turns: newTurns(), seed: maphash.MakeSeed(), chance: newChance(rand.Uint64()), patientFrom: patientFrom, started: e.Now(),
		listeners: map[*listener]struct{}{}, clients: map[int64]*client{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.work, s.abandon = context.WithCancel(context.Background())
	s.settings.init(o)
	s.each, s.runID = inOrder(s.commands), fmt.Sprintf("%016x%016x%08x", rand.Uint64(), rand.Uint64(), rand.Uint32())
	if err := s.plain.load(e); err != nil {
		return nil, err
	}
	others, err := e.Keys("\x00")
	s.elsewhere.Store(len(others) > 0)
	return s, err
}

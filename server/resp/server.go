package resp

import (
	"context"
	"sync"

	"github.com/zrankdb/zrank/engine"
)

// Server speaks the Redis protocol in front of an engine. Its methods may be called from any goroutine.
type Server struct {
	e    *engine.Engine
	o    Options
	host *host

	stop    context.CancelFunc // Close begins
	abandon context.CancelFunc // Close waits no longer
	done    sync.WaitGroup     // listeners, clients and BGSAVE

	listeners listeners
	refused   throttledLog
	mu        sync.Mutex // no client and no listener is added after closed is set
	closed    bool
}

// New returns a server of an engine, which listens nowhere yet: see Listen and Serve. The engine stays the caller's, who closes the
// server first. O(keys). Errors: those of Options.Validate and of the engine.
func New(e *engine.Engine, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.filled()
	keys, err := newSpace(e, o.Boards)
	if err != nil {
		return nil, err
	}
	s := &Server{e: e, o: o}
	closing, stop := context.WithCancel(context.Background())
	work, abandon := context.WithCancel(context.Background())
	s.stop, s.abandon = stop, abandon
	s.host = newHost(closing, work, e, keys, o.config())
	s.host.commands = newTable(s.families()...)
	return s, nil
}

// families returns the commands of the server.
func (s *Server) families() [][]command {
	return [][]command{
		connectionCommands,
		commandCommands,
		transactionCommands,
		sortedSetCommands,
		genericCommands,
		stringCommands,
		setCommands,
		adminTable(s.host, &s.listeners, adminOptions{debug: s.o.Debug, shutdown: s.o.Shutdown, done: &s.done}),
		boardTable(s.e, s.o.Boards),
	}
}

// config returns the options, which are filled, as the clients' host takes them.
func (o Options) config() config {
	c := config{
		conn:         connOptions{maxRequest: o.MaxRequest, maxPending: o.MaxPending, slowTimeout: o.SlowTimeout, handshakeTimeout: o.HandshakeTimeout},
		maxReply:     o.MaxReply,
		maxClients:   o.MaxClients,
		clientMemory: o.ClientMemory,
		databases:    o.Databases,
		idleTimeout:  o.IdleTimeout,
		scores:       o.Scores,
		log:          o.Logger,
	}
	for _, u := range o.Users {
		c.users = append(c.users, authUser{name: u.Name, password: u.Password, readOnly: u.ReadOnly})
	}
	return c
}

package resp

import (
	"context"
	"sync"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/boardcmd"
	"github.com/zrankdb/zrank/server/resp/internal/clientcmd"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/dumpcmd"
	"github.com/zrankdb/zrank/server/resp/internal/keycmd"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/listen"
	"github.com/zrankdb/zrank/server/resp/internal/plaincmd"
	"github.com/zrankdb/zrank/server/resp/internal/servercmd"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/txcmd"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/server/resp/internal/zsetcmd"
)

// Server speaks the Redis protocol in front of an engine. Its methods may be called from any goroutine.
type Server struct {
	e    *engine.Engine
	o    Options
	host *session.Host

	stop    context.CancelFunc // Close calls it first: clients finish their commands
	abandon context.CancelFunc // Close calls it when CloseGrace is over: commands end
	done    sync.WaitGroup     // listeners, clients and BGSAVE

	listeners listen.Set
	refused   session.ThrottledLog
	mu        sync.Mutex // no client and no listener is added after closed is set
	closed    bool
}

// New returns a server of an engine. The server does not listen yet: see Listen and Serve. The caller closes the engine, after the server.
// O(keys). Errors: those of Options.Validate and of the engine.
func New(ctx context.Context, e *engine.Engine, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.filled()
	keys, err := keyspace.New(ctx, e, o.Boards)
	if err != nil {
		return nil, err
	}
	s := &Server{e: e, o: o}
	closing, stop := context.WithCancel(context.Background())
	work, abandon := context.WithCancel(context.Background())
	s.stop, s.abandon = stop, abandon
	s.host = session.NewHost(closing, work, e, keys, o.config())
	s.host.Commands = session.NewTable(s.families()...)
	return s, nil
}

// families returns the commands of the server, by family.
func (s *Server) families() [][]session.Command {
	return [][]session.Command{
		clientcmd.Commands,
		clientcmd.Introspection,
		txcmd.Commands,
		zsetcmd.Commands,
		keycmd.Commands,
		dumpcmd.Commands,
		plaincmd.Strings,
		plaincmd.Sets,
		servercmd.Commands(s.host, &s.listeners, servercmd.Options{Debug: s.o.Debug, Shutdown: s.o.Shutdown, Done: &s.done}),
		boardcmd.Commands(s.o.Boards, s.o.openCluster()),
	}
}

// openCluster returns Cluster in the form that boardcmd takes; nil: there is none.
func (o Options) openCluster() boardcmd.OpenCluster {
	if o.Cluster == nil {
		return nil
	}
	return func(url string, how boardcmd.ClusterOptions) (boardcmd.Cluster, error) {
		return o.Cluster(url, ClusterOptions(how))
	}
}

// config returns the options in the form that session.NewHost takes. filled must have set the defaults before.
func (o Options) config() session.Config {
	c := session.Config{
		Conn:         conn.Options{MaxRequest: o.MaxRequest, MaxPending: o.MaxPending, SlowTimeout: o.SlowTimeout, HandshakeTimeout: o.HandshakeTimeout},
		MaxReply:     o.MaxReply,
		MaxClients:   o.MaxClients,
		ClientMemory: o.ClientMemory,
		Databases:    o.Databases,
		IdleTimeout:  o.IdleTimeout,
		Scores:       wire.ScoreText(o.Scores),
		Log:          o.Logger,
	}
	for _, u := range o.Users {
		c.Users = append(c.Users, auth.User{Name: u.Name, Password: u.Password, Kind: auth.Kind(u.Kind)})
	}
	return c
}

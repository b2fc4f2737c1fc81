package servercmd

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/listen"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// server is the commands on one server.
type server struct {
	host      *session.Host
	listeners *listen.Set
	o         Options
	runID     string // tells servers apart
	started   time.Time
	saving    atomic.Bool  // BGSAVE is running
	replicas  atomic.Int64 // clients that wait for replicas
	setting   sync.Mutex   // CONFIG SET changes one setting or several
}

// saved returns the time of a snapshot of an age; of age 0, which is no snapshot, that when the server was made.
func (s *server) saved(age time.Duration) time.Time {
	if age == 0 {
		return s.started
	}
	return s.host.Engine.Now().Add(-age)
}

// Options is what the commands may do beside what their host offers.
type Options struct {
	Debug    bool            // DEBUG is allowed
	Shutdown func()          // ends the program, for SHUTDOWN; nil: SHUTDOWN is refused
	Done     *sync.WaitGroup // counts BGSAVE, so that the server's Close waits for it
}

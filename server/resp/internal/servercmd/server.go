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

// saved returns the time of the last snapshot from its age. Age 0 means that there is none: then it returns the time when the server was made.
func (s *server) saved(age time.Duration) time.Time {
	if age == 0 {
		return s.started
	}
	return s.host.Engine.Now().Add(-age)
}

// Options are the options of these commands beside those of their host.
type Options struct {
	Debug    bool            // DEBUG is allowed
	Shutdown func()          // ends the program, for SHUTDOWN; nil: SHUTDOWN is refused
	Done     *sync.WaitGroup // counts BGSAVE, so that the server's Close waits for it
}

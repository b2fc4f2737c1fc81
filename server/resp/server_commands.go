package resp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// adminServer is the commands on one server.
type adminServer struct {
	host      *host
	listeners *listeners
	o         adminOptions
	runID     string // tells servers apart
	started   time.Time
	saving    atomic.Bool  // BGSAVE is running
	replicas  atomic.Int64 // clients that wait for replicas
	setting   sync.Mutex   // CONFIG SET changes one setting or several
}

// adminOptions are what the commands on a server may do beside what its host offers.
type adminOptions struct {
	debug    bool            // DEBUG is allowed
	shutdown func()          // ends the program, for SHUTDOWN; nil: SHUTDOWN is refused
	done     *sync.WaitGroup // counts BGSAVE, so that the server's Close waits for it
}

// adminTable returns the commands on a server.
func adminTable(h *host, l *listeners, o adminOptions) []command {
	s := &adminServer{host: h, listeners: l, o: o, started: h.e.Now(), runID: fmt.Sprintf("%016x%016x%08x", rand.Uint64(), rand.Uint64(), rand.Uint32())}
	return []command{
		{name: "config", arity: -2, subs: s.config(), doc: doc{"Settings", "2.0.0", "server", "O(settings)"}},
		{name: "info", arity: -1, flags: whole, alone: s.infoAlone, tx: s.infoTx,
			doc: doc{"Returns figures of the server", "1.0.0", "server", "O(1), and that of DBSIZE"}},
		{name: "lastsave", arity: 1, flags: fast, alone: s.lastsave,
			doc: doc{"Returns when the last snapshot was taken", "1.0.0", "server", "O(1)"}},
		{name: "save", arity: 1, flags: admin | noMulti, alone: s.save,
			doc: doc{"Takes a snapshot", "1.0.0", "server", "O(what has changed)"}},
		{name: "bgsave", arity: -1, flags: admin, alone: s.bgsave,
			doc: doc{"Takes a snapshot in the background", "1.0.0", "server", "O(1)"}},
		{name: "shutdown", arity: -1, flags: admin | noMulti, alone: s.shutdown,
			doc: doc{"Ends the program", "1.0.0", "server", "O(what has changed)"}},
		{name: "debug", arity: -2, flags: admin | noMulti, alone: s.debug,
			doc: doc{"Helps tests", "1.0.0", "server", "depends"}},
		{name: "time", arity: 1, flags: fast, alone: timeNow,
			doc: doc{"Returns the time in seconds and microseconds", "2.6.0", "server", "O(1)"}},
		{name: "wait", arity: 3, alone: s.waitAlone, tx: waitTx,
			doc: doc{"Waits for replicas, of which there are none, and returns 0", "3.0.0", "generic", "O(1)"}},
		{name: "function", arity: -2, subs: subcommands(functionCommands), doc: doc{"There are no functions", "7.0.0", "scripting", "O(1)"}},
	}
}

// functionCommands are there for test suites that begin with FUNCTION FLUSH.
var functionCommands = []command{
	{name: "function|flush", arity: -2, flags: write, alone: functionFlush,
		doc: doc{"Deletes all functions, of which there are none", "7.0.0", "scripting", "O(1)"}},
	{name: "function|list", arity: -2, alone: func(c *client, _ [][]byte) error { c.out.Array(0); return nil },
		doc: doc{"Returns all functions, of which there are none", "7.0.0", "scripting", "O(1)"}},
}

func functionFlush(c *client, a [][]byte) error {
	if len(a) > 3 {
		return refusal("ERR unknown subcommand or wrong number of arguments for '" + string(a[1]) + "'. Try FUNCTION HELP.")
	}
	if len(a) == 3 && parseFlush(a[1:]) != nil {
		return refusal("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
	}
	c.out.OK()
	return nil
}

// lastsave answers with the second after 1970 at which the last snapshot was taken, or the server was made if there is none.
func (s *adminServer) lastsave(c *client, _ [][]byte) error {
	st, err := s.host.e.Stats()
	if err == nil {
		c.out.Int(s.saved(st.Snapshots.Age).Unix())
	}
	return err
}

// saved returns when a snapshot of some age was taken, or the server was made if there is none.
func (s *adminServer) saved(age time.Duration) time.Time {
	if age == 0 {
		return s.started
	}
	return s.host.e.Now().Add(-age)
}

func (s *adminServer) save(c *client, _ [][]byte) error {
	if s.saving.Load() {
		return refusal("ERR Background save already in progress")
	}
	if err := s.host.e.Snapshot(); err != nil {
		return err
	}
	c.out.OK()
	return nil
}

// bgsave takes a snapshot in the background. An engine in memory only has nowhere to write one.
func (s *adminServer) bgsave(c *client, a [][]byte) error {
	if len(a) > 2 || len(a) == 2 && !is(a[1], "schedule") {
		return errSyntax
	}
	if !s.saving.CompareAndSwap(false, true) {
		return refusal("ERR Background save already in progress")
	}
	s.o.done.Add(1)
	go func() {
		defer s.o.done.Done()
		defer s.saving.Store(false)
		if err := s.host.e.Snapshot(); err != nil {
			s.host.o.log.Error("resp: BGSAVE", "err", err)
		}
	}()
	c.out.Status("Background saving started")
	return nil
}

// shutdown ends the program, by Options.Shutdown, and answers nothing but an error, as Redis does. What has been acknowledged is stored
// either way: NOSAVE and SAVE differ in whether a snapshot is taken first.
func (s *adminServer) shutdown(c *client, a [][]byte) error {
	snapshot, nosave, abort := false, false, false
	for _, word := range a[1:] {
		switch strings.ToLower(string(word)) {
		case "save":
			snapshot = true
		case "nosave":
			nosave = true
		case "now", "force":
		case "abort":
			abort = true
		default:
			return errSyntax
		}
	}
	switch {
	case snapshot && nosave, abort && len(a) > 2:
		return errSyntax
	case abort:
		return refusal("ERR No shutdown in progress.")
	case s.o.shutdown == nil:
		return refusal("ERR SHUTDOWN is not allowed: the program that holds the engine ends by itself")
	case snapshot:
		if err := s.host.e.Snapshot(); err != nil {
			return err
		}
	}
	c.closing = true
	go s.o.shutdown()
	return nil
}

func timeNow(c *client, _ [][]byte) error {
	now := c.host.e.Now()
	c.out.Array(2)
	c.out.BulkString(decimal(uint64(now.Unix())))
	c.out.BulkString(decimal(uint64(now.Nanosecond() / 1000)))
	return nil
}

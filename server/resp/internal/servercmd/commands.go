package servercmd

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/listen"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// Commands returns the commands on a server.
func Commands(h *session.Host, l *listen.Set, o Options) []session.Command {
	s := &server{host: h, listeners: l, o: o, started: h.Engine.Now(), runID: fmt.Sprintf("%016x%016x%08x", rand.Uint64(), rand.Uint64(), rand.Uint32())}
	return []session.Command{
		{Name: "config", Arity: -2, Subs: s.config(), Doc: command.NewDoc("Settings", "2.0.0", "server", "O(settings)")},
		{Name: "info", Arity: -1, Flags: command.Whole, Alone: s.infoAlone, Tx: s.infoTx,
			Doc: command.NewDoc("Returns figures of the server", "1.0.0", "server", "O(1), and that of DBSIZE")},
		{Name: "lastsave", Arity: 1, Flags: command.Fast, Alone: s.lastsave,
			Doc: command.NewDoc("Returns when the last snapshot was taken", "1.0.0", "server", "O(1)")},
		{Name: "save", Arity: 1, Flags: command.Admin | command.NoMulti, Alone: s.save,
			Doc: command.NewDoc("Takes a snapshot", "1.0.0", "server", "O(what has changed)")},
		{Name: "bgsave", Arity: -1, Flags: command.Admin, Alone: s.bgsave,
			Doc: command.NewDoc("Takes a snapshot in the background", "1.0.0", "server", "O(1)")},
		{Name: "shutdown", Arity: -1, Flags: command.Admin | command.NoMulti, Alone: s.shutdown,
			Doc: command.NewDoc("Ends the program", "1.0.0", "server", "O(what has changed)")},
		{Name: "debug", Arity: -2, Flags: command.Admin | command.NoMulti, Alone: s.debug,
			Doc: command.NewDoc("Helps tests", "1.0.0", "server", "depends")},
		{Name: "time", Arity: 1, Flags: command.Fast, Alone: timeNow,
			Doc: command.NewDoc("Returns the time in seconds and microseconds", "2.6.0", "server", "O(1)")},
		{Name: "wait", Arity: 3, Alone: s.waitAlone, Tx: waitTx,
			Doc: command.NewDoc("Waits for replicas, of which there are none, and returns 0", "3.0.0", "generic", "O(1)")},
		{Name: "function", Arity: -2, Subs: session.Subcommands(functionCommands), Doc: command.NewDoc("There are no functions", "7.0.0", "scripting", "O(1)")},
	}
}

// functionCommands exist for test suites that begin with FUNCTION FLUSH.
var functionCommands = []session.Command{
	{Name: "function|flush", Arity: -2, Flags: command.Write, Alone: functionFlush,
		Doc: command.NewDoc("Deletes all functions, of which there are none", "7.0.0", "scripting", "O(1)")},
	{Name: "function|list", Arity: -2, Alone: func(c *session.Client, _ [][]byte) error { c.Out.Array(0); return nil },
		Doc: command.NewDoc("Returns all functions, of which there are none", "7.0.0", "scripting", "O(1)")},
}

func functionFlush(c *session.Client, a [][]byte) error {
	if len(a) > 3 {
		return command.Refusal("ERR unknown subcommand or wrong number of arguments for '" + string(a[1]) + "'. Try FUNCTION HELP.")
	}
	if len(a) == 3 && command.ParseFlush(a[1:]) != nil {
		return command.Refusal("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
	}
	c.Out.OK()
	return nil
}

// lastsave answers with the Unix second of the last snapshot, or that when the server was made.
func (s *server) lastsave(c *session.Client, _ [][]byte) error {
	st, err := s.host.Engine.Stats()
	if err == nil {
		c.Out.Int(s.saved(st.Snapshots.Age).Unix())
	}
	return err
}

// errMemory refuses what would answer that everything is saved, where nothing ever is.
const errMemory = command.Refusal("ERR nothing can be saved: the server has no directory, and keeps everything in memory")

// snapshot takes a snapshot. An engine in memory takes none.
func (s *server) snapshot() error {
	if !s.host.Engine.Settings().Stored {
		return errMemory
	}
	return s.host.Engine.Snapshot()
}

func (s *server) save(c *session.Client, _ [][]byte) error {
	if s.saving.Load() {
		return command.Refusal("ERR Background save already in progress")
	}
	if err := s.snapshot(); err != nil {
		return err
	}
	c.Out.OK()
	return nil
}

// bgsave takes a snapshot in the background.
func (s *server) bgsave(c *session.Client, a [][]byte) error {
	if len(a) > 2 || len(a) == 2 && !command.Is(a[1], "schedule") {
		return command.ErrSyntax
	}
	if !s.host.Engine.Settings().Stored {
		return errMemory
	}
	if !s.saving.CompareAndSwap(false, true) {
		return command.Refusal("ERR Background save already in progress")
	}
	s.o.Done.Add(1)
	go func() {
		defer s.o.Done.Done()
		defer s.saving.Store(false)
		if err := s.host.Engine.Snapshot(); err != nil {
			s.host.Config.Log.Error("resp: BGSAVE", "err", err)
		}
	}()
	c.Out.Status("Background saving started")
	return nil
}

// shutdown ends the program by Options.Shutdown, and answers nothing but an error, as Redis does. Acknowledged writes are stored with NOSAVE
// too; SAVE takes a snapshot first.
func (s *server) shutdown(c *session.Client, a [][]byte) error {
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
			return command.ErrSyntax
		}
	}
	switch {
	case snapshot && nosave, abort && len(a) > 2:
		return command.ErrSyntax
	case abort:
		return command.Refusal("ERR No shutdown in progress.")
	case s.o.Shutdown == nil:
		return command.Refusal("ERR SHUTDOWN is not allowed: the program that holds the engine ends by itself")
	case snapshot:
		if err := s.snapshot(); err != nil {
			return err
		}
	}
	c.Closing = true
	go s.o.Shutdown()
	return nil
}

func timeNow(c *session.Client, _ [][]byte) error {
	now := c.Host.Engine.Now()
	c.Out.Array(2)
	c.Out.BulkString(command.Decimal(uint64(now.Unix())))
	c.Out.BulkString(command.Decimal(uint64(now.Nanosecond() / 1000)))
	return nil
}

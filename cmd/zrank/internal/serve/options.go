package serve

import (
	"cmp"
	"errors"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp"
)

// serving has the flags of "zrank serve".
type serving struct {
	dir, addr, socket string
	redis             string // where Redis clients reach it, for others
	memory            bool
	cert, key         string // files of TLS
	users, spec       string // files
	durability        string
	scores            string
	memoryLimit       flags.ByteSize
	maxRequest        flags.ByteSize
	clientMemory      flags.ByteSize
	feedLog           flags.ByteSize
	cpus              int
	engine            engine.Options
	server            resp.Options
	http              httpServing
	door              *door // of Redis clients
}

// flags adds the flags to the command.
func (s *serving) flags(c *cobra.Command) {
	flags.Dir(c, &s.dir)
	f := c.Flags()
	f.BoolVar(&s.memory, "memory", false, "store nothing: all is gone when it ends")
	f.StringVar(&s.addr, "resp", "127.0.0.1:6379", `address to listen on; without a host, this machine only; "" for none`)
	s.http.flags(c)
	f.StringVar(&s.socket, "unixsocket", "", "path of a Unix socket to listen on")
	f.StringVar(&s.cert, "tls-cert", "", "file with a certificate, PEM: --resp speaks TLS")
	f.StringVar(&s.key, "tls-key", "", "file with the certificate's key, PEM")
	f.StringVar(&s.users, "users", "", "file of users, a line each: "+userLine)
	f.StringVar(&s.spec, "spec", "", "file with specs of boards, made if they do not exist: one as JSON, or an array of them")
	f.StringVar(&s.durability, "durability", "sync", "what a reply waits for: sync (the disk), interval or none")
	f.DurationVar(&s.engine.Interval, "interval", 100*time.Millisecond, "time between flushes at durability interval")
	f.StringVar(&s.scores, "scores", "7.2", "how scores are written: 7.2 (shortest, as Redis since 7.2) or 7.0 (17 digits)")
	f.IntVar(&s.server.Databases, "databases", 16, "how many databases SELECT knows")
	f.IntVar(&s.server.MaxClients, "maxclients", 0, "how many Redis clients may be connected; 0: 10,000, or as many as the limit of open files allows")
	f.DurationVar(&s.server.IdleTimeout, "timeout", 0, "disconnect clients that send nothing for so long; 0: never")
	f.Var(&s.maxRequest, "max-request", "size of the largest request")
	f.Var(&s.clientMemory, "client-memory", "what all clients together may take of memory with requests and replies; the largest is disconnected first")
	f.Var(&s.memoryLimit, "memory-limit", "what sets may take of memory; 0: any; sets leave for the disk, with --memory writes are refused")
	s.feedLog = datadir.FeedLog
	f.Var(&s.feedLog, "feed-log", "how much of the log is kept for BOARD.FEED and zrank follow when a snapshot cuts it")
	f.IntVar(&s.cpus, "cpus", 0, "how many processors to use at a time; 0: as GOMAXPROCS says, or all up to 4, and all but one of more")
	f.BoolVar(&s.server.Debug, "debug-commands", false, "allow DEBUG")
}

// prepare checks the flags and reads the files that they name.
func (s *serving) prepare(log *slog.Logger) (err error) {
	if s.addr == "" && s.socket == "" && s.http.addr == "" {
		return flags.Errorf("nothing to listen on: --resp, --unixsocket or --api is missing")
	}
	if strings.HasPrefix(s.addr, "unix:") {
		return flags.Errorf("--resp is %q: a Unix socket is given by --unixsocket", s.addr)
	}
	if (s.cert == "") != (s.key == "") {
		return flags.Errorf("--tls-cert and --tls-key belong together")
	}
	if int64(s.maxRequest) > math.MaxInt {
		return flags.Errorf("--max-request is %v, want %d or less on this machine", &s.maxRequest, math.MaxInt)
	}
	if s.cpus < 0 {
		return flags.Errorf("--cpus is %d, want 0 or more", s.cpus)
	}
	if s.engine.Durability, err = engine.ParseDurability(s.durability); err != nil {
		return flags.Errorf("--durability is %q, want sync, interval or none", s.durability)
	}
	if s.clientMemory > 0 && s.clientMemory < resp.LeastClientMemory {
		return flags.Errorf("--client-memory is %v, want 0, which is 256MiB, or at least %v", &s.clientMemory, new(flags.ByteSize(resp.LeastClientMemory)))
	}
	switch s.scores {
	case "7.2":
	case "7.0":
		s.server.Scores = resp.Redis70
	default:
		return flags.Errorf("--scores is %q, want 7.2 or 7.0", s.scores)
	}
	s.engine.FeedLogBytes = int64(s.feedLog)
	s.engine.MemoryLimit, s.server.MaxRequest, s.server.ClientMemory = int64(s.memoryLimit), int(s.maxRequest), int64(s.clientMemory)
	if s.server.Users, err = readUsers(s.users, log); err != nil {
		return err
	}
	s.engine.Logger, s.server.Logger = log, log
	if err := errors.Join(flags.Wrong(s.engine.Validate()), flags.Wrong(s.server.Validate()), s.http.prepare(log)); err != nil {
		return err
	}
	s.limitClients(log)
	return nil
}

// limitClients shares the files that this process may open between the doors, and lowers --maxclients if need be.
func (s *serving) limitClients(log *slog.Logger) {
	doors := 0
	if s.addr != "" || s.socket != "" {
		doors++
	}
	if s.http.addr != "" {
		doors++
	}
	files := openFiles()
	most := clientsOf(files, doors, !s.memory)
	wanted := s.server.MaxClients
	if s.server.MaxClients = min(cmp.Or(wanted, defaultClients), most); wanted > most {
		log.Warn("fewer clients than --maxclients, as the limit of open files is low", "clients", most, "maxclients", wanted, "files", files)
	}
	// One more than the server takes: it tells that one why it goes, and counts it. CONFIG SET maxclients may ask for more than there can be.
	s.door = &door{most: most + 1, log: log, clock: time.Now}
	s.http.door = &door{most: most, log: log, clock: time.Now}
}

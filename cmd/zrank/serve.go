package main

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/server/resp"
)

// serving is what the flags of "zrank serve" say.
type serving struct {
	dir, addr, socket string
	memory            bool
	cert, key         string // files of TLS
	users, spec       string // files
	durability        string
	scores            string
	memoryLimit       byteSize
	maxRequest        byteSize
	clientMemory      byteSize
	cpus              int
	engine            engine.Options
	server            resp.Options
}

func newServe() *cobra.Command {
	s := &serving{maxRequest: 64 << 20, clientMemory: 256 << 20}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a data directory to Redis clients",
		Long: `Serve a data directory to Redis clients: all commands of sorted sets, and boards, whose periods read as sorted sets and which BOARD.SUBMIT
and its like know. A directory that does not exist is made.

It listens on this machine only, unless told otherwise, and elsewhere only if there are users: the password of the user default is in
the environment as ` + passwordEnv + `, others are lines "NAME PASSWORD [readonly]" of a file that nobody else should be able to read. With a
certificate --resp speaks TLS and nothing else; a Unix socket never does.

All clients together take --client-memory of memory at most, for requests that have come in part and replies that are not read; above that the
client that takes most is disconnected. The process may grow by up to twice as much. A TLS handshake may take 10 s, and saying who one is
60 s. After ten wrong passwords an address may try one a second.

It ends with SIGTERM, SIGINT or SHUTDOWN: commands that have come are done, answered and stored, whatever the durability, and it
exits with 0. A second signal ends it at once. What was answered at durability sync survives that too, and a power cut.

What it does is on standard error. A directory that "zrank replay" has filled lives in the time of its data, which stands still while it
is served.`,
		Example: `  zrank serve --dir data
  zrank serve --dir data --spec arena.json --resp :6380 --unixsocket /run/zrank.sock
  zrank serve --dir data --resp 0.0.0.0:6379 --users users.txt --tls-cert cert.pem --tls-key key.pem
  zrank serve --memory --memory-limit 4GiB`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("dir") && s.memory {
				return usagef("--dir and --memory exclude each other")
			}
			return s.run(c.Context(), slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)))
		},
	}
	s.flags(c)
	return c
}

func (s *serving) flags(c *cobra.Command) {
	dirFlag(c, &s.dir)
	f := c.Flags()
	f.BoolVar(&s.memory, "memory", false, "store nothing: all is gone when it ends")
	f.StringVar(&s.addr, "resp", "127.0.0.1:6379", `address to listen on; without a host, this machine only; "" for none`)
	f.StringVar(&s.socket, "unixsocket", "", "path of a Unix socket to listen on")
	f.StringVar(&s.cert, "tls-cert", "", "file with a certificate, PEM: --resp speaks TLS")
	f.StringVar(&s.key, "tls-key", "", "file with the certificate's key, PEM")
	f.StringVar(&s.users, "users", "", `file of users, a line each: NAME PASSWORD [readonly]`)
	f.StringVar(&s.spec, "spec", "", "file with specs of boards, made if they do not exist: one as JSON, or an array of them")
	f.StringVar(&s.durability, "durability", "sync", "what a reply waits for: sync (the disk), interval or none")
	f.DurationVar(&s.engine.Interval, "interval", 100*time.Millisecond, "time between flushes at durability interval")
	f.StringVar(&s.scores, "scores", "7.2", "how scores are written: 7.2 (shortest, as Redis since 7.2) or 7.0 (17 digits)")
	f.IntVar(&s.server.Databases, "databases", 16, "how many databases SELECT knows")
	f.IntVar(&s.server.MaxClients, "maxclients", 10_000, "how many clients may be connected")
	f.DurationVar(&s.server.IdleTimeout, "timeout", 0, "disconnect clients that send nothing for so long; 0: never")
	f.Var(&s.maxRequest, "max-request", "size of the largest request")
	f.Var(&s.clientMemory, "client-memory", "what all clients together may take of memory with requests and replies; the largest is disconnected first")
	f.Var(&s.memoryLimit, "memory-limit", "what sets may take of memory; 0: any; sets leave for the disk, with --memory writes are refused")
	f.IntVar(&s.cpus, "cpus", 0, "how many processors to use at a time; 0: as GOMAXPROCS says, or all but one, if there are more, which the kernel and clients on this machine need")
	f.BoolVar(&s.server.Debug, "debug-commands", false, "allow DEBUG")
}

// prepare checks the flags and reads the files that they name.
func (s *serving) prepare(log *slog.Logger) (err error) {
	if s.addr == "" && s.socket == "" {
		return usagef("nothing to listen on: --resp or --unixsocket is missing")
	}
	if strings.HasPrefix(s.addr, "unix:") {
		return usagef("--resp is %q: a Unix socket is given by --unixsocket", s.addr)
	}
	if (s.cert == "") != (s.key == "") {
		return usagef("--tls-cert and --tls-key belong together")
	}
	if int64(s.maxRequest) > math.MaxInt {
		return usagef("--max-request is %v, want %d or less on this machine", &s.maxRequest, math.MaxInt)
	}
	if s.cpus < 0 {
		return usagef("--cpus is %d, want 0 or more", s.cpus)
	}
	if s.engine.Durability, err = engine.ParseDurability(s.durability); err != nil {
		return usagef("--durability is %q, want sync, interval or none", s.durability)
	}
	if s.clientMemory > 0 && s.clientMemory < resp.LeastClientMemory {
		return usagef("--client-memory is %v, want 0, which is 256MiB, or at least %v", &s.clientMemory, new(byteSize(resp.LeastClientMemory)))
	}
	switch s.scores {
	case "7.2":
	case "7.0":
		s.server.Scores = resp.Redis70
	default:
		return usagef("--scores is %q, want 7.2 or 7.0", s.scores)
	}
	s.engine.MemoryLimit, s.server.MaxRequest, s.server.ClientMemory = int64(s.memoryLimit), int(s.maxRequest), int64(s.clientMemory)
	if s.server.Users, err = readUsers(s.users, log); err != nil {
		return err
	}
	s.engine.Logger, s.server.Logger = log, log
	return errors.Join(wrongCall(s.engine.Validate()), wrongCall(s.server.Validate()))
}

// run serves until ctx ends or a client wants it to.
func (s *serving) run(ctx context.Context, log *slog.Logger) (err error) {
	if err := s.prepare(log); err != nil {
		return err
	}
	runtime.GOMAXPROCS(s.processors())
	listeners, err := s.listen()
	if err != nil {
		return err
	}
	defer closeAll(listeners)
	clock := newClock()
	s.engine.Clock = clock.now
	e, err := s.open()
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, e.Close()); err == nil {
			log.Info("stopped")
		}
	}()
	if err := clock.serve(e, log); err != nil {
		return err
	}
	boards, err := s.boards(e, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	s.server.Boards = boards
	return s.serve(ctx, e, listeners, log)
}

// open opens the engine.
func (s *serving) open() (*engine.Engine, error) {
	if s.memory {
		return engine.New(s.engine)
	}
	return engine.Open(s.dir, s.engine)
}

// boards opens the boards, and makes those of the spec file that there are not.
func (s *serving) boards(e *engine.Engine, log *slog.Logger) (*board.Boards, error) {
	boards, err := board.Open(e, board.Options{Logger: log})
	if err != nil || s.spec == "" {
		return boards, err
	}
	all, _, err := readSpecs(s.spec)
	for _, spec := range all {
		if err == nil {
			_, err = boards.Define(spec)
		}
	}
	if err != nil {
		return nil, errors.Join(err, boards.Close())
	}
	return boards, nil
}

// processors returns how many processors to use at a time. Go's scheduler looks for work on every one that it may use, and takes it from
// the kernel's network and from clients beside it: with one of two, 50 connections that wait for each answer make 1.1 to 1.4 times as
// many calls as with both, and with pipelines about as many.
func (s *serving) processors() int {
	switch all := runtime.GOMAXPROCS(0); {
	case s.cpus > 0:
		return s.cpus
	case os.Getenv("GOMAXPROCS") != "":
		return all
	default:
		return max(all-1, 1)
	}
}

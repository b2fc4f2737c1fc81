package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp"
)

// New returns the command "zrank serve".
func New() *cobra.Command {
	s := &serving{maxRequest: 64 << 20, clientMemory: 256 << 20}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a data directory to Redis clients and by an HTTP API",
		Long: `Serve a data directory to Redis clients at --resp: all commands of sorted sets, and boards, whose periods read as sorted sets and which BOARD.SUBMIT
and its like know; and by an HTTP API at --api: boards as JSON, described by /v1/openapi.json. The other commands ask it with --addr. A
directory that does not exist is made.

--resp listens on this machine only, unless told otherwise, and elsewhere only if there are users: the password of the user default is in
the environment as ` + passwordEnv + `, others are lines "` + userLine + `" of a file that nobody else should be able to read.
A user of the kind read may only read, write may submit and change sets too, moderate may also ban, erase and so on and read audit logs,
which name the user. Any, the default, may run all commands, also those that administrate the server. With a certificate --resp speaks
TLS and nothing else; a Unix socket never does.

--api listens on this machine only, too, unless told otherwise. Without --api-keys everybody on this machine may do everything there; with keys a request
has one in its header, "Authorization: Bearer SECRET". A line of the file is "` + keyLine + `": RIGHTS are all, or some of
read,submit,moderate with commas between them, BOARDs limit them, and the hash keeps the secret out of the file. Other machines reach it only
with keys and TLS, or with --api-insecure. An address that sends 30 wrong keys in a minute is refused for a while: behind a proxy name it with
--trusted-proxies, or all its clients are one address. With --api-token-key players come with tokens (JWT) that the game has signed, and read what is their own; with
--api-ticket-key servers with the right to submit sign results that players submit themselves, once.

Redis clients, and connections of the API, are as many as the limit of open files allows beside the files of the store, which come first: a
Redis client too many gets an error, a connection of the API is closed.

All clients together take --client-memory of memory at most, for requests that have come in part and replies that are not read; above that the
client that takes most is disconnected. The process may grow by up to twice as much. A TLS handshake may take 10 s, and saying who one is
60 s. After ten wrong passwords an address may try one a second.

It ends with SIGTERM, SIGINT or SHUTDOWN: commands and requests that have come are done, answered and stored, whatever the durability, and it
exits with 0. A second signal ends it at once. What was answered at durability sync survives that too, and a power cut.

What it does is on standard error. A directory that "zrank replay" has filled lives in the time of its data, which stands still while it
is served.`,
		Example: `  zrank serve --dir data
  zrank serve --dir data --spec arena.json --resp :6380 --unixsocket /run/zrank.sock
  zrank serve --dir data --resp 0.0.0.0:6379 --users users.txt --tls-cert cert.pem --tls-key key.pem
  zrank serve --dir data --resp "" --api 0.0.0.0:443 --api-keys keys.txt --api-tls-cert cert.pem --api-tls-key key.pem
  zrank serve --memory --memory-limit 4GiB`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("dir") && s.memory {
				return flags.Errorf("--dir and --memory exclude each other")
			}
			return s.run(c.Context(), slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)))
		},
	}
	s.flags(c)
	return c
}

// run serves until ctx ends or a client sends SHUTDOWN.
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
	if err := s.http.listen(); err != nil {
		return err
	}
	defer s.http.close()
	clock := datadir.NewClock()
	s.engine.Clock, s.http.options.Clock = clock.Now, clock.Now
	e, err := s.open()
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, e.Close()); err == nil {
			log.Info("stopped")
		}
	}()
	if err := clock.Serve(ctx, e, log); err != nil {
		return err
	}
	boards, err := s.boards(ctx, e, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	s.server.Boards, s.server.Cluster = boards, openCluster
	defer s.announce(log)()
	return s.serve(ctx, e, listeners, log)
}

// announce says in the directory how to reach the server, until the function that it returns is called. It may fail: the server can do without.
func (s *serving) announce(log *slog.Logger) (stop func()) {
	if s.memory {
		return func() {}
	}
	end, err := datadir.Announce(s.dir, datadir.Server{PID: os.Getpid(), API: s.http.url(), Redis: s.redis})
	if err != nil {
		log.Warn("others are not told how to reach this server", "err", err)
		return func() {}
	}
	return func() {
		if err := end(); err != nil {
			log.Warn("cannot say that this server has ended", "err", err)
		}
	}
}

// openCluster opens boards on a cluster, for BOARD.MOVE.
func openCluster(url string, o resp.ClusterOptions) (resp.ClusterBoards, error) {
	return cluster.Dial(url, cluster.Options{Prefix: o.Prefix, Partitions: o.Partitions, Replicas: o.Replicas})
}

// open opens the engine.
func (s *serving) open() (*engine.Engine, error) {
	if s.memory {
		return engine.New(s.engine)
	}
	e, err := engine.Open(s.dir, s.engine)
	return e, datadir.Explain(s.dir, err)
}

// boards opens the boards and defines those of the spec file that do not exist.
func (s *serving) boards(ctx context.Context, e *engine.Engine, log *slog.Logger) (*local.Boards, error) {
	boards, err := local.Open(e, local.Options{Logger: log})
	if err != nil || s.spec == "" {
		return boards, err
	}
	all, _, err := specs.ReadFile(s.spec)
	for _, spec := range all {
		if err == nil {
			err = specs.Define(ctx, boards, spec)
		}
	}
	if err != nil {
		return nil, errors.Join(err, boards.Close())
	}
	return boards, nil
}

// processors returns the number of processors to use. Go's scheduler looks for work on every processor that it may use, and so takes them
// from the kernel's network and from clients on the same machine: with one of two processors, 50 connections without pipelines make up to 1.4
// times as many calls as with both. But with one, the goroutines that flush and compact tables take turns with those that commit, and what is
// acknowledged at durability sync falls to a quarter for as long as they run. So no processor is left out where there are only a few.
func (s *serving) processors() int {
	all := runtime.GOMAXPROCS(0)
	if s.cpus > 0 {
		return s.cpus
	}
	return defaultProcessors(all, os.Getenv("GOMAXPROCS") != "")
}

// fewProcessors is the most processors of which none is left out: of more, one is at most a fifth.
const fewProcessors = 4

// defaultProcessors returns how many of all processors to use. said: the environment says how many.
func defaultProcessors(all int, said bool) int {
	if said || all <= fewProcessors {
		return all
	}
	return all - 1
}

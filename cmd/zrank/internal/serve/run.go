package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp"
)

// errShutdown is the cause of a stop by SHUTDOWN.
var errShutdown = errors.New("SHUTDOWN")

// serve serves the listeners until ctx ends, a client sends SHUTDOWN or a listener fails. It answers the commands that have arrived by
// then.
func (s *serving) serve(ctx context.Context, e *engine.Engine, listeners []net.Listener, log *slog.Logger) (err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.server.Shutdown = func() { stop(errShutdown) }
	server, err := resp.New(ctx, e, s.server)
	if err != nil {
		return err
	}
	go collectByPointers(ctx)
	failed := make(chan error, len(listeners)+1)
	stopHTTP, err := s.http.start(e, s.server.Boards, failed)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	for _, l := range listeners {
		go func() { failed <- server.Serve(l) }()
		log.Info("listening", "network", l.Addr().Network(), "address", l.Addr().String(), "tls", s.secret(l))
	}
	if url := s.http.url(); url != "" {
		log.Info("listening", "api", url, "keys", len(s.http.options.Access.Keys))
		if s.http.hasPages() {
			log.Info("listening", "pages", url+"/admin/")
		}
	}
	s.sayStarted(e, log)
	select {
	case <-ctx.Done():
		log.Info("stopping", "why", context.Cause(ctx))
	case err = <-failed:
		log.Error("stopping", "err", err)
	}
	err = errors.Join(err, stopHTTP(), server.Close())
	log.Info("clients are gone")
	return err
}

// sayStarted logs the directory, its contents, and how it was opened.
func (s *serving) sayStarted(e *engine.Engine, log *slog.Logger) {
	boards := len(s.server.Boards.All())
	if s.memory {
		log.Info("started", "stored", "nothing", "boards", boards)
		return
	}
	r := e.Recovery()
	st, _ := e.Stats() // it fails only when the engine is closed
	log.Info("started", "dir", s.dir, "durability", s.durability, "boards", boards, "sets", st.Sets, "commits", r.Commits, "last", r.LastSeq,
		"loaded", r.Loaded, "closed", r.Store.Clean, "opened", r.Duration)
}

package browsertest

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/delayqueue"
	"github.com/zrankdb/zrank/server/admin"
)

// secretOf returns the secret of a key of the fixture.
func secretOf(name string) string { return strings.Repeat(name+".", 12) }

// keys are a moderator with all rights, one who moderates, a reader, and one who moderates one board.
var keys = []access.Key{
	{Name: "ada", Secret: secretOf("ada"), Rights: access.All},
	{Name: "grace", Secret: secretOf("grace"), Rights: access.Moderate},
	{Name: "rita", Secret: secretOf("rita"), Rights: access.Read},
	{Name: "mona", Secret: secretOf("mona"), Rights: access.Moderate, Boards: []string{"ladder"}},
}

// server is the pages of a game, below /admin/ of a server that can stop and begin again on its port.
type server struct {
	*game
	options admin.Options
	at      string // address
	handler *admin.Handler
	http    *http.Server
	figures http.Handler // in place of the page's own, if it is set
}

// newServer serves a game. change changes how.
func newServer(t *testing.T, g *game, change func(s *server)) *server {
	s := &server{game: g, at: "127.0.0.1:0", options: admin.Options{Title: "Skyfall", Local: g.boards, Keys: keys, Open: true, Refresh: 50 * time.Millisecond,
		Queues: map[string]*delayqueue.Queue{"mail": g.queue}, Limits: g.limits, Clock: g.clock.Now}}
	if change != nil {
		change(s)
	}
	s.start()
	t.Cleanup(s.stop)
	return s
}

// known returns an answer that comes without an error.
func known(yes bool, err error) bool {
	if err != nil {
		panic(err)
	}
	return yes
}

// start serves at the address from before.
func (s *server) start() {
	var err error
	s.handler, err = admin.New(s.boards, s.options)
	require.NoError(s.t, err)
	l, err := net.Listen("tcp", s.at)
	require.NoError(s.t, err)
	s.at = l.Addr().String()
	mux := http.NewServeMux()
	mux.Handle("/admin/", http.StripPrefix("/admin", s.handler))
	if s.figures != nil {
		mux.Handle("GET /admin/figures", s.figures)
	}
	running := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = running.Serve(l) }()
	s.http = running
}

// stop ends it, as a program that begins anew does.
func (s *server) stop() {
	if s.http == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	require.NoError(s.t, s.handler.Close())
	if err := s.http.Shutdown(ctx); err != nil {
		require.NoError(s.t, s.http.Close())
	}
	s.http = nil
}

func (s *server) base() string { return "http://" + s.at + "/admin/" }

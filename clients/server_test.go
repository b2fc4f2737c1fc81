package clients

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/api"
)

// Secrets of the server of tests.
var (
	gameKey = strings.Repeat("g", 32)
	signer  = access.Signer{HS256: bytes.Repeat([]byte("t"), 32)}
)

// server is the API with empty boards, behind a proxy that loses answers when it is told to.
type server struct {
	t       *testing.T
	boards  *local.Boards
	clock   *testclock.Clock
	handler *api.Handler
	api     *httptest.Server // for clients
	control *httptest.Server // for tests in other languages

	connections *connections

	mu     sync.Mutex
	faults faults
	seen   []string // requests, as METHOD PATH
}

// faults is what happens to the next requests whose path has a text.
type faults struct {
	times      int
	match      string
	kind       string // a status; cut: the request is carried out, and its answer is lost; refuse: the connection is closed before
	retryAfter string
}

func newServer(t *testing.T, logs slog.Handler, o api.Options) *server {
	s := &server{t: t, clock: testclock.New()}
	e, err := engine.Open("data", engine.Options{FS: memfs.NewCrashable(), Clock: s.clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	s.boards, err = local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.boards.Close()) })
	o.Clock, o.Logger = s.clock.Now, slog.New(logs)
	o.Access = access.Options{
		Keys: []access.Key{{Name: "game", Secret: gameKey, Rights: access.All}}, Tokens: []access.TokenKey{signer.Key()},
		Tickets: access.TicketOptions{Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}},
	}
	s.handler, err = api.New(s.boards, o)
	require.NoError(t, err)
	s.api = httptest.NewUnstartedServer(s)
	s.connections = &connections{Listener: s.api.Listener}
	s.api.Listener = s.connections
	s.api.Start()
	t.Cleanup(s.api.Close)
	s.control = httptest.NewServer(s.controls())
	t.Cleanup(s.control.Close)
	t.Cleanup(func() { require.NoError(t, s.handler.Close()) })
	return s
}

// token returns the token of a player.
func (s *server) token(member string) string {
	text, err := signer.Issue(access.Token{Member: member, Expires: s.clock.Now().Add(1000 * time.Hour)})
	require.NoError(s.t, err)
	return text
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, hit := s.note(r)
	switch {
	case !hit:
		s.handler.ServeHTTP(w, r)
	case f.kind == "cut":
		s.handler.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case f.kind == "refuse":
		panic(http.ErrAbortHandler)
	default:
		if f.retryAfter != "" {
			w.Header().Set("Retry-After", f.retryAfter)
		}
		status, err := strconv.Atoi(f.kind)
		if err != nil {
			status = http.StatusTeapot
		}
		http.Error(w, "<html>a proxy</html>", status)
	}
}

// note remembers a request, and says whether a fault is due.
func (s *server) note(r *http.Request) (faults, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request := r.Method + " " + r.URL.EscapedPath()
	s.seen = append(s.seen, request)
	if s.faults.times == 0 || !strings.Contains(request, s.faults.match) {
		return faults{}, false
	}
	s.faults.times--
	return s.faults, true
}

// controls are what a test in another language can make the server do.
func (s *server) controls() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /fail", func(_ http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		q := r.URL.Query()
		times, _ := strconv.Atoi(q.Get("times"))
		s.faults = faults{times: times, match: q.Get("match"), kind: q.Get("kind"), retryAfter: q.Get("retryAfter")}
	})
	mux.HandleFunc("POST /drop", func(http.ResponseWriter, *http.Request) { s.connections.drop() })
	mux.HandleFunc("POST /advance", func(w http.ResponseWriter, r *http.Request) {
		d, err := time.ParseDuration(r.URL.Query().Get("by"))
		if err == nil {
			s.clock.Add(d)
			_, err = s.boards.CloseDue(r.Context())
		}
		if err == nil {
			_, err = s.boards.SettleDue(r.Context())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /count", func(w http.ResponseWriter, r *http.Request) { // how many requests have had a text
		s.mu.Lock()
		defer s.mu.Unlock()
		n := 0
		for _, request := range s.seen {
			if strings.Contains(request, r.URL.Query().Get("match")) {
				n++
			}
		}
		_, _ = w.Write([]byte(strconv.Itoa(n)))
	})
	return mux
}

// environment tells a test in another language where the server is.
func (s *server) environment() []string {
	return []string{"ZRANK_URL=" + s.api.URL + "/", "ZRANK_CONTROL=" + s.control.URL, "ZRANK_KEY=" + gameKey, "ZRANK_TOKEN=" + s.token("ada"), "ZRANK_OTHER_TOKEN=" + s.token("bea")}
}

// connections are those of a server, also those that handlers have taken over, as streams do.
type connections struct {
	net.Listener
	mu   sync.Mutex
	open []net.Conn
}

// Accept implements net.Listener.
func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.mu.Lock()
		c.open = append(c.open, conn)
		c.mu.Unlock()
	}
	return conn, err
}

// drop closes all connections.
func (c *connections) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.open {
		_ = conn.Close()
	}
	c.open = nil
}

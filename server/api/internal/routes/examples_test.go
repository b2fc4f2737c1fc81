package routes

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/access"
)

var update = flag.Bool("update", false, "write the answers of the examples into examples.json")

// fixture is a server for tests whose clock and random bytes are the test's.
type fixture struct {
	boards *local.Boards
	clock  *testclock.Clock
	router *Router
	server *httptest.Server
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{clock: testclock.New()}
	e, err := engine.Open("data", engine.Options{FS: memfs.NewCrashable(), Clock: f.clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	f.clock.Set(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))
	f.boards, err = local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.boards.Close()) })
	random := rand.NewChaCha8([32]byte{1})
	guard, err := access.New(access.Options{Open: true, Clock: f.clock.Now, Random: random, Tickets: access.TicketOptions{Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}}})
	require.NoError(t, err)
	mux := http.NewServeMux()
	life, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	f.router = New(mux, Options{Boards: f.boards, Tickets: guard.Tickets(), Logger: slog.New(slog.DiscardHandler), Clock: f.clock.Now, Random: random, Life: life,
		MaxRows: 1000, MaxBody: 1 << 20, MaxPins: 8, PinRows: 1000, PinTime: time.Minute, StreamTimeout: time.Minute})
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, err := guard.Authenticate(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r.WithContext(access.NewContext(r.Context(), who)))
	}))
	t.Cleanup(f.server.Close)
	return f
}

// store is what differs from store to store in a position of the feed, hash in the audit log; taken is what differs from run to run in a description of a
// period.
var (
	hash  = regexp.MustCompile(`"hash":"[0-9a-f]{64}"`)
	store = regexp.MustCompile(`[0-9a-f]{16}-`)
	taken = regexp.MustCompile(`"(memory|disk)":[0-9]+`)
)

// TestExamples sends every example of the document, in order, and compares the answers with those of the document. Every operation has one.
func TestExamples(t *testing.T) {
	f := newFixture(t)
	all, err := readExamples(examplesJSON)
	require.NoError(t, err)
	routes := map[string][2]string{}
	for path, item := range f.router.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete} {
			if op != nil {
				routes[op.OperationID] = [2]string{method, path}
			}
		}
	}
	v, sent := variables{}, map[string]bool{}
	for i := range all {
		e := &all[i]
		if e.Clock != "" {
			f.goTo(t, e.Clock)
			continue
		}
		route, ok := routes[e.Operation]
		require.True(t, ok, "no operation %s", e.Operation)
		sent[e.Operation] = true
		status, body := f.send(t, route[0], route[1], v.resolve(*e))
		v.note(body)
		got := Example{Status: status}
		if json.Valid(body) {
			got.Response = body
		} else {
			got.Text = string(body)
		}
		if *update {
			e.Status, e.Response, e.Text = got.Status, got.Response, got.Text
			continue
		}
		require.Equal(t, e.Status, got.Status, "%s %s: %s", e.Operation, e.Note, body)
		require.Equal(t, e.Text, got.Text, "%s %s", e.Operation, e.Note)
		require.JSONEq(t, orNull(e.Response), orNull(got.Response), "%s %s", e.Operation, e.Note)
	}
	for id := range routes {
		require.True(t, sent[id], "%s has no example", id)
	}
	if *update {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "\t")
		require.NoError(t, enc.Encode(all))
		require.NoError(t, os.WriteFile("examples.json", b.Bytes(), 0o644))
	}
}

func orNull(text []byte) string {
	if text == nil {
		return "null"
	}
	return string(text)
}

// goTo moves the clock, and closes and settles what is over then.
func (f *fixture) goTo(t *testing.T, text string) {
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	f.clock.Set(at)
	_, err = f.boards.CloseDue(t.Context())
	require.NoError(t, err)
	_, err = f.boards.SettleDue(t.Context())
	require.NoError(t, err)
}

// send sends an example. Of a stream without end it reads the first event.
func (f *fixture) send(t *testing.T, method, path string, e Example) (int, []byte) {
	for name, value := range e.Path {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	q := url.Values{}
	for name, value := range e.Query {
		q.Set(name, value)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, f.server.URL+path+"?"+q.Encode(), bytes.NewReader(e.Body))
	require.NoError(t, err)
	if e.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range e.Headers {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	var body []byte
	if e.Operation == "streamTop" {
		lines := bufio.NewScanner(response.Body)
		for !bytes.Contains(body, []byte("data:")) && lines.Scan() {
			body = append(append(body, lines.Bytes()...), '\n')
		}
	} else {
		body, err = io.ReadAll(response.Body)
		require.NoError(t, err)
	}
	body = hash.ReplaceAll(body, []byte(`"hash":"`+strings.Repeat("5eed", 16)+`"`))
	body = store.ReplaceAll(bytes.TrimSpace(body), []byte("6e4f1c0a9b3d5e72-"))
	return response.StatusCode, taken.ReplaceAll(body, []byte(`"$1":4096`))
}

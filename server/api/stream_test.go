package api

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// sent is an event of a stream.
type sent struct{ name, id, data string }

// listen opens a stream and returns what reads its next event: false at its end.
func (f *fixture) listen(t *testing.T, key, path string, headers ...string) (next func() (sent, bool), end func()) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.server.URL+path, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	lines := bufio.NewScanner(response.Body)
	return func() (e sent, ok bool) {
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data = value
			case "":
				if e.data != "" {
					return e, true
				}
			}
		}
		return e, false
	}, func() { _ = response.Body.Close() }
}

func (f *fixture) submit(t *testing.T, member string, score int64) {
	_, err := must(f.boards.Board(t.Context(), "arena")).Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(score)})
	require.NoError(t, err)
}

// TestEventsResume: a stream that begins after the last event that a client has had yields exactly the rest, whatever that was.
func TestEventsResume(t *testing.T) {
	f := newFixture(t, Options{})
	for i := range 20 {
		f.submit(t, fmt.Sprint("player", i), int64(i))
	}
	all := func(path string, headers ...string) (events []sent) {
		next, end := f.listen(t, readKey, path, headers...)
		defer end()
		for e, ok := next(); ok; e, ok = next() {
			events = append(events, e)
		}
		return events
	}
	const oldest = "/v1/events?wait=false&after=oldest"
	want := all(oldest)
	require.Greater(t, len(want), 40)
	for i, e := range want {
		if i%7 == 0 || i == len(want)-1 {
			require.Equal(t, fmt.Sprint(want[i+1:]), fmt.Sprint(all(oldest, "Last-Event-ID", e.id)), "after %d", i)
		}
	}
	require.Empty(t, all("/v1/events?wait=false"), "from now on")
	mark := f.call(readKey, "GET /v1/events?wait=false", "")
	_, id, ok := strings.Cut(strings.TrimSpace(string(mark.body)), "id: ")
	require.True(t, ok, "%s", mark.body)
	f.submit(t, "late", 1)
	require.NotEmpty(t, all("/v1/events?wait=false", "Last-Event-ID", id), "what has come while the client was away")
	for _, e := range all(oldest + "&kinds=submitted&windows=day&member=player7") {
		require.Equal(t, "submitted", e.name)
		require.Contains(t, e.data, `"member":"player7"`)
	}
}

// TestEventsWait: a stream waits for events, and ends with the API.
func TestEventsWait(t *testing.T) {
	f := newFixture(t, Options{})
	next, end := f.listen(t, f.token("ada"), "/v1/events?member=ada&kinds=submitted&windows=all")
	defer end()
	f.submit(t, "bea", 3)
	f.submit(t, "ada", 5)
	e, ok := next()
	require.True(t, ok)
	require.Contains(t, e.data, `"score":[5]`)
	require.NoError(t, f.h.Close())
	e, ok = next()
	require.True(t, ok)
	require.Equal(t, "error", e.name)
	require.Contains(t, e.data, `"code":"closed"`)
	_, ok = next()
	require.False(t, ok)
}

// TestTopStream: watchers see the present rows, and each later state that stays for a while; the same rows are not sent again.
func TestTopStream(t *testing.T) {
	f := newFixture(t, Options{})
	const path = "/v1/boards/arena/windows/all/top/stream?n=2"
	f.submit(t, "ada", 5)
	next, end := f.listen(t, readKey, path)
	defer end()
	members := func(e sent) (names []string) {
		var x struct {
			Rows []struct{ Member string }
		}
		require.NoError(t, json.Unmarshal([]byte(e.data), &x))
		for _, row := range x.Rows {
			names = append(names, row.Member)
		}
		return names
	}
	e, ok := next()
	require.True(t, ok)
	require.Equal(t, []string{"ada"}, members(e))
	f.submit(t, "bea", 7)
	e, ok = next()
	require.True(t, ok)
	require.Equal(t, []string{"bea", "ada"}, members(e))

	again, endAgain := f.listen(t, readKey, path, "Last-Event-ID", e.id)
	defer endAgain()
	f.submit(t, "cy", 9)
	for _, n := range []func() (sent, bool){next, again} {
		e, ok = n()
		require.True(t, ok)
		require.Equal(t, []string{"cy", "bea"}, members(e))
	}
	require.NoError(t, f.boards.Drop(t.Context(), "arena"))
	for {
		if e, ok = next(); !ok || e.name == "error" {
			break
		}
	}
	require.Contains(t, e.data, `"code":"no_board"`)
}

// TestManyStreams: many clients of both kinds hear of the same submission, and a player may have a few streams only.
func TestManyStreams(t *testing.T) {
	f := newFixture(t, Options{})
	var ready, heard sync.WaitGroup
	for i := range 200 {
		path := "/v1/events?kinds=submitted&windows=all"
		if i%2 == 0 {
			path = "/v1/boards/arena/windows/all/top/stream"
		}
		ready.Add(1)
		heard.Go(func() {
			next, end := f.listen(t, readKey, path)
			defer end()
			if i%2 == 0 {
				_, _ = next() // the empty list
			}
			ready.Done()
			e, ok := next()
			if !ok || !strings.Contains(e.data, "ada") {
				t.Errorf("stream %d: %v", i, e)
			}
		})
	}
	ready.Wait()
	f.submit(t, "ada", 5)
	heard.Wait()

	ada := f.token("ada")
	var ends []func()
	for range MaxPlayerStreams {
		_, end := f.listen(t, ada, "/v1/events?member=ada")
		ends = append(ends, end)
	}
	require.Equal(t, 429, f.call(ada, "GET /v1/events?member=ada", "").status)
	for _, end := range ends {
		end()
	}
}

// TestSlowReader: a client that reads nothing is dropped, and nobody waits for it.
func TestSlowReader(t *testing.T) {
	f := newFixture(t, Options{StreamTimeout: 100 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.server.URL, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
	fmt.Fprintf(conn, "GET /v1/events?after=oldest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", readKey)
	b := must(f.boards.Board(t.Context(), "arena"))
	subs := make([]board.Submission, 500)
	for round := range 15 { // some MB of events
		for i := range subs {
			subs[i] = board.Submission{Member: fmt.Sprint("player", i, strings.Repeat("x", 900)), Score: board.Ints(int64(round))}
		}
		_, err := b.SubmitAll(t.Context(), subs)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { // the server closes the connection: then a write fails
		_, err := conn.Write([]byte("x"))
		return err != nil
	}, time.Minute, 10*time.Millisecond)
}

// TestStreamHTTP2: a stream whose connection cannot be taken over, as with HTTP/2, works too.
func TestStreamHTTP2(t *testing.T) {
	f := newFixture(t, Options{})
	s := httptest.NewUnstartedServer(f.h)
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/v1/events?kinds=submitted&windows=all", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+readKey)
	response, err := s.Client().Do(r)
	require.NoError(t, err)
	require.Equal(t, 2, response.ProtoMajor)
	f.submit(t, "ada", 5)
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data:") {
	}
	require.Contains(t, lines.Text(), `"member":"ada"`)
	require.NoError(t, f.h.Close())
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") {
			break
		}
	}
	require.Contains(t, lines.Text(), `"code":"closed"`)
	require.NoError(t, response.Body.Close())
}

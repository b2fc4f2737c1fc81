package middleware

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// open opens a stream, and returns the answer and what ends it.
func (w *world) open(t *testing.T, path, caller string) (*http.Response, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", w.URL+path, nil)
	require.NoError(t, err)
	r.Header.Set("X-Caller", caller)
	a, err := w.transport().RoundTrip(r)
	require.NoError(t, err)
	return a, func() { cancel(); _ = a.Body.Close() }
}

// TestStreamLimits: no more streams than there may be, and no more of a caller than it may have; a stream that ends makes room, also by a panic.
func TestStreamLimits(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.MaxStreams = 3 }, func(w http.ResponseWriter, r *http.Request) {
		if RouteOf(r.Context()).Kind == Answer {
			hello(w, r)
			return
		}
		require.NoError(t, http.NewResponseController(w).Flush())
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	})
	// Handlers end after their client has gone. The log has a record once the stream has been released.
	end := func(cancel func(), records int) {
		cancel()
		require.Eventually(t, func() bool { return len(w.lines()) == records }, time.Minute, time.Millisecond)
	}
	few, endFew := w.open(t, "/events", "few1") // it may have one
	require.Equal(t, 200, few.StatusCode)
	a, text := w.send(t, "GET", "/export", nil, "X-Caller", "few1")
	p := requireProblem(t, a, text, 429, CodeStreams)
	require.Equal(t, int64(5), p.RetryAfter)
	a, _ = w.send(t, "GET", "/", nil, "X-Caller", "few1")
	require.Equal(t, 200, a.StatusCode, "an answer is no stream")
	_, endOther := w.open(t, "/export", "")
	_, endLast := w.open(t, "/events", "")
	a, text = w.send(t, "GET", "/events", nil)
	requireProblem(t, a, text, 503, CodeStreams)
	end(endFew, 4)
	again, endFew := w.open(t, "/events", "few1")
	require.Equal(t, 200, again.StatusCode)
	a, text = w.send(t, "GET", "/events", nil, "X-Caller", "other")
	requireProblem(t, a, text, 503, CodeStreams)
	endFew()
	endOther()
	endLast()
}

// lines returns the records of the log.
func (w *world) lines() (list []string) {
	return slices.Collect(strings.Lines(w.log.String()))
}

// TestStreamsForget: the limits keep nothing of callers that have no streams open.
func TestStreamsForget(t *testing.T) {
	s := &streams{max: 2, byCaller: map[string]int{}}
	one, none := Caller{ID: "one", MaxStreams: 1}, Caller{ID: "none"}
	require.Nil(t, s.acquire(one))
	require.NotNil(t, s.acquire(one))
	require.Nil(t, s.acquire(none))
	require.NotNil(t, s.acquire(none))
	require.NotNil(t, s.acquire(Caller{ID: "two", MaxStreams: 1}))
	s.release(one)
	s.release(none)
	require.Equal(t, &streams{max: 2, byCaller: map[string]int{}}, s)
}

// TestClientThatDoesNotRead: a stream whose client takes nothing ends with an error at the handler's write; one that is idle for as long goes on.
func TestClientThatDoesNotRead(t *testing.T) {
	failed := make(chan error, 1)
	t.Parallel()
	const timeout = 200 * time.Millisecond // between a deadline and its write a busy machine may pause
	w := newUnstarted(t, func(o *Options) { o.StreamTimeout = timeout }, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/events/idle" {
			for range 3 {
				select {
				case <-r.Context().Done():
					t.Error("the stream has ended")
				case <-time.After(2 * timeout):
				}
				_, err := io.WriteString(w, "data: 1\n\n")
				require.NoError(t, errors.Join(err, http.NewResponseController(w).Flush()))
			}
			return
		}
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				failed <- err
				return
			}
		}
	})
	w.Config.WriteTimeout = timeout // which is not for streams
	w.Start()
	for _, path := range []string{"/events", "/export"} {
		c, _ := w.raw(t, "GET "+path+" HTTP/1.1\r\nHost: h\r\n\r\n")
		err := <-failed
		require.True(t, errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed), "%v", err)
		require.NoError(t, c.Close())
	}
	_, text := w.send(t, "GET", "/events/idle", nil)
	require.Equal(t, "data: 1\n\ndata: 1\n\ndata: 1\n\n", text)
}

// TestStreamsOverHTTP2: the same over HTTP/2, where a deadline that passes between two writes would end the stream.
func TestStreamsOverHTTP2(t *testing.T) {
	t.Parallel()
	const timeout = 200 * time.Millisecond // between a deadline and its write a busy machine may pause
	w := newUnstarted(t, func(o *Options) { o.StreamTimeout = timeout }, func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			select {
			case <-r.Context().Done():
				t.Error("the stream has ended")
			case <-time.After(2 * timeout):
			}
			_, err := io.WriteString(w, "data: 1\n\n")
			require.NoError(t, errors.Join(err, http.NewResponseController(w).Flush()))
		}
	})
	w.EnableHTTP2 = true
	w.Config.WriteTimeout = timeout // which is not for streams
	w.StartTLS()
	a, text := w.send(t, "GET", "/events", nil)
	require.Equal(t, 2, a.ProtoMajor)
	require.Equal(t, "data: 1\n\ndata: 1\n\ndata: 1\n\n", text)
}

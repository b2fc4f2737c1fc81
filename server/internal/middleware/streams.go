package middleware

import (
	"net/http"
	"sync"
	"time"

	"github.com/zrankdb/zrank/internal/problem"
)

// streamRetry is the Retry-After of a stream that was refused: nobody knows when another ends.
const streamRetry = 5 * time.Second

// streams counts the streams that are open.
type streams struct {
	max int

	mu       sync.Mutex
	open     int
	byCaller map[string]int // those of callers that have a limit of their own
}

// acquire counts a stream of a caller, or returns why it must not be opened.
func (s *streams) acquire(c Caller) *problem.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c.MaxStreams > 0 && s.byCaller[c.ID] >= c.MaxStreams:
		return refuseStream(http.StatusTooManyRequests, "this caller has as many streams open as it may")
	case s.open >= s.max:
		return refuseStream(http.StatusServiceUnavailable, "the server has as many streams open as it may")
	}
	s.open++
	if c.MaxStreams > 0 {
		s.byCaller[c.ID]++
	}
	return nil
}

func refuseStream(status int, detail string) *problem.Problem {
	p := problem.New(status, CodeStreams, detail)
	p.RetryAfter = problem.Seconds(streamRetry)
	return p
}

// release forgets a stream that acquire has counted.
func (s *streams) release(c Caller) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if c.MaxStreams == 0 {
		return
	}
	if s.byCaller[c.ID]--; s.byCaller[c.ID] == 0 {
		delete(s.byCaller, c.ID)
	}
}

// limitStreams refuses streams beyond the limits. A stream has no time limit, also where the server has a WriteTimeout; a client that takes none of
// it for Options.StreamTimeout is dropped: its handler's next write fails.
func limitStreams(o Options, next http.Handler) http.Handler {
	s := &streams{max: o.MaxStreams, byCaller: map[string]int{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := of(r.Context())
		if q.route.Kind == Answer {
			next.ServeHTTP(w, r)
			return
		}
		if p := s.acquire(q.caller); p != nil {
			problem.Write(w, *p)
			return
		}
		defer q.atEnd(func() { s.release(q.caller) })
		c := http.NewResponseController(w)
		_ = c.SetWriteDeadline(time.Time{}) // an error: a recorder of tests, or a server of another kind, without deadlines
		next.ServeHTTP(&streamWriter{ResponseWriter: w, control: c, timeout: o.StreamTimeout}, r)
	})
}

// streamWriter is a ResponseWriter whose writes have a deadline each. There is none between them: HTTP/2 would end the stream then.
type streamWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

// Write implements http.ResponseWriter.
func (s *streamWriter) Write(b []byte) (int, error) {
	defer s.arm()()
	return s.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (s *streamWriter) Flush() { _ = s.FlushError() }

// FlushError flushes, and returns an error if the client takes nothing or has gone. http.ResponseController calls it.
func (s *streamWriter) FlushError() error {
	defer s.arm()()
	return s.control.Flush()
}

// arm sets the deadline, and returns a function that removes it.
func (s *streamWriter) arm() func() {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.timeout)) // sockets go by the real clock
	return func() { _ = s.control.SetWriteDeadline(time.Time{}) }
}

// Unwrap is for http.ResponseController.
func (s *streamWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// Heartbeat is how long a stream is silent at most.
	Heartbeat = 15 * time.Second
	// retry is how long a client waits before it connects again, in milliseconds.
	retry = "retry: 2000\n\n"
)

// errGone is why a stream ends whose client has closed its connection.
var errGone = errors.New("live: the client has gone")

// Stream is a response of server-sent events. Its methods may be called from any goroutine.
type Stream struct {
	w       io.Writer
	flush   func() error  // nil: nothing is to be flushed
	conn    net.Conn      // that the stream has taken over; nil: it has not
	timeout time.Duration // how long the client may take for a write on conn
	cancel  context.CancelCauseFunc
	mu      sync.Mutex
	timer   *time.Timer
	err     error
}

// Start begins a stream as the response of a request. Over HTTP/1.1 it takes over the connection, so that the stream needs neither the buffers nor the
// stack of the handler: IsDetached reports that. Else the writer must have a deadline for each write, and the handler must not return before the stream
// ends. The caller calls Close behind the last event. timeout is how long a client may take for each write. Errors: those of the connection.
func Start(w http.ResponseWriter, timeout time.Duration) (*Stream, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would keep events back
	rc := http.NewResponseController(w)
	s := &Stream{w: w, flush: rc.Flush, timeout: timeout, cancel: func(error) {}}
	head := []byte(retry)
	if conn, _, err := rc.Hijack(); err == nil {
		s.w, s.flush, s.conn = conn, nil, conn
		head = responseHead(h)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(head)
	s.timer = time.AfterFunc(Heartbeat, s.ping)
	return s, s.err
}

// responseHead returns the head of a response that ends with its connection, and the first line of the stream.
func responseHead(h http.Header) []byte {
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	h.Set("Connection", "close")
	_ = h.Write(&b)
	b.WriteString("\r\n" + retry)
	return b.Bytes()
}

// IsDetached reports whether the stream has taken over the connection of its request.
func (s *Stream) IsDetached() bool { return s.conn != nil }

// Until returns a context that ends with another one, with the stream, and when its client has gone or does not read.
func (s *Stream) Until(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel = cancel; s.err != nil {
		cancel(s.err)
	}
	if s.conn != nil {
		go s.watch(cancel)
	}
	return ctx
}

// watch reads from the connection, on which the client has nothing more to say, to hear that it is closed.
func (s *Stream) watch(cancel context.CancelCauseFunc) {
	var b [1]byte
	for {
		if _, err := s.conn.Read(b[:]); err != nil {
			cancel(errGone)
			return
		}
	}
}

// write writes and flushes. The caller holds mu.
func (s *Stream) write(text []byte) {
	if s.err != nil {
		return
	}
	if s.conn != nil {
		s.err = s.conn.SetWriteDeadline(time.Now().Add(s.timeout)) // sockets go by the real clock
	}
	if s.err == nil {
		_, s.err = s.w.Write(text)
	}
	if s.err == nil && s.flush != nil {
		s.err = s.flush()
	}
	if s.err != nil {
		s.cancel(s.err)
	}
}

// ping writes a comment if nothing was written for a heartbeat.
func (s *Stream) ping() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.write([]byte(":\n\n")); s.err == nil {
		s.timer.Reset(Heartbeat)
	}
}

// Send writes an event: its name, its id, which the client names when it connects again, and its data, one line. Error: that of the connection, or that
// the client does not read.
func (s *Stream) Send(name, id string, data []byte) error {
	var b bytes.Buffer
	b.Grow(len(data) + 64)
	for _, field := range []struct{ name, value string }{{"event: ", name}, {"id: ", id}} {
		if field.value != "" {
			b.WriteString(field.name)
			b.WriteString(strings.NewReplacer("\n", "", "\r", "").Replace(field.value))
			b.WriteByte('\n')
		}
	}
	b.WriteString("data: ")
	b.Write(data)
	b.WriteString("\n\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.write(b.Bytes()); s.err == nil {
		s.timer.Reset(Heartbeat)
	}
	return s.err
}

// Mark tells the client an id without an event: where it begins when it connects again before the first event has come. Error: as Send.
func (s *Stream) Mark(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write([]byte("id: " + id + "\n\n"))
	return s.err
}

// Close ends the stream.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer.Stop()
	if s.err == nil {
		s.err = net.ErrClosed // nothing is written any more
	}
	s.cancel(nil)
	if s.conn != nil {
		_ = s.conn.Close()
	}
}

// IsGone reports whether a stream has ended because its client has gone.
func IsGone(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errGone) }

package live

import (
	"bytes"
	"context"
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

// Stream is a response of server-sent events. Its methods may be called from any goroutine.
type Stream struct {
	w      http.ResponseWriter
	rc     *http.ResponseController
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	timer  *time.Timer
	err    error
}

// Start begins a stream. The writer must have a deadline for each write. The context that it returns ends when the client has gone or does not read; the caller calls Close behind the last event.
// Errors: those of the connection.
func Start(ctx context.Context, w http.ResponseWriter) (*Stream, context.Context, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &Stream{w: w, rc: http.NewResponseController(w), cancel: cancel}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would keep events back
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write([]byte(retry))
	s.timer = time.AfterFunc(Heartbeat, s.ping)
	return s, ctx, s.err
}

// write writes and flushes. The caller holds mu.
func (s *Stream) write(text []byte) {
	if s.err != nil {
		return
	}
	if _, s.err = s.w.Write(text); s.err == nil {
		s.err = s.rc.Flush()
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

// Close ends the stream. The response ends when its handler returns.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer.Stop()
	if s.err == nil {
		s.err = http.ErrHandlerTimeout // nothing is written any more
	}
	s.cancel(nil)
}

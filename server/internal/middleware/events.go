package middleware

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/zrankdb/zrank/server/internal/live"
)

// ErrClosing is why a stream ends whose server is closed.
var ErrClosing = errors.New("the server is closing")

// ServeEvents answers a request of a route of Kind Events with server-sent events. send writes them to the stream until ctx ends: when the client has gone, or
// with life, which ends all streams. Where the stream has taken over the connection, send runs in a goroutine of its own, and ServeEvents returns at once.
// timeout is how long the client may take for each write. started says that send was called, or will be: it is not if the response cannot begin.
func ServeEvents(w http.ResponseWriter, r *http.Request, life context.Context, timeout time.Duration, send func(ctx context.Context, s *live.Stream)) (started bool) {
	s, err := live.Start(w, timeout)
	switch {
	case err != nil:
		s.Close()
		return false
	case s.IsDetached():
		end := Detach(r.Context())
		go func() {
			defer end()
			defer s.Close()
			send(s.Until(life), s)
		}()
	default:
		ctx, cancel := context.WithCancelCause(r.Context())
		defer context.AfterFunc(life, func() { cancel(ErrClosing) })()
		defer cancel(nil)
		defer s.Close()
		send(s.Until(ctx), s)
	}
	return true
}

package live

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTops: rows are read once for all who watch them, as long as somebody does; each sees the newest state, and the same rows are one state.
func TestTops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tops := NewTops(t.Context(), Interval, nil)
		var reads atomic.Int64
		var rows atomic.Value
		rows.Store("1")
		read := func() ([]byte, error) {
			reads.Add(1)
			return []byte(rows.Load().(string)), nil
		}
		first, leaveFirst := tops.Watch("k", read)
		second, leaveSecond := tops.Watch("k", read)
		a, err := first(t.Context())
		require.NoError(t, err)
		b, err := second(t.Context())
		require.NoError(t, err)
		require.Same(t, a, b)
		wait(3 * Interval)
		require.EqualValues(t, 4, reads.Load(), "at once, and after each interval")
		c, err := first(t.Context())
		require.NoError(t, err)
		require.Same(t, a, c, "the same rows")
		rows.Store("2")
		wait(Interval)
		<-a.Next()
		d, err := second(t.Context())
		require.NoError(t, err)
		require.Equal(t, "2", string(d.Data))
		require.NotEqual(t, a.ID, d.ID)
		leaveFirst()
		leaveFirst()
		wait(Interval)
		was := reads.Load()
		leaveSecond()
		wait(10 * Interval)
		require.Equal(t, was, reads.Load(), "nobody watches")
	})
}

// wait lets time pass until all goroutines wait.
func wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// TestTopsFail: an error ends the watch, and who watches later begins again.
func TestTopsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tops := NewTops(t.Context(), Interval, nil)
		gone := errors.New("gone")
		var failing atomic.Bool
		current, leave := tops.Watch("k", func() ([]byte, error) {
			if failing.Load() {
				return nil, gone
			}
			return []byte("1"), nil
		})
		top, bad := current(t.Context())
		require.NoError(t, bad)
		failing.Store(true)
		wait(Interval)
		<-top.Next()
		top, bad = current(t.Context())
		require.NoError(t, bad)
		require.ErrorIs(t, top.Err, gone)
		again, leaveAgain := tops.Watch("k", func() ([]byte, error) { return []byte("3"), nil })
		top, bad = again(t.Context())
		require.NoError(t, bad)
		require.Equal(t, "3", string(top.Data))
		leave()
		leaveAgain()
	})
}

// TestStream: events are written as they must be, whatever their texts have in them, and a silent stream has heartbeats.
func TestStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s, err := Start(w, time.Minute)
		require.NoError(t, err)
		require.False(t, s.IsDetached())
		ctx := s.Until(t.Context())
		require.NoError(t, s.Send("top", "7\nevent: x", []byte(`{"a":1}`)))
		wait(2*Heartbeat + time.Second)
		s.Close()
		require.ErrorIs(t, context.Cause(ctx), context.Canceled)
		require.Error(t, s.Send("top", "8", nil))
		require.Equal(t, "retry: 2000\n\nevent: top\nid: 7event: x\ndata: {\"a\":1}\n\n"+strings.Repeat(":\n\n", 2), w.Body.String())
		require.Equal(t, "text/event-stream", w.Header().Get("Content-Type"))
	})
}

package remote

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/zrankdb/zrank/server/access"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/api"
)

// silent is a server that does what it is asked, and then breaks the connection, or waits until the client has gone.
type silent struct {
	http.Handler
	breaks, waits atomic.Bool
	done          chan struct{} // has an element for each request that was done and gets no answer
}

func (s *silent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	breaks, waits := s.breaks.Load(), s.waits.Load()
	if !breaks && !waits {
		s.Handler.ServeHTTP(w, r)
		return
	}
	s.Handler.ServeHTTP(httptest.NewRecorder(), r.WithContext(context.WithoutCancel(r.Context())))
	s.done <- struct{}{}
	if waits {
		<-r.Context().Done()
	}
	panic(http.ErrAbortHandler)
}

// TestUndecided: a change whose answer does not come is undecided, and its Once key counts it once; one that was not sent, and a read, are not.
func TestUndecided(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer e.Close()
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	h, err := api.New(boards, api.Options{Access: access.Options{Open: true}})
	require.NoError(t, err)
	s := &silent{Handler: h, done: make(chan struct{}, 1)}
	server := httptest.NewServer(s)
	defer server.Close()
	c, err := New(server.URL, Options{HTTP: server.Client()})
	require.NoError(t, err)
	b, err := c.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum})
	require.NoError(t, err)
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	sub := board.Submission{Member: "ada", Score: board.Ints(5), Once: "match 1"}

	s.breaks.Store(true)
	_, err = b.Submit(t.Context(), sub)
	require.ErrorIs(t, err, board.ErrUndecided)
	<-s.done
	_, err = live.Len(t.Context())
	require.Error(t, err)
	require.NotErrorIs(t, err, board.ErrUndecided, "a read")
	<-s.done

	s.breaks.Store(false)
	s.waits.Store(true)
	gone := errors.New("gone home")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-s.done; cancel(gone) }()
	_, err = b.Submit(ctx, sub)
	require.ErrorIs(t, err, board.ErrUndecided)
	_, err = b.Submit(ctx, sub)
	require.ErrorIs(t, err, gone)
	require.NotErrorIs(t, err, board.ErrUndecided, "it was not sent")

	s.waits.Store(false)
	change, err := b.Submit(t.Context(), sub)
	require.NoError(t, err)
	require.True(t, change.Duplicate)
	row, _, err := live.Rank(t.Context(), "ada")
	require.NoError(t, err)
	require.EqualValues(t, 5, row.Score.Int(0))
	server.Close()
	_, err = b.Submit(t.Context(), sub)
	require.Error(t, err)
	require.NotErrorIs(t, err, board.ErrUndecided, "nobody listens")
}

package remote

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/cuthomes"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/api"
)

// cutWorld is boards of a server, for calls that are cut.
type cutWorld struct {
	clock  *testclock.Clock
	e      *engine.Engine
	local  *local.Boards
	api    *api.Handler
	server *httptest.Server
	boards *Boards
}

func newCutWorld(t *testing.T) cuthomes.World {
	w := &cutWorld{clock: testclock.New()}
	var err error
	w.e, err = engine.New(engine.Options{Clock: w.clock.Now})
	require.NoError(t, err)
	w.local, err = local.Open(w.e, local.Options{})
	require.NoError(t, err)
	w.api, err = api.New(w.local, api.Options{Access: access.Options{Open: true}, Clock: w.clock.Now})
	require.NoError(t, err)
	require.NoError(t, w.serve())
	return w
}

func (w *cutWorld) serve() (err error) {
	w.server = httptest.NewServer(w.api)
	w.boards, err = New(w.server.URL, Options{HTTP: w.server.Client()})
	return err
}

func (w *cutWorld) stop() error {
	defer w.server.Close() // waits for requests
	return w.boards.Close()
}

// Store implements cuthomes.World.
func (w *cutWorld) Store() board.Store { return w.boards }

// Stored implements cuthomes.World.
func (w *cutWorld) Stored() board.Store { return w.local }

// Add implements cuthomes.World.
func (w *cutWorld) Add(d time.Duration) error {
	w.clock.Add(d)
	_, err := w.local.CloseDue(context.Background())
	return err
}

// Settle implements cuthomes.World.
func (w *cutWorld) Settle() error { return errors.Join(w.stop(), w.serve()) }

// Close implements cuthomes.World.
func (w *cutWorld) Close() error {
	return errors.Join(w.stop(), w.api.Close(), w.local.Close(), w.e.Close())
}

// TestCutContext: see cuthomes.Run. What takes more than one commit in an engine goes on by itself there.
func TestCutContext(t *testing.T) {
	cuthomes.Run(t, newCutWorld, []string{"Ban", "Hide", "Show", "Rename", "Merge", "Erase", "Store.Erase", "Store.Ban", "Store.Drop", "Store.Migrate", "Store.StoreUnion",
		"Store.DropUnion", "Groups.Dissolve"}, []string{"Store.CloseDue"})
}

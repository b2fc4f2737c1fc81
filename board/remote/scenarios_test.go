package remote

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/boardtest"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/api"
)

// engineBackend is boards of an engine behind a server: what needs the engine in the process is asked of it.
type engineBackend struct {
	*Boards
	disk   *memfs.FS
	o      engine.Options
	e      *engine.Engine
	local  *local.Boards
	server *httptest.Server
}

func openEngine(o engine.Options) boardtest.Open {
	return func(now func() time.Time) (boardtest.Backend, error) {
		o.Clock = now
		b := &engineBackend{disk: memfs.NewCrashable(), o: o}
		return b, b.open()
	}
}

func (b *engineBackend) open() (err error) {
	b.o.FS = b.disk
	if b.e, err = engine.Open("data", b.o); err != nil {
		return err
	}
	if b.local, err = local.Open(b.e, local.Options{}); err != nil {
		return err
	}
	h, err := api.New(b.local, api.Options{Access: access.Options{Open: true}, Clock: b.o.Clock, MaxPins: 1 << 20})
	if err != nil {
		return err
	}
	b.server = httptest.NewServer(h)
	b.Boards, err = New(b.server.URL, Options{HTTP: b.server.Client()})
	return err
}

func (b *engineBackend) Close() error {
	b.server.Close()
	return errors.Join(b.local.Close(), b.e.Close())
}

func (b *engineBackend) Reopen(meanwhile func()) error {
	err := b.Close()
	meanwhile()
	return errors.Join(err, b.open())
}

func (b *engineBackend) Kill(meanwhile func()) error {
	crashed := b.disk.CrashClone(vfs.CrashCloneCfg{}) // the disk after a power cut
	err := b.Close()
	b.disk = crashed
	meanwhile()
	return errors.Join(err, b.open())
}

func (b *engineBackend) CloseDue(ctx context.Context) (int, error) { return b.local.CloseDue(ctx) }

// Local implements boardtest.Backend.
func (b *engineBackend) Local() *local.Boards { return b.local }

// TestScenarios: the API is a backend that passes all scenarios of boards.
func TestScenarios(t *testing.T) {
	scenarios, n := boardtest.Run(t, boardtest.ByName(boardtest.Files()), "", openEngine(engine.Options{}))
	t.Logf("%d scenarios, %d lines, %d answers, %d of them in a View and pinned, %d refusals", scenarios, n.Lines, n.Answers, n.Views, n.Refusals)
	require.GreaterOrEqual(t, scenarios, 106)
}

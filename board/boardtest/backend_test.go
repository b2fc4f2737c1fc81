package boardtest

import (
	"context"
	"errors"
	"iter"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
)

// inEngine is the boards of an engine.
type inEngine struct {
	e      *engine.Engine
	boards *local.Boards
	disk   *memfs.FS // nil: the engine is in memory only
	o      engine.Options
}

// memory opens an engine that stores nothing on a disk.
func memory(now func() time.Time) (Backend, error) {
	e, err := engine.New(engine.Options{Clock: now})
	if err != nil {
		return nil, err
	}
	l := &inEngine{e: e}
	return l, l.open()
}

// durable returns a function that opens an engine on a disk in memory.
func durable(o engine.Options) Open {
	return func(now func() time.Time) (Backend, error) {
		o.Clock = now
		l := &inEngine{disk: memfs.NewCrashable(), o: o}
		return l, l.open()
	}
}

func (l *inEngine) open() (err error) {
	if l.disk != nil {
		l.o.FS = l.disk
		if l.e, err = engine.Open("data", l.o); err != nil {
			return err
		}
	}
	l.boards, err = local.Open(l.e, local.Options{})
	return err
}

func (l *inEngine) Close() error { return errors.Join(l.boards.Close(), l.e.Close()) }

func (l *inEngine) Events(ctx context.Context, after board.Position, f board.FeedFilter) iter.Seq2[board.Event, error] {
	return l.boards.Events(ctx, after, f)
}

func (l *inEngine) SettleDue(ctx context.Context) (board.Settled, error) {
	return l.boards.SettleDue(ctx)
}

func (l *inEngine) Update(keys []string, fn func(tx *engine.Tx) error) error {
	return l.e.Update(context.Background(), fn, keys...)
}

// DefineGroups implements Backend.
func (l *inEngine) DefineGroups(kind string) (board.Groups, error) {
	return l.boards.DefineGroups(context.Background(), kind)
}

// Groups implements Backend.
func (l *inEngine) Groups(kind string) (board.Groups, error) {
	return l.boards.Groups(context.Background(), kind)
}

// CountDue implements Backend.
func (l *inEngine) CountDue(ctx context.Context) error { return l.boards.CountDue(ctx) }

// Reopen closes and opens the engine and its boards. Without a disk it leaves the engine open.
func (l *inEngine) Reopen(meanwhile func()) error {
	err := l.boards.Close()
	if l.disk != nil {
		err = errors.Join(err, l.e.Close())
	}
	meanwhile()
	return errors.Join(err, l.open())
}

func (l *inEngine) Kill(meanwhile func()) error {
	if l.disk == nil {
		return board.ErrUnsupported
	}
	crashed := l.disk.CrashClone(vfs.CrashCloneCfg{}) // the disk after a power cut
	err := l.Close()
	l.disk = crashed
	meanwhile()
	return errors.Join(err, l.open())
}

func (l *inEngine) CloseDue(ctx context.Context) (int, error) { return l.boards.CloseDue(ctx) }

func (l *inEngine) Drop(ctx context.Context, name string) error { return l.boards.Drop(ctx, name) }

func (l *inEngine) Define(spec board.Spec) (Board, error) {
	return l.boards.Define(context.Background(), spec)
}

func (l *inEngine) Board(name string) (Board, error) {
	return l.boards.Board(context.Background(), name)
}

func (l *inEngine) Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error) {
	return l.boards.Union(ctx, spec)
}

func (l *inEngine) StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error {
	return l.boards.StoreUnion(ctx, name, spec)
}

func (l *inEngine) StoredUnion(ctx context.Context, name string) (board.Ranking, error) {
	return l.boards.StoredUnion(ctx, name)
}

func (l *inEngine) StoredUnions(ctx context.Context) ([]board.StoredUnion, error) {
	return l.boards.StoredUnions(ctx)
}

func (l *inEngine) DropUnion(ctx context.Context, name string) error {
	return l.boards.DropUnion(ctx, name)
}

func (l *inEngine) Migrate(ctx context.Context, spec board.Spec) (Board, error) {
	return l.boards.Migrate(ctx, spec)
}

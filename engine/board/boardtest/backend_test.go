package boardtest

import (
	"context"
	"errors"
	"iter"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/internal/memfs"
)

// local is the boards of an engine.
type local struct {
	e      *engine.Engine
	boards *board.Boards
	disk   *memfs.FS // nil: the engine is in memory only
	o      engine.Options
}

// memory opens an engine that stores nothing on a disk.
func memory(now func() time.Time) (Backend, error) {
	e, err := engine.New(engine.Options{Clock: now})
	if err != nil {
		return nil, err
	}
	l := &local{e: e}
	return l, l.open()
}

// durable returns a function that opens an engine on a disk in memory.
func durable(o engine.Options) Open {
	return func(now func() time.Time) (Backend, error) {
		o.Clock = now
		l := &local{disk: memfs.NewCrashable(), o: o}
		return l, l.open()
	}
}

func (l *local) open() (err error) {
	if l.disk != nil {
		l.o.FS = l.disk
		if l.e, err = engine.Open("data", l.o); err != nil {
			return err
		}
	}
	l.boards, err = board.Open(l.e, board.Options{})
	return err
}

func (l *local) Close() error { return errors.Join(l.boards.Close(), l.e.Close()) }

func (l *local) Events(ctx context.Context, after board.Position, f board.FeedFilter) iter.Seq2[board.Event, error] {
	return l.boards.Events(ctx, after, f)
}

func (l *local) SettleDue(ctx context.Context) (board.Settled, error) { return l.boards.SettleDue(ctx) }

func (l *local) Update(keys []string, fn func(tx *engine.Tx) error) error {
	return l.e.Update(keys, fn)
}

// DefineGroups implements Backend.
func (l *local) DefineGroups(kind string) (Groups, error) { return l.boards.DefineGroups(kind) }

// Groups implements Backend.
func (l *local) Groups(kind string) (Groups, error) { return l.boards.Groups(kind) }

// CountDue implements Backend.
func (l *local) CountDue(ctx context.Context) error { return l.boards.CountDue(ctx) }

// Reopen closes and opens the engine and its boards. Without a disk it leaves the engine open.
func (l *local) Reopen(meanwhile func()) error {
	err := l.boards.Close()
	if l.disk != nil {
		err = errors.Join(err, l.e.Close())
	}
	meanwhile()
	return errors.Join(err, l.open())
}

func (l *local) Kill(meanwhile func()) error {
	if l.disk == nil {
		return ErrUnsupported
	}
	crashed := l.disk.CrashClone(vfs.CrashCloneCfg{}) // the disk after a power cut
	err := l.Close()
	l.disk = crashed
	meanwhile()
	return errors.Join(err, l.open())
}

func (l *local) CloseDue() (int, error) { return l.boards.CloseDue() }

func (l *local) Drop(name string) error { return l.boards.Drop(name) }

func (l *local) Define(spec board.Spec) (Board, error) { return l.boards.Define(spec) }

func (l *local) Board(name string) (Board, error) { return l.boards.Board(name) }

func (l *local) Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error) {
	return l.boards.Union(ctx, spec)
}

func (l *local) StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error {
	return l.boards.StoreUnion(ctx, name, spec)
}

func (l *local) StoredUnion(name string) (board.Ranking, error) { return l.boards.StoredUnion(name) }

func (l *local) StoredUnions() ([]board.StoredUnion, error) { return l.boards.StoredUnions() }

func (l *local) DropUnion(name string) error { return l.boards.DropUnion(name) }

func (l *local) Migrate(ctx context.Context, spec board.Spec) (Board, error) {
	return l.boards.Migrate(ctx, spec)
}

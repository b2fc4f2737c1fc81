package boardtest

import (
	"errors"
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
	*local.Boards
	e    *engine.Engine
	disk *memfs.FS // nil: the engine is in memory only
	o    engine.Options
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
	l.Boards, err = local.Open(l.e, local.Options{})
	return err
}

func (l *inEngine) Close() error { return errors.Join(l.Boards.Close(), l.e.Close()) }

// Local implements Backend.
func (l *inEngine) Local() *local.Boards { return l.Boards }

// Reopen closes and opens the engine and its boards. Without a disk it leaves the engine open.
func (l *inEngine) Reopen(meanwhile func()) error {
	err := l.Boards.Close()
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

package zrank

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// Options are for Open and New. The zero value is right for most.
type Options struct {
	Engine engine.Options // durability, memory, the file system, the clock
	Boards local.Options  // what logs that periods are closed; how far the clock may jump
}

// DB is an engine and its boards. Its methods may be called from any goroutine. It is a board.Store, and so are the boards of a cluster or of a server.
type DB struct {
	board.Store // of the engine

	engine *engine.Engine
	boards *local.Boards
}

// Open opens the data directory, and makes it if there is none. Periods whose time is up are closed before it returns. nil options are the zero value.
// O(what was changed since the last snapshot). Errors: engine.ErrLocked if another process has the directory, those of engine.Open and local.Open.
func Open(dir string, o *Options) (*DB, error) {
	if o == nil {
		o = &Options{}
	}
	e, err := engine.Open(dir, o.Engine)
	return open(e, o, err)
}

// New returns a DB that keeps everything in memory only. Errors: those of Options that cannot be.
func New(o *Options) (*DB, error) {
	if o == nil {
		o = &Options{}
	}
	e, err := engine.New(o.Engine)
	return open(e, o, err)
}

func open(e *engine.Engine, o *Options, err error) (*DB, error) {
	if err != nil {
		return nil, err
	}
	boards, err := local.Open(e, o.Boards)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &DB{boards, e, boards}, nil
}

// Engine returns the engine: its sets, private keys, backups and statistics.
func (db *DB) Engine() *engine.Engine { return db.engine }

// Boards returns the boards of the engine with what only these have, such as Deliver for their awards.
func (db *DB) Boards() *local.Boards { return db.boards }

// Check reads everything that is stored, and compares it. progress is called now and then, unless it is nil. O(bytes). Errors: that of ctx, those of the engine;
// what is wrong is in the report.
func (db *DB) Check(ctx context.Context, progress func(engine.Report)) (local.Report, error) {
	return db.boards.Check(ctx, progress)
}

// Backup writes a copy of the data as it is now into a directory, which must not exist or be empty. Open opens it. O(bytes). Errors: those of engine.Backup.
func (db *DB) Backup(ctx context.Context, dir string) error { return db.engine.Backup(ctx, dir) }

// Close ends the work in the background, waits for calls in progress, and closes the engine. Later calls return board.ErrClosed; a second Close returns nil.
// Errors: engine.ErrInTx, then nothing is closed; those of the disk.
func (db *DB) Close() error {
	if err := db.boards.Close(); err != nil {
		return err
	}
	return db.engine.Close()
}

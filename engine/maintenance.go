package engine

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/recovery"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/persist/wal"
)

// Snapshot writes every set that has changed since the last snapshot and cuts the log. Writers go on: a set is locked for reading while one
// of its pages is encoded. Changes that are made meanwhile are in the log after the set's base, and effects are absolute, so pages and log
// together are exact. Errors: ErrClosed, ErrPersistence.
func (e *Engine) Snapshot() error {
	if err := e.locks.MayWait(); err != nil {
		return err
	}
	if e.store == nil {
		return nil
	}
	return locks.ClosedError(e.checkpoints.Snapshot())
}

// Compact removes from the files what was deleted or replaced before the call. It takes a snapshot, which cuts the log, and then rewrites the files
// of the store. When it returns nil, no file in the directory has bytes of a member, of a set or of a private key that a commit before the call has
// removed, nor of a value that one has replaced (E11). Transactions go on. It emits EventCompact before and after, and calls progress, which may be
// nil, from time to time.
//
// Compact waits for a Check, a Backup and iterations that began before it, since they read old files, and for another Compact. If ctx ends, it returns
// the cause of ctx, but it ends the snapshot first. After an error everything is as before, though some old bytes may be gone; call it again. It needs free space for about 256 MiB
// of tables. In memory only it does nothing. Errors: ErrInTx, ErrDiskFull, ErrClosed, ErrPersistence, ErrStalled, ErrCorrupt. O(bytes).
func (e *Engine) Compact(ctx context.Context, progress func(Compaction)) (Compaction, error) {
	if err := e.locks.MayWait(); err != nil {
		return Compaction{}, err
	}
	if e.store == nil {
		return Compaction{}, nil
	}
	if e.life.Closed.Load() {
		return Compaction{}, ErrClosed
	}
	c, err := e.checkpoints.Compact(ctx, progress)
	return c, locks.ClosedError(err)
}

// Check reads everything that is stored, and proves that each set in memory, as it is at some moment during the check, equals what its pages
// and the log would restore. It also checks the structure of each loaded set. Transactions go on, but a set cannot be changed while Check
// reads it in memory, about half a second for a million members; snapshots wait until Check has read all sets in memory. Check loads and
// evicts no set; it needs memory for one set and the log. progress may be nil. An error means that the check has not finished: ErrMemory,
// ErrClosed, ErrPersistence, that of ctx. O(bytes).
func (e *Engine) Check(ctx context.Context, progress func(Report)) (Report, error) {
	return e.check(ctx, progress, owner.Audit{})
}

func (e *Engine) check(ctx context.Context, progress func(Report), a owner.Audit) (Report, error) {
	if err := e.locks.MayWait(); err != nil {
		return Report{}, err
	}
	if e.store == nil {
		return Report{}, ErrMemory
	}
	return recovery.CheckLive(ctx, e.checkpoints, progress, a)
}

// CheckDir checks the directory of an engine that is not open, and changes no file in it except those called LOCK. It also reads what can be
// read of a directory that Open refuses. It uses only o.FS and o.Logger. Errors: ErrLocked, ErrNotStore, that of ctx, and those of the file
// system. O(bytes).
func CheckDir(ctx context.Context, dir string, o Options, progress func(Report)) (Report, error) {
	return recovery.CheckDir(ctx, dir, o.store(), progress, owner.Audit{})
}

// Salvaged tells what Salvage has copied of a damaged engine, and what is lost.
type Salvaged = persist.Salvaged

// Backup writes a copy of everything to dir while transactions go on. The copy has every commit made before the call, and perhaps later ones.
// Open can open it; to run a copy beside this engine, use Restore. dir must not exist or must be empty. On the same file system the copy
// shares files by hard links. Backup reads the whole copy before it renames it to dir. After an error nothing is left in dir. Errors:
// ErrExists, ErrMemory, ErrClosed, ErrPersistence, ErrCorrupt, that of ctx, and those of the file system. O(bytes).
func (e *Engine) Backup(ctx context.Context, dir string) error {
	if e.life.Closed.Load() {
		return ErrClosed
	}
	if e.store == nil {
		return ErrMemory
	}
	return locks.ClosedError(e.store.Backup(ctx, dir))
}

// Restore copies a backup, or any directory of a store that no engine has open, to dir. The copy is a store of its own, so both may be
// opened afterwards. dir must not exist or must be empty. Restore checks the whole backup before it copies, and the whole copy before
// it finishes. It uses only o.FS and o.Logger. Errors: ErrExists, ErrNotStore, ErrLocked, ErrCorrupt if anything is damaged, the error of
// ctx, and errors of the file system. After an error nothing is left in dir. O(bytes).
func Restore(ctx context.Context, backup, dir string, o Options) (Report, error) {
	rep, err := recovery.CheckDir(ctx, backup, o.store(), nil, owner.Audit{})
	if err == nil && len(rep.Problems) > 0 {
		err = &wal.CorruptError{Key: rep.Problems[0].Where, Reason: rep.Problems[0].What}
	}
	if err != nil {
		return rep, err
	}
	_, err = persist.Restore(ctx, backup, dir, o.store())
	return rep, err
}

// Salvage copies what can be read of the damaged engine in from to dir. It changes nothing in from. The copy is the state after its last commit, the longest that
// can be read, if the damage leaves one: Salvaged.Prefix. Otherwise the copy has what is whole: the result names the sets that are not as after
// that commit, such as those with damaged pages, whose other members are copied. Salvaged.Whole says that nothing is missing. Sets that belong
// together, as those of a board, fit together in a prefix only. dir must not exist or must be empty. Salvage uses only o.FS and
// o.Logger. Errors: those of Restore except ErrCorrupt. O(bytes).
func Salvage(ctx context.Context, from, dir string, o Options) (Salvaged, error) {
	done, err := persist.Salvage(ctx, from, dir, o.store())
	if err == nil {
		done.Copy, err = recovery.CheckDir(ctx, dir, o.store(), nil, owner.Audit{})
	}
	return done, err
}

// WithProgress returns a context with which Backup, Restore and Salvage call fn with the counts so far. They read more than once, what they copy and the
// copy: the counts begin again with each. fn is called in the goroutine of the call, often.
func WithProgress(ctx context.Context, fn func(Report)) context.Context {
	return persist.WithProgress(ctx, fn)
}

// Compaction tells how far a compaction is, and what it has freed: see Engine.Compact.
type Compaction = persist.Compaction

// Report is what a check has read, and the problems that it has found.
type Report = persist.Report

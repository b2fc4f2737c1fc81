package engine

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/recovery"
	"github.com/zrankdb/zrank/persist"
)

// Snapshot writes every set that has changed since the last snapshot and cuts the log. Writers go on: a set is locked for
// reading while one page of it is encoded. What changes meanwhile is in the log after the set's base, and effects are
// absolute, so pages and log together are exact. Errors: ErrClosed, ErrPersistence.
func (e *Engine) Snapshot() error {
	if err := e.locks.MayWait(); err != nil {
		return err
	}
	if e.store == nil {
		return nil
	}
	return locks.ClosedError(e.checkpoints.Snapshot())
}

// Check reads everything that is stored, and proves that the sets in memory are what would be read back: each one, as it is at
// some moment while the check runs, is its pages and the log after them up to its last commit. It checks each loaded set's own
// structure too. Transactions go on; a set cannot be changed while it is read in memory, which takes about half a second for
// each million members, and snapshots wait until all are. Nothing is loaded and nothing evicted: memory is taken for one set and the
// log. progress may be nil. An error means that the check did not come to its end: ErrMemory, ErrClosed, ErrPersistence, that
// of ctx. O(bytes).
func (e *Engine) Check(ctx context.Context, progress func(Report)) (Report, error) {
	return e.check(ctx, progress, Audit{})
}

func (e *Engine) check(ctx context.Context, progress func(Report), a Audit) (Report, error) {
	if err := e.locks.MayWait(); err != nil {
		return Report{}, err
	}
	if e.store == nil {
		return Report{}, ErrMemory
	}
	return recovery.CheckLive(ctx, e.checkpoints, progress, a)
}

// CheckDir checks the directory of an engine that nobody has open, and changes no file there but those called LOCK. It reads
// what can be read of a directory too that Open refuses. Of o it takes FS and Logger. Errors: ErrLocked, ErrNotStore, that of
// ctx, the file system's. O(bytes).
func CheckDir(ctx context.Context, dir string, o Options, progress func(Report)) (Report, error) {
	return recovery.CheckDir(ctx, dir, o.store(), progress, Audit{})
}

// Salvaged says what of a damaged engine is in its copy, and what is lost.
type Salvaged = persist.Salvaged

// Backup writes a copy of everything to dir while transactions go on. It holds every commit made before the call, and perhaps
// later ones, and is an engine of its own that Open opens; Restore copies it, to run beside this one. dir must not exist, or
// be empty. Files are shared by hard links where dir is on the same file system. The copy is read in full before it gets its
// name; after an error nothing is left. Errors: ErrExists, ErrMemory, ErrClosed, ErrPersistence, ErrCorrupt, that of ctx, the
// file system's. O(bytes).
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
	rep, err := recovery.CheckDir(ctx, backup, o.store(), nil, Audit{})
	if err == nil && len(rep.Problems) > 0 {
		err = &persist.CorruptError{Key: rep.Problems[0].Where, Reason: rep.Problems[0].What}
	}
	if err != nil {
		return rep, err
	}
	_, err = persist.Restore(ctx, backup, dir, o.store())
	return rep, err
}

// Salvage copies what can be read of the damaged engine in from, in which nothing is changed, to dir: up to the first commit
// that is damaged or missing. Of a set with damaged pages the other members are copied, and it is named in the result. dir must
// not exist, or be empty. Of o it takes FS and Logger. Errors: those of Restore but ErrCorrupt. O(bytes).
func Salvage(ctx context.Context, from, dir string, o Options) (Salvaged, error) {
	done, err := persist.Salvage(ctx, from, dir, o.store())
	if err == nil {
		done.Copy, err = recovery.CheckDir(ctx, dir, o.store(), nil, Audit{})
	}
	return done, err
}

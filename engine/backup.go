package engine

import (
	"context"

	"github.com/zrankdb/zrank/persist"
)

// Salvaged says what of a damaged engine is in its copy, and what is lost.
type Salvaged = persist.Salvaged

// Backup writes a copy of everything to dir while transactions go on. It holds every commit made before the call, and perhaps
// later ones, and is an engine of its own that Open opens; Restore copies it, to run beside this one. dir must not exist, or
// be empty. Files are shared by hard links where dir is on the same file system. The copy is read in full before it gets its
// name; after an error nothing is left. Errors: ErrExists, ErrMemory, ErrClosed, ErrPersistence, ErrCorrupt, that of ctx, the
// file system's. O(bytes).
func (e *Engine) Backup(ctx context.Context, dir string) error {
	if e.closed.Load() {
		return ErrClosed
	}
	if e.store == nil {
		return ErrMemory
	}
	return e.closedError(e.store.Backup(ctx, dir))
}

// Restore copies the backup, or any directory that no engine has open, to dir, as an engine of its own: both may be opened from
// then on. dir must not exist, or be empty. All of it is read before and after. Of o it takes FS and Logger. Errors: ErrExists,
// ErrNotStore, ErrLocked, ErrCorrupt if anything is damaged, that of ctx, the file system's; after an error nothing is left.
// O(bytes).
func Restore(ctx context.Context, backup, dir string, o Options) (Report, error) {
	rep, err := checkDir(ctx, backup, o, nil, Audit{})
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
		done.Copy, err = checkDir(ctx, dir, o, nil, Audit{})
	}
	return done, err
}

package image

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Backup writes a copy of the store to dir, while commits go on. It holds every commit appended before the call, and perhaps
// later ones; Close ends it with ErrClosed. It is a store of its own, with the same id, which Open opens and Restore copies under a new id. Pebble's tables
// are shared by hard links where dir is on the same file system, and copied otherwise. The copy is read in full before it
// gets its name. dir must not exist, or be empty; its parents are made. Errors: ErrExists, ErrCorrupt if what was copied is
// damaged, ErrPersistence, ErrClosed, that of ctx, the file system's; after an error nothing is left. O(bytes).
func Backup(ctx context.Context, l *commitlog.Log, dir string) error {
	if err := l.DB.Acquire(); err != nil {
		return err
	}
	defer l.DB.Release()
	dir = absolute(l.DB.FS, dir)
	if inside(l.DB.FS, l.DB.Dir, dir) {
		return fmt.Errorf("persist: backup of %s to %s, which is inside of it", l.DB.Dir, dir)
	}
	g, err := storedir.NewStaging(l.DB.FS, dir)
	if err != nil {
		return err
	}
	ctx = untilClosed{ctx, l.DB}
	if err = fillBackup(ctx, l, g); err == nil {
		err = g.Finish()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("persist: backup to %s: %w", dir, err), g.Drop())
	}
	return nil
}

// untilClosed is a context that is over when the store is being closed too.
type untilClosed struct {
	context.Context
	d *pebbledb.DB
}

// Err implements context.Context.
func (c untilClosed) Err() error {
	if c.d.IsClosing() {
		return errs.ErrClosed
	}
	return c.Context.Err()
}

func fillBackup(ctx context.Context, l *commitlog.Log, g *storedir.Staging) error {
	n, err := storedir.ReadIdentity(l.DB.FS, l.DB.Dir)
	if err != nil {
		return err
	}
	if err := storedir.BeginCreate(l.DB.FS, g.Tmp, n); err != nil {
		return err
	}
	last := l.LastSeq()
	if err := l.Flush(); err != nil {
		return err
	}
	// Pebble 2.1.7 copies an empty manifest if it has not written to it since it was opened. A flush of what it has in memory does.
	if err := l.DB.Guard(l.DB.Pebble.Flush); err != nil {
		return err
	}
	if err := checkpoint(l.DB, l.DB.FS.PathJoin(g.Tmp, storedir.DBName)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	rep, m, err := checkStage(ctx, g)
	if err == nil && rep.LastSeq < last {
		err = &errs.CorruptError{Key: format.PrefixLog, Reason: fmt.Sprintf("the copy's log ends at %d, the store's at %d", rep.LastSeq, last)}
	}
	if err != nil {
		return err
	}
	_, err = storedir.WriteMarkFile(g.Fs, g.Tmp, m)
	return err
}

// checkpoint has Pebble copy itself, in a goroutine that Pebble may end. It panics when it cannot create or flush its markers;
// nothing of the store's own is harmed by that.
func checkpoint(d *pebbledb.DB, dir string) error {
	done := make(chan error, 1)
	go func() {
		err := pebbledb.ErrFatal
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
				if cause, ok := r.(error); ok {
					err = cause
				}
			}
			done <- err
		}()
		err = d.Pebble.Checkpoint(dir)
	}()
	return <-done
}

// checkStage reads all of a copy, and returns the first problem as an error, and otherwise the mark of what the copy holds, which
// is all that it ever will: see storedir.Mark.
func checkStage(ctx context.Context, g *storedir.Staging) (rep Report, m storedir.Mark, err error) {
	im, err := openDatabase(pebbledb.New(g.Tmp, pebbledb.Config{FS: g.Fs, Logger: slog.New(slog.DiscardHandler)}), storedir.IdentityNewName)
	if err != nil {
		return rep, m, err
	}
	if rep, err = im.Check(ctx, CheckOptions{}); err == nil {
		err = firstProblem(rep)
	}
	m = storedir.Mark{Store: im.id, Durable: rep.LastSeq, Chain: rep.chain, Snapshot: rep.Snapshot, Upto: rep.upto, Clean: true}
	return rep, m, errors.Join(err, im.Close())
}

// firstProblem returns a report's first problem as an error.
func firstProblem(r Report) error {
	if len(r.Problems) == 0 {
		return nil
	}
	p := r.Problems[0]
	return &errs.CorruptError{Key: p.Where, Reason: fmt.Sprintf("%s (%d problems in all)", p.What, len(r.Problems))}
}

// Restore copies the store in the directory from, which must be closed, to dir, under a new id: both may be used from then
// on. It is the same commits with the same numbers. The copy is flushed, and read in full before it gets its name. dir must
// not exist, or be empty. It takes FS and Logger of o. Errors: ErrExists, ErrNotStore, ErrLocked, ErrNewerFormat, ErrCorrupt if
// anything in the backup is damaged, that of ctx, the file system's; after an error nothing is left. O(bytes).
func Restore(ctx context.Context, from, dir string, c pebbledb.Config) (Report, error) {
	done, err := copyStore(ctx, from, dir, c, true)
	return done.Copy, err
}

// absolute returns a path that does not depend on the process's directory.
func absolute(fs vfs.FS, dir string) string {
	if vfs.Root(fs) == vfs.Default {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
	}
	return dir
}

// inside reports whether a path is dir or below it, as far as their spelling tells.
func inside(fs vfs.FS, dir, path string) bool {
	rel, err := filepath.Rel(fs.PathJoin(dir), fs.PathJoin(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

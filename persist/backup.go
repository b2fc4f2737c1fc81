package persist

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/seeded"
)

// backup writes a copy of the store to dir, while commits go on. It holds every commit appended before the call, and perhaps
// later ones; Close ends it with ErrClosed. It is a store of its own, with the same id, which Open opens and Restore copies under a new id. Pebble's tables
// are shared by hard links where dir is on the same file system, and copied otherwise. The copy is read in full before it
// gets its name. dir must not exist, or be empty; its parents are made. Errors: ErrExists, ErrCorrupt if what was copied is
// damaged, ErrPersistence, ErrClosed, that of ctx, the file system's; after an error nothing is left. O(bytes).
func backup(ctx context.Context, l *Log, dir string) error {
	if err := l.DB.acquire(); err != nil {
		return err
	}
	defer l.DB.release()
	dir = absolute(l.DB.fs, dir)
	if inside(l.DB.fs, l.DB.dir, dir) {
		return fmt.Errorf("persist: backup of %s to %s, which is inside of it", l.DB.dir, dir)
	}
	g, err := newStage(l.DB.fs, dir)
	if err != nil {
		return err
	}
	ctx = untilClosed{ctx, l.DB}
	if err = fillBackup(ctx, l, g); err == nil {
		err = g.finish()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("persist: backup to %s: %w", dir, err), g.drop())
	}
	return nil
}

// untilClosed is a context that is over when the store is being closed too.
type untilClosed struct {
	context.Context
	d *DB
}

// Err implements context.Context.
func (c untilClosed) Err() error {
	if c.d.isClosing() {
		return ErrClosed
	}
	return c.Context.Err()
}

func fillBackup(ctx context.Context, l *Log, g *stage) error {
	n, err := readIdentity(l.DB.fs, l.DB.dir)
	if err != nil {
		return err
	}
	if err := beginCreate(l.DB.fs, g.tmp, n); err != nil {
		return err
	}
	last := l.LastSeq()
	if !seeded.Bug("backup without barrier") {
		if err := l.Flush(); err != nil {
			return err
		}
	}
	// Pebble 2.1.7 copies an empty manifest if it has not written to it since it was opened. A flush of what it has in memory does.
	if err := l.DB.guard(l.DB.db.Flush); err != nil {
		return err
	}
	if err := checkpoint(l.DB, l.DB.fs.PathJoin(g.tmp, dbName)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	rep, m, err := checkStage(ctx, g)
	if err == nil && rep.LastSeq < last {
		err = &CorruptError{Key: spaceLog, Reason: fmt.Sprintf("the copy's log ends at %d, the store's at %d", rep.LastSeq, last)}
	}
	if err != nil {
		return err
	}
	_, err = writeMarkFile(g.fs, g.tmp, m)
	return err
}

// checkpoint has Pebble copy itself, in a goroutine that Pebble may end. It panics when it cannot create or flush its markers;
// nothing of the store's own is harmed by that.
func checkpoint(d *DB, dir string) error {
	done := make(chan error, 1)
	go func() {
		err := errFatal
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
				if cause, ok := r.(error); ok {
					err = cause
				}
			}
			done <- err
		}()
		err = d.db.Checkpoint(dir)
	}()
	return <-done
}

// checkStage reads all of a copy, and returns the first problem as an error, and otherwise the mark of what the copy holds, which
// is all that it ever will: see waterMark.
func checkStage(ctx context.Context, g *stage) (rep Report, m waterMark, err error) {
	im, err := openDatabase(NewDB(g.tmp, Config{FS: g.fs, Logger: slog.New(slog.DiscardHandler)}), identityNewName)
	if err != nil {
		return rep, m, err
	}
	if rep, err = im.Check(ctx, CheckOptions{}); err == nil {
		err = firstProblem(rep)
	}
	m = waterMark{store: im.id, durable: rep.LastSeq, chain: rep.chain, snapshot: rep.Snapshot, upto: rep.upto, clean: true}
	return rep, m, errors.Join(err, im.Close())
}

// firstProblem returns a report's first problem as an error.
func firstProblem(r Report) error {
	if len(r.Problems) == 0 {
		return nil
	}
	p := r.Problems[0]
	return &CorruptError{Key: p.Where, Reason: fmt.Sprintf("%s (%d problems in all)", p.What, len(r.Problems))}
}

// restore copies the store in the directory from, which nobody has open, to dir, under a new id: both may be used from then
// on. It is the same commits with the same numbers. The copy is flushed, and read in full before it gets its name. dir must
// not exist, or be empty. It takes FS and Logger of o. Errors: ErrExists, ErrNotStore, ErrLocked, ErrNewerFormat, ErrCorrupt if
// anything in the backup is damaged, that of ctx, the file system's; after an error nothing is left. O(bytes).
func restore(ctx context.Context, from, dir string, c Config) (Report, error) {
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

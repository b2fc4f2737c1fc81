package persist

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/seeded"
)

// Backup writes a copy of the store to dir, while commits go on. It holds every commit appended before the call, and perhaps
// later ones; Close ends it with ErrClosed. It is a store of its own, with the same id, which Open opens and Restore copies under a new id. Pebble's tables
// are shared by hard links where dir is on the same file system, and copied otherwise. The copy is read in full before it
// gets its name. dir must not exist, or be empty; its parents are made. Errors: ErrExists, ErrCorrupt if what was copied is
// damaged, ErrPersistence, ErrClosed, that of ctx, the file system's; after an error nothing is left. O(bytes).
func (s *Store) Backup(ctx context.Context, dir string) error {
	if err := s.acquire(); err != nil {
		return err
	}
	defer s.release()
	dir = absolute(s.fs, dir)
	if inside(s.fs, s.dir, dir) {
		return fmt.Errorf("persist: backup of %s to %s, which is inside of it", s.dir, dir)
	}
	g, err := newStage(s.fs, dir)
	if err != nil {
		return err
	}
	ctx = untilClosed{ctx, s}
	if err = s.backup(ctx, g); err == nil {
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
	s *Store
}

// Err implements context.Context.
func (c untilClosed) Err() error {
	if c.s.isClosing() {
		return ErrClosed
	}
	return c.Context.Err()
}

func (s *Store) backup(ctx context.Context, g *stage) error {
	n, err := readIdentity(s.fs, s.dir)
	if err != nil {
		return err
	}
	if err := beginCreate(s.fs, g.tmp, n); err != nil {
		return err
	}
	last := s.LastSeq()
	if !seeded.Bug("backup without barrier") {
		if err := s.Flush(); err != nil {
			return err
		}
	}
	// Pebble 2.1.7 copies an empty manifest if it has not written to it since it was opened. A flush of what it has in memory does.
	if err := s.guard(s.db.Flush); err != nil {
		return err
	}
	if err := s.checkpoint(s.fs.PathJoin(g.tmp, dbName)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	rep, err := g.check(ctx)
	if err == nil && rep.LastSeq < last {
		err = &CorruptError{Key: spaceLog, Reason: fmt.Sprintf("the copy's log ends at %d, the store's at %d", rep.LastSeq, last)}
	}
	if err != nil {
		return err
	}
	return g.mark(n.id, rep)
}

// checkpoint has Pebble copy itself, in a goroutine that Pebble may end. It panics when it cannot create or flush its markers;
// nothing of the store's own is harmed by that.
func (s *Store) checkpoint(dir string) error {
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
		err = s.db.Checkpoint(dir)
	}()
	return <-done
}

// check reads all of the stage, and returns the first problem as an error.
func (g *stage) check(ctx context.Context) (rep Report, err error) {
	im, err := openImage(NewDB(g.tmp, Options{FS: g.fs}.withDefaults().database()), identityNewName)
	if err != nil {
		return rep, err
	}
	if rep, err = im.Check(ctx, CheckOptions{}); err == nil {
		err = rep.err()
	}
	return rep, errors.Join(err, im.Close())
}

// mark writes down what the copy holds, which is all that it ever will: see waterMark.
func (g *stage) mark(id storeID, rep Report) error {
	m := waterMark{store: id, durable: rep.LastSeq, chain: rep.chain, snapshot: rep.Snapshot, upto: rep.upto, clean: true}
	_, err := writeMarkFile(g.fs, g.tmp, m)
	return err
}

// err returns a report's first problem as an error.
func (r *Report) err() error {
	if len(r.Problems) == 0 {
		return nil
	}
	p := r.Problems[0]
	return &CorruptError{Key: p.Where, Reason: fmt.Sprintf("%s (%d problems in all)", p.What, len(r.Problems))}
}

// Restore copies the store in the directory backup, which nobody has open, to dir, under a new id: both may be used from then
// on. It is the same commits with the same numbers. The copy is flushed, and read in full before it gets its name. dir must
// not exist, or be empty. Of o it takes FS and Logger. Errors: ErrExists, ErrNotStore, ErrLocked, ErrNewerFormat, ErrCorrupt if
// anything in the backup is damaged, that of ctx, the file system's; after an error nothing is left. O(bytes).
func Restore(ctx context.Context, backup, dir string, o Options) (Report, error) {
	c, err := copyStore(ctx, backup, dir, o, true)
	return c.Copy, err
}

// absolute returns a path that does not depend on the process's directory.
func absolute(fs FS, dir string) string {
	if vfs.Root(fs) == vfs.Default {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
	}
	return dir
}

// inside reports whether a path is dir or below it, as far as their spelling tells.
func inside(fs FS, dir, path string) bool {
	rel, err := filepath.Rel(fs.PathJoin(dir), fs.PathJoin(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

package persist

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// Backup writes a copy of the store to dir, while commits go on. The copy holds every commit appended before the call, and perhaps
// later ones. The copy is a complete store with the same id: Open opens it, and Restore copies it under a new id. If dir is on the
// same file system, Backup makes hard links to Pebble's tables; otherwise it copies them. It reads the whole copy before the copy gets
// its name. dir must not exist, or be empty; Backup creates its parents. Close makes a running Backup return ErrClosed. Errors:
// ErrExists, ErrCorrupt if the copied data is damaged, ErrPersistence, ErrClosed, that of ctx, the file system's. After an error
// Backup removes the copy. O(bytes).
func (s *Store) Backup(ctx context.Context, dir string) error {
	l := s.log
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

// untilClosed is a context whose Err is ErrClosed once the store is closing.
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

// fillBackup fills the staging directory of a backup: identity, Pebble's files, and, after a check of the copy, the high-water mark.
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
	// Pebble 2.1.7 copies an empty manifest if it has not written to the manifest since it was opened. A flush of the memtables writes it.
	if err := l.DB.Guard(l.DB.Pebble.Flush); err != nil {
		return err
	}
	rep, m, err := copyDatabase(ctx, l, g)
	if err == nil && rep.LastSeq < last {
		err = &wal.CorruptError{Key: format.PrefixLog, Reason: fmt.Sprintf("the copy's log ends at %d, the store's at %d", rep.LastSeq, last)}
	}
	if err != nil {
		return err
	}
	_, err = storedir.WriteMarkFile(g.Fs, g.Tmp, m)
	return err
}

// freeCopies is the number of copies that a backup makes while commits go on, before it makes one while they wait.
const freeCopies = 2

// copyDatabase fills the database of a backup, and checks it. Pebble copies its write-ahead log while commits go on. If the file of the log is
// a recycled one, commits may overwrite blocks that are copied already and blocks that are not: the copy then lacks the former and has
// the latter, and Pebble takes it for damaged. copyDatabase then copies again. If commits are faster than the copy every time, the last copy
// is made while no commit is written.
func copyDatabase(ctx context.Context, l *commitlog.Log, g *storedir.Staging) (rep Report, m storedir.Mark, err error) {
	dir := l.DB.FS.PathJoin(g.Tmp, storedir.DBName)
	for try := range freeCopies + 1 {
		if try > 0 {
			if err := l.DB.FS.RemoveAll(dir); err != nil {
				return rep, m, err
			}
		}
		run := func() error { return checkpoint(ctx, l.DB, dir) }
		if try < freeCopies {
			err = run()
		} else {
			err = l.Do(run)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return rep, m, err
		}
		if rep, m, err = checkStage(ctx, g); !errors.Is(err, errNotOpened) || !pebble.IsCorruptionError(err) {
			break
		}
	}
	return rep, m, err
}

// checkpoint makes a Pebble checkpoint, in a goroutine that Pebble may end. Pebble panics when it cannot create or flush its markers;
// checkpoint returns that as an error. The open store stays unharmed. It does nothing if ctx has ended.
func checkpoint(ctx context.Context, d *pebbledb.DB, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
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
		d.Files.Lock() // a compaction would remove logs that Pebble is about to copy
		defer d.Files.Unlock()
		err = d.Pebble.Checkpoint(dir)
	}()
	return <-done
}

// checkStage reads all of a copy. It returns the first problem as an error. Otherwise it returns the copy's high-water mark, which is
// clean because nothing writes to the copy any more; see storedir.Mark.
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
	return &wal.CorruptError{Key: p.Where, Reason: fmt.Sprintf("%s (%d problems in all)", p.What, len(r.Problems))}
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

// inside reports whether a path is dir or below it. It compares only the spelling of the paths.
func inside(fs vfs.FS, dir, path string) bool {
	rel, err := filepath.Rel(fs.PathJoin(dir), fs.PathJoin(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

package persist

import (
	"context"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// Compact rewrites the files until none holds bytes of anything that a commit appended before the call has deleted or replaced (P21): log before
// the pointer's start, replaced pages, private keys and their old values, names of sets that are gone. Commits go on. A caller that wants the log
// gone too takes a snapshot first. Compact waits for images and iterations that began before, since they need the files, and for another Compact;
// so it must not be called while the goroutine has one open. It calls progress, which may be nil, from time to time. If ctx ends, Compact returns the
// cause of ctx; a rewriting of one table may go on for a moment. After an error the store has the same content, and a further Compact begins
// again. Compact needs free space for about 256 MiB, and a reader of old tables keeps them. Errors: ErrDiskFull, ErrCorrupt,
// ErrPersistence, ErrClosed, ErrStalled, that of ctx. O(bytes).
func (s *Store) Compact(ctx context.Context, progress func(Compaction)) (Compaction, error) {
	l := s.log
	if err := l.DB.Acquire(); err != nil {
		return Compaction{}, err
	}
	defer l.DB.Release()
	ctx, cancel := context.WithCancelCause(ctx)
	r := &compactionRun{ctx: ctx, l: l, db: l.DB, progress: progress}
	ended := make(chan struct{})
	go r.watch(ended, cancel)
	defer cancel(nil)
	defer close(ended)
	if err := r.await(func() (bool, error) { return l.DB.Compacting.TryLock(), nil }); err != nil {
		return r.now, err
	}
	defer l.DB.Compacting.Unlock()
	return r.now, r.steps()
}

// steps are the steps of a compaction (P21). Bytes of a deleted key may be in tables, as the key, its value, its deletion, or a bound of a block or a table; in
// Pebble's logs, behind newer bytes too, since Pebble writes over old logs; and in Pebble's manifests, as bounds of tables, those that are
// gone included. They take these in turn, while commits go on:
//
//  1. From now on Pebble begins each log in a new file.
//  2. Pebble's memtables are flushed, and every table of before moves to the last level, where Pebble drops deletions and what they delete. A table
//     that came there unread, or while a snapshot of Pebble still needed what was deleted, is then rewritten.
//  3. Pebble begins a new manifest.
//  4. The logs and manifests of before are removed.
//  5. Readers may still have tables of before. Compact waits until they are gone.
//
// Each step leaves a store that Open opens with the same commits, so a crash needs no repair.
func (r *compactionRun) steps() (err error) {
	if err := r.l.Barrier(r.ctx); err != nil { // what was queued before the call must be in Pebble
		return err
	}
	if err := r.l.DropRetained(); err != nil {
		return err
	}
	defer r.db.FreshLogs()()
	if r.now.Before, err = r.db.DiskUsage(); err != nil {
		return err
	}
	if err := r.compactTables(); err != nil {
		return err
	}
	log, err := r.newManifest()
	if err != nil {
		return err
	}
	if err := r.removeFiles(log); err != nil {
		return err
	}
	if err := r.awaitTables(); err != nil {
		return err
	}
	r.now.After, err = r.db.DiskUsage()
	r.report()
	return err
}

// newManifest makes Pebble begin a new manifest, which lists the tables of now only. Pebble does so once the current one lists more changes than
// there are tables, and each flush is a change. newManifest returns the number of a log that Pebble needs no more, nor those before it.
func (r *compactionRun) newManifest() (log uint64, err error) {
	if log, err = r.db.NewestLog(); err != nil {
		return 0, err
	}
	for was := r.db.Mark.Manifest(); r.db.Mark.Manifest() == was; {
		if err := r.ctx.Err(); err != nil {
			return 0, context.Cause(r.ctx)
		}
		if err := r.flushSomething(); err != nil {
			return 0, err
		}
		if _, err := r.db.CatchUp(); err != nil {
			return 0, err
		}
	}
	return log, nil
}

// flushSomething makes a table: it writes a record again that never changes, and flushes the memtables.
func (r *compactionRun) flushSomething() error {
	err := r.l.Do(func() error {
		b := r.db.Pebble.NewBatch()
		if err := b.Set(format.KeyFormat, format.EncodeFormat(r.db.ID), nil); err != nil {
			return err
		}
		return r.db.Apply(b, false)
	})
	if err != nil {
		return err
	}
	return r.db.Flush()
}

// removeFiles removes the logs up to the given number and the old manifests. It waits for a backup that copies files.
func (r *compactionRun) removeFiles(log uint64) error {
	if err := r.await(func() (bool, error) { return r.db.Files.TryLock(), nil }); err != nil {
		return err
	}
	defer r.db.Files.Unlock()
	return r.db.RemoveBefore(log)
}

// awaitTables waits until the table files that are not in use now are gone. A file that a compaction of Pebble is writing comes into use, or goes
// too.
func (r *compactionRun) awaitTables() error {
	old, err := r.db.TableFiles()
	if err != nil {
		return err
	}
	return r.await(func() (bool, error) {
		used, err := r.db.TablesInUse()
		if err != nil {
			return false, err
		}
		there, err := r.db.TableFiles()
		if err != nil {
			return false, err
		}
		left := map[uint64]bool{}
		for _, n := range there {
			left[n] = !used[n]
		}
		for _, n := range old {
			if left[n] {
				return false, nil
			}
		}
		return true, nil
	})
}

package recovery

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// Lock locks the directory. Before and after that it checks that the directory is a store, or may become one; otherwise it returns an
// error. If the first check fails, Lock changes nothing in the directory.
func Lock(d *pebbledb.DB, mustExist bool) (storedir.State, error) {
	if _, err := inspectDir(d, mustExist); err != nil {
		return 0, err
	}
	if err := storedir.MakeDir(d.FS, d.Dir); err != nil {
		return 0, fmt.Errorf("persist: create %s: %w", d.Dir, err)
	}
	lock, err := storedir.Lock(d.FS, d.Dir)
	if err != nil {
		return 0, err
	}
	state, err := inspectDir(d, mustExist)
	if err != nil {
		return 0, errors.Join(err, lock.Close())
	}
	d.Lock = lock
	return state, nil
}

// inspectDir returns the state of the directory, or ErrNotStore if Open must not use it.
func inspectDir(d *pebbledb.DB, mustExist bool) (storedir.State, error) {
	state, err := storedir.Inspect(d.FS, d.Dir)
	if err == nil && state == storedir.StateForeign {
		err = fmt.Errorf("%w: %s is a file, or holds something else", errs.ErrNotStore, d.Dir)
	}
	if err == nil && state == storedir.StateNew && mustExist {
		err = fmt.Errorf("%w: %s is empty or does not exist", errs.ErrNotStore, d.Dir)
	}
	return state, err
}

// Open opens the store, or creates it if state is StateNew, and returns the state from which the log continues. After an error it
// leaves nothing open.
func Open(d *pebbledb.DB, state storedir.State) (at commitlog.State, sum Summary, err error) {
	defer func() {
		if err == nil {
			return
		}
		if d.Pebble != nil {
			_ = d.Pebble.Close()
		}
		_ = d.Mark.Close(false)
	}()
	if state == storedir.StateNew {
		at, err = createStore(d)
		return at, sum, err
	}
	start := time.Now()
	f, err := Preflight(d)
	if err != nil {
		return at, sum, err
	}
	if err := f.load(d); err != nil {
		return at, sum, err
	}
	f.summary.Duration = time.Since(start)
	return f.log, f.summary, nil
}

// createStore creates an empty store.
func createStore(d *pebbledb.DB) (at commitlog.State, err error) {
	n := storedir.NewIdentity()
	if err := storedir.BeginCreate(d.FS, d.Dir, n); err != nil {
		return at, fmt.Errorf("persist: create %s: %w", d.Dir, err)
	}
	if err := d.Open(pebbledb.CreateNew); err != nil {
		return at, err
	}
	at = EmptyLog(n.ID, 0)
	if err := CreateRecords(d, n.ID, at); err != nil {
		return at, err
	}
	if err := storedir.FinishCreate(d.FS, d.Dir); err != nil {
		return at, fmt.Errorf("persist: create %s: %w", d.Dir, err)
	}
	return at, nil
}

// EmptyLog returns a log that begins after commit upto.
func EmptyLog(id format.StoreID, upto uint64) commitlog.State {
	return commitlog.State{
		Current: format.Pointer{Upto: upto, Start: upto + 1},
		Chain:   format.Chain{Store: id.Hash(), Next: upto + 1},
	}
}

// CreateRecords writes the first records and the high-water mark of a store whose Pebble has just been created.
func CreateRecords(d *pebbledb.DB, id format.StoreID, at commitlog.State) error {
	d.ID = id
	b := d.Pebble.NewBatch()
	if err := errors.Join(b.Set(format.KeyFormat, format.EncodeFormat(id), nil), b.Set(format.KeyCurrent, at.Current.Encode(), nil)); err != nil {
		return err
	}
	if err := d.Apply(b, true); err != nil {
		return err
	}
	if err := createMark(d, storedir.Mark{Store: id}); err != nil {
		return fmt.Errorf("persist: create %s: %w", d.Dir, err)
	}
	return nil
}

// createMark writes the first high-water mark of a store whose Pebble has just been created.
func createMark(d *pebbledb.DB, m storedir.Mark) (err error) {
	d.Mark.Note(func(next *storedir.Mark) { m.Manifest = next.Manifest })
	if m, err = storedir.WriteMarkFile(d.FS, d.Dir, m); err != nil {
		return err
	}
	return d.Mark.Open(m)
}

// load opens Pebble for writing: this is the first step that modifies files. It opens the high-water mark, upgrades the layout, writes
// the mark and deletes the pages of a crashed snapshot.
func (f *inspection) load(d *pebbledb.DB) (err error) {
	m := f.mark
	m.Store, m.Clean, m.Manifest = f.identity.ID, false, f.manifest
	if !f.hasMark {
		if m, err = storedir.WriteMarkFile(d.FS, d.Dir, m); err != nil {
			return fmt.Errorf("persist: open %s: %w", d.Dir, err)
		}
	}
	if err := d.Mark.Open(m); err != nil {
		return err
	}
	if err := d.Open(pebbledb.ReadWrite); err != nil {
		return err
	}
	if err := f.checkSame(d); err != nil {
		return err
	}
	if err := f.upgrade(d); err != nil {
		return err
	}
	d.Mark.Note(func(next *storedir.Mark) {
		next.Durable, next.Chain = f.last(), f.log.Chain.Prev
		next.Snapshot, next.Upto = f.log.Current.Snapshot, f.log.Current.Upto
	})
	for range 2 { // both slots: neither may say that the store is closed (P12)
		if err := d.Mark.Write(); err != nil {
			return fmt.Errorf("persist: open %s: %w", d.Dir, err)
		}
	}
	if err := snapshot.DropPagesAfter(d, f.log.Current.Snapshot); err != nil {
		return err
	}
	if err := snapshot.DropUnnamed(d); !errors.Is(err, wal.ErrCorrupt) { // the next snapshot tries again
		return err
	}
	return nil
}

// checkSame returns an error unless Pebble, opened for writing, has the same pointer and log as when Preflight opened it read-only.
func (f *inspection) checkSame(d *pebbledb.DB) error {
	p, err := readPointer(d)
	if err != nil {
		return err
	}
	start, chain, err := commitlog.CutPointOf(d, f.log.Current, f.last())
	if err == nil && (p != f.log.Current || start != f.last()+1 || chain != f.log.Chain.Prev) {
		err = &wal.CorruptError{Key: storedir.DBName, Reason: "the database changed while it was opened"}
	}
	return err
}

// upgrade converts a store of an older layout to the current one. Its steps are HWM, which load has written, IDENTITY, and m/format.
// After each step the store opens; from IDENTITY on, earlier versions of the program refuse it.
func (f *inspection) upgrade(d *pebbledb.DB) error {
	if f.identity.Layout < format.LayoutVersion {
		n := f.identity
		n.Layout = format.LayoutVersion
		if err := storedir.RenewIdentity(d.FS, d.Dir, n); err != nil {
			return fmt.Errorf("persist: upgrade %s: %w", d.Dir, err)
		}
	}
	if f.layout == format.LayoutVersion {
		return nil
	}
	b := d.Pebble.NewBatch()
	if err := b.Set(format.KeyFormat, format.EncodeFormat(d.ID), nil); err != nil {
		return err
	}
	return d.Apply(b, true)
}

package persist

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
)

// lockAndLook makes sure that dir is, or may become, a store, before and after it is ours alone. A directory that is
// neither is not touched, not even by the lock.
func lockAndLook(d *DB, mustExist bool) (dirState, error) {
	if _, err := look(d, mustExist); err != nil {
		return 0, err
	}
	if err := makeDir(d.fs, d.dir); err != nil {
		return 0, fmt.Errorf("persist: create %s: %w", d.dir, err)
	}
	lock, err := lockDir(d.fs, d.dir)
	if err != nil {
		return 0, err
	}
	state, err := look(d, mustExist)
	if err != nil {
		return 0, errors.Join(err, lock.Close())
	}
	d.lock = lock
	return state, nil
}

func look(d *DB, mustExist bool) (dirState, error) {
	state, err := lookAt(d.fs, d.dir)
	if err == nil && state == dirForeign {
		err = fmt.Errorf("%w: %s is a file, or holds something else", ErrNotStore, d.dir)
	}
	if err == nil && state == dirNew && mustExist {
		err = fmt.Errorf("%w: %s is empty or does not exist", ErrNotStore, d.dir)
	}
	return state, err
}

// Summary is what opening a store has found.
type Summary struct {
	Snapshot    uint64
	Upto        uint64
	Groups      int
	Commits     uint64
	DroppedTail int
	Clean       bool
	Duration    time.Duration
}

// openFiles opens or creates Pebble and reads what the log needs; after an error nothing is left open.
func openFiles(d *DB, state dirState) (at LogState, sum Summary, err error) {
	defer func() {
		if err == nil {
			return
		}
		if d.db != nil {
			_ = d.db.Close()
		}
		_ = d.mark.close(false)
	}()
	if state == dirNew {
		at, err = createStore(d)
		return at, sum, err
	}
	start := time.Now()
	if seeded.Bug("open before the checks") {
		if err := d.open(pebbleWrite); err != nil {
			return at, sum, err
		}
		_ = d.closePebble()
	}
	f, err := preflight(d)
	if err != nil {
		return at, sum, err
	}
	if err := f.load(d); err != nil {
		return at, sum, err
	}
	f.summary.Duration = time.Since(start)
	return f.log, f.summary, nil
}

// createStore makes an empty store.
func createStore(d *DB) (at LogState, err error) {
	n := newIdentity()
	if err := beginCreate(d.fs, d.dir, n); err != nil {
		return at, fmt.Errorf("persist: create %s: %w", d.dir, err)
	}
	if err := d.open(pebbleCreate); err != nil {
		return at, err
	}
	at = emptyLog(n.id, 0)
	if err := createRecords(d, n.id, at); err != nil {
		return at, err
	}
	if err := finishCreate(d.fs, d.dir); err != nil {
		return at, fmt.Errorf("persist: create %s: %w", d.dir, err)
	}
	return at, nil
}

// emptyLog returns a log that begins after commit upto.
func emptyLog(id storeID, upto uint64) LogState {
	return LogState{
		Current: pointer{upto: upto, start: upto + 1},
		Chain:   chain{store: id.hash(), next: upto + 1},
	}
}

// createRecords writes the first records and the high-water mark of a store whose Pebble has just been created.
func createRecords(d *DB, id storeID, at LogState) error {
	d.id = id
	b := d.db.NewBatch()
	if err := errors.Join(b.Set(keyFormat, encodeFormat(id), nil), b.Set(keyCurrent, at.Current.encode(), nil)); err != nil {
		return err
	}
	if err := d.apply(b, true); err != nil {
		return err
	}
	if err := createMark(d, waterMark{store: id}); err != nil {
		return fmt.Errorf("persist: create %s: %w", d.dir, err)
	}
	return nil
}

// createMark writes the first high-water mark of a store whose Pebble has just been created.
func createMark(d *DB, m waterMark) (err error) {
	d.mark.note(func(next *waterMark) { m.manifest = next.manifest })
	if m, err = writeMarkFile(d.fs, d.dir, m); err != nil {
		return err
	}
	return d.mark.open(m)
}

// load opens Pebble for writing: this is the first step that modifies files. It deletes what a crashed snapshot has left.
func (f *found) load(d *DB) (err error) {
	m := f.mark
	m.store, m.clean, m.manifest = f.identity.id, false, f.manifest
	if !f.hasMark {
		if m, err = writeMarkFile(d.fs, d.dir, m); err != nil {
			return fmt.Errorf("persist: open %s: %w", d.dir, err)
		}
	}
	if err := d.mark.open(m); err != nil {
		return err
	}
	if err := d.open(pebbleWrite); err != nil {
		return err
	}
	if err := f.sameAs(d); err != nil {
		return err
	}
	if err := f.upgrade(d); err != nil {
		return err
	}
	d.mark.note(func(next *waterMark) {
		next.durable, next.chain = f.last(), f.log.Chain.prev
		next.snapshot, next.upto = f.log.Current.snapshot, f.log.Current.upto
	})
	for range 2 { // both slots: the older one must not say that the store is closed
		if err := d.mark.write(); err != nil {
			return fmt.Errorf("persist: open %s: %w", d.dir, err)
		}
	}
	return dropPagesAfter(d, f.log.Current.snapshot)
}

// sameAs makes sure that Pebble, opened for writing, has what it had when it was opened for reading.
func (f *found) sameAs(d *DB) error {
	p, err := readPointer(d)
	if err != nil {
		return err
	}
	start, chain, err := cutPointOf(d, f.log.Current, f.last())
	if err == nil && (p != f.log.Current || start != f.last()+1 || chain != f.log.Chain.prev) {
		err = &CorruptError{Key: dbName, Reason: "the database changed while it was opened"}
	}
	return err
}

// upgrade brings a store of an older layout up to date. Each step leaves a store that opens; from the second on earlier
// versions refuse it.
func (f *found) upgrade(d *DB) error {
	if f.identity.layout < layoutVersion {
		n := f.identity
		n.layout = layoutVersion
		if err := renewIdentity(d.fs, d.dir, n); err != nil {
			return fmt.Errorf("persist: upgrade %s: %w", d.dir, err)
		}
	}
	if f.layout == layoutVersion {
		return nil
	}
	b := d.db.NewBatch()
	if err := b.Set(keyFormat, encodeFormat(d.id), nil); err != nil {
		return err
	}
	return d.apply(b, true)
}

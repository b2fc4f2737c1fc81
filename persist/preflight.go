package persist

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/internal/seeded"
)

// found is what the preflight knows of a store.
type found struct {
	identity identity
	layout   uint32    // of m/format
	mark     waterMark // as the file says; zero in a store of layout 1 that has none
	hasMark  bool
	manifest manifestMark // the current one
	log      LogState
	summary  Summary
}

// last is the last commit of the log.
func (f *found) last() uint64 { return f.log.Chain.next - 1 }

// preflight opens Pebble for reading only, which changes no file, and checks everything that Open promises to check. It sets
// the database's id and the number of its last batch. An error means that the store is damaged, or belongs to a later version,
// and is as it was.
func preflight(d *DB) (f found, err error) {
	defer func() {
		if r := recover(); r != nil { // Pebble panics at some bytes that it did not write
			err = &CorruptError{Key: dbName, Reason: fmt.Sprintf("panic while reading: %v", r)}
		}
	}()
	if f.identity, err = readIdentity(d.fs, d.dir); err != nil {
		return f, err
	}
	f.mark, err = readMark(d.fs, d.dir)
	if f.hasMark = err == nil; !f.hasMark && !(f.identity.layout == layoutBeforeMark && errors.Is(err, ErrCorrupt)) {
		return f, err
	}
	if f.hasMark && f.mark.store != f.identity.id {
		return f, &CorruptError{Key: markName, Reason: "the high-water mark belongs to another store than IDENTITY says"}
	}
	if f.manifest, err = checkFiles(d.fs, d.fs.PathJoin(d.dir, dbName), f.mark.manifest); err != nil {
		return f, err
	}
	if err := d.open(pebbleReadOnly); err != nil {
		return f, err
	}
	err = f.inspect(d)
	closeErr := d.closePebble()
	if err == nil && closeErr != nil {
		err = damaged(closeErr, dbName)
	}
	return f, err
}

// inspect checks what an open Pebble holds.
func (f *found) inspect(d *DB) (err error) {
	if f.layout, err = readFormat(d, f.identity.id); err != nil {
		return err
	}
	if !f.hasMark && f.layout > layoutBeforeMark {
		return &CorruptError{Key: markName, Reason: "the file is missing"}
	}
	if f.log.Current, err = readPointer(d); err != nil {
		return err
	}
	if err := errors.Join(checkSets(d), checkLeft(d, f.log.Current)); err != nil {
		return err
	}
	if err := d.checkJoined(); err != nil {
		return err
	}
	if _, err := pagesAfter(d, f.log.Current.snapshot); err != nil { // Open looks there again to clear up
		return err
	}
	f.summary = Summary{Snapshot: f.log.Current.snapshot, Upto: f.log.Current.upto, Clean: f.mark.clean}
	if err := f.checkLog(d); err != nil {
		return err
	}
	if f.hasMark && !seeded.Bug("ignore the high-water mark") {
		if err := f.checkMark(); err != nil {
			return err
		}
	}
	if f.mark.clean || seeded.Bug("skip the raw scan") {
		return nil // the log is as long as it was: there is nothing to look for behind its end
	}
	return f.checkRaw(d)
}

// readFormat reads m/format, and returns the layout.
func readFormat(d *DB, id storeID) (layout uint32, err error) {
	v, err := d.must(keyFormat)
	if err != nil {
		return 0, err
	}
	if d.id, layout, err = decodeFormat(v); err != nil {
		return 0, named(err, nameOf(keyFormat))
	}
	if d.id != id {
		return 0, &CorruptError{Key: string(keyFormat), Offset: 4, Reason: "the database belongs to another store than IDENTITY says"}
	}
	return layout, nil
}

func readPointer(d *DB) (pointer, error) {
	v, err := d.must(keyCurrent)
	if err != nil {
		return pointer{}, err
	}
	p, err := decodePointer(v)
	return p, named(err, nameOf(keyCurrent))
}

// checkSets reads the sets' records. O(sets).
func checkSets(d *DB) error {
	from := []byte(spaceSets)
	return d.scan(from, keyAfter(from), nameOf(from), func(key, value []byte) (bool, error) {
		if _, err := decodeSetRecord(key, value); err != nil {
			return false, named(err, nameSet(setOf(key)))
		}
		return true, nil
	})
}

// checkLeft reads what dropPagesAfter will read: the first page that a crashed snapshot has left.
func checkLeft(d *DB, current pointer) error {
	from, to := keySnapshotPages(current.snapshot+1), keyAfter([]byte(spacePages))
	return d.scan(from, to, nameOf([]byte(spacePages)), func(_, _ []byte) (bool, error) { return false, nil })
}

// checkLog reads the whole log, and finds where it goes on. The commits are taken apart by Replay.
func (f *found) checkLog(d *DB) error {
	current, c := f.log.Current, &f.log.Chain
	*c = chain{store: d.id.hash(), next: current.start, prev: current.chain}
	marked := c.prev // the checksum of the group that ends at the mark
	err := eachGroup(d, func(g group, value []byte) error {
		f.log.Meter.add(g.first, len(value))
		f.summary.Groups++
		if c.next == f.mark.durable+1 {
			marked = c.prev
		}
		return nil
	}, c)
	if err != nil {
		return err
	}
	last := f.last()
	if last < current.upto {
		return &CorruptError{Key: spaceLog, Reason: fmt.Sprintf("log ends at %d, the snapshot at %d", last, current.upto)}
	}
	f.summary.Commits = last - current.upto
	inLog := f.mark.durable+1 >= current.start && f.mark.durable <= last
	if f.hasMark && inLog && f.mark.durable > 0 && marked != f.mark.chain {
		reason := fmt.Sprintf("the group that ends at %d has checksum %08x, the high-water mark says %08x", f.mark.durable, marked, f.mark.chain)
		return &CorruptError{Key: spaceLog, Reason: reason}
	}
	return nil
}

// checkMark compares what is there with what must be.
func (f *found) checkMark() error {
	m := f.mark
	switch {
	case f.last() < m.durable:
		return &DataLossError{Have: f.last(), Want: m.durable, Evidence: "the high-water mark"}
	case f.log.Current.snapshot < m.snapshot:
		reason := fmt.Sprintf("the last snapshot is number %d, number %d was published", f.log.Current.snapshot, m.snapshot)
		return &DataLossError{Have: f.last(), Want: m.durable, Evidence: "the high-water mark: " + reason}
	case m.clean && (f.last() != m.durable || f.log.Current.snapshot != m.snapshot):
		return &CorruptError{Key: markName, Reason: fmt.Sprintf(
			"the store was closed at commit %d and snapshot %d, the log ends at %d and the snapshot is %d: files of different moments",
			m.durable, m.snapshot, f.last(), f.log.Current.snapshot)}
	}
	return nil
}

// checkRaw looks for groups behind the place where Pebble stopped to read its log.
func (f *found) checkRaw(d *DB) error {
	e, err := scanLogs(d.fs, d.fs.PathJoin(d.dir, dbName), d.id.hash(), f.last())
	if err != nil {
		return err
	}
	f.summary.DroppedTail = e.torn
	if e.promised > f.last() {
		return &DataLossError{Have: f.last(), Want: e.promised, Evidence: fmt.Sprintf("the group of commit %d", e.by)}
	}
	return nil
}

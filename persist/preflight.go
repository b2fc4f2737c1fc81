package persist

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
)

// Recovery tells what Open found.
type Recovery struct {
	Snapshot    uint64 // number of the last published snapshot; 0: none yet
	Upto        uint64 // the commit up to which it covers every set
	Groups      int    // in the log
	Commits     uint64 // in the log and after Upto: what Replay goes through
	DroppedTail int    // bytes at the end of the log that a power cut left unfinished; nobody was told that they are safe
	Clean       bool   // the store had been closed
	Duration    time.Duration
}

// Recovery returns what Open found. O(1).
func (s *Store) Recovery() Recovery { return s.recovery }

// found is what the preflight knows of a store.
type found struct {
	identity identity
	layout   uint32    // of m/format
	mark     waterMark // as the file says; zero in a store of layout 1 that has none
	hasMark  bool
	manifest manifestMark // the current one
	current  pointer
	last     uint64
	recovery Recovery
}

// preflight opens Pebble for reading only, which changes no file, and checks everything that Open promises to check. What
// it finds stays in s where the store needs it. An error means that the store is damaged, or belongs to a later version,
// and is as it was.
func (s *Store) preflight() (f found, err error) {
	defer func() {
		if r := recover(); r != nil { // Pebble panics at some bytes that it did not write
			err = &CorruptError{Key: dbName, Reason: fmt.Sprintf("panic while reading: %v", r)}
		}
	}()
	if f.identity, err = readIdentity(s.fs, s.dir); err != nil {
		return f, err
	}
	f.mark, err = readMark(s.fs, s.dir)
	if f.hasMark = err == nil; !f.hasMark && !(f.identity.layout == layoutBeforeMark && errors.Is(err, ErrCorrupt)) {
		return f, err
	}
	if f.hasMark && f.mark.store != f.identity.id {
		return f, &CorruptError{Key: markName, Reason: "the high-water mark belongs to another store than IDENTITY says"}
	}
	if f.manifest, err = checkFiles(s.fs, s.fs.PathJoin(s.dir, dbName), f.mark.manifest); err != nil {
		return f, err
	}
	if err := s.openPebble(pebbleReadOnly); err != nil {
		return f, err
	}
	err = s.inspect(&f)
	closeErr := s.closePebble()
	if err == nil && closeErr != nil {
		err = damaged(closeErr, dbName)
	}
	return f, err
}

// inspect checks what an open Pebble holds.
func (s *Store) inspect(f *found) (err error) {
	if f.layout, err = s.readFormat(f.identity.id); err != nil {
		return err
	}
	if !f.hasMark && f.layout > layoutBeforeMark {
		return &CorruptError{Key: markName, Reason: "the file is missing"}
	}
	if s.current, err = s.readPointer(); err != nil {
		return err
	}
	if err := errors.Join(s.checkSets(), s.checkLeft()); err != nil {
		return err
	}
	if err := s.checkJoined(); err != nil {
		return err
	}
	if _, err := s.pagesAfter(s.current.snapshot); err != nil { // Open looks there again to clear up
		return err
	}
	f.recovery = Recovery{Snapshot: s.current.snapshot, Upto: s.current.upto, Clean: f.mark.clean}
	f.current = s.current
	if err := s.checkLog(f); err != nil {
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
	return s.checkRaw(f)
}

// readFormat reads m/format, and returns the layout.
func (s *Store) readFormat(id storeID) (layout uint32, err error) {
	v, err := s.must(keyFormat)
	if err != nil {
		return 0, err
	}
	if s.id, layout, err = decodeFormat(v); err != nil {
		return 0, named(err, nameOf(keyFormat))
	}
	if s.id != id {
		return 0, &CorruptError{Key: string(keyFormat), Offset: 4, Reason: "the database belongs to another store than IDENTITY says"}
	}
	return layout, nil
}

func (s *Store) readPointer() (pointer, error) {
	v, err := s.must(keyCurrent)
	if err != nil {
		return pointer{}, err
	}
	p, err := decodePointer(v)
	return p, named(err, nameOf(keyCurrent))
}

// checkSets reads the sets' records. O(sets).
func (s *Store) checkSets() error {
	from := []byte(spaceSets)
	return s.scan(from, keyAfter(from), nameOf(from), func(key, value []byte) (bool, error) {
		if _, err := decodeSetRecord(key, value); err != nil {
			return false, named(err, nameSet(setOf(key)))
		}
		return true, nil
	})
}

// checkLeft reads what dropPagesAfter will read: the first page that a crashed snapshot has left.
func (s *Store) checkLeft() error {
	from, to := keySnapshotPages(s.current.snapshot+1), keyAfter([]byte(spacePages))
	return s.scan(from, to, nameOf([]byte(spacePages)), func(_, _ []byte) (bool, error) { return false, nil })
}

// checkLog reads the whole log, and finds where it goes on. The commits are taken apart by Replay.
func (s *Store) checkLog(f *found) error {
	c := &s.committer
	c.chain = chain{store: s.id.hash(), next: s.current.start, prev: s.current.chain}
	marked := c.chain.prev // the checksum of the group that ends at the mark
	err := s.eachGroup(func(g group, value []byte) error {
		c.meter.add(g.first, len(value))
		f.recovery.Groups++
		if c.chain.next == f.mark.durable+1 {
			marked = c.chain.prev
		}
		return nil
	}, &c.chain)
	if err != nil {
		return err
	}
	f.last = c.chain.next - 1
	if f.last < s.current.upto {
		return &CorruptError{Key: spaceLog, Reason: fmt.Sprintf("log ends at %d, the snapshot at %d", f.last, s.current.upto)}
	}
	f.recovery.Commits = f.last - s.current.upto
	inLog := f.mark.durable+1 >= s.current.start && f.mark.durable <= f.last
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
	case f.last < m.durable:
		return &DataLossError{Have: f.last, Want: m.durable, Evidence: "the high-water mark"}
	case f.current.snapshot < m.snapshot:
		reason := fmt.Sprintf("the last snapshot is number %d, number %d was published", f.current.snapshot, m.snapshot)
		return &DataLossError{Have: f.last, Want: m.durable, Evidence: "the high-water mark: " + reason}
	case m.clean && (f.last != m.durable || f.current.snapshot != m.snapshot):
		return &CorruptError{Key: markName, Reason: fmt.Sprintf(
			"the store was closed at commit %d and snapshot %d, the log ends at %d and the snapshot is %d: files of different moments",
			m.durable, m.snapshot, f.last, f.current.snapshot)}
	}
	return nil
}

// checkRaw looks for groups behind the place where Pebble stopped to read its log.
func (s *Store) checkRaw(f *found) error {
	e, err := scanLogs(s.fs, s.fs.PathJoin(s.dir, dbName), s.id.hash(), f.last)
	if err != nil {
		return err
	}
	f.recovery.DroppedTail = e.torn
	if e.promised > f.last {
		return &DataLossError{Have: f.last, Want: e.promised, Evidence: fmt.Sprintf("the group of commit %d", e.by)}
	}
	return nil
}

// damaged makes a CorruptError of what Pebble says about a database that it cannot make sense of. What the system says
// stays what it is, but for a file that should be there.
func damaged(err error, key string) error {
	var path *os.PathError
	switch {
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrPersistence):
		return err
	case errors.As(err, &path) && !errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return fmt.Errorf("persist: open: %w", err)
	}
	return &CorruptError{Key: key, Reason: reason(err)}
}

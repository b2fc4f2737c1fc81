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

// inspection is the result of Preflight: what it has read of a store.
type inspection struct {
	identity storedir.Identity
	layout   uint32        // of m/format
	mark     storedir.Mark // from the file HWM; zero if a store of layout 1 has none
	hasMark  bool
	manifest storedir.ManifestMark // of the current MANIFEST
	log      commitlog.State
	summary  Summary
}

// last returns the last commit of the log.
func (f *inspection) last() uint64 { return f.log.Chain.Next - 1 }

// Preflight opens Pebble read-only and checks everything that Open promises to check. It changes no file. It sets the
// database's id and the number of its last batch. An error means that the store is damaged or was written by a later
// version.
func Preflight(d *pebbledb.DB) (f inspection, err error) {
	defer func() {
		if r := recover(); r != nil { // Pebble panics at some damaged bytes
			err = &wal.CorruptError{Key: storedir.DBName, Reason: fmt.Sprintf("panic while reading: %v", r)}
		}
	}()
	if f.identity, err = storedir.ReadIdentity(d.FS, d.Dir); err != nil {
		return f, err
	}
	f.mark, err = storedir.ReadMark(d.FS, d.Dir)
	if f.hasMark = err == nil; !f.hasMark && !(f.identity.Layout == format.LayoutBeforeMark && errors.Is(err, wal.ErrCorrupt)) {
		return f, err
	}
	if f.hasMark && f.mark.Store != f.identity.ID {
		return f, &wal.CorruptError{Key: storedir.MarkName, Reason: "the high-water mark belongs to another store than IDENTITY says"}
	}
	if f.manifest, err = storedir.CheckFiles(d.FS, d.FS.PathJoin(d.Dir, storedir.DBName), f.mark.Manifest); err != nil {
		return f, err
	}
	if err := d.Open(pebbledb.ReadOnly); err != nil {
		return f, err
	}
	err = f.inspect(d)
	closeErr := d.ClosePebble()
	if err == nil && closeErr != nil {
		err = errs.Damaged(closeErr, storedir.DBName)
	}
	return f, err
}

// inspect checks the contents of the open database: format, pointer, set records, batch numbers and the log.
func (f *inspection) inspect(d *pebbledb.DB) (err error) {
	if f.layout, err = readFormat(d, f.identity.ID); err != nil {
		return err
	}
	if !f.hasMark && f.layout > format.LayoutBeforeMark {
		return &wal.CorruptError{Key: storedir.MarkName, Reason: "the file is missing"}
	}
	if f.log.Current, err = readPointer(d); err != nil {
		return err
	}
	sets, err := checkSets(d)
	if err = errors.Join(err, checkLeftovers(d, f.log.Current)); err != nil {
		return err
	}
	if err := d.CheckBatchNumbers(); err != nil {
		return err
	}
	if _, err := snapshot.PagesAfter(d, f.log.Current.Snapshot); err != nil { // load reads this again when it deletes leftover pages
		return err
	}
	f.summary = Summary{Snapshot: f.log.Current.Snapshot, Upto: f.log.Current.Upto, Sets: sets, Clean: f.mark.Clean}
	if err := f.checkLog(d); err != nil {
		return err
	}
	if f.hasMark {
		if err := f.checkMark(); err != nil {
			return err
		}
	}
	if f.mark.Clean {
		return nil // the mark proves that the log is complete, so there is nothing to search for behind its end
	}
	return f.checkRaw(d)
}

// readFormat reads m/format, and returns the layout.
func readFormat(d *pebbledb.DB, id format.StoreID) (layout uint32, err error) {
	v, err := d.Must(format.KeyFormat)
	if err != nil {
		return 0, err
	}
	if d.ID, layout, err = format.DecodeFormat(v); err != nil {
		return 0, errs.WithKey(err, format.NameOf(format.KeyFormat))
	}
	if d.ID != id {
		return 0, &wal.CorruptError{Key: string(format.KeyFormat), Offset: 4, Reason: "the database belongs to another store than IDENTITY says"}
	}
	return layout, nil
}

func readPointer(d *pebbledb.DB) (format.Pointer, error) {
	v, err := d.Must(format.KeyCurrent)
	if err != nil {
		return format.Pointer{}, err
	}
	p, err := format.DecodePointer(v)
	return p, errs.WithKey(err, format.NameOf(format.KeyCurrent))
}

// checkSets reads the sets' records, and returns how many there are. O(sets).
func checkSets(d *pebbledb.DB) (n int, err error) {
	from := []byte(format.PrefixSets)
	err = d.ScanAhead(from, format.KeyAfter(from), format.NameOf(from), func(key, value []byte) (bool, error) {
		if _, err := format.ViewSetRecord(key, value); err != nil {
			return false, errs.WithKey(err, format.NameSet(format.SetOf(key)))
		}
		n++
		return true, nil
	})
	return n, err
}

// checkLeftovers reads what snapshot.DropPagesAfter will read: the first page that a crashed snapshot has left.
func checkLeftovers(d *pebbledb.DB, current format.Pointer) error {
	from, to := format.KeySnapshotPages(current.Snapshot+1), format.KeyAfter([]byte(format.PrefixPages))
	return d.Scan(from, to, format.NameOf([]byte(format.PrefixPages)), func(_, _ []byte) (bool, error) { return false, nil })
}

// checkLog reads the whole log, checks the chain of its groups, and sets f.log to the end of the log. It compares the group at the
// high-water mark with the mark's checksum. It does not decode the commits; Replay does.
func (f *inspection) checkLog(d *pebbledb.DB) error {
	current, c := f.log.Current, &f.log.Chain
	*c = format.Chain{Store: d.ID.Hash(), Next: current.Start, Prev: current.Chain}
	marked := c.Prev // the checksum of the group that ends at the mark
	uncovered := current.Start
	err := commitlog.EachGroup(d, func(g format.Group, value []byte) error {
		f.log.Meter.Add(g.First, len(value))
		f.summary.Groups++
		if g.Last() <= current.Upto {
			uncovered = g.Last() + 1
		}
		if c.Next == f.mark.Durable+1 {
			marked = c.Prev
		}
		return nil
	}, c)
	if err != nil {
		return err
	}
	last := f.last()
	if last < current.Upto {
		return &wal.CorruptError{Key: format.PrefixLog, Reason: fmt.Sprintf("log ends at %d, the snapshot at %d", last, current.Upto)}
	}
	f.log.Meter.Cut(current.Start, uncovered)
	f.summary.Commits = last - current.Upto
	inLog := f.mark.Durable+1 >= current.Start && f.mark.Durable <= last
	if f.hasMark && inLog && f.mark.Durable > 0 && marked != f.mark.Chain {
		reason := fmt.Sprintf("the group that ends at %d has checksum %08x, the high-water mark says %08x", f.mark.Durable, marked, f.mark.Chain)
		return &wal.CorruptError{Key: format.PrefixLog, Reason: reason}
	}
	return nil
}

// checkMark compares the log and the snapshot with the high-water mark.
func (f *inspection) checkMark() error {
	m := f.mark
	switch {
	case f.last() < m.Durable:
		return &wal.DataLossError{Have: f.last(), Want: m.Durable, Evidence: "the high-water mark"}
	case f.log.Current.Snapshot < m.Snapshot:
		reason := fmt.Sprintf("the last snapshot is number %d, number %d was published", f.log.Current.Snapshot, m.Snapshot)
		return &wal.DataLossError{Have: f.last(), Want: m.Durable, Evidence: "the high-water mark: " + reason}
	case m.Clean && (f.last() != m.Durable || f.log.Current.Snapshot != m.Snapshot):
		return &wal.CorruptError{Key: storedir.MarkName, Reason: fmt.Sprintf(
			"the store was closed at commit %d and snapshot %d, the log ends at %d and the snapshot is %d: files of different moments",
			m.Durable, m.Snapshot, f.last(), f.log.Current.Snapshot)}
	}
	return nil
}

// checkRaw searches the log files for groups after the point where Pebble stopped reading them. It returns a DataLossError if one says
// that a commit was durable which Pebble did not recover.
func (f *inspection) checkRaw(d *pebbledb.DB) error {
	e, err := scanLogs(d.FS, d.FS.PathJoin(d.Dir, storedir.DBName), d.ID.Hash(), f.last())
	if err != nil {
		return err
	}
	f.summary.DroppedTail = e.torn
	if e.promised > f.last() {
		return &wal.DataLossError{Have: f.last(), Want: e.promised, Evidence: fmt.Sprintf("the group of commit %d", e.by)}
	}
	return nil
}

// Summary describes an opened store; persist.Recovery documents the fields.
type Summary struct {
	Snapshot    uint64
	Upto        uint64
	Sets        int
	Groups      int
	Commits     uint64
	DroppedTail int
	Clean       bool
	Duration    time.Duration
}

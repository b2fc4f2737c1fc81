package pebbledb

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// BottomLevel is the number of Pebble's last level.
const BottomLevel = 6

// Table is one of the tables that Pebble uses now.
type Table struct {
	Level             int
	Number            uint64 // of its file
	Size              int64
	Smallest          []byte // key
	FirstSeq, LastSeq uint64 // Pebble's sequence numbers; 0 in the last level
	Deleted           uint64 // deletions of keys and of ranges
	Pinned            uint64 // entries that a snapshot of Pebble kept although newer ones replace them
}

// Tables returns the tables that Pebble uses now, level by level, in the order of their keys. It reads the properties of each. O(tables).
func (d *DB) Tables() ([]Table, error) {
	levels, err := d.Pebble.SSTables(pebble.WithProperties())
	if err != nil {
		return nil, errs.ReadError(err, format.NameOf([]byte(storedir.DBName)))
	}
	var tables []Table
	for level, list := range levels {
		for _, t := range list {
			tables = append(tables, Table{
				Level:    level,
				Number:   uint64(t.BackingSSTNum),
				Size:     int64(t.Size),
				Smallest: t.Smallest.UserKey,
				FirstSeq: uint64(t.SmallestSeqNum),
				LastSeq:  uint64(t.LargestSeqNum),
				Deleted:  t.Properties.NumDeletions,
				Pinned:   t.Properties.SnapshotPinnedKeys,
			})
		}
	}
	return tables, nil
}

// TablesInUse returns the numbers of the files of the tables that Pebble uses now. It reads no table. O(tables).
func (d *DB) TablesInUse() (map[uint64]bool, error) {
	levels, err := d.Pebble.SSTables()
	if err != nil {
		return nil, errs.ReadError(err, format.NameOf([]byte(storedir.DBName)))
	}
	used := map[uint64]bool{}
	for _, list := range levels {
		for _, t := range list {
			used[uint64(t.BackingSSTNum)] = true
		}
	}
	return used, nil
}

// TableFiles returns the numbers of the table files in the directory. Some are no longer in use, but a reader still has them, or Pebble is about to
// remove them; some are not complete yet.
func (d *DB) TableFiles() ([]uint64, error) { return d.numbered("", ".sst") }

// NewestLog returns the number of the last log that Pebble has begun.
func (d *DB) NewestLog() (newest uint64, err error) {
	list, err := d.numbered("", ".log")
	for _, n := range list {
		newest = max(newest, n)
	}
	return newest, err
}

// numbered returns the numbers in the names of Pebble's files that have the prefix and the suffix.
func (d *DB) numbered(prefix, suffix string) (list []uint64, err error) {
	names, err := d.FS.List(d.FS.PathJoin(d.Dir, storedir.DBName))
	if err != nil {
		return nil, fmt.Errorf("persist: list %s: %w", d.Dir, err)
	}
	for _, name := range names {
		if n, ok := numberIn(name, prefix, suffix); ok {
			list = append(list, n)
		}
	}
	return list, nil
}

// numberIn returns the number in a name that has the prefix and the suffix.
func numberIn(name, prefix, suffix string) (uint64, bool) {
	rest, hasPrefix := strings.CutPrefix(name, prefix)
	digits, hasSuffix := strings.CutSuffix(rest, suffix)
	return storedir.Number(digits, hasPrefix && hasSuffix)
}

// RemoveBefore removes Pebble's logs up to the given number, and the manifests before the current one, and flushes the directory. Pebble must need
// none of the logs any more: it keeps them to recycle them, and it keeps one manifest. No copy of the files may be running: see CopyFiles.
func (d *DB) RemoveBefore(log uint64) error {
	dir := d.FS.PathJoin(d.Dir, storedir.DBName)
	names, err := d.FS.List(dir)
	if err != nil {
		return fmt.Errorf("persist: list %s: %w", d.Dir, err)
	}
	for _, name := range names {
		if n, ok := numberIn(name, "", ".log"); ok && n <= log {
			err = d.FS.Remove(d.FS.PathJoin(dir, name))
		} else if n, ok := storedir.ManifestNumber(name); ok && n < d.Mark.Manifest() {
			err = d.FS.Remove(d.FS.PathJoin(dir, name))
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) { // Pebble may have removed it
			return fmt.Errorf("persist: remove %s: %w", name, err)
		}
	}
	return storedir.SyncDir(d.FS, dir)
}

// Flush writes the memtables into tables.
func (d *DB) Flush() error {
	if err := d.blocked(); err != nil {
		return err
	}
	return d.Guard(d.Pebble.Flush)
}

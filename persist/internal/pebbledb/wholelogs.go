package pebbledb

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// LogSuffix is what the names of Pebble's logs end with.
const LogSuffix = ".log"

// LastNumber returns the number of the last batch in a database; 0: its batches have none.
func LastNumber(db pebble.Reader) (uint64, error) {
	v, ok, err := Get(db, format.KeyBatch, format.NameOf(format.KeyBatch))
	if err != nil || !ok {
		return 0, err
	}
	return decodeNumber(v)
}

// WholeLogs returns how many bytes of each of Pebble's logs come before the first batch after number flushed that is damaged or missing.
// It leaves out logs that begin after that batch. Errors: ErrCorrupt if batches have no numbers, the file system's. O(logs).
func WholeLogs(fs vfs.FS, db string, flushed uint64) (map[string]int64, error) {
	names, err := fs.List(db)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(logNumber(a), logNumber(b)) })
	keep, last := map[string]int64{}, flushed
	for _, name := range names {
		if !strings.HasSuffix(name, LogSuffix) {
			continue
		}
		f, err := fs.Open(fs.PathJoin(db, name))
		if err != nil {
			return nil, err
		}
		n := numbers{last + 1, last, map[uint64]bool{}}
		end, err := eachBatch(name, f, func(b batchrepr.Reader, _ uint64) error { return noteNumber(b, n.seen) })
		if err != nil {
			return nil, err
		}
		if end > 0 && len(n.seen) == 0 {
			return nil, &wal.CorruptError{Key: name, Reason: "the batches have no numbers"}
		}
		for number := range n.seen {
			n.last = max(n.last, number)
		}
		if !n.none() {
			return keep, nil
		}
		last, keep[name] = n.last, end
	}
	return keep, nil
}

package pebbledb

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
	pebblewal "github.com/cockroachdb/pebble/v2/wal"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// Pebble does not notice if one of its write-ahead logs is missing. That happens if someone copies the directory file by file while the
// store is open. The chain of groups shows a gap in our log, but the missing file may also hold set records and private keys from
// before our log's start. So m/batch holds the number of every batch. The logs must hold all numbers after the last one in the
// tables, up to the last one that Pebble returns (P15).

// number adds the next number to a batch, unless the batch is empty. Committer goroutine only.
func (d *DB) number(b *pebble.Batch) error {
	if b.Count() == 0 {
		return nil
	}
	d.batches++
	return b.Set(format.KeyBatch, binary.BigEndian.AppendUint64(nil, d.batches), nil)
}

// loadNumber reads the number of the last batch. A store of an earlier version may have none.
func (d *DB) loadNumber() error {
	v, ok, err := d.Get(format.KeyBatch, format.NameOf(format.KeyBatch))
	if err == nil && ok {
		d.batches, err = decodeNumber(v)
	}
	return err
}

func decodeNumber(v []byte) (uint64, error) {
	if len(v) != 8 {
		return 0, &wal.CorruptError{Key: string(format.KeyBatch), Reason: fmt.Sprintf("%d bytes, want 8", len(v))}
	}
	return binary.BigEndian.Uint64(v), nil
}

// CheckBatchNumbers returns a CorruptError if a log is missing, so that batch numbers are missing between the tables and the last
// batch. Pebble must be open read-only: opened for writing, Pebble has already moved the logs into tables. It reads the logs from the newest
// on, until it has seen all numbers: Pebble keeps logs that it needs no more. O(logs).
func (d *DB) CheckBatchNumbers() error {
	if err := d.loadNumber(); err != nil || d.batches == 0 {
		return err
	}
	flushed, err := d.flushedNumber()
	if err != nil {
		return err
	}
	dir := d.FS.PathJoin(d.Dir, storedir.DBName)
	names, err := d.FS.List(dir)
	if err != nil {
		return fmt.Errorf("persist: open: %w", err)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(logNumber(b), logNumber(a)) })
	missing := numbers{flushed + 1, d.batches, map[uint64]bool{}}
	for _, name := range names {
		if !strings.HasSuffix(name, ".log") || missing.none() {
			continue
		}
		f, err := d.FS.Open(d.FS.PathJoin(dir, name))
		if err != nil {
			return fmt.Errorf("persist: open: %w", err)
		}
		if err := EachBatch(name, f, func(b batchrepr.Reader, _ uint64) error { return noteNumber(b, missing.seen) }); err != nil {
			return &wal.CorruptError{Key: storedir.DBName + "/" + name, Reason: err.Error()}
		}
	}
	if missing.none() {
		return nil
	}
	return &wal.CorruptError{Key: storedir.DBName, Reason: fmt.Sprintf(
		"a log is missing: the tables end at batch %d, the store at %d, batch %d is not there", flushed, d.batches, missing.first)}
}

// numbers are the numbers from first to last that the logs must hold, less those that were seen.
type numbers struct {
	first, last uint64
	seen        map[uint64]bool
}

// none reports whether all numbers were seen.
func (n *numbers) none() bool {
	for n.first <= n.last && n.seen[n.first] {
		n.first++
	}
	return n.first > n.last
}

// logNumber returns the number of a log, 0 if the name is not that of a log.
func logNumber(name string) uint64 {
	number, _, _ := pebblewal.ParseLogFilename(name)
	return uint64(number)
}

// flushedNumber returns the number of the last batch that is in tables; 0 if none is.
func (d *DB) flushedNumber() (n uint64, err error) {
	it, err := d.Pebble.NewIter(&pebble.IterOptions{LowerBound: format.KeyBatch, UpperBound: format.KeyAfter(format.KeyBatch), OnlyReadGuaranteedDurable: true})
	if err != nil {
		return 0, errs.ReadError(err, format.NameOf(format.KeyBatch))
	}
	if it.First() {
		var v []byte
		if v, err = it.ValueAndErr(); err == nil {
			n, err = decodeNumber(v)
		}
	}
	if err = errors.Join(err, it.Close()); err != nil {
		return 0, errs.ReadError(err, format.NameOf(format.KeyBatch))
	}
	return n, nil
}

// noteNumber adds the number of a batch to seen.
func noteNumber(b batchrepr.Reader, seen map[uint64]bool) error {
	for {
		_, key, value, ok, err := b.Next()
		if err != nil || !ok {
			return err
		}
		if slices.Equal(key, format.KeyBatch) {
			n, err := decodeNumber(value)
			if err != nil {
				return err
			}
			seen[n] = true
		}
	}
}

// EachBatch calls fn with the batches of one of Pebble's logs, and Pebble's sequence number of each batch's first key. It stops at the
// end of the log or at the first damaged batch; it cannot tell the two apart. It closes the file. A batch is valid until fn returns.
func EachBatch(name string, f vfs.File, fn func(b batchrepr.Reader, seq uint64) error) error {
	_, err := eachBatch(name, f, fn)
	return err
}

// eachBatch is EachBatch that returns where the last of the batches ends.
func eachBatch(name string, f vfs.File, fn func(b batchrepr.Reader, seq uint64) error) (end int64, err error) {
	defer f.Close()
	number, _, ok := pebblewal.ParseLogFilename(name)
	if !ok {
		return 0, errors.New("not the name of a log")
	}
	records := recordReader(record.NewReader, f, uint64(number))
	var buf bytes.Buffer
	for {
		next, err := records.Next()
		if err != nil {
			return end, nil
		}
		buf.Reset()
		if _, err := buf.ReadFrom(next); err != nil {
			return end, nil
		}
		header, ok := batchrepr.ReadHeader(buf.Bytes())
		if !ok {
			return end, errors.New("a batch without a header")
		}
		if err := fn(batchrepr.Read(buf.Bytes()), uint64(header.SeqNum)); err != nil {
			return end, err
		}
		end = records.Offset()
	}
}

// recordReader calls newReader: Pebble does not export the type of its file number.
func recordReader[N ~uint64](newReader func(io.Reader, N) *record.Reader, f io.Reader, number uint64) *record.Reader {
	return newReader(f, N(number))
}

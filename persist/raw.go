package persist

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// If Pebble's list of tables is lost, the tables and logs are still there. This file reads each of them alone, and keeps the latest version
// of every key. Pebble numbers its writes, but a compaction to the lowest level sets the number of a key to 0. A write in an obsolete log
// may then look later than it is. Pointer and set records tell which version is later. A group or a page is written only once. For a
// private key the choice is a guess, and Check reports it.

// rawStore collects what the files of a Pebble database hold.
type rawStore struct {
	Im     *Image                // receives problems
	Keys   map[string]rawVersion // the latest version of each key
	ranges []rawRange
}

// rawVersion is one write or deletion of a key.
type rawVersion struct {
	seq     uint64 // Pebble's sequence number; 0: the key is in the lowest level
	Value   []byte
	deleted bool
}

// rawRange deletes all keys in [from, to) that were written before it.
type rawRange struct {
	from, to []byte
	seq      uint64
}

// openRaw reads all it can from the tables and logs of a damaged database, and gives the image an in-memory Pebble with the result.
func openRaw(d *pebbledb.DB, im *Image) error {
	r := &rawStore{Im: im, Keys: map[string]rawVersion{}}
	dir := d.FS.PathJoin(d.Dir, storedir.DBName)
	names, err := d.FS.List(dir)
	if err != nil {
		im.problem(storedir.DBName, "%v", err)
	}
	slices.Sort(names)
	for _, name := range names {
		read := r.table
		if strings.HasSuffix(name, ".log") {
			read = r.wal
		} else if !strings.HasSuffix(name, ".sst") {
			continue
		}
		f, err := d.FS.Open(d.FS.PathJoin(dir, name))
		if err == nil {
			err = safely(func() error { return read(name, f) })
		}
		if err != nil {
			im.problem(storedir.DBName+"/"+name, "%v", err)
		}
	}
	db, err := r.build()
	if err != nil {
		return err
	}
	im.db, im.close = db, db.Close
	return nil
}

// table reads a table forward, and backward too if that fails. So one damaged block loses only its own keys.
func (r *rawStore) table(_ string, f vfs.File) error {
	t, err := openTable(f)
	if err != nil {
		return err
	}
	defer t.Close()
	err = r.deletions(t)
	it, openErr := t.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	defer it.Close()
	for kv := it.First(); kv != nil; kv = it.Next() {
		if value, _, err := kv.Value(nil); err == nil {
			r.Add(kv.Kind(), kv.K.UserKey, value, uint64(kv.SeqNum()))
		}
	}
	failed := it.Error()
	if failed == nil {
		return err
	}
	for kv := it.Last(); kv != nil; kv = it.Prev() {
		if value, _, err := kv.Value(nil); err == nil {
			r.Add(kv.Kind(), kv.K.UserKey, value, uint64(kv.SeqNum()))
		}
	}
	return errors.Join(err, failed)
}

// deletions reads the deleted ranges of a table.
func (r *rawStore) deletions(t *sstable.Reader) error {
	it, err := t.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
	if err != nil || it == nil {
		return err
	}
	defer it.Close()
	span, err := it.First()
	for ; span != nil; span, err = it.Next() {
		for _, k := range span.Keys {
			r.ranges = append(r.ranges, rawRange{bytes.Clone(span.Start), bytes.Clone(span.End), uint64(k.SeqNum())})
		}
	}
	return err
}

// wal reads one of Pebble's logs.
func (r *rawStore) wal(name string, f vfs.File) error { return pebbledb.EachBatch(name, f, r.batch) }

func (r *rawStore) batch(b batchrepr.Reader, seq uint64) error {
	for {
		kind, key, value, ok, err := b.Next()
		if err != nil || !ok {
			return err
		}
		switch kind {
		case pebble.InternalKeyKindLogData:
			continue
		case pebble.InternalKeyKindRangeDelete:
			r.ranges = append(r.ranges, rawRange{bytes.Clone(key), bytes.Clone(value), seq})
		default:
			r.Add(kind, key, value, seq)
		}
		seq++
	}
}

// Add records a version of a key, unless a later one is known.
func (r *rawStore) Add(kind pebble.InternalKeyKind, key, value []byte, seq uint64) {
	deleted := kind == pebble.InternalKeyKindDelete || kind == pebble.InternalKeyKindDeleteSized || kind == pebble.InternalKeyKindSingleDelete
	if !deleted && kind != pebble.InternalKeyKindSet && kind != pebble.InternalKeyKindSetWithDelete {
		return
	}
	was, ok := r.Keys[string(key)]
	if ok && !r.later(key, value, seq, deleted, was) {
		return
	}
	r.Keys[string(key)] = rawVersion{seq, bytes.Clone(value), deleted}
}

// later reports whether a version of a key is later than the version was. If Pebble's sequence numbers cannot tell, because one is 0,
// it compares the contents of pointers and set records.
func (r *rawStore) later(key, value []byte, seq uint64, deleted bool, was rawVersion) bool {
	if seq > 0 && was.seq > 0 || seq == was.seq || deleted || was.deleted {
		return seq > was.seq
	}
	switch {
	case bytes.Equal(key, format.KeyCurrent):
		a, _ := format.DecodePointer(value)
		b, _ := format.DecodePointer(was.Value)
		return a.Snapshot > b.Snapshot
	case bytes.HasPrefix(key, []byte(format.PrefixSets)):
		a, _ := format.DecodeSetRecord(key, value)
		b, _ := format.DecodeSetRecord(key, was.Value)
		if a.Base != b.Base { // the later version may have only pages of earlier snapshots
			return a.Base > b.Base
		}
		return format.LastSnapshot(&a) > format.LastSnapshot(&b)
	case bytes.HasPrefix(key, []byte(format.PrefixPrivate)) && !bytes.Equal(value, was.Value):
		r.Im.problem(format.NamePrivate(key[len(format.PrefixPrivate):])(), "the files have two values, and do not say which is the later one")
	}
	return seq > was.seq
}

// build puts the keys that are not deleted into a new Pebble in memory.
func (r *rawStore) build() (*pebble.DB, error) {
	quiet := pebbledb.New("", pebbledb.Config{FS: vfs.Default, Logger: slog.New(slog.DiscardHandler)})
	o := quiet.PebbleOptions(pebbledb.CreateNew)
	o.FS = memfs.New()
	o.DisableWAL = true
	db, err := pebble.Open(storedir.DBName, o)
	if err != nil {
		return nil, err
	}
	for key, v := range r.Keys {
		if v.deleted || r.covered([]byte(key), v.seq) {
			continue
		}
		if err := db.Set([]byte(key), v.Value, pebble.NoSync); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// covered reports whether a range deletion removed a key after it was written.
func (r *rawStore) covered(key []byte, seq uint64) bool {
	for _, d := range r.ranges {
		if seq > 0 && d.seq > seq && bytes.Compare(d.from, key) <= 0 && bytes.Compare(key, d.to) < 0 {
			return true
		}
	}
	return false
}

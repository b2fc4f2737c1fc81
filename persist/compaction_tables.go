package persist

import (
	"bytes"
	"context"
	"errors"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// spanBytes is the size of the tables that are compacted at a time. So much free space a compaction needs, and so often it looks for the end of
// its context. Tests set less.
var spanBytes int64 = 128 << 20

// firstKey and lastKey are a key before all others and one after them.
var firstKey, lastKey = []byte{}, []byte{0xff}

// span is a range of keys, and the size of the tables that begin there.
type span struct {
	from, to []byte
	bytes    int64
}

// compactTables moves all that is old to the last level. Then no table has old deletions, or anything that old entries delete or replace.
func (r *compactionRun) compactTables() error {
	if err := r.db.Flush(); err != nil {
		return err
	}
	tables, err := r.db.Tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		r.oldSeq = max(r.oldSeq, t.LastSeq)
		r.now.Bytes += t.Size
	}
	r.report()
	if err := r.awaitSnapshots(r.oldSeq); err != nil { // otherwise most tables would be written twice
		return err
	}
	for _, s := range spansOf(tables) {
		if err := r.compact(s); err != nil {
			return err
		}
		r.now.Done += s.bytes
		r.report()
	}
	return r.rewriteTables()
}

// awaitSnapshots waits until no snapshot of Pebble is open that needs what an entry up to seq deletes.
func (r *compactionRun) awaitSnapshots(seq uint64) error {
	return r.await(func() (bool, error) {
		m := r.db.Pebble.Metrics().Snapshots
		return m.Count == 0 || uint64(m.EarliestSeqNum) > seq, nil
	})
}

// spansOf divides all keys into spans of about spanBytes. The tables of the last level are in the order of their keys.
func spansOf(tables []pebbledb.Table) []span {
	spans := []span{{from: firstKey}}
	for _, t := range tables {
		last := &spans[len(spans)-1]
		if t.Level == pebbledb.BottomLevel && last.bytes >= spanBytes && bytes.Compare(t.Smallest, last.from) > 0 {
			last.to = t.Smallest
			spans = append(spans, span{from: t.Smallest})
			last = &spans[len(spans)-1]
		}
		last.bytes += t.Size // those above the last level are all in the first span
	}
	spans[len(spans)-1].to = lastKey
	return spans
}

// compact compacts a span down to the last level.
func (r *compactionRun) compact(s span) error {
	if err := r.db.SpaceForTables(s.bytes); err != nil {
		return err
	}
	err := r.db.Guard(func() error { return r.db.Pebble.Compact(r.ctx, s.from, s.to, false) })
	switch {
	case err == nil || errors.Is(err, errs.ErrPersistence):
		return err
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	}
	return errs.ReadError(err, format.NameOf([]byte(storedir.DBName)))
}

// rewriteTables rewrites tables that still have old deletions: Pebble moves a table down without reading it if nothing below overlaps, and a
// snapshot of Pebble keeps what it needs.
func (r *compactionRun) rewriteTables() error {
	for {
		tables, err := r.db.Tables()
		if err != nil {
			return err
		}
		var left []pebbledb.Table
		for _, t := range tables {
			if r.holdsDeleted(t) {
				left = append(left, t)
			}
		}
		if len(left) == 0 {
			return nil
		}
		if err := r.rewrite(left); err != nil {
			return err
		}
	}
}

// holdsDeleted reports whether a table may hold an old deletion or an entry that an old one replaces. Above the last level a table that has newer
// entries too is not counted: all that was old there has moved down.
func (r *compactionRun) holdsDeleted(t pebbledb.Table) bool {
	seq := t.LastSeq
	if t.Level == pebbledb.BottomLevel {
		seq = t.FirstSeq
	}
	return seq <= r.oldSeq && t.Deleted+t.Pinned > 0
}

// rewrite rewrites tables. It writes the first key of each again, as it is, so that a table above overlaps, and compacts there.
func (r *compactionRun) rewrite(tables []pebbledb.Table) error {
	newest := uint64(0)
	for _, t := range tables {
		newest = max(newest, t.LastSeq)
	}
	if err := r.awaitSnapshots(newest); err != nil {
		return err
	}
	for _, t := range tables {
		if err := r.l.Do(func() error { return writeAgain(r.db, t.Smallest) }); err != nil {
			return err
		}
	}
	if err := r.db.Flush(); err != nil {
		return err
	}
	for _, t := range tables {
		if err := r.compact(span{t.Smallest, append(bytes.Clone(t.Smallest), 0), t.Size}); err != nil {
			return err
		}
	}
	return nil
}

// writeAgain writes a key again with the value that it has, or deletes it again. Committer goroutine only.
func writeAgain(d *pebbledb.DB, key []byte) error {
	value, ok, err := d.Get(key, format.NameOf(key))
	if err != nil {
		return err
	}
	b := d.Pebble.NewBatch()
	if ok {
		err = b.Set(key, value, nil)
	} else {
		err = b.Delete(key, nil)
	}
	if err != nil {
		return errors.Join(err, b.Close())
	}
	return d.Apply(b, false)
}

package persist

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// CheckOptions are callbacks of a check. All fields may be nil.
type CheckOptions struct {
	// Progress is called with the counts so far, after every table, group, page and private key. nil: that of WithProgress.
	Progress func(Report)
	// Effect is called with the effects of the log, in order, up to the first damage.
	Effect func(seq uint64, e wal.Effect)
	// Set is called after the log and the private keys, with each set and its readable pages. The check reports an error as a problem of the set.
	Set func(r SetRecord, pages iter.Seq[[]byte]) error
	// Private is called after the log, with each readable private key. The bytes are valid until it returns.
	Private func(KV)
}

// Check reads everything: the records, every group of the log and the chain of the groups, every set and page, every private key, and
// every block of Pebble's tables. It continues after damage and reports all problems. Check returns an error only if it was
// interrupted: that of ctx, ErrClosed. O(bytes); memory for one page, or for one group.
func (im *Image) Check(ctx context.Context, o CheckOptions) (Report, error) {
	if o.Progress == nil {
		o.Progress = progressOf(ctx)
	}
	c := &checker{Image: im, o: o, ctx: ctx}
	c.rep.Problems = append(c.rep.Problems, im.problems...)
	c.records()
	for _, part := range []func() error{c.files, c.log, c.private, c.sets, c.strays} {
		if err := part(); err != nil {
			return c.rep, err
		}
	}
	if len(c.rep.Problems) == 0 && im.refused != nil { // Open would fail, and no problem so far explains it
		c.addError("open", im.refused)
	}
	return c.rep, nil
}

// checker is the state of one check.
type checker struct {
	*Image
	o   CheckOptions
	ctx context.Context
	rep Report
	cur *format.Pointer // m/current; nil: it cannot be read
}

func (c *checker) problem(where, format string, args ...any) {
	c.rep.Problems = append(c.rep.Problems, Problem{where, fmt.Sprintf(format, args...)})
}

// addError reports an error as a problem at where.
func (c *checker) addError(where string, err error) {
	c.rep.Problems = append(c.rep.Problems, problemOf(where, err))
}

// step counts n bytes and calls Progress. It returns an error if the check must stop.
func (c *checker) step(n int) error {
	c.rep.Bytes += int64(n)
	if c.o.Progress != nil {
		c.o.Progress(c.rep)
	}
	return c.ctx.Err()
}

// lost reports that the keys from from to to cannot be read; to is nil for the end of the key space.
func (c *checker) lost(from, to []byte, err error) {
	until := "the end"
	if to != nil {
		until = fmt.Sprintf("%q", to)
	}
	c.problem(storedir.DBName, "cannot be read from %q to %s: %v", from, until, err)
}

// records reads m/format and m/current.
func (c *checker) records() {
	if v, err := c.must(format.KeyFormat); err != nil {
		c.addError(string(format.KeyFormat), err)
	} else if id, _, err := format.DecodeFormat(v); err != nil {
		c.addError(string(format.KeyFormat), err)
	} else if c.id != (format.StoreID{}) && c.id != id {
		c.problem(string(format.KeyFormat), "the database belongs to another store than IDENTITY says")
	} else {
		c.id = id
	}
	v, err := c.must(format.KeyCurrent)
	if err == nil {
		var cur format.Pointer
		if cur, err = format.DecodePointer(v); err == nil {
			c.cur, c.rep.Snapshot, c.rep.LastSeq, c.rep.upto = &cur, cur.Snapshot, cur.Start-1, cur.Upto
			return
		}
	}
	c.addError(string(format.KeyCurrent), err)
}

// must returns the value of a key that every store has; it is an error if the key is missing.
func (im *Image) must(key []byte) ([]byte, error) {
	v, ok, err := pebbledb.Get(im.db, key, format.NameOf(key))
	if err == nil && !ok {
		err = &wal.CorruptError{Key: string(key), Reason: "the record is missing"}
	}
	return v, err
}

// files reads every block of Pebble's tables. It ignores errors of a table that a compaction has replaced since it was listed.
func (c *checker) files() error {
	if c.tables == nil {
		return nil
	}
	tables, err := c.tables()
	if err != nil {
		c.addError(storedir.DBName, err)
	}
	for _, t := range tables {
		if err := t.verify(); err != nil && c.listed(t.name) {
			c.addError(t.name, err)
		}
		if err := c.step(0); err != nil {
			return err
		}
	}
	return nil
}

// listed reports whether Pebble still uses a table.
func (c *checker) listed(name string) bool {
	tables, err := c.tables()
	return err != nil || slices.ContainsFunc(tables, func(t tableFile) bool { return t.name == name })
}

// covered returns the last commit that the pages of all sets have.
func (c *checker) covered() uint64 {
	if c.cur == nil {
		return 0
	}
	return c.cur.Upto
}

// log reads every group and its commits. It counts commits, and calls Effect for those after the snapshot, up to the first damage.
func (c *checker) log() error {
	r := logReader{im: c.Image}
	if c.cur != nil {
		r.startAt(c.cur.Start, c.cur.Chain)
	}
	var d format.CommitDecoder
	err := c.walk([]byte(format.PrefixLog), format.KeyAfter([]byte(format.PrefixLog)), func(key, value []byte) error {
		c.rep.Groups++
		g, intact, err := r.next(key, value)
		if err != nil {
			c.addError(r.name(key), err)
		}
		whole := intact && !r.broken // the log is undamaged up to this group
		if intact {
			err = g.EachCommit(value, func(seq uint64, body *format.Reader) error {
				return d.Decode(body, func(e wal.Effect) error {
					if whole && c.o.Effect != nil && e.Kind != wal.Note && seq > c.covered() {
						c.o.Effect(seq, e)
					}
					return nil
				})
			})
			if err != nil {
				r.broken, whole = true, false
				c.addError(r.name(key), err)
			}
		}
		if whole {
			c.rep.Commits += int(g.Commits)
			c.rep.LastSeq = g.Last()
		}
		return c.step(len(value))
	}, func(from, to []byte, err error) { r.broken = true; c.lost(from, to, err) })
	if r.chain != nil {
		c.rep.chain = r.chain.Prev
	}
	if err == nil && c.cur != nil && c.rep.LastSeq < c.cur.Upto {
		c.problem(format.PrefixLog, "log ends at %d, the snapshot at %d", c.rep.LastSeq, c.cur.Upto)
	}
	return err
}

// private reads the private keys. It then reads the key ranges between those of our records, and reports every key there.
func (c *checker) private() error {
	err := c.walk([]byte(format.PrefixPrivate), format.KeyAfter([]byte(format.PrefixPrivate)), func(key, value []byte) error {
		c.rep.PrivateKeys++
		if c.o.Private != nil {
			c.o.Private(KV{Key: key[len(format.PrefixPrivate):], Value: value})
		}
		return c.step(len(value))
	}, c.lost)
	for _, gap := range []struct{ from, to string }{{"\x00", format.PrefixLog}, {"l0", string(format.KeyBatch)},
		{string(format.KeyBatch) + "\x00", string(format.KeyCurrent)},
		{string(format.KeyCurrent) + "\x00", string(format.KeyFormat)}, {string(format.KeyFormat) + "\x00", string(format.KeyPublishing)},
		{string(format.KeyPublishing) + "\x00", format.PrefixPages}, {"p0", format.PrefixSets},
		{"s0", format.PrefixPrivate}, {"u0", "\xff"}} {
		if err == nil {
			err = c.walk([]byte(gap.from), []byte(gap.to), func(key, _ []byte) error {
				c.problem(fmt.Sprintf("%q", key), "no record of a store has this key")
				return c.step(0)
			}, c.lost)
		}
	}
	return err
}

// logReader reads the groups of a log, damaged or not.
type logReader struct {
	im     *Image
	chain  *format.Chain // nil: the next group starts a new chain, because the start is unknown or the group before is damaged
	start  uint64        // the first commit of the log
	broken bool          // a group was damaged or missing: later groups do not connect to the start
}

// startAt sets the start of the log, and the checksum of the group before it.
func (r *logReader) startAt(start uint64, prev uint32) {
	r.start, r.chain = start, &format.Chain{Next: start, Prev: prev}
}

func (r *logReader) name(key []byte) string {
	first, err := format.FirstOf(key)
	if err != nil {
		return fmt.Sprintf("%q", key)
	}
	return format.NameLog(first)()
}

// next decodes a group. intact is true if the bytes of the group itself are valid. The error describes damage in the group, or a break
// in the chain before it.
func (r *logReader) next(key, value []byte) (g format.Group, intact bool, err error) {
	first, err := format.FirstOf(key)
	if err != nil {
		return g, false, err
	}
	if first < r.start {
		return g, false, errs.Corruptf(0, "the log starts at %d", r.start)
	}
	g, crc, err := format.OpenGroup(value)
	if err == nil && g.First != first {
		err = errs.Corruptf(format.OffFirst, "group starts at %d, its key says %d", g.First, first)
	}
	if err != nil {
		r.broken, r.chain = true, nil
		return g, false, err
	}
	if r.chain == nil {
		r.startAt(g.First, g.Prev)
	}
	r.chain.Store = r.im.hash(g)
	if err = r.chain.Step(g, crc); err != nil {
		r.broken = true
		r.chain.Next, r.chain.Prev = g.Last()+1, crc
	}
	return g, true, err
}

// sets counts the pages of all sets, and then reads every set's record and its pages.
func (c *checker) sets() error {
	err := c.eachRecord(func(r format.SetRecord) error { c.rep.PagesOf += r.Pages; return c.ctx.Err() }, ignoreRecord, ignoreGap)
	if err != nil {
		return err
	}
	return c.eachRecord(func(r format.SetRecord) error {
		c.rep.Sets++
		name := format.NameSet(r.Key)()
		if last := format.LastSnapshot(&r); c.cur != nil && last > c.cur.Snapshot {
			c.problem(name, "written by snapshot %d, the last one is %d", last, c.cur.Snapshot)
		}
		if r.Base > c.rep.LastSeq {
			c.problem(name, "its pages go up to commit %d, the log to %d", r.Base, c.rep.LastSeq)
		}
		return c.set(name, r)
	}, func(set string, err error) { c.addError(format.NameSet(set)(), err) }, c.lost)
}

// eachRecord calls fn with every readable set record. It calls bad for a damaged record, and lost for a range of unreadable keys.
func (im *Image) eachRecord(fn func(format.SetRecord) error, bad func(set string, err error), lost func(from, to []byte, err error)) error {
	return im.walk([]byte(format.PrefixSets), format.KeyAfter([]byte(format.PrefixSets)), func(key, value []byte) error {
		r, err := format.DecodeSetRecord(key, value)
		if err != nil {
			bad(format.SetOf(key), err)
			return nil
		}
		return fn(r)
	}, lost)
}

// ignoreRecord and ignoreGap are for passes whose problems another pass reports.
func ignoreRecord(string, error)     {}
func ignoreGap(_, _ []byte, _ error) {}

// set reads the pages of one set, and passes the readable ones to the Set callback.
func (c *checker) set(name string, r format.SetRecord) error {
	var stopped error
	pages := func(yield func([]byte) bool) {
		for page, err := range c.pages(r) {
			if err != nil {
				c.problem(name, "%v", err)
			} else {
				c.rep.Pages++
			}
			if stopped = c.step(len(page)); stopped != nil || err == nil && !yield(page) {
				return
			}
		}
	}
	if c.o.Set == nil {
		for range pages {
		}
		return stopped
	}
	if err := c.o.Set(recordOf(r), pages); err != nil && stopped == nil {
		c.addError(name, err)
	}
	return stopped
}

// pages iterates over a set's pages. It looks up each page by its key, so that it continues after an unreadable page. A last error
// without a page says that the pages do not match the checksum in a record of layout 1.
func (im *Image) pages(r format.SetRecord) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		sum, whole := uint32(0), true
		places := format.PlacesOf(&r)
		for i := range r.Pages {
			at, _ := places.Next()
			key, name := format.KeyPage(at.Snapshot, at.ID, uint32(i)), format.NamePage(at.Snapshot, at.ID, i)
			v, ok, err := pebbledb.Get(im.db, key, name)
			var page []byte
			if err == nil && !ok {
				err = &wal.CorruptError{Key: name(), Reason: "the page is missing"}
			}
			if err == nil {
				var crc uint32
				if page, crc, err = format.OpenPage(key, v); err == nil && at.Known && crc != at.CRC {
					err = errs.Corruptf(0, "page has checksum %08x, the set's record says %08x", crc, at.CRC)
				}
				sum, err = format.AddSum(sum, crc), errs.WithKey(err, name)
			}
			whole = whole && err == nil
			if !yield(page, err) {
				return
			}
		}
		if want, old := places.Sum(); old && whole && sum != want {
			yield(nil, errs.Corruptf(0, "the pages have checksum %08x, the set's record says %08x", sum, want))
		}
	}
}

// strays reports pages that no set has. It ignores pages of snapshots after the last published one, and of one that is being published: they
// belong to a running or crashed snapshot.
func (c *checker) strays() error {
	if c.cur == nil {
		return nil
	}
	end := c.cur.Snapshot + 1
	switch _, publishing, err := pebbledb.Get(c.db, format.KeyPublishing, format.NameOf(format.KeyPublishing)); {
	case err != nil:
		c.addError(string(format.KeyPublishing), err)
	case publishing:
		end = c.cur.Snapshot
	}
	owned := map[string]bool{}
	err := c.eachRecord(func(r format.SetRecord) error {
		for _, key := range format.PageKeys(&r) {
			owned[string(key)] = true
		}
		return c.ctx.Err()
	}, ignoreRecord, ignoreGap)
	if err != nil {
		return err
	}
	return c.walk([]byte(format.PrefixPages), format.KeySnapshotPages(end), func(key, _ []byte) error {
		if !owned[string(key)] {
			c.problem(fmt.Sprintf("p/%x", bytes.TrimPrefix(key, []byte(format.PrefixPages))), "no set has this page")
		}
		return c.ctx.Err()
	}, ignoreGap)
}

package image

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
)

// Problem is one thing that is wrong with a store.
type Problem struct {
	Where string // the record or file, as in CorruptError.Key, or the set
	What  string
}

// String returns both in one line.
func (p Problem) String() string { return p.Where + ": " + p.What }

// Report is what a check has read, and what it found wrong.
type Report struct {
	Snapshot    uint64 // number of the last published snapshot
	Sets        int
	Pages       int   // that were read
	PagesOf     int   // that the sets have: what Pages will be at the end
	Bytes       int64 // of pages, log and private keys
	Groups      int
	Commits     int    // in the part of the log that is whole
	LastSeq     uint64 // the last of them
	PrivateKeys int
	Problems    []Problem

	upto  uint64 // of the snapshot
	chain uint32 // checksum of the last group
}

// CheckOptions are what a check does besides reading. All fields may be nil.
type CheckOptions struct {
	// Progress hears how far the check is, at every set and group and every few pages.
	Progress func(Report)
	// Effect sees the effects of the log, in order, up to where the log is damaged.
	Effect func(seq uint64, e format.Effect)
	// Set sees each set and those of its pages that can be read, after the log. An error is a problem of the set's.
	Set func(r format.SetRecord, pages iter.Seq[[]byte]) error
	// Private sees each private key that can be read, after the sets. The bytes are valid until it returns.
	Private func(pebbledb.KV)
}

// Check reads everything: the records, every group of the log and the chain through them, every set and page, every private
// key, and every block of Pebble's tables. It goes on after what is wrong and reports all of it. An
// error means that it did not come to its end: that of ctx, ErrClosed. O(bytes); memory for one page, or the log of one group.
func (im *Image) Check(ctx context.Context, o CheckOptions) (Report, error) {
	c := &checker{Image: im, o: o, ctx: ctx}
	c.rep.Problems = append(c.rep.Problems, im.found...)
	c.records()
	for _, part := range []func() error{c.files, c.log, c.sets, c.strays, c.private} {
		if err := part(); err != nil {
			return c.rep, err
		}
	}
	if len(c.rep.Problems) == 0 && im.refused != nil { // nothing that was read explains it
		c.wrong("open", im.refused)
	}
	return c.rep, nil
}

// checker is the state of one check.
type checker struct {
	*Image
	o   CheckOptions
	ctx context.Context
	rep Report
	cur *format.Pointer // nil: it cannot be read
}

func (c *checker) problem(where, format string, args ...any) {
	c.rep.Problems = append(c.rep.Problems, Problem{where, fmt.Sprintf(format, args...)})
}

// wrong reports an error; a CorruptError says itself where.
func (c *checker) wrong(where string, err error) {
	c.rep.Problems = append(c.rep.Problems, problemOf(where, err))
}

func problemOf(where string, err error) Problem {
	if e, ok := err.(*errs.CorruptError); ok && (e.Key == "" || e.Key == where) {
		return Problem{where, fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason)}
	}
	return Problem{where, err.Error()}
}

// step counts n bytes, reports the progress and says whether to go on.
func (c *checker) step(n int) error {
	c.rep.Bytes += int64(n)
	if c.o.Progress != nil {
		c.o.Progress(c.rep)
	}
	return c.ctx.Err()
}

// lost reports what cannot be read. The report's end is that of the space, or the next table.
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
		c.wrong(string(format.KeyFormat), err)
	} else if id, _, err := format.DecodeFormat(v); err != nil {
		c.wrong(string(format.KeyFormat), err)
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
	c.wrong(string(format.KeyCurrent), err)
}

// must returns the value of a key that a store cannot be without.
func (im *Image) must(key []byte) ([]byte, error) {
	v, ok, err := pebbledb.Get(im.db, key, format.NameOf(key))
	if err == nil && !ok {
		err = &errs.CorruptError{Key: string(key), Reason: "the record is missing"}
	}
	return v, err
}

// files reads every block of Pebble's tables. One that a compaction has replaced since it was listed is gone.
func (c *checker) files() error {
	if c.tables == nil {
		return nil
	}
	tables, err := c.tables()
	if err != nil {
		c.wrong(storedir.DBName, err)
	}
	for _, t := range tables {
		if err := t.verify(); err != nil && c.listed(t.name) {
			c.wrong(t.name, err)
		}
		if err := c.step(0); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) listed(name string) bool {
	tables, err := c.tables()
	return err != nil || slices.ContainsFunc(tables, func(t tableFile) bool { return t.name == name })
}

// log reads every group.
func (c *checker) log() error {
	r := logReader{im: c.Image}
	if c.cur != nil {
		r.at(c.cur.Start, c.cur.Chain)
	}
	var d format.CommitDecoder
	err := c.walk([]byte(format.PrefixLog), format.KeyAfter([]byte(format.PrefixLog)), func(key, value []byte) error {
		c.rep.Groups++
		g, fine, err := r.next(key, value)
		if err != nil {
			c.wrong(r.name(key), err)
		}
		whole := fine && !r.broken
		if fine {
			err = g.EachCommit(value, func(seq uint64, body *format.Reader) error {
				return d.Decode(body, func(e format.Effect) error {
					if whole && c.o.Effect != nil {
						c.o.Effect(seq, e)
					}
					return nil
				})
			})
			if err != nil {
				r.broken, whole = true, false
				c.wrong(r.name(key), err)
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

// private reads the private keys, and looks for keys that no record of a store has.
func (c *checker) private() error {
	err := c.walk([]byte(format.PrefixPrivate), format.KeyAfter([]byte(format.PrefixPrivate)), func(key, value []byte) error {
		c.rep.PrivateKeys++
		if c.o.Private != nil {
			c.o.Private(pebbledb.KV{Key: key[len(format.PrefixPrivate):], Value: value})
		}
		return c.step(len(value))
	}, c.lost)
	for _, gap := range []struct{ from, to string }{{"\x00", format.PrefixLog}, {"l0", string(format.KeyBatch)},
		{string(format.KeyBatch) + "\x00", string(format.KeyCurrent)},
		{string(format.KeyCurrent) + "\x00", string(format.KeyFormat)}, {string(format.KeyFormat) + "\x00", format.PrefixPages}, {"p0", format.PrefixSets},
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

// logReader follows the groups of a log, damaged or not.
type logReader struct {
	im     *Image
	chain  *format.Chain // nil: where the log starts, or goes on after damage, is not known
	start  uint64
	broken bool // something was wrong: what follows is not connected with what came before
}

// at says where the log starts.
func (r *logReader) at(start uint64, prev uint32) {
	r.start, r.chain = start, &format.Chain{Next: start, Prev: prev}
}

func (r *logReader) name(key []byte) string {
	first, err := format.FirstOf(key)
	if err != nil {
		return fmt.Sprintf("%q", key)
	}
	return format.NameLog(first)()
}

// next takes a group apart. fine: its own bytes are. The error says what is wrong with them, or with its place in the log.
func (r *logReader) next(key, value []byte) (g format.Group, fine bool, err error) {
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
		r.at(g.First, g.Prev)
	}
	r.chain.Store = r.im.hash(g)
	if err = r.chain.Step(g, crc); err != nil {
		r.broken = true
		r.chain.Next, r.chain.Prev = g.Last()+1, crc
	}
	return g, true, err
}

// sets reads every set's record and its pages.
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
	}, func(set string, err error) { c.wrong(format.NameSet(set)(), err) }, c.lost)
}

// eachRecord calls fn with every set's record that can be read.
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

// For passes over what another pass reports.
func ignoreRecord(string, error)     {}
func ignoreGap(_, _ []byte, _ error) {}

// set reads the pages of one set.
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
	if err := c.o.Set(r, pages); err != nil && stopped == nil {
		c.wrong(name, err)
	}
	return stopped
}

// pages iterates over a set's pages, each found for itself, so that the next one is tried after one that cannot be read. An
// error without a page at the end says that the pages are not those of the record.
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
				err = &errs.CorruptError{Key: name(), Reason: "the page is missing"}
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

// strays looks for pages that no set has. Those above the last snapshot belong to one that is running, or was cut short.
func (c *checker) strays() error {
	if c.cur == nil {
		return nil
	}
	owned := map[string]bool{}
	err := c.eachRecord(func(r format.SetRecord) error {
		places := format.PlacesOf(&r)
		for i := range r.Pages {
			at, _ := places.Next()
			owned[string(format.KeyPage(at.Snapshot, at.ID, uint32(i)))] = true
		}
		return c.ctx.Err()
	}, ignoreRecord, ignoreGap)
	if err != nil {
		return err
	}
	return c.walk([]byte(format.PrefixPages), format.KeySnapshotPages(c.cur.Snapshot+1), func(key, _ []byte) error {
		if !owned[string(key)] {
			c.problem(fmt.Sprintf("p/%x", bytes.TrimPrefix(key, []byte(format.PrefixPages))), "no set has this page")
		}
		return c.ctx.Err()
	}, ignoreGap)
}

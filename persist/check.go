package persist

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/internal/seeded"
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
	Effect func(seq uint64, e Effect)
	// Set sees each set and those of its pages that can be read, after the log. An error is a problem of the set's.
	Set func(r SetRecord, pages iter.Seq[[]byte]) error
	// Private sees each private key that can be read, after the sets. What it sees is valid until it returns.
	Private func(KV)
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

// checker is a check under way.
type checker struct {
	*Image
	o   CheckOptions
	ctx context.Context
	rep Report
	cur *pointer // nil: it cannot be read
}

func (c *checker) problem(where, format string, args ...any) {
	c.rep.Problems = append(c.rep.Problems, Problem{where, fmt.Sprintf(format, args...)})
}

// wrong reports an error; a CorruptError says itself where.
func (c *checker) wrong(where string, err error) {
	c.rep.Problems = append(c.rep.Problems, problemOf(where, err))
}

func problemOf(where string, err error) Problem {
	if e, ok := err.(*CorruptError); ok && (e.Key == "" || e.Key == where) {
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
	c.problem(dbName, "cannot be read from %q to %s: %v", from, until, err)
}

// records reads m/format and m/current.
func (c *checker) records() {
	if v, err := c.must(keyFormat); err != nil {
		c.wrong(string(keyFormat), err)
	} else if id, _, err := decodeFormat(v); err != nil {
		c.wrong(string(keyFormat), err)
	} else if c.id != (storeID{}) && c.id != id {
		c.problem(string(keyFormat), "the database belongs to another store than IDENTITY says")
	} else {
		c.id = id
	}
	v, err := c.must(keyCurrent)
	if err == nil {
		var cur pointer
		if cur, err = decodePointer(v); err == nil {
			c.cur, c.rep.Snapshot, c.rep.LastSeq, c.rep.upto = &cur, cur.snapshot, cur.start-1, cur.upto
			return
		}
	}
	c.wrong(string(keyCurrent), err)
}

// must returns the value of a key that a store cannot be without.
func (im *Image) must(key []byte) ([]byte, error) {
	v, ok, err := get(im.db, key, nameOf(key))
	if err == nil && !ok {
		err = &CorruptError{Key: string(key), Reason: "the record is missing"}
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
		c.wrong(dbName, err)
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
		r.at(c.cur.start, c.cur.chain)
	}
	var d commitDecoder
	err := c.walk([]byte(spaceLog), keyAfter([]byte(spaceLog)), func(key, value []byte) error {
		c.rep.Groups++
		g, fine, err := r.next(key, value)
		if err != nil {
			c.wrong(r.name(key), err)
		}
		whole := fine && !r.broken
		if fine {
			err = g.eachCommit(value, func(seq uint64, body *reader) error {
				return d.decode(body, func(e Effect) error {
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
			c.rep.Commits += int(g.commits)
			c.rep.LastSeq = g.last()
		}
		return c.step(len(value))
	}, func(from, to []byte, err error) { r.broken = true; c.lost(from, to, err) })
	if r.chain != nil {
		c.rep.chain = r.chain.prev
	}
	if err == nil && c.cur != nil && c.rep.LastSeq < c.cur.upto {
		c.problem(spaceLog, "log ends at %d, the snapshot at %d", c.rep.LastSeq, c.cur.upto)
	}
	return err
}

// private reads the caller's own keys, and sees that there are none of nobody's.
func (c *checker) private() error {
	err := c.walk([]byte(spacePrivate), keyAfter([]byte(spacePrivate)), func(key, value []byte) error {
		c.rep.PrivateKeys++
		if c.o.Private != nil {
			c.o.Private(KV{key[len(spacePrivate):], value})
		}
		return c.step(len(value))
	}, c.lost)
	for _, gap := range []struct{ from, to string }{{"\x00", spaceLog}, {"l0", string(keyBatch)},
		{string(keyBatch) + "\x00", string(keyCurrent)},
		{string(keyCurrent) + "\x00", string(keyFormat)}, {string(keyFormat) + "\x00", spacePages}, {"p0", spaceSets},
		{"s0", spacePrivate}, {"u0", "\xff"}} {
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
	chain  *chain // nil: where the log starts, or goes on after damage, is not known
	start  uint64
	broken bool // something was wrong: what follows is not connected with what came before
}

// at says where the log starts.
func (r *logReader) at(start uint64, prev uint32) {
	r.start, r.chain = start, &chain{next: start, prev: prev}
}

func (r *logReader) name(key []byte) string {
	first, err := firstOf(key)
	if err != nil {
		return fmt.Sprintf("%q", key)
	}
	return nameLog(first)()
}

// next takes a group apart. fine: its own bytes are. The error says what is wrong with them, or with its place in the log.
func (r *logReader) next(key, value []byte) (g group, fine bool, err error) {
	first, err := firstOf(key)
	if err != nil {
		return g, false, err
	}
	if first < r.start {
		return g, false, corrupt(0, "the log starts at %d", r.start)
	}
	g, crc, err := openGroup(value)
	if err == nil && g.first != first {
		err = corrupt(offFirst, "group starts at %d, its key says %d", g.first, first)
	}
	if err != nil {
		r.broken, r.chain = true, nil
		return g, false, err
	}
	if r.chain == nil {
		r.at(g.first, g.prev)
	}
	r.chain.store = r.im.hash(g)
	if err = r.chain.step(g, crc); err != nil {
		r.broken = true
		r.chain.next, r.chain.prev = g.last()+1, crc
	}
	return g, true, err
}

// sets reads every set's record and its pages.
func (c *checker) sets() error {
	err := c.eachRecord(func(r SetRecord) error { c.rep.PagesOf += r.Pages; return c.ctx.Err() }, silent, unseen)
	if err != nil {
		return err
	}
	return c.eachRecord(func(r SetRecord) error {
		c.rep.Sets++
		name := nameSet(r.Key)()
		if last := lastSnapshot(&r); c.cur != nil && last > c.cur.snapshot {
			c.problem(name, "written by snapshot %d, the last one is %d", last, c.cur.snapshot)
		}
		if r.Base > c.rep.LastSeq {
			c.problem(name, "its pages go up to commit %d, the log to %d", r.Base, c.rep.LastSeq)
		}
		return c.set(name, r)
	}, func(set string, err error) { c.wrong(nameSet(set)(), err) }, c.lost)
}

// eachRecord calls fn with every set's record that can be read.
func (im *Image) eachRecord(fn func(SetRecord) error, bad func(set string, err error), lost func(from, to []byte, err error)) error {
	return im.walk([]byte(spaceSets), keyAfter([]byte(spaceSets)), func(key, value []byte) error {
		r, err := decodeSetRecord(key, value)
		if err != nil {
			bad(setOf(key), err)
			return nil
		}
		return fn(r)
	}, lost)
}

// For passes over what another pass reports.
func silent(string, error)        {}
func unseen(_, _ []byte, _ error) {}

// set reads the pages of one set.
func (c *checker) set(name string, r SetRecord) error {
	if seeded.Bug("check skips pages") {
		return nil
	}
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
func (im *Image) pages(r SetRecord) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		sum, whole := uint32(0), true
		places := placesOf(&r)
		for i := range r.Pages {
			at, _ := places.next()
			key, name := keyPage(at.snapshot, at.id, uint32(i)), namePage(at.snapshot, at.id, i)
			v, ok, err := get(im.db, key, name)
			var page []byte
			if err == nil && !ok {
				err = &CorruptError{Key: name(), Reason: "the page is missing"}
			}
			if err == nil {
				var crc uint32
				if page, crc, err = openPage(key, v); err == nil && at.known && crc != at.crc {
					err = corrupt(0, "page has checksum %08x, the set's record says %08x", crc, at.crc)
				}
				sum, err = addSum(sum, crc), named(err, name)
			}
			whole = whole && err == nil
			if !yield(page, err) {
				return
			}
		}
		if want, old := places.sum(); old && whole && sum != want {
			yield(nil, corrupt(0, "the pages have checksum %08x, the set's record says %08x", sum, want))
		}
	}
}

// strays looks for pages that no set has. Those above the last snapshot belong to one that is running, or was cut short.
func (c *checker) strays() error {
	if c.cur == nil {
		return nil
	}
	owned := map[string]bool{}
	err := c.eachRecord(func(r SetRecord) error {
		places := placesOf(&r)
		for i := range r.Pages {
			at, _ := places.next()
			owned[string(keyPage(at.snapshot, at.id, uint32(i)))] = true
		}
		return c.ctx.Err()
	}, silent, unseen)
	if err != nil {
		return err
	}
	return c.walk([]byte(spacePages), keySnapshotPages(c.cur.snapshot+1), func(key, _ []byte) error {
		if !owned[string(key)] {
			c.problem(fmt.Sprintf("p/%x", bytes.TrimPrefix(key, []byte(spacePages))), "no set has this page")
		}
		return c.ctx.Err()
	}, unseen)
}

package persist

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// Salvaged says what Salvage copied of a damaged store, and what is lost: see Prefix and Whole.
type Salvaged struct {
	Source  Report // of the damaged store
	Copy    Report // of the new store; it has no Problems
	Dropped int    // readable groups of the log that are not in the copy, because they follow a damaged or missing group
	// Sets are the sets that may differ from the state after commit Copy.LastSeq: all of them, unless Gaps or Stale say more.
	Sets []SalvagedSet
	// Gaps is the number of ranges of unreadable set records. The names of sets there are unknown, and such a set is missing from the
	// copy, unless the log creates it: then it is in Sets.
	Gaps        int
	PrivateGaps int // ranges of unreadable private keys: they are missing from the copy
	// PrivateAhead is true if the log is damaged, and private keys may be as a commit after Copy.LastSeq left them: a private key does not
	// say which commit wrote it.
	PrivateAhead bool
	// Stale is true if files of Pebble are missing or damaged such that their latest writes may be lost without a trace. Then any set
	// and any private key may be missing from the copy, be as an earlier commit left it, or be there again after it was dropped.
	Stale bool
}

// Prefix reports whether the copy is exactly the store after commit Copy.LastSeq, private keys included, so that only later commits
// can be missing.
func (s Salvaged) Prefix() bool {
	return len(s.Sets) == 0 && s.Gaps == 0 && s.PrivateGaps == 0 && !s.PrivateAhead && !s.Stale
}

// Whole reports whether nothing is missing: the copy is a Prefix, and a check found nothing wrong with the source, its end included.
// Some losses leave no trace in the source: those that Open does not notice either, at the end of the log of a store that was not closed.
func (s Salvaged) Whole() bool {
	return s.Prefix() && len(s.Source.Problems) == 0 && len(s.Copy.Problems) == 0
}

// SalvagedSet is a set that may be incomplete in the copy, or newer than the last commit of the copy.
type SalvagedSet struct {
	Key   string // the name of the set
	Pages int    // number of its pages in the source; 0: its record cannot be read, and the copy has only what the log says
	Lost  int    // number of unreadable pages; their members are in the copy only if the log has them
	Ahead uint64 // if not 0: the set's pages may hold commits from Copy.LastSeq+1 to this one at least, which are lost
}

// Salvage copies what can be read of the store in from to a new store in to, which gets a new id. from must be closed; Salvage does
// not change it. It copies the log up to the first commit that is damaged or missing, the sets as in the last snapshot, and the
// private keys. If some pages of a set are damaged, Salvage copies the other pages; the log then applies on top.
//
// The copy is the longest prefix of the commits that can be read, if the damage leaves one: Salvaged.Prefix says so. Otherwise the copy has
// what is whole, and Salvaged says what is not as after commit Copy.LastSeq. Salvaged.Whole says that nothing is missing. See "Copies and
// damage" in the doc of the package for what damage leaves what. to must not exist, or be empty. It uses only FS and Logger of o. Errors: ErrExists, ErrNotStore,
// ErrLocked, ErrNewerFormat, that of ctx, the file system's. After an error Salvage removes the copy. O(bytes).
func Salvage(ctx context.Context, from, to string, o Options) (Salvaged, error) {
	return copyStore(ctx, from, to, o.withDefaults().database(), false)
}

// copyStore copies a store. With strict it fails if anything in the store is damaged.
func copyStore(ctx context.Context, from, to string, config pebbledb.Config, strict bool) (done Salvaged, err error) {
	fs := config.FS
	if inside(fs, absolute(fs, from), absolute(fs, to)) {
		return done, fmt.Errorf("persist: copy of %s to %s, which is inside of it", from, to)
	}
	im, err := openImage(from, config)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, im.Close()) }()
	g, err := storedir.NewStaging(fs, absolute(fs, to))
	if err != nil {
		return done, err
	}
	c := &copier{im: im, g: g, ctx: ctx, config: config, done: Salvaged{Stale: im.stale}}
	if err = c.run(strict); err == nil {
		err = g.Finish()
	}
	if err != nil {
		return c.done, errors.Join(fmt.Errorf("persist: copy %s to %s: %w", from, to, err), g.Drop())
	}
	return c.done, nil
}

// copier is the state of one copy.
type copier struct {
	im     *Image
	g      *storedir.Staging
	ctx    context.Context
	config pebbledb.Config
	to     *commitlog.Log // of the copy
	upto   uint64         // the pages hold the commits up to this one; the log of the copy begins after it
	cut    bool           // the log of the copy ends where the log of the source is damaged, and later writes may have been read
	order  writeOrder     // of all sets
	gaps   gapSets        // sets whose records cannot be read
	done   Salvaged
}

// run checks the source, creates and fills the copy, and checks the copy.
func (c *copier) run(strict bool) (err error) {
	if c.done.Source, err = c.im.Check(c.ctx, CheckOptions{}); err != nil {
		return err
	}
	if err = firstProblem(c.done.Source); strict && err != nil {
		return err
	}
	if err := c.create(); err != nil {
		return err
	}
	err = c.fill()
	if err = errors.Join(err, c.to.Close()); err != nil {
		return err
	}
	c.done.Copy, _, err = checkStage(c.ctx, c.g)
	return err
}

// create creates an empty copy whose log begins after upto, and copies the private keys. The copy's identity keeps its temporary name
// until the copy is complete.
func (c *copier) create() error {
	if err := c.findStart(); err != nil {
		return err
	}
	d, n := pebbledb.New(c.g.Tmp, c.config), storedir.NewIdentity()
	d.Lock = storedir.CloserFunc(func() error { return nil }) // the stage has it
	if err := storedir.BeginCreate(c.config.FS, c.g.Tmp, n); err != nil {
		return err
	}
	if err := d.Guard(func() error { return d.Open(pebbledb.CreateNew) }); err != nil {
		return err
	}
	at := recovery.EmptyLog(n.ID, c.upto)
	err := d.Guard(func() error { return errors.Join(recovery.CreateRecords(d, n.ID, at), c.private(d)) })
	if c.to = commitlog.Start(d, commitlog.Config{}, at); err != nil {
		return errors.Join(err, c.to.Close())
	}
	return nil
}

// findStart sets upto, the commit after which the log is needed. It comes from the pointer. If the pointer is lost, upto is the commit
// before the first group.
func (c *copier) findStart() error {
	if v, err := c.im.must(format.KeyCurrent); err == nil {
		if p, err := format.DecodePointer(v); err == nil {
			c.upto = p.Upto
			return nil
		}
	}
	found := false
	c.done.Stale = true // the log may have begun earlier, with groups that cannot be read
	return c.im.walk([]byte(format.PrefixLog), format.KeyAfter([]byte(format.PrefixLog)), func(key, _ []byte) error {
		if first, err := format.FirstOf(key); err == nil && first > 0 && !found {
			c.upto, found = first-1, true
		}
		return c.ctx.Err()
	}, ignoreGap)
}

// private copies the private keys, before the committer runs.
func (c *copier) private(d *pebbledb.DB) error {
	b := d.Pebble.NewBatch()
	err := c.im.walk([]byte(format.PrefixPrivate), format.KeyAfter([]byte(format.PrefixPrivate)), func(key, value []byte) error {
		if err := b.Set(key, value, nil); err != nil {
			return err
		}
		if b.Len() >= snapshot.PageBatch {
			full := b
			b = d.Pebble.NewBatch()
			if err := d.Apply(full, false); err != nil {
				return err
			}
		}
		return c.ctx.Err()
	}, func(_, _ []byte, _ error) { c.done.PrivateGaps++ })
	return errors.Join(err, d.Apply(b, false))
}

// fill copies the log, and then the sets as a snapshot.
func (c *copier) fill() error {
	if err := errors.Join(c.scanRecords(), c.log()); err != nil {
		return err
	}
	c.done.PrivateAhead = c.cut
	sn, err := snapshot.New(c.to, c.upto)
	if err != nil {
		return err
	}
	err = c.im.eachRecord(func(r format.SetRecord) error { return c.set(sn, r) }, func(set string, _ error) {
		c.done.Sets = append(c.done.Sets, SalvagedSet{Key: set})
	}, ignoreGap)
	c.done.Gaps = len(c.gaps.gaps)
	for _, set := range c.gaps.named() {
		c.done.Sets = append(c.done.Sets, SalvagedSet{Key: set})
	}
	if err == nil {
		err = sn.Publish()
	}
	if err != nil {
		return errors.Join(err, sn.Abort())
	}
	return nil
}

// scanRecords reads all set records, and keeps in what order the sets were written and where records cannot be read.
func (c *copier) scanRecords() error {
	err := c.im.eachRecord(func(r format.SetRecord) error {
		c.order = append(c.order, lastWritten(&r))
		return c.ctx.Err()
	}, ignoreRecord, func(from, to []byte, _ error) { c.gaps.add(from, to) })
	c.order.sort()
	return err
}

// log copies the commits of the log, from the first one after upto to the last one before a damaged or missing group.
func (c *copier) log() error {
	l := logCopier{c: c}
	defer func() { c.cut = l.ended || l.damaged }()
	return c.im.walk([]byte(format.PrefixLog), format.KeyAfter([]byte(format.PrefixLog)), func(key, value []byte) error {
		if first, err := format.FirstOf(key); l.ended || err == nil && first > c.to.LastSeq()+1 {
			l.ended = true
			c.done.Dropped++
			return c.ctx.Err()
		}
		if err := l.group(key, value); err != nil {
			return err
		}
		return c.ctx.Err()
	}, func(_, _ []byte, _ error) { l.damaged = true })
}

// logCopier copies the log, group by group.
type logCopier struct {
	c     *copier
	d     format.CommitDecoder
	chain *format.Chain // from the first group that is copied

	ended   bool // a group is missing, and a later one is there
	damaged bool // what came last cannot be read
}

// group copies a group, unless the group is damaged. A damaged group leaves a gap, and log stops at the group after the gap.
func (l *logCopier) group(key, value []byte) error {
	g, crc, err := format.OpenGroup(value)
	if l.damaged = err != nil || !bytes.Equal(key, format.KeyLog(g.First)); l.damaged || g.Last() <= l.c.upto {
		return nil
	}
	if l.damaged = l.decode(g, value) != nil; l.damaged {
		return nil
	}
	if l.chain == nil {
		l.chain = &format.Chain{Store: l.c.im.hash(g), Next: g.First, Prev: g.Prev}
	}
	if l.chain.Step(g, crc) != nil {
		l.ended = true
		l.c.done.Dropped++
		return nil
	}
	return g.EachCommit(value, func(seq uint64, body *format.Reader) error {
		rest := body.Rest()
		if seq <= l.c.upto {
			return nil
		}
		if err := l.d.Decode(&format.Reader{Buf: rest}, func(e wal.Effect) error { l.c.gaps.note(e); return nil }); err != nil {
			return err
		}
		n, err := l.c.to.Append(format.BatchOfBody(rest))
		if err == nil && n != seq {
			err = fmt.Errorf("persist: bug in the copy of the log: commit %d became %d", seq, n)
		}
		if err == nil {
			err = l.c.to.Wait(l.c.ctx, n)
		}
		return err
	})
}

// decode decodes all effects of a group, and returns the first error.
func (l *logCopier) decode(g format.Group, value []byte) error {
	return g.EachCommit(value, func(_ uint64, body *format.Reader) error {
		return l.d.Decode(body, func(wal.Effect) error { return nil })
	})
}

// set copies the readable pages of a set into the snapshot. If none can be read, it drops the set. It records what is lost.
func (c *copier) set(sn *snapshot.Snapshot, r format.SetRecord) error {
	copied, lost := 0, 0
	pages := func(yield func([]byte) bool) {
		for page, err := range c.im.pages(r) {
			if err != nil {
				lost++
				continue
			}
			if copied++; !yield(page) {
				return
			}
		}
	}
	last := c.to.LastSeq()
	if err := sn.WriteSet(r.Key, r.Meta, min(max(r.Base, c.upto), last), r.Entries, pages); err != nil {
		return err
	}
	if copied == 0 && r.Pages > 0 {
		sn.DropSet(r.Key)
	}
	set := SalvagedSet{Key: r.Key, Pages: r.Pages, Lost: lost}
	if r.Base > last {
		set.Ahead = r.Base
	} else if c.cut && c.order.mayHold(&r, last+1) {
		set.Ahead = last + 1
	}
	if lost > 0 || set.Ahead > 0 {
		c.done.Sets = append(c.done.Sets, set)
	}
	return c.ctx.Err()
}

// Restore copies the store in the directory backup to dir, under a new id, so that both may be used afterwards. backup must be closed.
// The copy has the same commits with the same numbers. Restore flushes the copy and reads it in full before the copy gets its name.
// dir must not exist, or be empty. It uses only FS and Logger of o. Errors: ErrExists, ErrNotStore, ErrLocked, ErrNewerFormat,
// ErrCorrupt if anything in the backup is damaged, that of ctx, the file system's. After an error Restore removes the copy. O(bytes).
func Restore(ctx context.Context, backup, dir string, o Options) (Report, error) {
	done, err := copyStore(ctx, backup, dir, o.withDefaults().database(), true)
	return done.Copy, err
}

package persist

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/internal/seeded"
)

// Salvaged says what of a damaged store is in its copy, and what is lost.
type Salvaged struct {
	Source  Report // of the damaged store; Problems say what is wrong with it
	Copy    Report // of the new one; no Problems
	Dropped int    // groups of the log that are there but not in the copy: they follow what is damaged
	Sets    []SalvagedSet
	Gaps    int // stretches of set records that cannot be read: nobody knows the names, and only the log may have such a set
}

// SalvagedSet is a set that is not in the copy as it was.
type SalvagedSet struct {
	Key   string
	Pages int    // that it had; 0: its record cannot be read
	Lost  int    // of those, that could not be read: the members on them are in the copy only if the log has them
	Ahead uint64 // if not 0: its pages may hold commits up to this one, later than the last one in the copy
}

// salvage copies what can be read of the store in from, which nobody has open and in which nothing is changed, to a new store
// in to: the log up to the first commit that is damaged or missing, the sets as the last snapshot has them, and the private
// keys as they are. Of a set with damaged pages the others are copied, and what the log says goes on top. So the copy is the
// state after commit Copy.LastSeq, except for the sets in Sets and the private keys, which do not carry the number of their
// commit. It has a new id. to must not exist, or be empty. It takes FS and Logger of o. Errors: ErrExists, ErrNotStore,
// ErrLocked, ErrNewerFormat, that of ctx, the file system's; after an error nothing is left. O(bytes).
func salvage(ctx context.Context, from, to string, c Config) (Salvaged, error) {
	return copyStore(ctx, from, to, c, false)
}

// copyStore copies a store; a strict one fails if the store is not whole.
func copyStore(ctx context.Context, from, to string, config Config, strict bool) (done Salvaged, err error) {
	fs := config.FS
	if inside(fs, absolute(fs, from), absolute(fs, to)) {
		return done, fmt.Errorf("persist: copy of %s to %s, which is inside of it", from, to)
	}
	im, err := openImage(from, config)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, im.Close()) }()
	g, err := newStage(fs, absolute(fs, to))
	if err != nil {
		return done, err
	}
	c := &copier{im: im, g: g, ctx: ctx, config: config}
	if err = c.run(strict); err == nil {
		err = g.finish()
	}
	if err != nil {
		return c.done, errors.Join(fmt.Errorf("persist: copy %s to %s: %w", from, to, err), g.drop())
	}
	return c.done, nil
}

// copier is a copy under way.
type copier struct {
	im     *Image
	g      *stage
	ctx    context.Context
	config Config
	to     *Log   // of the copy
	upto   uint64 // the log of the copy begins after it: the pages hold it
	done   Salvaged
}

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

// create makes the copy, empty, at the commit where its log begins, with its identity hidden until it is whole.
func (c *copier) create() error {
	if err := c.findStart(); err != nil {
		return err
	}
	d, n := NewDB(c.g.tmp, c.config), newIdentity()
	if seeded.Bug("restored under the old id") {
		n.id = c.im.id
	}
	d.lock = closer(func() error { return nil }) // the stage has it
	if err := beginCreate(c.config.FS, c.g.tmp, n); err != nil {
		return err
	}
	if err := d.guard(func() error { return d.open(pebbleCreate) }); err != nil {
		return err
	}
	at := emptyLog(n.id, c.upto)
	err := d.guard(func() error { return errors.Join(createRecords(d, n.id, at), c.private(d)) })
	if c.to = startLog(d, LogConfig{}, at); err != nil {
		return errors.Join(err, c.to.Close())
	}
	return nil
}

// findStart finds the commit after which the log is needed: that of the pointer or, where that is lost, of the first group.
func (c *copier) findStart() error {
	if v, err := c.im.must(keyCurrent); err == nil {
		if p, err := decodePointer(v); err == nil {
			c.upto = p.upto
			return nil
		}
	}
	found := false
	return c.im.walk([]byte(spaceLog), keyAfter([]byte(spaceLog)), func(key, _ []byte) error {
		if first, err := firstOf(key); err == nil && first > 0 && !found {
			c.upto, found = first-1, true
		}
		return c.ctx.Err()
	}, unseen)
}

// private copies the private keys, before the committer runs.
func (c *copier) private(d *DB) error {
	b := d.db.NewBatch()
	err := c.im.walk([]byte(spacePrivate), keyAfter([]byte(spacePrivate)), func(key, value []byte) error {
		if err := b.Set(key, value, nil); err != nil {
			return err
		}
		if b.Len() >= pageBatch {
			full := b
			b = d.db.NewBatch()
			if err := d.apply(full, false); err != nil {
				return err
			}
		}
		return c.ctx.Err()
	}, unseen)
	return errors.Join(err, d.apply(b, false))
}

// fill copies the log, and then the sets as a snapshot.
func (c *copier) fill() error {
	if err := c.log(); err != nil {
		return err
	}
	sn, err := newSnapshot(c.to, c.upto)
	if err != nil {
		return err
	}
	err = c.im.eachRecord(func(r SetRecord) error { return c.set(sn, r) }, func(set string, _ error) {
		c.done.Sets = append(c.done.Sets, SalvagedSet{Key: set})
	}, func(_, _ []byte, _ error) { c.done.Gaps++ })
	if err == nil {
		err = sn.Publish()
	}
	if err != nil {
		return errors.Join(err, sn.Abort())
	}
	return nil
}

// log appends the commits of the log as they are, from the first one that the pages do not hold, up to the first group that is
// damaged or missing.
func (c *copier) log() error {
	l := logCopier{c: c}
	return c.im.walk([]byte(spaceLog), keyAfter([]byte(spaceLog)), func(key, value []byte) error {
		if first, err := firstOf(key); l.ended || err == nil && first > c.to.LastSeq()+1 {
			l.ended = true
			c.done.Dropped++
			return c.ctx.Err()
		}
		if err := l.group(key, value); err != nil {
			return err
		}
		return c.ctx.Err()
	}, unseen)
}

// logCopier is the copy of a log under way.
type logCopier struct {
	c     *copier
	d     commitDecoder
	chain *chain // from the first group that is copied
	ended bool
}

// group copies a group, unless it is damaged. Where that leaves a gap, the next one ends the copy.
func (l *logCopier) group(key, value []byte) error {
	g, crc, err := openGroup(value)
	if err != nil || !bytes.Equal(key, keyLog(g.first)) || g.last() <= l.c.upto || l.decode(g, value) != nil {
		return nil
	}
	if l.chain == nil {
		l.chain = &chain{store: l.c.im.hash(g), next: g.first, prev: g.prev}
	}
	if l.chain.step(g, crc) != nil {
		l.ended = true
		l.c.done.Dropped++
		return nil
	}
	return g.eachCommit(value, func(seq uint64, body *reader) error {
		b := batchOfBody(body.rest())
		if seq <= l.c.upto {
			return nil
		}
		n, err := l.c.to.Append(b)
		if err == nil && n != seq {
			err = fmt.Errorf("persist: bug in the copy of the log: commit %d became %d", seq, n)
		}
		if err == nil {
			err = l.c.to.Wait(n)
		}
		return err
	})
}

// decode takes all effects of a group apart.
func (l *logCopier) decode(g group, value []byte) error {
	return g.eachCommit(value, func(_ uint64, body *reader) error {
		return l.d.decode(body, func(Effect) error { return nil })
	})
}

// set copies the pages of a set that can be read.
func (c *copier) set(sn *Snapshot, r SetRecord) error {
	kept, lost := 0, 0
	pages := func(yield func([]byte) bool) {
		for page, err := range c.im.pages(r) {
			if err != nil {
				lost++
				continue
			}
			if kept++; !yield(page) {
				return
			}
		}
	}
	last := c.to.LastSeq()
	if err := sn.WriteSet(r.Key, r.Meta, min(max(r.Base, c.upto), last), r.Entries, pages); err != nil {
		return err
	}
	if kept == 0 && r.Pages > 0 {
		sn.DropSet(r.Key)
	}
	set := SalvagedSet{Key: r.Key, Pages: r.Pages, Lost: lost}
	if r.Base > last {
		set.Ahead = r.Base
	}
	if lost > 0 || set.Ahead > 0 {
		c.done.Sets = append(c.done.Sets, set)
	}
	return c.ctx.Err()
}

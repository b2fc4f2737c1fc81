package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Report is what a check has read, and what it found wrong.
type Report = persist.Report

// Check reads everything that is stored, and proves that the sets in memory are what would be read back: each one, as it is at
// some moment while the check runs, is its pages and the log after them up to its last commit. It checks each loaded set's own
// structure too. Transactions go on; a set cannot be changed while it is read in memory, which takes about half a second for
// each million members, and snapshots wait until all are. Nothing is loaded and nothing evicted: memory is taken for one set and the
// log. progress may be nil. An error means that the check did not come to its end: ErrMemory, ErrClosed, ErrPersistence, that
// of ctx. O(bytes).
func (e *Engine) Check(ctx context.Context, progress func(Report)) (Report, error) {
	if err := e.mayWait(); err != nil {
		return Report{}, err
	}
	if e.store == nil {
		return Report{}, ErrMemory
	}
	c := &check{seed: maphash.MakeSeed(), logs: map[string][]logged{}}
	im, err := c.capture(ctx, e)
	if err != nil {
		return Report{}, e.closedError(err)
	}
	rep, err := c.run(ctx, im, progress)
	return rep, e.closedError(err)
}

// CheckDir checks the directory of an engine that nobody has open, and changes no file there but those called LOCK. It reads
// what can be read of a directory too that Open refuses. Of o it takes FS and Logger. Errors: ErrLocked, ErrNotStore, that of
// ctx, the file system's. O(bytes).
func CheckDir(ctx context.Context, dir string, o Options, progress func(Report)) (Report, error) {
	return checkDir(ctx, dir, o, progress)
}

func checkDir(ctx context.Context, dir string, o Options, progress func(Report)) (Report, error) {
	im, err := persist.OpenImage(dir, o.store())
	if err != nil {
		return Report{}, err
	}
	c := &check{seed: maphash.MakeSeed(), logs: map[string][]logged{}, keys: map[string]string{}}
	return c.run(ctx, im, progress)
}

// check is a check under way.
type check struct {
	seed   maphash.Seed
	live   bool
	began  uint64              // the last commit when the sets in memory were first looked at
	memory map[string]captured // the sets that exist
	logs   map[string][]logged // what the log says of each set
	keys   map[string]string   // of the sets of a directory that nobody has open, and what the log calls each
	extra  []persist.Problem
}

// captured is what a set was in memory at some moment.
type captured struct {
	loaded bool
	sum    summary
	upto   uint64 // the last commit that had changed it
}

// summary tells sets apart.
type summary struct {
	facts
	entries int
	members uint64 // a sum over all entries: their order does not matter
}

// logged is one effect.
type logged struct {
	seq    uint64
	effect persist.Effect
}

// capture takes a summary of every set in memory, and then an image of the store that holds at least what they held. No
// snapshot may be taken meanwhile: its pages might show what came after.
func (c *check) capture(ctx context.Context, e *Engine) (*persist.Image, error) {
	e.snapshotting.Lock()
	defer e.snapshotting.Unlock()
	c.live, c.began, c.memory = true, e.store.LastSeq(), map[string]captured{}
	for _, s := range e.keys.all() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.captureSet(e, s)
	}
	return e.store.Image()
}

func (c *check) captureSet(e *Engine, s *set) {
	e.rlockSet(s, "check", "")
	defer s.mu.RUnlock()
	if !s.exists || s.gone {
		return
	}
	m := captured{loaded: s.z != nil && !s.hidden(), upto: s.changed} // of one that is hidden a part may be stored
	if m.loaded {
		m.sum = c.summary(s.z.View(), s.facts())
		if err := s.z.Check(); err != nil {
			c.problem(s.key, "in memory: %v", err)
		}
	}
	c.memory[s.id()] = m
}

// summary reads all of a set.
func (c *check) summary(v *zset.IntView, f facts) summary {
	sum := summary{facts: f, entries: v.Len()}
	var some []zset.IntEntry
	var buf []byte
	for lo := 0; lo < v.Len(); lo += len(some) {
		some = v.Append(some[:0], lo, lo+summaryStep)
		for _, e := range some {
			buf = binary.BigEndian.AppendUint64(buf[:0], uint64(e.Score))
			buf = append(append(buf, e.Tie...), e.Member...)
			sum.members += maphash.Bytes(c.seed, buf)
		}
	}
	return sum
}

// summaryStep is how many members are copied out at a time.
const summaryStep = 1024

func (c *check) problem(key, format string, args ...any) {
	c.extra = append(c.extra, persist.Problem{Where: fmt.Sprintf("set %q", key), What: fmt.Sprintf(format, args...)})
}

// run reads the image and compares.
func (c *check) run(ctx context.Context, im *persist.Image, progress func(Report)) (Report, error) {
	defer im.Close()
	rep, err := im.Check(ctx, persist.CheckOptions{Progress: progress, Effect: c.effect, Set: c.stored})
	if err != nil {
		return rep, err
	}
	for _, key := range slices.Sorted(maps.Keys(c.logs)) { // sets that are in the log only
		r := &recovering{s: &set{key: key}}
		if c.compare(r, c.logs[key]); r.s.exists {
			rep.Sets++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.memory)) {
		c.problem(key, "exists in memory, and is not stored")
	}
	rep.Problems = append(rep.Problems, c.extra...)
	return rep, nil
}

// effect keeps an effect of the log for when its set comes.
func (c *check) effect(seq uint64, e persist.Effect) {
	e.Member, e.Value = bytes.Clone(e.Member), bytes.Clone(e.Value)
	c.logs[e.Set] = append(c.logs[e.Set], logged{seq, e})
}

// stored reads one set from its pages.
func (c *check) stored(r persist.SetRecord, pages iter.Seq[[]byte]) error {
	read, err := setOf(r, pages)
	log := c.logs[r.Key]
	delete(c.logs, r.Key)
	if err != nil {
		delete(c.memory, r.Key)
		return err
	}
	c.compare(read, log)
	return nil
}

// setOf makes a set of its pages.
func setOf(r persist.SetRecord, pages iter.Seq[[]byte]) (*recovering, error) {
	f, err := decodeFacts(r.Key, r.Meta)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(r.Key, f)
	if err != nil {
		return nil, err
	}
	for page := range pages {
		if err := b.LoadPage(page); err != nil {
			return nil, err
		}
	}
	s := &set{key: r.Key, exists: true, version: f.version}
	return &recovering{s: s, base: r.Base, b: b, form: f.form(), facts: f}, nil
}

// compare brings a set that was read from the disk up to the commit at which it was captured, and compares.
func (c *check) compare(r *recovering, log []logged) {
	s := r.s
	m, captured := c.memory[s.key]
	delete(c.memory, s.key)
	later := false // something may have changed it since it was captured
	for _, l := range log {
		later = later || c.live && l.seq > c.began
		if l.seq <= r.base || c.live && (captured && m.loaded && l.seq > m.upto || !captured && l.seq > c.began) {
			continue
		}
		if err := r.apply(l.seq, l.effect); err != nil {
			c.problem(s.key, "%v", err)
			return
		}
	}
	if s.exists {
		s.z = r.b.Set()
		if err := s.z.Check(); err != nil {
			c.problem(s.key, "as stored: %v", err)
		}
	}
	switch {
	case !c.live && s.exists:
		c.only(r)
	case !c.live:
	case captured && !s.exists && (m.loaded || !later):
		c.problem(s.key, "exists in memory, and is not stored")
	case !captured && s.exists && !later:
		c.problem(s.key, "is stored, and does not exist in memory")
	case captured && m.loaded:
		if sum := c.summary(s.z.View(), r.facts); sum != m.sum {
			c.problem(s.key, "after commit %d memory holds %v, the disk %v", m.upto, m.sum, sum)
		}
	}
}

// only notes the key of a set, which no other may have.
func (c *check) only(r *recovering) {
	key := r.s.key
	if r.facts.other {
		key = r.facts.key
	}
	if r.facts.hidden {
		return
	}
	if other, twice := c.keys[key]; twice {
		c.problem(r.s.key, "has the key %q, as the set %q has", key, other)
	}
	c.keys[key] = r.s.key
}

// String says what a person can tell sets apart by.
func (s summary) String() string {
	return fmt.Sprintf("%d members, %s, version %d, expiry %d, key %q, checksum %016x", s.entries, s.form(), s.version,
		s.expires, s.key, s.members)
}

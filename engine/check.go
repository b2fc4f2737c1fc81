package engine

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/persist"
)

// Report is what a check has read, and what it found wrong.
type Report = persist.Report

// checkLive checks an engine that is open.
func checkLive(ctx context.Context, x *checkpoints, progress func(Report), a Audit) (Report, error) {
	c := &check{logs: map[string][]logged{}, audit: a}
	im, err := c.capture(ctx, x)
	if err != nil {
		return Report{}, closedError(err)
	}
	rep, err := c.run(ctx, im, progress)
	return rep, closedError(err)
}

// checkDir checks a directory that nobody has open.
func checkDir(ctx context.Context, dir string, o persist.Options, progress func(Report), a Audit) (Report, error) {
	im, err := persist.OpenImage(dir, o)
	if err != nil {
		return Report{}, err
	}
	c := &check{logs: map[string][]logged{}, keys: map[string]string{}, audit: a}
	return c.run(ctx, im, progress)
}

// check is a check under way.
type check struct {
	audit  Audit
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
	members uint64 // see digestOf
}

// logged is one effect.
type logged struct {
	seq    uint64
	effect persist.Effect
}

// capture takes a summary of every set in memory, and then an image of the store that holds at least what they held. No
// snapshot may be taken meanwhile: its pages might show what came after.
func (c *check) capture(ctx context.Context, x *checkpoints) (*persist.Image, error) {
	x.running.Lock()
	defer x.running.Unlock()
	c.live, c.began, c.memory = true, x.store.LastSeq(), map[string]captured{}
	for _, s := range x.keys.all() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.captureSet(x.locks, s)
	}
	return x.store.Image()
}

func (c *check) captureSet(l *locks, s *set) {
	l.rlock(&s.mu, "check", "")
	defer s.mu.RUnlock()
	if !s.exists || s.gone {
		return
	}
	m := captured{loaded: s.z != nil && !s.hidden(), upto: s.changed} // of one that is hidden a part may be stored
	if m.loaded {
		m.sum = summary{s.facts(), s.z.Len(), digestOf(s.z.View())}
		if err := s.z.Check(); err != nil {
			c.problem(s.key, "in memory: %v", err)
		}
	}
	c.memory[s.id()] = m
}

func (c *check) problem(key, format string, args ...any) {
	c.extra = append(c.extra, persist.Problem{Where: fmt.Sprintf("set %q", key), What: fmt.Sprintf(format, args...)})
}

// run reads the image and compares.
func (c *check) run(ctx context.Context, im *persist.Image, progress func(Report)) (Report, error) {
	defer im.Close()
	rep, err := im.Check(ctx, persist.CheckOptions{Progress: progress, Effect: c.effect, Set: c.stored, Private: c.audit.private()})
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
		c.audit.doubt(r.Key)
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
		if l.seq <= r.base {
			continue
		}
		if c.live && (captured && m.loaded && l.seq > m.upto || !captured && l.seq > c.began) {
			c.audit.passedOver(r, l.effect)
			continue
		}
		if err := r.apply(l.seq, l.effect); err != nil {
			c.problem(s.key, "%v", err)
			c.audit.doubt(r.key())
			return
		}
	}
	sum := c.read(r, m.loaded)
	switch {
	case !c.live && s.exists:
		c.only(r)
	case !c.live:
	case captured && !s.exists && (m.loaded || !later):
		c.problem(s.key, "exists in memory, and is not stored")
	case !captured && s.exists && !later:
		c.problem(s.key, "is stored, and does not exist in memory")
	case captured && m.loaded && sum != m.sum:
		c.problem(s.key, "after commit %d memory holds %v, the disk %v", m.upto, m.sum, sum)
	}
}

// read finishes a set that was read from the disk, if it exists, and checks it by itself. It returns a summary if it has needed one,
// or others do.
func (c *check) read(r *recovering, needed bool) (sum summary) {
	s, d := r.s, r.facts.digest
	if !s.exists {
		return sum
	}
	s.z = r.b.Set()
	if err := s.z.Check(); err != nil {
		c.problem(s.key, "as stored: %v", err)
	}
	if !needed && !d.known && !Reserved(r.key()) {
		return sum
	}
	sum = summary{r.facts, s.z.Len(), digestOf(s.z.View())}
	if d.known && !r.facts.hidden && d.sum != sum.members {
		c.problem(s.key, "its entries have digest %016x, and not %016x as it was written", sum.members, d.sum)
	}
	c.audit.found(r, sum)
	return sum
}

// key returns the key of a set, by what was read of it.
func (r *recovering) key() string {
	if r.facts.other {
		return r.facts.key
	}
	return r.s.key
}

// only notes the key of a set, which no other may have.
func (c *check) only(r *recovering) {
	key := r.key()
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
	return fmt.Sprintf("%d members, %s, version %d, expiry %d, key %q, digest %016x", s.entries, s.form(), s.version,
		s.expires, s.key, s.members)
}

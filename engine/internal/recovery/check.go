package recovery

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/persist/wal"
)

// CheckLive checks an engine that is open.
func CheckLive(ctx context.Context, x *checkpoint.Manager, progress func(persist.Report), a owner.Audit) (persist.Report, error) {
	c := &check{logs: map[string][]logged{}, audit: audit(a)}
	im, err := c.capture(ctx, x)
	if err != nil {
		return persist.Report{}, locks.ClosedError(err)
	}
	rep, err := c.run(ctx, im, progress)
	return rep, locks.ClosedError(err)
}

// CheckDir checks a directory that no engine has open.
func CheckDir(ctx context.Context, dir string, o persist.Options, progress func(persist.Report), a owner.Audit) (persist.Report, error) {
	im, err := persist.OpenImage(dir, o)
	if err != nil {
		return persist.Report{}, err
	}
	c := &check{logs: map[string][]logged{}, keys: map[string]string{}, audit: audit(a)}
	return c.run(ctx, im, progress)
}

// check is one run of CheckLive or CheckDir.
type check struct {
	audit  audit
	live   bool                // the engine is open, so memory is compared with the disk
	began  uint64              // the last commit when the sets in memory were first looked at
	memory map[string]captured // by id: the sets that existed when captured
	logs   map[string][]logged // by id: the effects in the log
	keys   map[string]string   // ids of the sets of a directory, by key
	extra  []persist.Problem
}

// captured is the state of a set in memory at one moment.
type captured struct {
	loaded bool // sum is valid: the set is in memory, or blind writes have changed it
	sum    summary
	upto   uint64 // the last commit that had changed it
}

// logged is one effect.
type logged struct {
	seq    uint64
	effect wal.Effect
}

// capture makes a summary of every set in memory, and then opens an image of the store, which holds at least the states summarized. It
// prevents snapshots meanwhile, because their pages might show later changes.
func (c *check) capture(ctx context.Context, x *checkpoint.Manager) (*persist.Image, error) {
	x.Running.Lock()
	defer x.Running.Unlock()
	c.live, c.began, c.memory = true, x.Store.LastSeq(), map[string]captured{}
	for _, s := range x.Keys.All() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.captureSet(x.Locks, s)
	}
	return x.Store.Image()
}

func (c *check) captureSet(l *locks.Table, s *keyspace.Set) {
	l.Rlock(&s.Mu, "check", "")
	defer s.Mu.RUnlock()
	if !s.Exists || s.Gone {
		return
	}
	m := captured{loaded: s.Entries != nil && !s.Hidden(), upto: s.Changed} // a hidden set may be stored in part
	if b := s.Blind(); b != nil && b.Digest.Known {
		m.loaded, m.sum = true, summary{s.FactsWith(b.Layout, b.Digest), b.Members, b.Digest.Sum}
	} else if m.loaded {
		m.sum = summary{s.Facts(), s.Entries.Len(), facts.DigestOf(s.Entries.View())}
		if err := s.Entries.Check(); err != nil {
			c.problem(s.Key, "in memory: %v", err)
		}
	}
	c.memory[s.Id()] = m
}

func (c *check) problem(key, format string, args ...any) {
	c.extra = append(c.extra, persist.Problem{Where: fmt.Sprintf("set %q", key), What: fmt.Sprintf(format, args...)})
}

// run reads the image and compares.
func (c *check) run(ctx context.Context, im *persist.Image, progress func(persist.Report)) (persist.Report, error) {
	defer im.Close()
	rep, err := im.Check(ctx, persist.CheckOptions{Progress: progress, Effect: c.effect, Set: c.stored, Private: c.audit.private()})
	if err != nil {
		return rep, err
	}
	for _, key := range slices.Sorted(maps.Keys(c.logs)) { // sets that are in the log only
		r := &recovering{s: &keyspace.Set{Key: key}}
		if c.compare(r, c.logs[key]); r.s.Exists {
			rep.Sets++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.memory)) {
		c.problem(key, "exists in memory, and is not stored")
	}
	rep.Problems = append(rep.Problems, c.extra...)
	return rep, nil
}

// effect keeps an effect of the log until its set is read.
func (c *check) effect(seq uint64, e wal.Effect) {
	e.Member, e.Value = bytes.Clone(e.Member), bytes.Clone(e.Value)
	c.logs[e.Set] = append(c.logs[e.Set], logged{seq, e})
}

// stored reads one set from its pages and compares it.
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

// setOf builds a set from its pages.
func setOf(r persist.SetRecord, pages iter.Seq[[]byte]) (*recovering, error) {
	f, err := facts.DecodeFacts(r.Key, r.Meta)
	if err != nil {
		return nil, err
	}
	b, err := residency.NewBuilder(r.Key, f)
	if err != nil {
		return nil, err
	}
	for page := range pages {
		if err := b.LoadPage(page); err != nil {
			return nil, err
		}
	}
	s := &keyspace.Set{Key: r.Key, Exists: true, Version: f.Version}
	return &recovering{s: s, base: r.Base, b: b, form: f.Layout(), facts: f}, nil
}

// compare applies the effects of the log to a set that was read from its pages, up to the commit at which the set was captured in memory,
// and compares the two.
func (c *check) compare(r *recovering, log []logged) {
	s := r.s
	m, captured := c.memory[s.Key]
	delete(c.memory, s.Key)
	later := false // a commit may have changed it since it was captured
	for _, l := range log {
		later = later || c.live && l.seq > c.began
		if l.seq <= r.base {
			continue
		}
		if c.live && (captured && m.loaded && l.seq > m.upto || !captured && l.seq > c.began) {
			c.audit.skipped(r, l.effect)
			continue
		}
		if err := r.apply(l.seq, l.effect); err != nil {
			c.problem(s.Key, "%v", err)
			c.audit.doubt(r.key())
			return
		}
	}
	sum := c.read(r, m.loaded)
	switch {
	case !c.live && s.Exists:
		c.claimKey(r)
	case !c.live:
	case captured && !s.Exists && (m.loaded || !later):
		c.problem(s.Key, "exists in memory, and is not stored")
	case !captured && s.Exists && !later:
		c.problem(s.Key, "is stored, and does not exist in memory")
	case captured && m.loaded && sum != m.sum:
		c.problem(s.Key, "after commit %d memory holds %v, the disk %v", m.upto, m.sum, sum)
	}
}

// read finishes a set that was read from the disk, if it exists, and checks its structure and its digest. It returns a summary if needed
// is true, if the set has a digest, or if its key is reserved.
func (c *check) read(r *recovering, needed bool) (sum summary) {
	s, d := r.s, r.facts.Digest
	if !s.Exists {
		return sum
	}
	if r.build(); !s.Exists {
		return sum
	}
	if err := s.Entries.Check(); err != nil {
		c.problem(s.Key, "as stored: %v", err)
	}
	if !needed && !d.Known && !facts.Reserved(r.key()) {
		return sum
	}
	sum = summary{r.facts, s.Entries.Len(), facts.DigestOf(s.Entries.View())}
	if d.Known && !r.facts.Hidden && d.Sum != sum.digest {
		c.problem(s.Key, "its entries have digest %016x, and not %016x as it was written", sum.digest, d.Sum)
	}
	c.audit.found(r, sum)
	return sum
}

// claimKey records the key of a set, and reports a problem if another set has it.
func (c *check) claimKey(r *recovering) {
	key := r.key()
	if r.facts.Hidden {
		return
	}
	if other, twice := c.keys[key]; twice {
		c.problem(r.s.Key, "has the key %q, as the set %q has", key, other)
	}
	c.keys[key] = r.s.Key
}

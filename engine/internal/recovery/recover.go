package recovery

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Recovery tells what Open did.
//
// Sets are loaded where the last snapshot does not have all that was committed. If Store.Clean is false, the engine was not closed.
// If it is true, Close took no snapshot: little was to be read (see Close), or Options.SnapshotBytes was negative, or it could not,
// and returned persist.ErrDiskFull, ErrStalled or ErrPersistence, or emitted EventSnapshot with the error of a snapshot. Each Open loads them
// until a snapshot has them.
type Recovery struct {
	Sets     int // in the last snapshot
	Loaded   int // of those, read because the log's tail names them
	Commits  int // replayed from the log
	LastSeq  uint64
	Duration time.Duration
	Store    persist.Recovery // what the store found before that
}

// Recoverer fills a keyspace from the store.
type Recoverer struct {
	Keys        *keyspace.Keyspace
	Residency   *residency.Manager
	Checkpoints *checkpoint.Manager
	Store       *persist.Store
	Found       Recovery
}

// Recover fills the keyspace from the store: every set's name from the last snapshot, then the log's tail. While it runs the
// keyspace has the sets by id; in the end they get their keys.
func (c *Recoverer) Recover() error {
	start := time.Now()
	named := map[*keyspace.Set]facts.Facts{}
	for r, err := range c.Store.Sets() {
		if err != nil {
			return err
		}
		f, _ := facts.DecodeFacts(r.Key, r.Meta) // an error is that of the set's first touch
		s, _ := c.Keys.Obtain(r.Key)
		s.Base, s.Exists, s.Version = r.Base, true, f.Version
		s.SetExpires(f.Expires)
		if f.Other || f.Hidden {
			named[s] = f
		}
		c.Found.Sets++
	}
	if err := c.replay(named); err != nil {
		return err
	}
	if err := c.giveKeys(named); err != nil {
		return err
	}
	for _, s := range c.Keys.All() {
		c.Keys.Accounts.Account(s)
	}
	c.Found.LastSeq = c.Store.LastSeq()
	c.Found.Duration = time.Since(start)
	c.Found.Store = c.Store.Recovery()
	return nil
}

// giveKeys gives sets their keys that are called something else in the log. Those that have none were never finished.
func (c *Recoverer) giveKeys(named map[*keyspace.Set]facts.Facts) error {
	for s := range named {
		c.Keys.Remove(s)
	}
	c.Keys.Moving.Lock()
	defer c.Keys.Moving.Unlock()
	var unfinished []*keyspace.Set
	for s, f := range named {
		if f.Hidden {
			unfinished = append(unfinished, s)
			continue
		}
		if c.Keys.Find(f.Key) != nil {
			return fmt.Errorf("%w: sets %q and another have the key %q", persist.ErrCorrupt, s.Key, f.Key)
		}
		s.Gone = false
		r := s.Extra()
		r.Id, r.Other = s.Key, true
		c.Keys.Ids.Add(r.Id)
		c.Keys.Accounts.Rekey(s, f.Key)
		c.Keys.Put(f.Key, s)
	}
	return c.forget(unfinished)
}

// forget drops sets that were staged and never got a key. If there is no room on the disk, the next snapshot drops them.
func (c *Recoverer) forget(unfinished []*keyspace.Set) error {
	var b persist.Batch
	for _, s := range unfinished {
		b.Drop(s.Key)
		c.Keys.Accounts.Account(s)
	}
	seq, err := c.Store.Append(&b)
	if errors.Is(err, persist.ErrDiskFull) { // the log still has them: so no other sets get their ids
		for _, s := range unfinished {
			c.Keys.Ids.Add(s.Key)
		}
		seq, err = c.Store.LastSeq(), nil
	}
	for _, s := range unfinished {
		if s.Base > 0 {
			c.Checkpoints.Dropped[s.Key] = seq
		}
	}
	return err
}

// replay goes through the log's tail. This goroutine takes it apart; others apply the effects, each to sets of its own, so
// that every set sees its effects in their order.
func (c *Recoverer) replay(named map[*keyspace.Set]facts.Facts) error {
	p := &replayer{c: c, sets: map[string]*recovering{}, named: named}
	for range runtime.GOMAXPROCS(0) {
		p.start()
	}
	last := uint64(0)
	err := c.Store.Replay(func(seq uint64, effect persist.Effect) error {
		if seq != last {
			last = seq
			c.Found.Commits++
		}
		p.send(seq, effect)
		if p.failed.Load() != nil {
			return *p.failed.Load()
		}
		return nil
	})
	if failed := p.end(err == nil); err == nil {
		err = failed
	}
	return err
}

// replayer hands effects to goroutines.
type replayer struct {
	c       *Recoverer
	sets    map[string]*recovering
	named   map[*keyspace.Set]facts.Facts // those that have another key, or none
	workers []*replayWorker
	wg      sync.WaitGroup
	loaded  atomic.Int64
	failed  atomic.Pointer[error]
}

// recovering is a set that the log's tail names. A worker has it to itself.
type recovering struct {
	s      *keyspace.Set
	worker *replayWorker
	base   uint64
	b      *zset.IntBuilder // what it holds so far; nil: it is on the disk only, or does not exist
	form   facts.Layout
	facts  facts.Facts // the last that the log says; form and version are kept elsewhere
	said   bool        // it says some
}

// replayWorker applies the effects on its sets.
type replayWorker struct {
	next  effects
	queue chan effects
	sets  []*recovering
}

// effects are copies of what Replay shows for a moment, in one piece of memory.
type effects struct {
	list  []effectOn
	bytes []byte
}

// effectOn is an effect on a set.
type effectOn struct {
	r   *recovering
	seq uint64
	persist.Effect
}

// effectsBytes is how much is handed over at a time.
const effectsBytes = 64 << 10

func (p *replayer) start() {
	w := &replayWorker{queue: make(chan effects, 4)}
	p.workers = append(p.workers, w)
	p.wg.Go(func() {
		for batch := range w.queue {
			for _, x := range batch.list {
				if p.failed.Load() == nil {
					p.note(p.apply(x))
				}
			}
		}
	})
}

// note keeps the first error.
func (p *replayer) note(err error) {
	if err != nil {
		p.failed.CompareAndSwap(nil, &err)
	}
}

// send queues an effect for its set's worker, unless the snapshot of the set holds it already.
func (p *replayer) send(seq uint64, effect persist.Effect) {
	r := p.sets[effect.Set]
	if r == nil {
		s, _ := p.c.Keys.Obtain(effect.Set)
		r = &recovering{s: s, base: s.Base, worker: p.workers[len(p.sets)%len(p.workers)]}
		r.worker.sets = append(r.worker.sets, r)
		p.sets[s.Key] = r
	}
	if seq <= r.base {
		return
	}
	w := r.worker
	at := len(w.next.bytes)
	w.next.bytes = append(append(w.next.bytes, effect.Member...), effect.Value...)
	copied := w.next.bytes[at:]
	effect.Member, effect.Value = copied[:len(effect.Member)], copied[len(effect.Member):]
	w.next.list = append(w.next.list, effectOn{r, seq, effect})
	if len(w.next.bytes) > effectsBytes-4<<10 {
		w.flush()
	}
}

// flush hands over what is queued.
func (w *replayWorker) flush() {
	w.queue <- w.next
	w.next = effects{bytes: make([]byte, 0, effectsBytes), list: make([]effectOn, 0, len(w.next.list)+16)}
}

// end waits for the workers, and lets them finish their sets if all went well.
func (p *replayer) end(well bool) error {
	for _, w := range p.workers {
		w.flush()
		close(w.queue)
	}
	p.wg.Wait()
	p.c.Found.Loaded = int(p.loaded.Load())
	if failed := p.failed.Load(); failed != nil || !well {
		if failed != nil {
			return *failed
		}
		return nil
	}
	for _, w := range p.workers {
		p.wg.Go(func() {
			for _, r := range w.sets {
				p.finish(r)
			}
		})
	}
	p.wg.Wait()
	for _, r := range p.sets {
		p.place(r)
	}
	return nil
}

// place notes what the log says of a set's key, or that it is gone.
func (p *replayer) place(r *recovering) {
	s := r.s
	if r.said {
		delete(p.named, s)
		if s.SetExpires(r.facts.Expires); r.facts.Other || r.facts.Hidden {
			p.named[s] = r.facts
		}
	}
	if s.Exists {
		return
	}
	delete(p.named, s)
	p.c.Keys.Remove(s)
	if s.Base > 0 {
		p.c.Checkpoints.Dropped[s.Key] = s.Changed
	}
}

// finish gives a set what its builder holds.
func (p *replayer) finish(r *recovering) {
	if r.b != nil {
		r.s.Mu.Lock()
		defer r.s.Mu.Unlock()
		r.s.Entries, r.b = r.b.Set(), nil
		p.c.Keys.Limits.Fit(r.s.Entries)
		p.c.Keys.Accounts.Account(r.s)
	}
}

// apply applies one effect, and reads the set before if need be.
func (p *replayer) apply(x effectOn) error {
	r, s := x.r, x.r.s
	if r.b == nil && s.Exists && x.Kind != persist.Drop {
		record, err := p.c.Residency.Record(s.Key)
		if err != nil {
			return err
		}
		b, f, err := p.c.Residency.Builder(record)
		if err != nil {
			return err
		}
		r.b, r.form, s.Version = b, f.Form(), f.Version
		s.SetDigest(f.Digest)
		p.loaded.Add(1)
	}
	return r.apply(x.seq, x.Effect)
}

// apply applies one effect to a set that is in the builder, or does not exist.
func (r *recovering) apply(seq uint64, x persist.Effect) error {
	s := r.s
	s.Changed = seq
	switch x.Kind {
	case persist.Create:
		return r.create(x.Value)
	case persist.Drop:
		r.b, s.Exists = nil, false
		s.SetDigest(facts.Digest{})
		r.facts, r.said = facts.Facts{}, true
		return nil
	}
	if r.b == nil {
		return fmt.Errorf("%w: commit %d changes a member of set %q, which does not exist", persist.ErrCorrupt, seq, s.Key)
	}
	if x.Kind == persist.Remove {
		r.b.Remove(x.Member)
		return nil
	}
	if len(x.Value) != 8+r.form.TieWidth {
		return fmt.Errorf("%w: commit %d: value of %d bytes in set %q", persist.ErrCorrupt, seq, len(x.Value), s.Key)
	}
	if err := r.put(x.Member, x.Value[8:], binary.BigEndian.Uint64(x.Value)); err != nil {
		return fmt.Errorf("%w: commit %d: set %q: %w", persist.ErrCorrupt, seq, s.Key, err)
	}
	return nil
}

// put gives a member the score that a Put's value begins with.
func (r *recovering) put(member, tie []byte, bits uint64) error {
	if r.form.Ints {
		return r.b.AddTied(member, tie, int64(bits))
	}
	return (*zset.Builder)(r.b).AddTied(member, tie, math.Float64frombits(bits))
}

// create makes a set exist as an effect says, or brings its version up to date.
func (r *recovering) create(meta []byte) error {
	f, err := facts.DecodeFacts(r.s.Key, meta)
	if err != nil {
		return err
	}
	if !r.s.Exists {
		if r.b, err = residency.NewBuilder(r.s.Key, f); err != nil {
			return err
		}
		r.s.Exists, r.form = true, f.Form()
	}
	r.s.Version = f.Version
	r.s.SetDigest(f.Digest)
	r.facts, r.said = f, true
	return nil
}

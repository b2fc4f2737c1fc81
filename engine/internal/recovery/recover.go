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
	"github.com/zrankdb/zrank/persist/wal"
	"github.com/zrankdb/zrank/zset"
)

// Recovery is engine.Recovery.
type Recovery struct {
	Sets     int
	Loaded   int
	Commits  int
	LastSeq  uint64
	Duration time.Duration
	Store    persist.Recovery
}

// Recoverer fills a keyspace from the store.
type Recoverer struct {
	Keys        *keyspace.Keyspace
	Residency   *residency.Manager
	Checkpoints *checkpoint.Manager
	Store       *persist.Store
	Found       Recovery
	Expiring    []*keyspace.Set // every set that expires, and perhaps others
}

// Recover fills the keyspace from the store: with the facts of every set in the last snapshot, and then with the log's tail. Until
// giveKeys runs, the keyspace has the sets under their ids.
func (c *Recoverer) Recover() error {
	start := time.Now()
	named := map[*keyspace.Set]facts.Facts{} // the sets whose key is not their id, and those without a key
	c.Keys.Reserve(c.Store.Recovery().Sets)
	for r, err := range c.Store.Sets() {
		if err != nil {
			return err
		}
		f, _ := facts.DecodeFacts(r.Key, r.Meta) // ignore the error: the first use of the set reports it
		s := c.Keys.Add(r.Key)
		s.Exists, s.Version = true, f.Version
		s.Store(r.Base)
		s.SetExpires(f.Expires)
		if c.Keys.Accounts.Account(s); f.Other || f.Hidden {
			named[s] = f
		}
		if f.Expires != 0 {
			c.Expiring = append(c.Expiring, s)
		}
		c.Found.Sets++
	}
	if err := c.replay(named); err != nil {
		return err
	}
	if err := c.giveKeys(named); err != nil {
		return err
	}
	c.Found.LastSeq = c.Store.LastSeq()
	c.Found.Duration = time.Since(start)
	c.Found.Store = c.Store.Recovery()
	return nil
}

// giveKeys moves the named sets from their ids to their keys. It drops those without a key, which no commit has finished.
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
		c.Keys.Put(f.Key, s)
	}
	return c.dropUnfinished(unfinished)
}

// dropUnfinished drops sets that were staged and never got a key. If there is no room on the disk, the next snapshot drops them.
func (c *Recoverer) dropUnfinished(unfinished []*keyspace.Set) error {
	var b persist.Batch
	for _, s := range unfinished {
		b.Drop(s.Key)
		c.Keys.Accounts.Account(s)
	}
	seq, err := c.Store.Append(&b)
	if errors.Is(err, persist.ErrDiskFull) { // the log still has them, so their ids stay reserved
		for _, s := range unfinished {
			c.Keys.Ids.Add(s.Key)
		}
		seq, err = c.Store.LastSeq(), nil
	}
	for _, s := range unfinished {
		if s.Stored() {
			c.Checkpoints.Dropped[s.Key] = seq
		}
	}
	return err
}

// replay applies the log's tail. This goroutine decodes it. Each worker applies the effects on its share of the sets, so every set gets
// its effects in the order of the log.
func (c *Recoverer) replay(named map[*keyspace.Set]facts.Facts) error {
	p := &replayer{c: c, sets: map[string]*recovering{}, named: named}
	for range runtime.GOMAXPROCS(0) {
		p.start()
	}
	last := uint64(0)
	err := c.Store.Replay(func(seq uint64, effect wal.Effect) error {
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

// replayer hands effects to workers.
type replayer struct {
	c       *Recoverer
	sets    map[string]*recovering
	named   map[*keyspace.Set]facts.Facts // the sets whose key is not their id, and those without a key
	workers []*replayWorker
	wg      sync.WaitGroup
	loaded  atomic.Int64
	failed  atomic.Pointer[error]
}

// recovering is a set that the log's tail names. Only its worker uses it.
type recovering struct {
	s        *keyspace.Set
	worker   *replayWorker
	base     uint64
	b        *zset.IntBuilder // its entries so far; nil: it is on the disk only, or does not exist
	form     facts.Layout
	facts    facts.Facts // the last facts in the log; form and s.Version may come from the snapshot
	hasFacts bool        // the log has facts of the set
}

// replayWorker applies the effects on its sets.
type replayWorker struct {
	next  effects
	queue chan effects
	used  chan effects // batches that were applied, to be filled again
	sets  []*recovering
}

// effects is a batch for a worker. bytes holds copies of the members and values, since Replay's are valid during the call only.
type effects struct {
	list  []effectOn
	bytes []byte
}

// effectOn is an effect on a set.
type effectOn struct {
	r   *recovering
	seq uint64
	wal.Effect
}

const (
	effectsBytes = 64 << 10 // the size of a batch
	queued       = 4        // the number of batches that wait for a worker
)

// start starts a worker.
func (p *replayer) start() {
	w := &replayWorker{queue: make(chan effects, queued), used: make(chan effects, queued+2)}
	p.workers = append(p.workers, w)
	p.wg.Go(func() {
		for batch := range w.queue {
			for _, x := range batch.list {
				if p.failed.Load() == nil {
					p.note(p.apply(x))
				}
			}
			w.used <- effects{batch.list[:0], batch.bytes[:0]}
		}
	})
}

// note keeps the first error.
func (p *replayer) note(err error) {
	if err != nil {
		first := err // err itself stays off the heap
		p.failed.CompareAndSwap(nil, &first)
	}
}

// send queues an effect for its set's worker, unless the snapshot of the set holds it already.
func (p *replayer) send(seq uint64, effect wal.Effect) {
	r := p.sets[effect.Set]
	if r == nil {
		s := p.c.Keys.Add(effect.Set)
		r = &recovering{s: s, base: s.Changed, worker: p.workers[len(p.sets)%len(p.workers)]}
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

// flush hands the batch to the worker.
func (w *replayWorker) flush() {
	w.queue <- w.next
	select {
	case w.next = <-w.used:
	default:
		w.next = effects{bytes: make([]byte, 0, effectsBytes), list: make([]effectOn, 0, len(w.next.list)+16)}
	}
}

// end waits until the workers have applied all effects. If complete is true, which means that the log was read to its end, and no worker
// has failed, it finishes and places the sets. Otherwise it returns the error of a worker, if there is one.
func (p *replayer) end(complete bool) error {
	for _, w := range p.workers {
		w.flush()
		close(w.queue)
	}
	p.wg.Wait()
	p.c.Found.Loaded = int(p.loaded.Load())
	if failed := p.failed.Load(); failed != nil || !complete {
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

// place updates named and the expiry from the facts in the log, and removes a set that the log has dropped.
func (p *replayer) place(r *recovering) {
	s := r.s
	if r.hasFacts {
		delete(p.named, s)
		if s.SetExpires(r.facts.Expires); r.facts.Other || r.facts.Hidden {
			p.named[s] = r.facts
		}
		if r.facts.Expires != 0 {
			p.c.Expiring = append(p.c.Expiring, s)
		}
	}
	if s.Exists {
		return
	}
	delete(p.named, s)
	p.c.Keys.Remove(s)
	p.c.Keys.Accounts.Account(s)
	if s.Stored() {
		p.c.Checkpoints.Dropped[s.Key] = s.Changed
	}
}

// finish moves the entries from the builder to the set.
func (p *replayer) finish(r *recovering) {
	if r.b != nil {
		r.s.Mu.Lock()
		defer r.s.Mu.Unlock()
		r.build()
		p.c.Keys.Limits.Fit(r.s.Entries)
		p.c.Keys.Accounts.Account(r.s)
	}
}

// build moves the entries from the builder to the set. A set that has a key and no entries does not exist: all were on pages that Salvage could not read.
func (r *recovering) build() {
	r.s.Entries, r.b = r.b.Set(), nil
	r.s.Exists = r.s.Entries.Len() > 0 || r.facts.Hidden
}

// apply applies one effect. If the set is on the disk only, apply loads it first.
func (p *replayer) apply(x effectOn) error {
	r, s := x.r, x.r.s
	if r.b == nil && s.Exists && x.Kind != wal.Drop {
		record, err := p.c.Residency.Record(s.Key)
		if err != nil {
			return err
		}
		b, f, err := p.c.Residency.Builder(record)
		if err != nil {
			return err
		}
		r.b, r.form, s.Version = b, f.Layout(), f.Version
		s.SetDigest(f.Digest)
		p.loaded.Add(1)
	}
	return r.apply(x.seq, x.Effect)
}

// apply applies one effect to a set that is in the builder or does not exist.
func (r *recovering) apply(seq uint64, x wal.Effect) error {
	s := r.s
	s.Commit(seq)
	switch x.Kind {
	case wal.Create:
		return r.create(x.Value)
	case wal.Drop:
		r.b, s.Exists = nil, false
		s.SetDigest(facts.Digest{})
		r.facts, r.hasFacts = facts.Facts{}, true
		return nil
	}
	if r.b == nil {
		return fmt.Errorf("%w: commit %d changes a member of set %q, which does not exist", persist.ErrCorrupt, seq, s.Key)
	}
	if x.Kind == wal.Remove {
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

// create applies a Create: it makes the set if it does not exist, and updates its facts.
func (r *recovering) create(meta []byte) error {
	f, err := facts.DecodeFacts(r.s.Key, meta)
	if err != nil {
		return err
	}
	if !r.s.Exists {
		if r.b, err = residency.NewBuilder(r.s.Key, f); err != nil {
			return err
		}
		r.s.Exists, r.form = true, f.Layout()
	}
	r.s.Version = f.Version
	r.s.SetDigest(f.Digest)
	f.Unlogged = false // pages have what the log has not, and r.base is not before them
	r.facts, r.hasFacts = f, true
	return nil
}

// key returns the key of a set by its last facts.
func (r *recovering) key() string {
	if r.facts.Other {
		return r.facts.Key
	}
	return r.s.Key
}

package engine

import (
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// checkpoints writes snapshots.
type checkpoints struct {
	keys   *keyspace
	locks  *locks
	events *events
	life   *lifetime
	store  *persist.Store

	bytes       int64         // of log, from which on a snapshot is due; below 0: none is
	age         time.Duration // of what is in the log, from which on a snapshot is due; below 0: none is
	due         chan struct{} // wakes the goroutine that takes snapshots
	running     sync.Mutex    // one is taken at a time
	lastWritten atomic.Int64  // bytes of pages that the last one has written
	figures     figures
	paged       func(page []byte) []byte // tests only: is called after each page, and may give it another

	droppedMu sync.Mutex
	dropped   map[string]uint64 // sets the store still has, and the commit that dropped them
}

func newCheckpoints(keys *keyspace, l *locks, v *events, life *lifetime, store *persist.Store, bytes int64, age time.Duration) *checkpoints {
	return &checkpoints{keys: keys, locks: l, events: v, life: life, store: store, bytes: bytes, age: age, due: make(chan struct{}, 1), dropped: map[string]uint64{}}
}

// snapshot takes a snapshot, and tells of it.
func (c *checkpoints) snapshot() error {
	c.running.Lock()
	defer c.running.Unlock()
	c.events.tell(Event{Kind: EventSnapshot})
	began := time.Now()
	bytes, err := c.takeSnapshot()
	c.keys.accounts.unloadNoted()
	took := time.Since(began)
	c.figures.ended(took, bytes, err)
	c.events.tell(Event{Kind: EventSnapshot, Ended: true, Duration: took, Bytes: bytes, Err: err})
	return err
}

// takeSnapshot takes one, and returns the bytes of the pages written. After an error nothing is left of it: the pages that it
// took count as changed again.
func (c *checkpoints) takeSnapshot() (bytes int64, err error) {
	upto := c.store.LastSeq()
	sn, err := c.store.Snapshot(upto)
	if err != nil {
		return 0, err
	}
	written, err := c.writeSets(sn)
	drops := c.dropsUpTo(upto)
	if err == nil {
		for key := range drops {
			if written[key] == nil {
				sn.DropSet(key)
			}
		}
		err = sn.Publish()
	}
	for _, w := range written {
		w.settle(err == nil || seeded.Bug("lost pages count as kept"))
	}
	if err != nil {
		_ = sn.Abort() // what it cannot delete goes at the next Open
		return sn.Bytes(), err
	}
	c.lastWritten.Store(sn.Bytes())
	c.published(written, drops)
	return sn.Bytes(), nil
}

// writtenSet is a set that a snapshot has written and the commit up to which it holds everything.
type writtenSet struct {
	s    *set
	id   string
	z    *zset.IntSet
	base uint64
}

// writeSets writes all sets that have changed. Those written are returned with an error too.
func (c *checkpoints) writeSets(sn *persist.Snapshot) (map[string]*writtenSet, error) {
	written := map[string]*writtenSet{}
	for _, s := range c.keys.all() {
		w, err := c.writeSet(sn, s, written)
		if w != nil {
			written[w.id] = w
		}
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// writeSet writes a set that has changed since its last snapshot; nil if there is nothing to write. Nothing can change the
// set while its base is read under its lock: every commit up to it is in the pages. Members keep their pages until all are
// written. A set that has taken over the id of one written before was made after that, and so is in the log.
func (c *checkpoints) writeSet(sn *persist.Snapshot, s *set, written map[string]*writtenSet) (*writtenSet, error) {
	c.locks.lock(&s.mu, "snapshot", "")
	if !s.exists || s.gone || s.changed <= s.base || written[s.id()] != nil {
		s.mu.Unlock()
		return nil, nil
	}
	base, id, meta, entries, z := c.store.LastSeq(), s.id(), s.facts().encode(), s.z.Len(), s.z
	s.writing = true
	z.HoldPages()
	s.mu.Unlock()
	err := sn.WriteSet(id, meta, base, entries, c.watched(pagesOf(s)))
	s.mu.Lock()
	z.ReleasePages()
	if s.writing = false; s.rare != nil {
		s.rare.returned, s.rare.known = nil, nil
		s.slim()
	}
	s.mu.Unlock()
	return &writtenSet{s, id, z, base}, err
}

// watched lets tests come between two pages.
func (c *checkpoints) watched(pages iter.Seq[[]byte]) iter.Seq[[]byte] {
	if c.paged == nil {
		return pages
	}
	return func(yield func([]byte) bool) {
		for page := range pages {
			if !yield(c.paged(page)) {
				return
			}
		}
	}
}

// settle tells the set what has become of its pages.
func (w *writtenSet) settle(kept bool) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.z.SettlePages(kept)
}

// returnedPage is how many members that were put back go on one page.
const returnedPage = 512

// nextReturned returns where the page of members put back ends that begins with number i: long members fill it sooner.
func nextReturned(returned []string, i int) int {
	bytes := 0
	for from := i; i < len(returned) && i < from+returnedPage && (i == from || bytes+len(returned[i]) <= 1<<20); i++ {
		bytes += len(returned[i])
	}
	return i
}

// pagesOf encodes the pages of a set that have changed, locking it for one page at a time, and then the members that were put
// back meanwhile. A page is nil if the one on the disk is still right.
func pagesOf(s *set) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var room []byte
		back := 0
		for i := 0; ; i++ {
			s.mu.RLock()
			var page []byte
			more := true
			switch {
			case i < s.z.Pages() && !s.z.PageChanged(i):
			case i < s.z.Pages():
				room = takePage(s, room[:0], i)
				page = room
			case s.rare != nil && back < len(s.rare.returned):
				next := nextReturned(s.rare.returned, back)
				room = s.z.AppendMembers(room[:0], s.rare.returned[back:next])
				page, back = room, next
			default:
				more = false
			}
			s.mu.RUnlock()
			if !more || !yield(page) {
				return
			}
			takenLate(s, i)
		}
	}
}

func takePage(s *set, dst []byte, i int) []byte {
	if seeded.Bug("a page is taken after its lock") {
		return s.z.AppendPage(dst, i)
	}
	return s.z.TakePage(dst, i)
}

// takenLate is what takePage should have done.
func takenLate(s *set, i int) {
	if seeded.Bug("a page is taken after its lock") {
		s.mu.RLock()
		defer s.mu.RUnlock()
		s.z.TakePage(nil, i)
	}
}

// leftStore notes for the next snapshot that a set is gone.
func (c *checkpoints) leftStore(s *set, seq uint64) {
	if s.base > 0 {
		c.droppedMu.Lock()
		c.dropped[s.id()] = seq
		c.droppedMu.Unlock()
	}
}

// dropsUpTo returns the sets that the store has and that were dropped by a commit up to seq.
func (c *checkpoints) dropsUpTo(seq uint64) map[string]uint64 {
	c.droppedMu.Lock()
	defer c.droppedMu.Unlock()
	drops := map[string]uint64{}
	for key, at := range c.dropped {
		if at <= seq {
			drops[key] = at
		}
	}
	return drops
}

// published notes what the store has now.
func (c *checkpoints) published(written map[string]*writtenSet, drops map[string]uint64) {
	c.droppedMu.Lock()
	for key, at := range drops {
		if c.dropped[key] == at {
			delete(c.dropped, key)
		}
	}
	for key, w := range written { // a set that was dropped and made again while the snapshot ran
		if c.dropped[key] <= w.base {
			delete(c.dropped, key)
		}
	}
	c.droppedMu.Unlock()
	for _, w := range written {
		w.note(c)
	}
}

// note tells a set that it is on the disk. One that has been dropped since is noted as dropped.
func (w *writtenSet) note(c *checkpoints) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if w.s.base = w.base; w.s.gone {
		c.droppedMu.Lock()
		c.dropped[w.id] = w.s.changed
		c.droppedMu.Unlock()
	}
}

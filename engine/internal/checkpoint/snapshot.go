package checkpoint

import (
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Manager writes snapshots.
type Manager struct {
	Keys   *keyspace.Keyspace
	Locks  *locks.Table
	events *observe.Dispatcher
	life   *lifetime.Lifetime
	Store  *persist.Store

	bytes int64         // of log, from which on a snapshot is due; below 0: none is
	age   time.Duration // of what is in the log, from which on a snapshot is due; below 0: none is
	// Close takes a snapshot if the log is longer than CloseLogBytes, or if Open would load more than CloseMembers, with setMembers for each set.
	CloseLogBytes int64
	CloseMembers  int
	due           chan struct{} // wakes the goroutine that takes snapshots
	Running       sync.Mutex    // one is taken at a time
	LastWritten   atomic.Int64  // bytes of pages that the last one has written
	Figures       figures
	Paged         func(page []byte) []byte // tests only: is called after each page, and may give it another

	droppedMu sync.Mutex
	Dropped   map[string]uint64 // sets the store still has, and the commit that dropped them
}

// New returns a Manager of the sets of a keyspace. A store of nil is an engine in memory only: nothing may be asked of the Manager then. bytes and
// age are Options.SnapshotBytes and Options.SnapshotAge.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, store *persist.Store, bytes int64, age time.Duration) *Manager {
	return &Manager{Keys: keys, Locks: l, events: v, life: life, Store: store, bytes: bytes, age: age, CloseLogBytes: closeLogBytes, CloseMembers: closeMembers, due: make(chan struct{}, 1), Dropped: map[string]uint64{}}
}

// Snapshot takes a snapshot, and emits EventSnapshot before and after.
func (c *Manager) Snapshot() error {
	c.Running.Lock()
	defer c.Running.Unlock()
	c.events.Emit(observe.Event{Kind: observe.EventSnapshot})
	began := time.Now()
	bytes, err := c.takeSnapshot()
	c.Keys.Accounts.UnloadNoted()
	took := time.Since(began)
	c.Figures.ended(took, bytes, err)
	c.events.Emit(observe.Event{Kind: observe.EventSnapshot, Ended: true, Duration: took, Bytes: bytes, Err: err})
	return err
}

// takeSnapshot takes one, and returns the bytes of the pages written. After an error nothing is left of it: the pages that it
// took count as changed again.
func (c *Manager) takeSnapshot() (bytes int64, err error) {
	upto := c.Store.LastSeq()
	sn, err := c.Store.Snapshot(upto)
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
		w.Settle(err == nil)
	}
	if err != nil {
		_ = sn.Abort() // what it cannot delete goes at the next Open
		return sn.Bytes(), err
	}
	c.LastWritten.Store(sn.Bytes())
	c.Published(written, drops)
	return sn.Bytes(), nil
}

// WrittenSet is a set that a snapshot has written and the commit up to which it holds everything.
type WrittenSet struct {
	s    *keyspace.Set
	Id   string
	z    *zset.IntSet
	base uint64
}

// writeSets writes all sets that have changed. Those written are returned with an error too.
func (c *Manager) writeSets(sn *persist.Snapshot) (map[string]*WrittenSet, error) {
	written := map[string]*WrittenSet{}
	for _, s := range c.Keys.All() {
		w, err := c.WriteSet(sn, s, written)
		if w != nil {
			written[w.Id] = w
		}
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// WriteSet writes a set that has changed since its last snapshot; nil if there is nothing to write. Nothing can change the
// set while its base is read under its lock: every commit up to it is in the pages. Members keep their pages until all are
// written. A set that has taken over the id of one written before was made after that, and so is in the log.
func (c *Manager) WriteSet(sn *persist.Snapshot, s *keyspace.Set, written map[string]*WrittenSet) (*WrittenSet, error) {
	c.Locks.Lock(&s.Mu, "snapshot", "")
	if !s.Exists || s.Gone || s.Changed <= s.Base || written[s.Id()] != nil {
		s.Mu.Unlock()
		return nil, nil
	}
	base, id, meta, entries, z := c.Store.LastSeq(), s.Id(), s.Facts().Encode(), s.Entries.Len(), s.Entries
	s.Writing = true
	z.HoldPages()
	s.Mu.Unlock()
	err := sn.WriteSet(id, meta, base, entries, c.watched(PagesOf(s)))
	s.Mu.Lock()
	z.ReleasePages()
	if s.Writing = false; s.Rare != nil {
		s.Rare.Returned, s.Rare.Known = nil, nil
		s.Slim()
	}
	s.Mu.Unlock()
	return &WrittenSet{s, id, z, base}, err
}

// watched lets tests come between two pages.
func (c *Manager) watched(pages iter.Seq[[]byte]) iter.Seq[[]byte] {
	if c.Paged == nil {
		return pages
	}
	return func(yield func([]byte) bool) {
		for page := range pages {
			if !yield(c.Paged(page)) {
				return
			}
		}
	}
}

// Settle tells the set whether its pages were kept.
func (w *WrittenSet) Settle(kept bool) {
	w.s.Mu.Lock()
	defer w.s.Mu.Unlock()
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

// PagesOf encodes the pages of a set that have changed, locking it for one page at a time, and then the members that were put
// back meanwhile. A page is nil if the one on the disk is still right.
func PagesOf(s *keyspace.Set) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var buf []byte
		back := 0
		for i := 0; ; i++ {
			s.Mu.RLock()
			var page []byte
			more := true
			switch {
			case i < s.Entries.Pages() && !s.Entries.PageChanged(i):
			case i < s.Entries.Pages():
				buf = s.Entries.TakePage(buf[:0], i)
				page = buf
			case s.Rare != nil && back < len(s.Rare.Returned):
				next := nextReturned(s.Rare.Returned, back)
				buf = s.Entries.AppendMembers(buf[:0], s.Rare.Returned[back:next])
				page, back = buf, next
			default:
				more = false
			}
			s.Mu.RUnlock()
			if !more || !yield(page) {
				return
			}
		}
	}
}

// LeftStore notes for the next snapshot that a set is gone.
func (c *Manager) LeftStore(s *keyspace.Set, seq uint64) {
	if s.Base > 0 {
		c.droppedMu.Lock()
		c.Dropped[s.Id()] = seq
		c.droppedMu.Unlock()
	}
}

// dropsUpTo returns the sets that the store has and that were dropped by a commit up to seq.
func (c *Manager) dropsUpTo(seq uint64) map[string]uint64 {
	c.droppedMu.Lock()
	defer c.droppedMu.Unlock()
	drops := map[string]uint64{}
	for key, at := range c.Dropped {
		if at <= seq {
			drops[key] = at
		}
	}
	return drops
}

// Published notes what the store has now.
func (c *Manager) Published(written map[string]*WrittenSet, drops map[string]uint64) {
	c.droppedMu.Lock()
	for key, at := range drops {
		if c.Dropped[key] == at {
			delete(c.Dropped, key)
		}
	}
	for key, w := range written { // a set that was dropped and made again while the snapshot ran
		if c.Dropped[key] <= w.base {
			delete(c.Dropped, key)
		}
	}
	c.droppedMu.Unlock()
	for _, w := range written {
		w.note(c)
	}
}

// note tells a set that it is on the disk. One that has been dropped since is noted as dropped.
func (w *WrittenSet) note(c *Manager) {
	w.s.Mu.Lock()
	defer w.s.Mu.Unlock()
	if w.s.Base = w.base; w.s.Gone {
		c.droppedMu.Lock()
		c.Dropped[w.Id] = w.s.Changed
		c.droppedMu.Unlock()
	}
}

package checkpoint

import (
	"iter"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// publish publishes a snapshot of the written and the dropped sets, unless failed says that it could not be written. After an error it undoes
// the snapshot: the pages that it wrote count as changed again.
func (c *Manager) publish(sn *persist.Snapshot, written map[string]*WrittenSet, drops map[string]uint64, failed error) (err error) {
	if err = failed; err == nil {
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
		_ = sn.Abort() // what it cannot delete goes before the next snapshot, or at the next Open
		for _, w := range written {
			w.mayBeStored(c)
		}
		return err
	}
	c.Published(written, drops)
	return nil
}

// WrittenSet is a set that a snapshot has written. Its pages hold every commit up to base.
type WrittenSet struct {
	s    *keyspace.Set
	Id   string
	z    *zset.IntSet
	base uint64
}

// writeSets writes those of the sets in memory that have changed, and returns them by id. With p it first loads sets with blind writes, and stops
// after a set when the piece is full, and returns the rest. After an error it returns those that it has written.
func (c *Manager) writeSets(sn *persist.Snapshot, sets []*keyspace.Set, p *piece) (written map[string]*WrittenSet, rest []*keyspace.Set, err error) {
	written = map[string]*WrittenSet{}
	for i, s := range sets {
		if p != nil {
			if err := c.loadFor(p, s); err != nil {
				return written, nil, err
			}
		}
		w, err := c.WriteSet(sn, s, written)
		if w != nil {
			written[w.Id] = w
		}
		if err != nil {
			return written, nil, err
		}
		if p != nil && p.full(sn, len(written)) {
			return written, sets[i+1:], nil
		}
	}
	return written, nil, nil
}

// WriteSet writes a set that has changed since its last snapshot. It returns nil if there is nothing to write, or if the set is on the disk only:
// then its blind writes are in the log after the snapshot, which has begun after those before were written out. It reads base under the
// set's lock, so every commit on the set up to base is in the pages. HoldPages keeps members on their pages until all pages are written.
// If the snapshot has already written a set of the same id, that one has been dropped since; the new set is in the log, and is not written.
func (c *Manager) WriteSet(sn *persist.Snapshot, s *keyspace.Set, written map[string]*WrittenSet) (*WrittenSet, error) {
	return c.writeSet(sn, s, written, nil)
}

// writeSet is WriteSet that ends with the error that stop returns before a page, unless stop is nil.
func (c *Manager) writeSet(sn *persist.Snapshot, s *keyspace.Set, written map[string]*WrittenSet, stop func() error) (*WrittenSet, error) {
	c.Locks.Lock(&s.Mu, "snapshot", "")
	if !s.Exists || s.Gone || !s.Dirty() || s.Cold() || written[s.Id()] != nil {
		s.Mu.Unlock()
		return nil, nil
	}
	base, id, meta, entries, z := c.Store.LastSeq(), s.Id(), s.Facts().Encode(), s.Entries.Len(), s.Entries
	s.Writing = true
	z.HoldPages()
	s.Mu.Unlock()
	var stopped error
	err := sn.WriteSet(id, meta, base, entries, until(stop, &stopped, c.watched(PagesOf(s))))
	if err == nil {
		err = stopped
	}
	s.Mu.Lock()
	z.ReleasePages()
	if s.Writing = false; s.Rare != nil {
		s.Rare.Returned, s.Rare.Known = nil, nil
		s.Slim()
	}
	c.Keys.Accounts.Account(s) // a set that changed meanwhile was accounted with what HoldPages has allocated
	s.Mu.Unlock()
	return &WrittenSet{s, id, z, base}, err
}

// until passes pages on until stop returns an error, which it stores.
func until(stop func() error, stopped *error, pages iter.Seq[[]byte]) iter.Seq[[]byte] {
	if stop == nil {
		return pages
	}
	return func(yield func([]byte) bool) {
		for page := range pages {
			if *stopped = stop(); *stopped != nil || !yield(page) {
				return
			}
		}
		*stopped = stop()
	}
}

// watched passes each page through Paged, the hook of tests.
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

// Settle tells the set whether the snapshot with its pages was published. If not, the pages count as changed.
func (w *WrittenSet) Settle(published bool) {
	w.s.Mu.Lock()
	defer w.s.Mu.Unlock()
	w.z.SettlePages(published)
}

// returnedPage is the maximum number of members on a page of members that were put back.
const returnedPage = 512

// nextReturned returns the end of the page of put-back members that begins at index i. A page has at most returnedPage members, and 1 MiB
// unless it has one member.
func nextReturned(returned []string, i int) int {
	bytes := 0
	for from := i; i < len(returned) && i < from+returnedPage && (i == from || bytes+len(returned[i]) <= 1<<20); i++ {
		bytes += len(returned[i])
	}
	return i
}

// PagesOf yields the pages of a set, and then pages with the members that transactions have put back meanwhile (see Rare.Returned). It
// yields nil for a page that has not changed since the last snapshot. The set is locked for one page at a time.
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

// LeftStore makes the next snapshot delete a set that commit seq has dropped, if the store has it.
func (c *Manager) LeftStore(s *keyspace.Set, seq uint64) {
	if s.Stored() {
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

// Published updates Dropped and the sets after a snapshot was published.
func (c *Manager) Published(written map[string]*WrittenSet, drops map[string]uint64) {
	c.droppedMu.Lock()
	for id, at := range drops {
		if c.Dropped[id] == at {
			delete(c.Dropped, id)
		}
	}
	for id, w := range written { // the store has a set again that was dropped and made again before it was written
		if c.Dropped[id] <= w.base {
			delete(c.Dropped, id)
		}
	}
	c.droppedMu.Unlock()
	for _, w := range written {
		w.note(c)
	}
}

// note records that the store has the set up to base.
func (w *WrittenSet) note(c *Manager) {
	w.s.Mu.Lock()
	defer w.s.Mu.Unlock()
	w.s.Store(w.base)
	w.noteGone(c)
}

// mayBeStored records that the store may have the set: publishing has failed, perhaps after the set's record was written.
func (w *WrittenSet) mayBeStored(c *Manager) {
	w.s.Mu.Lock()
	defer w.s.Mu.Unlock()
	w.s.MayBeStored()
	w.noteGone(c)
}

// noteGone makes the next snapshot delete the set if it has been dropped since it was written. The caller holds the set's lock.
func (w *WrittenSet) noteGone(c *Manager) {
	if w.s.Gone {
		c.droppedMu.Lock()
		c.Dropped[w.Id] = w.s.Changed
		c.droppedMu.Unlock()
	}
}

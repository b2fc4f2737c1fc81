package engine

import (
	"iter"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Snapshot writes every set that has changed since the last snapshot and cuts the log. Writers go on: a set is locked for
// reading while one page of it is encoded. What changes meanwhile is in the log after the set's base, and effects are
// absolute, so pages and log together are exact. Errors: ErrClosed, ErrPersistence.
func (e *Engine) Snapshot() error {
	if err := e.mayWait(); err != nil {
		return err
	}
	if e.store == nil {
		return nil
	}
	return e.closedError(e.snapshot())
}

// snapshot does it, and tells of it.
func (e *Engine) snapshot() error {
	e.snapshotting.Lock()
	defer e.snapshotting.Unlock()
	e.events.tell(Event{Kind: EventSnapshot})
	began := time.Now()
	bytes, err := e.takeSnapshot()
	e.unloadNoted()
	took := time.Since(began)
	e.snapshots.ended(took, bytes, err)
	e.events.tell(Event{Kind: EventSnapshot, Ended: true, Duration: took, Bytes: bytes, Err: err})
	return err
}

// takeSnapshot takes one, and returns the bytes of the pages written. After an error nothing is left of it: the pages that it
// took count as changed again.
func (e *Engine) takeSnapshot() (bytes int64, err error) {
	upto := e.store.LastSeq()
	sn, err := e.store.Snapshot(upto)
	if err != nil {
		return 0, err
	}
	written, err := e.writeSets(sn)
	drops := e.dropsUpTo(upto)
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
	e.lastWritten.Store(sn.Bytes())
	e.published(written, drops)
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
func (e *Engine) writeSets(sn *persist.Snapshot) (map[string]*writtenSet, error) {
	written := map[string]*writtenSet{}
	for _, s := range e.keys.all() {
		w, err := e.writeSet(sn, s, written)
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
func (e *Engine) writeSet(sn *persist.Snapshot, s *set, written map[string]*writtenSet) (*writtenSet, error) {
	e.lockSet(s, "snapshot", "")
	if !s.exists || s.gone || s.changed <= s.base || written[s.id()] != nil {
		s.mu.Unlock()
		return nil, nil
	}
	base, id, meta, entries, z := e.store.LastSeq(), s.id(), s.facts().encode(), s.z.Len(), s.z
	s.writing = true
	z.HoldPages()
	s.mu.Unlock()
	err := sn.WriteSet(id, meta, base, entries, e.watched(s.pages()))
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
func (e *Engine) watched(pages iter.Seq[[]byte]) iter.Seq[[]byte] {
	if e.paged == nil {
		return pages
	}
	return func(yield func([]byte) bool) {
		for page := range pages {
			if !yield(e.paged(page)) {
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

// putBack notes a member that a transaction has, or may have, taken out and put back as it was. The log says nothing of it.
func (s *set) putBack(member string) {
	if !seeded.Bug("copies do not hear of members put back") {
		s.note(member)
	}
	if !s.writing || seeded.Bug("members put back are forgotten") {
		return
	}
	r := s.extra()
	if _, again := r.known[member]; again { // it is on a page, or will be; what has changed it since is in the log
		return
	}
	if r.known == nil {
		r.known = map[string]struct{}{}
	}
	r.known[member] = struct{}{}
	r.returned = append(r.returned, member)
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

// pages encodes the pages of a set that have changed, locking it for one page at a time, and then the members that were put
// back meanwhile. A page is nil if the one on the disk is still right.
func (s *set) pages() iter.Seq[[]byte] {
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
				room = s.takePage(room[:0], i)
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
			s.takenLate(i)
		}
	}
}

func (s *set) takePage(dst []byte, i int) []byte {
	if seeded.Bug("a page is taken after its lock") {
		return s.z.AppendPage(dst, i)
	}
	return s.z.TakePage(dst, i)
}

// takenLate is what takePage should have done.
func (s *set) takenLate(i int) {
	if seeded.Bug("a page is taken after its lock") {
		s.mu.RLock()
		defer s.mu.RUnlock()
		s.z.TakePage(nil, i)
	}
}

// dropsUpTo returns the sets that the store has and that were dropped by a commit up to seq.
func (e *Engine) dropsUpTo(seq uint64) map[string]uint64 {
	e.droppedMu.Lock()
	defer e.droppedMu.Unlock()
	drops := map[string]uint64{}
	for key, at := range e.dropped {
		if at <= seq {
			drops[key] = at
		}
	}
	return drops
}

// published notes what the store has now.
func (e *Engine) published(written map[string]*writtenSet, drops map[string]uint64) {
	e.droppedMu.Lock()
	for key, at := range drops {
		if e.dropped[key] == at {
			delete(e.dropped, key)
		}
	}
	for key, w := range written { // a set that was dropped and made again while the snapshot ran
		if e.dropped[key] <= w.base {
			delete(e.dropped, key)
		}
	}
	e.droppedMu.Unlock()
	for _, w := range written {
		w.note(e)
	}
}

// note tells a set that it is on the disk. One that has been dropped since is noted as dropped.
func (w *writtenSet) note(e *Engine) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if w.s.base = w.base; w.s.gone {
		e.droppedMu.Lock()
		e.dropped[w.id] = w.s.changed
		e.droppedMu.Unlock()
	}
}

package engine

import (
	"errors"
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
	if e.closed.Load() {
		return ErrClosed
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
	return sn.Bytes(), e.published(written, drops)
}

// writtenSet is a set that a snapshot has written and the commit up to which it holds everything.
type writtenSet struct {
	s    *set
	z    *zset.Set
	base uint64
}

// writeSets writes all sets that have changed. Those written are returned with an error too.
func (e *Engine) writeSets(sn *persist.Snapshot) (map[string]*writtenSet, error) {
	written := map[string]*writtenSet{}
	for _, s := range e.keys.all() {
		w, err := e.writeSet(sn, s)
		if w != nil {
			written[s.key] = w
		}
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// writeSet writes a set that has changed since its last snapshot; nil if there is nothing to write. Nothing can change the
// set while its base is read under its lock: every commit up to it is in the pages. Members keep their pages until all are
// written.
func (e *Engine) writeSet(sn *persist.Snapshot, s *set) (*writtenSet, error) {
	s.mu.Lock()
	if !s.exists || s.gone || s.changed <= s.base {
		s.mu.Unlock()
		return nil, nil
	}
	base, meta, entries, z := e.store.LastSeq(), s.facts().encode(), s.z.Len(), s.z
	s.writing = true
	z.HoldPages()
	s.mu.Unlock()
	err := sn.WriteSet(s.key, meta, base, entries, e.watched(s.pages()))
	s.mu.Lock()
	z.ReleasePages()
	s.writing, s.returned, s.known = false, nil, nil
	s.mu.Unlock()
	return &writtenSet{s, z, base}, err
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
	if !s.writing || seeded.Bug("members put back are forgotten") {
		return
	}
	if _, again := s.known[member]; again { // it is on a page, or will be; what has changed it since is in the log
		return
	}
	if s.known == nil {
		s.known = map[string]struct{}{}
	}
	s.known[member] = struct{}{}
	s.returned = append(s.returned, member)
}

// returnedPage is how many members that were put back go on one page.
const returnedPage = 512

// nextReturned returns where the page of members put back ends that begins with number i: long members fill it sooner.
func (s *set) nextReturned(i int) int {
	bytes := 0
	for from := i; i < len(s.returned) && i < from+returnedPage && (i == from || bytes+len(s.returned[i]) <= 1<<20); i++ {
		bytes += len(s.returned[i])
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
			case back < len(s.returned):
				next := s.nextReturned(back)
				room = s.z.AppendMembers(room[:0], s.returned[back:next])
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
func (e *Engine) published(written map[string]*writtenSet, drops map[string]uint64) error {
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
	var failed error // the other sets are there all the same
	for key, w := range written {
		r, ok, err := e.store.Set(key)
		failed = errors.Join(failed, err)
		if ok {
			w.note(e, r)
		}
	}
	return failed
}

// note tells a set where it is on the disk. One that has been dropped since is noted as dropped.
func (w *writtenSet) note(e *Engine, r setOnDisk) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.base, w.s.stored = w.base, &r
	if w.s.gone {
		e.droppedMu.Lock()
		e.dropped[r.Key] = w.s.changed
		e.droppedMu.Unlock()
	}
}

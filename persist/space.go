package persist

import (
	"fmt"
	"sync/atomic"
	"time"
)

// A full disk is not a failed disk: it is seen before a write fails, commits are refused, and what is there can be read,
// flushed and cut. Pebble needs space to give space back, and that is what the reserve is for.

// space is what the store knows of the free space of its disk.
type space struct {
	reserve int64        // Options.DiskReserve
	ahead   atomic.Int64 // bytes that may be written before the next look
	full    error        // what commits are answered; nil: there is space. Under mu
	fuller  bool         // also those that only remove. Under mu
}

const (
	spaceBeat  = 250 * time.Millisecond
	spaceAhead = 16 << 20 // bytes, or a quarter of the reserve if that is less

	defaultReserve = 64 << 20
	// maxRemoves is up to which size commits that only remove may use the first quarter of the reserve: without them an owner
	// could not clear space by the means of the program that has the store open.
	maxRemoves = 1 << 20

	leastReserve = pebbleStopAt * pebbleMemTable * 3 / 2 // for Pebble to flush all it has
)

// keep returns the space to keep free on a disk of this size. A disk too small for Pebble's needs is used by half; should
// that not be enough, the files freeze.
func (p *space) keep(total int64) int64 {
	if p.reserve != 0 {
		return p.reserve
	}
	return min(max(total/8, leastReserve), defaultReserve, total/2)
}

// free returns the free bytes and those to keep free; false: there is no telling, or no reserve.
func (s *Store) free() (free, keep int64, ok bool) {
	if s.space.reserve < 0 {
		return 0, 0, false
	}
	u, err := s.fs.GetDiskUsage(s.dir)
	if err != nil {
		return 0, 0, false
	}
	return int64(u.AvailBytes), s.space.keep(int64(u.TotalBytes)), true
}

// watchSpace runs until the files are closed. It is a goroutine of its own: the question may hang on a disk that does.
func (s *Store) watchSpace() {
	t := time.NewTicker(spaceBeat)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			s.checkSpace()
		case <-s.closed:
			return
		}
	}
}

// checkSpace stops the commits below the reserve, those that only remove below three quarters of it, and lets them go on when a quarter more than that is free.
func (s *Store) checkSpace() {
	free, keep, ok := s.free()
	if !ok || s.failure() != nil {
		s.space.ahead.Store(spaceAhead)
		return
	}
	s.space.ahead.Store(min(spaceAhead, keep/4))
	s.mu.Lock()
	was := s.space.full != nil
	switch {
	case free < keep:
		s.space.full = fmt.Errorf("%w: %s has %d bytes free, and %d are kept back", ErrDiskFull, s.dir, free, keep)
	case free >= keep+keep/4:
		s.space.full = nil
	}
	s.space.fuller = free < keep-keep/4
	full := s.space.full != nil
	s.mu.Unlock()
	if full != was {
		s.tell(Event{Kind: EventDiskFull, Ended: was, Free: free})
	}
}

// writes counts what is about to be written, and looks at the disk when much has been since the last look.
func (s *Store) writes(n int) {
	if s.space.ahead.Add(int64(-n)) < 0 {
		s.checkSpace()
	}
}

// roomForPages returns ErrDiskFull if n bytes of pages would take more than half of the reserve. Snapshots may use the other
// half, since they give back the space of the log. Pebble writes a page twice before it deletes the first copy.
func (s *Store) roomForPages(n int) error {
	free, keep, ok := s.free()
	if ok && free-2*int64(n) < keep/2 {
		return fmt.Errorf("%w: a snapshot needs %d bytes, %s has %d, and %d are kept back", ErrDiskFull, n, s.dir, free, keep/2)
	}
	return nil
}

package engine

import (
	"errors"
	"sync"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/zset"
)

// A set may have a time at which it is gone. From then on no transaction sees it, whether it is still there or not; a
// transaction that changes it, and otherwise a goroutine that looks for such sets, drops it as any other commit would.

const (
	expiryBatch = 64          // sets between two looks at whether the engine is being closed
	expiryBeat  = time.Second // how soon a jump of the clock is noticed
)

// expiries has the sets that will be gone at some time.
type expiries struct {
	mu    sync.Mutex
	due   *zset.IntSet // keys, by milliseconds after 1970
	first int64        // the earliest that the collector knows of; 0: none
	wake  chan struct{}
}

func (x *expiries) init() {
	x.due, x.wake = must(zset.NewInt(zset.Options{})), make(chan struct{}, 1)
}

// expires returns when the set is gone, in milliseconds after 1970; 0: never.
func (s *set) expires() int64 {
	if s.rare == nil {
		return 0
	}
	return s.rare.expires
}

func (s *set) setExpires(at int64) {
	if s.rare != nil || at != 0 {
		s.extra().expires = at
	}
}

// expiredBy reports whether a set's time is up at a moment, in milliseconds after 1970.
func (s *set) expiredBy(now int64) bool { return s.expires() != 0 && s.expires() <= now }

// expired reports whether a set that exists is one no more. A transaction asks the clock once, and not at all if no set expires.
func (tx *Tx) expired(s *set) bool {
	return s.exists && s.expires() != 0 && s.expiredBy(tx.Now().UnixMilli())
}

// Now returns the time by the engine's clock when the transaction first asked for it, or first met a set that expires. O(1).
func (tx *Tx) Now() time.Time {
	if tx.now.IsZero() {
		tx.now = tx.e.clock()
	}
	return tx.now
}

// ExpireAt makes the set vanish at a time, in whole milliseconds; one that is past is dropped by this commit, as Redis PEXPIREAT.
// It returns false if the set has no members, and does nothing. The time stays when members change, also when a transaction takes
// them all and adds others, and when the set gets another key; a set that takes this one's place does not inherit it. O(1). Errors: ErrReadOnly, ErrReserved, ErrTxDone, ErrTime.
func (h *handle) ExpireAt(at time.Time) (bool, error) {
	ms := at.UnixMilli()
	if ms <= 0 || at.After(lastExpiry) {
		return false, ErrTime
	}
	if err := h.writable(); err != nil || h.view.Len() == 0 {
		return false, err
	}
	if at := time.UnixMilli(ms); !h.tx.Now().Before(at) {
		h.replace(formOf(h.view))
		return true, nil
	}
	h.expireAt(ms)
	return true, nil
}

// ExpireIn is ExpireAt, so long after Tx.Now.
func (h *handle) ExpireIn(d time.Duration) (bool, error) { return h.ExpireAt(h.tx.Now().Add(d)) }

// Persist makes the set stay for good, and reports whether it had a time to vanish, as Redis PERSIST. O(1). Errors:
// ErrReadOnly, ErrReserved, ErrTxDone.
func (h *handle) Persist() (bool, error) {
	if err := h.writable(); err != nil || h.view.Len() == 0 || h.s.expires() == 0 {
		return false, err
	}
	h.expireAt(0)
	return true, nil
}

// Expiry returns when the set vanishes, and false if it stays for good, or does not exist. O(1).
func (h *handle) Expiry() (at time.Time, ok bool) {
	ms := h.s.expires()
	if ms == 0 || h.view.Len() == 0 {
		return time.Time{}, false
	}
	return time.UnixMilli(ms), true
}

// lastExpiry is the last moment of the year 9999.
var lastExpiry = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Add(-1)

func (h *handle) expireAt(ms int64) {
	if h.s.expires() != ms {
		h.s.setExpires(ms)
		h.s.version++
	}
}

// add notes when the set of a key is gone.
func (x *expiries) add(key string, at int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	must(x.due.Add([]byte(key), at)) // keys are shorter than members may be
	if x.first == 0 || at < x.first {
		select {
		case x.wake <- struct{}{}:
		default:
		}
	}
}

func (x *expiries) remove(key string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.due.Remove([]byte(key))
}

// count returns how many sets vanish at some time.
func (x *expiries) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.due.Len()
}

// take returns some keys whose time is up, and otherwise when the first one's will be, 0 if there is none.
func (x *expiries) take(now int64) (keys []string, first int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for key, at := range x.due.View().Range(0, expiryBatch) {
		if at > now {
			first = at
			break
		}
		keys = append(keys, string(key))
	}
	x.first = first
	return keys, first
}

// unschedule forgets when those sets vanish whose time, key or existence a commit changes, and returns them. It comes before
// schedule for all of them: one set may have taken another's key.
func (tx *Tx) unschedule() (changed []*pending) {
	for c := range tx.changes {
		at := c.s.expires()
		if at == 0 && c.expires == 0 {
			continue
		}
		stays := c.s.exists && c.owner != nil && c.s.z.Len() > 0
		if stays && !c.moved() && at == c.expires {
			continue
		}
		if c.expires != 0 {
			tx.e.expiries.remove(c.s.key)
		}
		changed = append(changed, c)
	}
	return changed
}

// schedule tells the collector of sets that vanish at some time.
func (e *Engine) schedule(s *set) {
	if at := s.expires(); at != 0 && s.exists {
		e.collector.Do(func() {
			e.stopped.Add(1)
			go e.collectExpired()
		})
		e.expiries.add(s.key, at)
	}
}

// collectExpired drops sets whose time is up, until Close, or until the disk has failed.
func (e *Engine) collectExpired() {
	defer e.stopped.Done()
	for {
		keys, first := e.expiries.take(e.clock().UnixMilli())
		dropped, began := 0, e.counters.now()
		for _, key := range keys {
			was, err := e.collect(key)
			if was {
				dropped++
			}
			if errors.Is(err, ErrClosed) || errors.Is(err, ErrPersistence) {
				return
			}
			if err != nil {
				e.events.tell(Event{Kind: EventExpired, Key: key, Err: err})
				first, keys = 1, nil // look again in a while
				break
			}
		}
		if dropped > 0 {
			e.collected(dropped, e.counters.now()-began)
		}
		if len(keys) == 0 && !e.untilNext(first) || e.closed.Load() {
			return
		}
	}
}

// collect drops one set if its time is up, and forgets the time otherwise.
func (e *Engine) collect(key string) (dropped bool, err error) {
	tx := &Tx{e: e, write: true, asIs: true}
	_, err = tx.run([]string{key}, func(tx *Tx) error {
		s := tx.sets[0].own.s
		if seeded.Bug("the collector forgets a set that it cannot drop") {
			s = tx.sets[0].s
		}
		if s.expires() == 0 || !s.exists {
			e.expiries.remove(key)
		}
		return nil
	})
	if err == nil && e.store != nil {
		e.snapshotIfDue()
	}
	return tx.logged && err == nil, err
}

// untilNext waits until a set's time may be up; false: the engine is being closed.
func (e *Engine) untilNext(first int64) bool {
	var timer <-chan time.Time
	if first != 0 {
		t := time.NewTimer(expiryBeat)
		defer t.Stop()
		if in := time.UnixMilli(first).Sub(e.clock()); first > 1 && in < expiryBeat {
			t.Reset(max(in, time.Millisecond))
		}
		timer = t.C
	}
	select {
	case <-e.stop:
		return false
	case <-e.expiries.wake:
	case <-timer:
	}
	return true
}

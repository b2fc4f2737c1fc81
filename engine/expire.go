package engine

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
)

// A set may have a time at which it is gone. From then on no transaction sees it, whether it is still there or not; a
// transaction that changes it, and otherwise a goroutine that looks for such sets, drops it as any other commit would.

const (
	expiryBeat = time.Second // how soon a jump of the clock is noticed
)

// expired reports whether a set that exists is one no more. A transaction asks the clock once, and not at all if no set expires.
func (tx *Tx) expired(s *set) bool {
	return s.exists && s.expires() != 0 && s.expiredBy(tx.Now().UnixMilli())
}

// Now returns the time by the engine's clock when the transaction first asked for it, or first met a set that expires. O(1).
func (tx *Tx) Now() time.Time {
	if tx.now.IsZero() {
		tx.now = tx.m.clock()
	}
	return tx.now
}

// vanishAt is writer.ExpireAt.
func (h *handle) vanishAt(at time.Time) (bool, error) {
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

// vanishIn is writer.ExpireIn.
func (h *handle) vanishIn(d time.Duration) (bool, error) { return h.vanishAt(h.tx.Now().Add(d)) }

// persist is writer.Persist.
func (h *handle) persist() (bool, error) {
	if err := h.writable(); err != nil || h.view.Len() == 0 || h.s.expires() == 0 {
		return false, err
	}
	h.expireAt(0)
	return true, nil
}

// expiry is writer.Expiry.
func (h *handle) expiry() (at time.Time, ok bool) {
	ms := h.s.expires()
	if ms == 0 || h.view.Len() == 0 {
		return time.Time{}, false
	}
	return time.UnixMilli(ms), true
}

func (h *handle) expireAt(ms int64) {
	if h.s.expires() != ms {
		h.s.setExpires(ms)
		h.s.version++
	}
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
			tx.m.expiries.remove(c.s.key)
		}
		changed = append(changed, c)
	}
	return changed
}

// schedule tells the collector of sets that vanish at some time.
func (m *manager) schedule(s *set) {
	if at := s.expires(); at != 0 && s.exists {
		m.collector.Do(func() {
			m.life.stopped.Add(1)
			go m.collectExpired()
		})
		m.expiries.add(s.key, at)
	}
}

// collectExpired drops sets whose time is up, until Close, or until the disk has failed.
func (m *manager) collectExpired() {
	defer m.life.stopped.Done()
	for {
		keys, first := m.expiries.take(m.clock().UnixMilli())
		dropped, began := 0, m.counters.now()
		for _, key := range keys {
			was, err := m.collect(key)
			if was {
				dropped++
			}
			if errors.Is(err, ErrClosed) || errors.Is(err, persist.ErrPersistence) {
				return
			}
			if err != nil {
				m.events.tell(Event{Kind: EventExpired, Key: key, Err: err})
				first, keys = 1, nil // look again in a while
				break
			}
		}
		if dropped > 0 {
			m.counters.expired.Add(uint64(dropped))
			m.events.tell(Event{Kind: EventExpired, N: dropped, Duration: m.counters.now() - began})
		}
		if len(keys) == 0 && !m.untilNext(first) || m.life.closed.Load() {
			return
		}
	}
}

// collect drops one set if its time is up, and forgets the time otherwise.
func (m *manager) collect(key string) (dropped bool, err error) {
	tx := m.newTx(write | asIs)
	_, err = m.run(tx, []string{key}, func(tx *Tx) error {
		s := tx.sets[0].own.s
		if seeded.Bug("the collector forgets a set that it cannot drop") {
			s = tx.sets[0].s
		}
		if s.expires() == 0 || !s.exists {
			m.expiries.remove(key)
		}
		return nil
	})
	if err == nil && m.store != nil {
		m.checkpoints.snapshotIfDue()
	}
	return tx.logged && err == nil, err
}

// untilNext waits until a set's time may be up; false: the engine is being closed.
func (m *manager) untilNext(first int64) bool {
	var timer <-chan time.Time
	if first != 0 {
		t := time.NewTimer(expiryBeat)
		defer t.Stop()
		if in := time.UnixMilli(first).Sub(m.clock()); first > 1 && in < expiryBeat {
			t.Reset(max(in, time.Millisecond))
		}
		timer = t.C
	}
	select {
	case <-m.life.stop:
		return false
	case <-m.expiries.wake:
	case <-timer:
	}
	return true
}

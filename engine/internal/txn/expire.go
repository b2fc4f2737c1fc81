package txn

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// A set may have an expiry. From then on no transaction sees it. It is dropped by the next transaction that changes it, or by the
// collector, a goroutine that looks for expired sets.

const (
	ExpiryBeat = time.Second // how soon a jump of the clock is noticed
)

// expired reports whether a set that exists is one no more. A transaction asks the clock once, and not at all if no set expires.
func (tx *Tx) expired(s *keyspace.Set) bool {
	return s.Exists && s.Expires() != 0 && s.ExpiredBy(tx.Now().UnixMilli())
}

// Now returns the time by the engine's clock when the transaction first asked for it, or first met a set that expires. O(1).
func (tx *Tx) Now() time.Time {
	if tx.now.IsZero() {
		tx.now = tx.m.Clock()
	}
	return tx.now
}

// VanishAt is writer.ExpireAt.
func (h *Handle) VanishAt(at time.Time) (bool, error) {
	ms := at.UnixMilli()
	if ms <= 0 || at.After(facts.LastExpiry) {
		return false, ErrTime
	}
	if err := h.writable(); err != nil || h.View.Len() == 0 {
		return false, err
	}
	if at := time.UnixMilli(ms); !h.tx.Now().Before(at) {
		h.replace(facts.LayoutOf(h.View))
		return true, nil
	}
	h.expireAt(ms)
	return true, nil
}

// VanishIn is writer.ExpireIn.
func (h *Handle) VanishIn(d time.Duration) (bool, error) { return h.VanishAt(h.tx.Now().Add(d)) }

// Persist is writer.Persist.
func (h *Handle) Persist() (bool, error) {
	if err := h.writable(); err != nil || h.View.Len() == 0 || h.S.Expires() == 0 {
		return false, err
	}
	h.expireAt(0)
	return true, nil
}

// Expiry is writer.Expiry.
func (h *Handle) Expiry() (at time.Time, ok bool) {
	ms := h.S.Expires()
	if ms == 0 || h.View.Len() == 0 {
		return time.Time{}, false
	}
	return time.UnixMilli(ms), true
}

func (h *Handle) expireAt(ms int64) {
	if h.S.Expires() != ms {
		h.S.SetExpires(ms)
		h.S.Version++
	}
}

// unschedule removes the sets whose expiry, key or existence a commit changes from the index of expiries, and returns them. The caller
// schedules them after all are removed, because one set may have taken another's key.
func (tx *Tx) unschedule() (changed []*pending) {
	for c := range tx.changes {
		at := c.S.Expires()
		if at == 0 && c.expires == 0 {
			continue
		}
		stays := c.S.Exists && c.owner != nil && c.S.Entries.Len() > 0
		if stays && !c.moved() && at == c.expires {
			continue
		}
		if c.expires != 0 {
			tx.m.Expiries.Remove(c.S.Key)
		}
		changed = append(changed, c)
	}
	return changed
}

// Schedule tells the collector of sets that vanish at some time.
func (m *Manager) Schedule(s *keyspace.Set) {
	if at := s.Expires(); at != 0 && s.Exists {
		m.Collector.Do(func() {
			m.Life.Stopped.Add(1)
			go m.collectExpired()
		})
		m.Expiries.Add(s.Key, at)
	}
}

// collectExpired drops sets whose time is up, until Close, or until the disk has failed.
func (m *Manager) collectExpired() {
	defer m.Life.Stopped.Done()
	for {
		keys, first := m.Expiries.Take(m.Clock().UnixMilli())
		dropped, began := 0, m.Counters.Now()
		for _, key := range keys {
			was, err := m.Collect(key)
			if was {
				dropped++
			}
			if errors.Is(err, locks.ErrClosed) || errors.Is(err, persist.ErrPersistence) {
				return
			}
			if err != nil {
				m.Events.Emit(observe.Event{Kind: observe.EventExpired, Key: key, Err: err})
				first, keys = 1, nil // look again in a while
				break
			}
		}
		if dropped > 0 {
			m.Counters.Expired.Add(uint64(dropped))
			m.Events.Emit(observe.Event{Kind: observe.EventExpired, N: dropped, Duration: m.Counters.Now() - began})
		}
		if len(keys) == 0 && !m.untilNext(first) || m.Life.Closed.Load() {
			return
		}
	}
}

// Collect drops one set if its time is up, and forgets the time otherwise.
func (m *Manager) Collect(key string) (dropped bool, err error) {
	tx := m.NewTx(Write | KeepCold)
	_, err = m.Run(tx, []string{key}, func(tx *Tx) error {
		s := tx.sets[0].own.S
		if s.Expires() == 0 || !s.Exists {
			m.Expiries.Remove(key)
		}
		return nil
	})
	if err == nil && m.Store != nil {
		m.Checkpoints.SnapshotIfDue()
	}
	return tx.logged && err == nil, err
}

// untilNext waits until a set's time may be up; false: the engine is being closed.
func (m *Manager) untilNext(first int64) bool {
	var timer <-chan time.Time
	if first != 0 {
		t := time.NewTimer(ExpiryBeat)
		defer t.Stop()
		if in := time.UnixMilli(first).Sub(m.Clock()); first > 1 && in < ExpiryBeat {
			t.Reset(max(in, time.Millisecond))
		}
		timer = t.C
	}
	select {
	case <-m.Life.Stop:
		return false
	case <-m.Expiries.Wake:
	case <-timer:
	}
	return true
}

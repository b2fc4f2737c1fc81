package engine

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
)

// expired reports whether a set exists and has expired. A transaction reads the clock once, and only if one of its sets has an expiry.
func (tx *Tx) expired(s *keyspace.Set) bool {
	return s.Exists && s.Expires() != 0 && s.ExpiredBy(tx.Now().UnixMilli())
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
	if ms <= 0 || at.After(facts.LastExpiry) {
		return false, ErrTime
	}
	if err := h.writable(); err != nil || h.view.Len() == 0 {
		return false, err
	}
	if at := time.UnixMilli(ms); !h.tx.Now().Before(at) {
		h.replace(facts.LayoutOf(h.view))
		return true, nil
	}
	h.expireAt(ms)
	return true, nil
}

// vanishIn is writer.ExpireIn.
func (h *handle) vanishIn(d time.Duration) (bool, error) { return h.vanishAt(h.tx.Now().Add(d)) }

// persist is writer.Persist.
func (h *handle) persist() (bool, error) {
	if err := h.writable(); err != nil || h.view.Len() == 0 || h.S.Expires() == 0 {
		return false, err
	}
	h.expireAt(0)
	return true, nil
}

// expiry is writer.Expiry.
func (h *handle) expiry() (at time.Time, ok bool) {
	ms := h.S.Expires()
	if ms == 0 || h.view.Len() == 0 {
		return time.Time{}, false
	}
	return time.UnixMilli(ms), true
}

func (h *handle) expireAt(ms int64) {
	if h.S.Expires() != ms {
		h.S.SetExpires(ms)
		h.S.Version++
	}
}

// unschedule finds the sets with an expiry, old or new, whose expiry, key or existence the commit changes. It removes them from the
// index of expiries and returns them. The caller calls Schedule for them only after all are removed, because one set may have taken the
// key of another.
func (tx *Tx) unschedule() (changed []*pending) {
	for c := range tx.changes {
		at := c.S.Expires()
		if at == 0 && c.expires == 0 {
			continue
		}
		stays := c.S.Exists && c.owner != nil && !c.empty()
		if stays && !c.moved() && at == c.expires {
			continue
		}
		if c.expires != 0 {
			tx.m.expiries.Remove(c.S.Key)
		}
		changed = append(changed, c)
	}
	return changed
}

// schedule adds a set with an expiry to the index of expiries. The first one starts the collector.
func (m *manager) schedule(s *keyspace.Set) {
	if at := s.Expires(); at != 0 && s.Exists {
		m.collector.Do(func() {
			m.life.Stopped.Add(1)
			go m.collectExpired()
		})
		m.expiries.Add(s.Key, at)
	}
}

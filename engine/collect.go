package engine

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// A set may have an expiry. From that time on no transaction sees the set. The next transaction that changes it drops it, or else the
// collector does, a goroutine that looks for expired sets.

const (
	expiryBeat = time.Second // the collector reads the clock at least this often while a set expires, so that it notices a jump
)

// collectExpired is the collector: it drops expired sets, until Close, or until the disk has failed.
func (m *manager) collectExpired() {
	defer m.life.Stopped.Done()
	for {
		keys, first := m.expiries.Take(m.clock().UnixMilli())
		dropped, began := 0, m.counters.Now()
		for _, key := range keys {
			collected, err := m.collect(key)
			if collected {
				dropped++
			}
			if errors.Is(err, locks.ErrClosed) || errors.Is(err, persist.ErrPersistence) {
				return
			}
			if err != nil {
				m.events.Emit(observe.Event{Kind: observe.EventExpired, Key: key, Err: err})
				first, keys = 1, nil // wait for ExpiryBeat, and try again
				break
			}
		}
		if dropped > 0 {
			m.counters.Expired.Add(uint64(dropped))
			m.events.Emit(observe.Event{Kind: observe.EventExpired, N: dropped, Duration: m.counters.Now() - began})
		}
		if len(keys) == 0 && !m.untilNext(first) || m.life.Closed.Load() {
			return
		}
	}
}

// collect drops the set of a key if it has expired: run replaces it by an empty one. If the set does not expire any more, or does not
// exist, Collect removes the key from the index of expiries.
func (m *manager) collect(key string) (dropped bool, err error) {
	tx := m.newTx(context.Background(), write|keepCold)
	_, err = m.run(tx, []string{key}, func(tx *Tx) error {
		s := tx.sets[0].own.S
		if s.Expires() == 0 || !s.Exists {
			m.expiries.Remove(key)
		}
		return nil
	})
	if err == nil && m.store != nil {
		m.checkpoints.SnapshotIfDue()
	}
	return tx.logged && err == nil, err
}

// untilNext waits until a set may have expired: first is the next expiry, 0 for none. It returns false if the engine is being closed.
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
	case <-m.life.Stop:
		return false
	case <-m.expiries.Wake:
	case <-timer:
	}
	return true
}

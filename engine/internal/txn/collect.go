package txn

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
	ExpiryBeat = time.Second // the collector reads the clock at least this often while a set expires, so that it notices a jump
)

// collectExpired is the collector: it drops expired sets, until Close, or until the disk has failed.
func (m *Manager) collectExpired() {
	defer m.Life.Stopped.Done()
	for {
		keys, first := m.Expiries.Take(m.Clock().UnixMilli())
		dropped, began := 0, m.Counters.Now()
		for _, key := range keys {
			collected, err := m.Collect(key)
			if collected {
				dropped++
			}
			if errors.Is(err, locks.ErrClosed) || errors.Is(err, persist.ErrPersistence) {
				return
			}
			if err != nil {
				m.Events.Emit(observe.Event{Kind: observe.EventExpired, Key: key, Err: err})
				first, keys = 1, nil // wait for ExpiryBeat, and try again
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

// Collect drops the set of a key if it has expired: Run replaces it by an empty one. If the set does not expire any more, or does not
// exist, Collect removes the key from the index of expiries.
func (m *Manager) Collect(key string) (dropped bool, err error) {
	tx := m.NewTx(context.Background(), Write|KeepCold)
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

// untilNext waits until a set may have expired: first is the next expiry, 0 for none. It returns false if the engine is being closed.
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

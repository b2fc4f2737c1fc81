package txn

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// A set may have an expiry. From then on no transaction sees it. It is dropped by the next transaction that changes it, or by the
// collector, a goroutine that looks for expired sets.

const (
	ExpiryBeat = time.Second // how soon a jump of the clock is noticed
)

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

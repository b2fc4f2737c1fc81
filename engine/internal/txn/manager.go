package txn

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/engine/internal/private"
	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/persist"
)

// Manager runs transactions.
type Manager struct {
	Life        *lifetime.Lifetime
	Clock       func() time.Time
	Events      *observe.Dispatcher
	Counters    *observe.Counters
	Slow        *observe.SlowCalls
	Locks       *locks.Table
	Keys        *keyspace.Keyspace
	Checkpoints *checkpoint.Manager
	Residency   *residency.Manager
	Store       *persist.Store  // nil: memory only
	Numbers     *persist.MemLog // numbers the commits in memory only
	Private     private.Keys
	Waiters     *waitqueue.Queue
	Expiries    *keyspace.Expiries
	Collector   sync.Once // starts the goroutine that drops sets whose time is up
	Pressure    *residency.Pressure

	MaxSets   int           // 0: any number
	MaxMemory int64         // that sets may take in memory only; 0: any. With a store it is accounts.limit
	emptied   atomic.Uint64 // the last commit that left a set without members
}

// Mode says what a transaction may do.
type Mode uint8

const (
	Write    Mode = 1 << iota // change its sets
	KeepCold                  // leave sets that are on the disk only there: it may drop them, and cannot look at them
	Owning                    // change reserved keys
)

// NewTx returns a transaction that is about to begin.
func (m *Manager) NewTx(how Mode) *Tx {
	return &Tx{m: m, write: how&Write != 0, asIs: how&KeepCold != 0, owner: how&Owning != 0}
}

// UpdateAnd runs and counts a transaction that changes things; then is part of it.
func (m *Manager) UpdateAnd(tx *Tx, keys []string, fn func(*Tx) error, then func(seq uint64) error) (seq uint64, err error) {
	if err := tx.m.Locks.MayBegin(&tx.closure); err != nil {
		return 0, err
	}
	tx.began = m.Counters.Now()
	if seq, err = m.Run(tx, keys, fn); err == nil {
		err = then(seq)
	}
	took := m.Counters.Now() - tx.began
	m.Counters.Mine().Updates.Add(took)
	m.Slow.Report(observe.Event{Op: "update", Duration: took, Err: err}, keys)
	return seq, err
}

// Acknowledge waits for a commit to be durable.
func (m *Manager) Acknowledge(seq uint64) error {
	if seq == 0 || m.Store == nil {
		return nil
	}
	if err := m.Store.Wait(seq); err != nil {
		return locks.ClosedError(err)
	}
	return m.Passed(seq)
}

// Passed starts what is due in the background after a commit.
func (m *Manager) Passed(seq uint64) error {
	if seq > 0 && m.Store != nil {
		m.Checkpoints.SnapshotIfDue()
		m.Residency.EvictIfDue()
	}
	return nil
}

// LastSeq returns the number of the last commit.
func (m *Manager) LastSeq() uint64 {
	if m.Store != nil {
		return m.Store.LastSeq()
	}
	return m.Numbers.LastSeq()
}

// LockOne runs fn with one key locked for writing. fn must not change the set.
func (m *Manager) LockOne(key string, fn func(*Handle) error) error {
	tx := m.NewTx(Write)
	if err := tx.begin([]string{key}); err != nil {
		return err
	}
	defer tx.end()
	return fn(tx.sets[0])
}

// Inside runs fn as in a closure: calls of the engine in it get ErrInTx.
func (m *Manager) Inside(fn func()) {
	if m.Locks.InTx() {
		fn()
		return
	}
	tx := m.NewTx(0)
	m.Locks.Running.Enter(&tx.closure, (*held)(tx))
	defer m.Locks.Running.Leave(&tx.closure)
	fn()
}

// AsOwner runs fn, which may change reserved keys in a transaction. It returns false, and does not run it, if the transaction is another manager's.
func (m *Manager) AsOwner(tx *Tx, fn func()) bool {
	if tx.m != m {
		return false
	}
	was := tx.owner
	tx.owner = true
	defer func() { tx.owner = was }()
	fn()
	return true
}

package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
)

// manager runs transactions.
type manager struct {
	life        *lifetime
	clock       func() time.Time
	events      *events
	counters    *counters
	slow        *slowCalls
	locks       *locks
	keys        *keyspace
	checkpoints *checkpoints
	residency   *residency
	store       *persist.Store  // nil: memory only
	numbers     *persist.MemLog // numbers the commits in memory only
	private     private
	waiters     *waiters
	expiries    *expiries
	collector   sync.Once // starts the goroutine that drops sets whose time is up
	pressure    *pressure

	maxSets   int           // 0: any number
	maxMemory int64         // that sets may take in memory only; 0: any. With a store it is accounts.limit
	emptied   atomic.Uint64 // the last commit that left a set without members
}

// mode says what a transaction may do.
type mode uint8

const (
	write  mode = 1 << iota // change its sets
	asIs                    // leave sets that are on the disk only there: it may drop them, and cannot look at them
	owning                  // change reserved keys
)

// newTx returns a transaction that is about to begin.
func (m *manager) newTx(how mode) *Tx {
	return &Tx{m: m, write: how&write != 0, asIs: how&asIs != 0, owner: how&owning != 0}
}

// updateAnd runs and counts a transaction that changes things; then is part of it.
func (m *manager) updateAnd(tx *Tx, keys []string, fn func(*Tx) error, then func(seq uint64) error) (seq uint64, err error) {
	if err := tx.m.locks.mayBegin(&tx.closure); err != nil {
		return 0, err
	}
	tx.began = m.counters.now()
	if seq, err = m.run(tx, keys, fn); err == nil {
		err = then(seq)
	}
	took := m.counters.now() - tx.began
	m.counters.mine().updates.add(took)
	m.slow.report(Event{Op: "update", Duration: took, Err: err}, keys)
	return seq, err
}

// acknowledge waits for a commit to be durable.
func (m *manager) acknowledge(seq uint64) error {
	if seq == 0 || m.store == nil {
		return nil
	}
	if seeded.Bug("reply before the log is flushed") {
		return nil
	}
	if err := m.store.Wait(seq); err != nil {
		return closedError(err)
	}
	return m.passed(seq)
}

// passed starts what is due in the background after a commit.
func (m *manager) passed(seq uint64) error {
	if seq > 0 && m.store != nil {
		m.checkpoints.snapshotIfDue()
		m.residency.evictIfDue()
	}
	return nil
}

// lastSeq returns the number of the last commit.
func (m *manager) lastSeq() uint64 {
	if m.store != nil {
		return m.store.LastSeq()
	}
	return m.numbers.LastSeq()
}

// lockOne runs fn with one key locked for writing. fn must not change the set.
func (m *manager) lockOne(key string, fn func(*handle) error) error {
	tx := m.newTx(write)
	if err := tx.begin([]string{key}); err != nil {
		return err
	}
	defer tx.end()
	return fn(tx.sets[0])
}

// inside runs fn as in a closure: calls of the engine in it get ErrInTx.
func (m *manager) inside(fn func()) {
	if m.locks.inTx() {
		fn()
		return
	}
	tx := m.newTx(0)
	m.locks.running.enter(&tx.closure, (*held)(tx))
	defer m.locks.running.leave(&tx.closure)
	fn()
}

// asOwner runs fn, which may change reserved keys in a transaction. It returns false, and does not run it, if the transaction is another manager's.
func (m *manager) asOwner(tx *Tx, fn func()) bool {
	if tx.m != m {
		return false
	}
	was := tx.owner
	tx.owner = true
	defer func() { tx.owner = was }()
	fn()
	return true
}

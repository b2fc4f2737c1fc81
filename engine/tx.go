package engine

import (
	"bytes"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
)

// Tx is a transaction. It is for the closure that it is given to, in that goroutine only.
type Tx struct {
	e       *Engine
	sets    []*handle     // in order of keys, locked
	adopted *sync.RWMutex // the lock of a set that was staged, of which a transaction adopts one
	made    []*pending    // sets that the transaction has made in the place of others, locked too
	now     time.Time     // zero: nobody has asked yet
	write   bool
	asIs    bool // sets on the disk only stay there: they may be dropped, and not looked at
	done    bool
	logged  bool        // it has changed something
	owner   bool        // it may change reserved keys
	holds   atomic.Bool // e.private.mu; written by the closure's goroutine
	private map[string]privateValue

	began time.Duration // when the call began, by counters.now; 0: nobody has asked

	// While the closure runs. See running.
	goroutine int64    // that runs it; 0: nobody has asked yet
	place     int32    // where running has it, from 1; inCrowd: there; 0: its closure does not run
	one       struct { // room for sets of one key, which most transactions name
		handle handle
		list   [1]*handle
	}
}

// Update runs fn as one transaction over the sets with the given keys and over private keys, and returns when its commit is
// as durable as Options.Durability says. Sets whose keys are not named cannot be used. If fn returns an error or panics,
// nothing has changed. fn runs with the sets locked: it should be short, and works with the Tx alone. What it calls of the engine, of
// boards or the like gets ErrInTx, which is an error to mend in the program. O(keys log keys).
//
// Errors: that of fn, ErrClosed, ErrInTx, ErrCorrupt if a set cannot be read, ErrKeyTooLong, ErrTooManyKeys, ErrTooManySets and
// ErrMemoryLimit (see Options), ErrTooLarge if the transaction changes more than MaxTransaction,
// ErrDiskFull while there is hardly any free space, ErrStalled while the disk does not answer, ErrPersistence if it has
// failed. After ErrStalled and ErrPersistence the commit may or may not be there when the engine is opened again: all of it or
// nothing.
func (e *Engine) Update(keys []string, fn func(*Tx) error) error {
	return e.update(&Tx{e: e, write: true}, keys, fn)
}

func (e *Engine) update(tx *Tx, keys []string, fn func(*Tx) error) error {
	_, err := e.updateAnd(tx, keys, fn, e.acknowledge)
	return err
}

// run is Update up to the commit's place in the log.
func (tx *Tx) run(keys []string, fn func(*Tx) error) (seq uint64, err error) {
	if err := tx.begin(keys); err != nil {
		return 0, err
	}
	committed := false
	defer func() {
		tx.e.counted(tx, committed)
		if !committed && !seeded.Bug("a transaction that fails is not rolled back") {
			tx.rollback()
		}
		tx.end()
	}()
	tx.e.running.enter(tx)
	if err := fn(tx); err != nil {
		return 0, err
	}
	if seq, err = tx.commit(); err != nil {
		return 0, tx.e.closedError(err)
	}
	committed = true
	tx.serve()
	return seq, nil
}

// View runs fn on a consistent view of the sets with the given keys and of private keys. fn must not keep what it
// reads without copying, and gets ErrInTx from calls of the engine, as in Update. O(keys log keys). Errors: that of fn, ErrClosed, ErrInTx, ErrKeyTooLong,
// ErrTooManyKeys, ErrCorrupt if a set cannot be read.
func (e *Engine) View(keys []string, fn func(*Tx) error) error {
	return e.view(&Tx{e: e}, keys, fn)
}

func (e *Engine) view(tx *Tx, keys []string, fn func(*Tx) error) error {
	if err := tx.mayBegin(); err != nil {
		return err
	}
	if !sampled() {
		return tx.look(keys, fn)
	}
	tx.began = e.counters.now()
	err := tx.look(keys, fn)
	e.viewed(keys, e.counters.now()-tx.began, err)
	return err
}

// look is a View.
func (tx *Tx) look(keys []string, fn func(*Tx) error) error {
	if err := tx.begin(keys); err != nil {
		return err
	}
	defer tx.end()
	tx.e.running.enter(tx)
	return fn(tx)
}

// inOrder returns the keys sorted, each once: the same slice if they are.
func inOrder(keys []string) []string {
	for i := 1; i < len(keys); i++ {
		if keys[i-1] >= keys[i] {
			sorted := slices.Clone(keys)
			slices.Sort(sorted)
			return slices.Compact(sorted)
		}
	}
	return keys
}

// begin locks the sets of a transaction, all of them in memory. Those on the disk only are read while nothing is locked, and
// pins keep those in memory that are there.
func (tx *Tx) begin(keys []string) error {
	keys = inOrder(keys)
	if err := keysAllowed(keys); err != nil {
		return err
	}
	cold := tx.lock(keys)
	if cold == nil {
		return nil
	}
	var pinned []*set
	defer func() {
		for _, s := range pinned {
			s.pins.Add(-1)
		}
	}()
	for ; cold != nil; cold = tx.lock(keys) {
		for _, s := range tx.sets {
			s.own.s.pins.Add(1)
			pinned = append(pinned, s.own.s)
		}
		tx.unlock()
		if !seeded.Bug("a transaction that waits for a set keeps its time") {
			tx.now = time.Time{} // it sees its sets when all are locked, and others may see one vanish before that
		}
		if err := tx.e.loadAll(cold); err != nil {
			return err
		}
	}
	return nil
}

// lock locks the sets with the given keys, making those that are not there, and returns those on the disk only. Sets that do
// not exist are locked for a View too: if one could appear while the others are being locked, the View would see half of the
// commit that made it. A set whose time is up is one that does not exist: to an Update another stands in its place.
func (tx *Tx) lock(keys []string) (cold []*set) {
	tx.lockOnly(keys)
	for _, x := range tx.sets {
		switch s := x.s; {
		case tx.expired(s):
			if !tx.write {
				x.pending = &nothing
				x.show(empty.View())
			}
		case s.cold() && tx.asIs:
		case s.cold():
			cold = append(cold, s)
		case tx.write:
		case s.z != nil && s.exists:
			x.show(s.z.View())
		default:
			x.show(empty.View())
		}
	}
	if cold != nil || !tx.write {
		return cold
	}
	for _, x := range tx.sets {
		if tx.expired(x.s) && !seeded.Bug("an expired set is not dropped before its key is used again") {
			x.replace(form{})
		}
	}
	return nil
}

// lockOnly locks the sets with the given keys, making those that are not there.
func (tx *Tx) lockOnly(keys []string) {
	tx.makeHandles(len(keys))
	for i, key := range keys {
		s, m := tx.lockKey(keys, i)
		if !tx.asIs {
			tx.e.touch(s)
		}
		tx.sets[i].init(tx, key, s, m)
	}
}

// makeHandles gives the transaction handles of so many keys.
func (tx *Tx) makeHandles(n int) {
	tx.made = nil
	if n == 1 {
		tx.one.list[0] = &tx.one.handle
		tx.sets = tx.one.list[:]
		return
	}
	tx.sets = make([]*handle, n)
	handles := make([]handle, n)
	for i := range handles {
		tx.sets[i] = &handles[i]
	}
}

// init notes what the transaction knows of a set that it has locked.
func (h *handle) init(tx *Tx, key string, s *set, m *sync.RWMutex) {
	*h = handle{tx: tx, key: key, lock: m, own: pending{s: s, owner: h, version: s.version, expires: s.expires(), sum: s.digest().sum}}
	h.floats.handle, h.ints.handle = h, h
	h.pending = &h.own
}

// lockKey locks one of the keys, when those before it are locked, and returns its set and the lock.
func (tx *Tx) lockKey(keys []string, i int) (*set, *sync.RWMutex) {
	key := keys[i]
	for {
		s, m := tx.e.keys.obtain(key)
		if !tx.e.lockSoon(m, tx.write) {
			(&lockWait{e: tx.e, lock: m, op: tx.op(), key: key, keys: keys, has: tx.sets[:i]}).wait(tx.write)
		}
		if s.mu.of.Load() == m && s.is(key) {
			return s, m
		}
		if tx.write {
			m.Unlock()
		} else {
			m.RUnlock()
		}
	}
}

// end ends the transaction.
func (tx *Tx) end() {
	tx.done = true
	tx.e.running.leave(tx)
	tx.unlock()
}

// unlock unlocks the sets. Those that do not exist leave the keyspace.
func (tx *Tx) unlock() {
	if !tx.write {
		tx.runlock()
		return
	}
	if tx.holds.Load() {
		tx.e.private.mu.Unlock()
	}
	for c := range tx.changes {
		tx.release(c.s)
		c.touched.forget()
	}
	for _, s := range tx.sets {
		s.lock.Unlock()
	}
	if tx.adopted != nil {
		tx.adopted.Unlock()
	}
}

// release counts a set as it is now, and takes it out of the keyspace if it does not exist. Its lock is held.
func (tx *Tx) release(s *set) {
	if !s.exists && !s.gone {
		tx.e.keys.remove(s)
	}
	tx.e.account(s)
	s.slim()
}

// runlock is unlock of a View. Taking a set out needs its lock for writing, which is waited for when no other is held.
func (tx *Tx) runlock() {
	if tx.holds.Load() {
		tx.e.private.mu.RUnlock()
	}
	var absent []*set
	for _, x := range tx.sets {
		if s := x.own.s; !s.exists {
			absent = append(absent, s)
		}
		x.lock.RUnlock()
	}
	for _, s := range absent {
		tx.e.lockSet(s, "view", "")
		if !s.exists && !s.gone {
			tx.e.keys.remove(s)
		}
		s.mu.Unlock()
	}
}

// rollback takes back what the transaction has changed in memory.
func (tx *Tx) rollback() {
	for _, s := range tx.sets {
		s.own.rollback()
	}
}

// holdPrivate takes the lock of the private keys, once.
func (tx *Tx) holdPrivate() error {
	if tx.done {
		return ErrTxDone
	}
	if tx.holds.Load() {
		return nil
	}
	if m := &tx.e.private.mu; !tx.e.lockSoon(m, tx.write) {
		(&lockWait{e: tx.e, lock: m, op: tx.op(), private: true, has: tx.sets, own: tx}).wait(tx.write)
	}
	tx.holds.Store(true)
	return nil
}

// Get returns a copy of the value of a private key, and false if there is none. Errors: ErrTxDone, those of the store.
func (tx *Tx) Get(key string) (value []byte, ok bool, err error) {
	if err := tx.holdPrivate(); err != nil {
		return nil, false, err
	}
	if v, ok := tx.private[key]; ok {
		return bytes.Clone(v.value), !v.deleted, nil
	}
	value, ok, err = tx.e.private.get(key)
	return value, ok, tx.e.closedError(err)
}

// Put gives a private key a value, which is copied. It commits with the transaction. Errors: ErrReadOnly, ErrTxDone, ErrKeyTooLong,
// ErrReserved.
func (tx *Tx) Put(key string, value []byte) error {
	return tx.setPrivate(key, privateValue{value: append([]byte{}, value...)})
}

// Delete deletes a private key. It commits with the transaction. Errors: ErrReadOnly, ErrTxDone, ErrKeyTooLong, ErrReserved.
func (tx *Tx) Delete(key string) error {
	return tx.setPrivate(key, privateValue{deleted: true})
}

func (tx *Tx) setPrivate(key string, v privateValue) error {
	if !tx.write && !tx.done {
		return ErrReadOnly
	}
	if err := keyAllowed(key); err != nil {
		return err
	}
	if err := tx.holdPrivate(); err != nil {
		return err
	}
	if !tx.owner && Reserved(key) {
		return reservedError(key)
	}
	if tx.private == nil {
		tx.private = map[string]privateValue{}
	}
	tx.private[key] = v
	return nil
}

// Scan walks the private keys with a prefix, in order, with copies of their values. The transaction must not change private
// keys meanwhile. A walk that fails yields the error and ends. O(keys with the prefix).
func (tx *Tx) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		if err := tx.holdPrivate(); err != nil {
			yield(persist.KV{}, err)
			return
		}
		for kv, err := range tx.e.private.scan(prefix, tx.private) {
			if !yield(kv, tx.e.closedError(err)) || err != nil {
				return
			}
		}
	}
}

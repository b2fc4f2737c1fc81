package txn

import (
	"bytes"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/engine/internal/private"
	"github.com/zrankdb/zrank/persist"
)

// Tx is a transaction. It is for the closure that it is given to, in that goroutine only.
type Tx struct {
	m       *Manager
	sets    []*Handle     // in order of keys, locked
	adopted *sync.RWMutex // the lock of a set that was staged, of which a transaction adopts one
	made    []*pending    // sets that the transaction has made in the place of others, locked too
	now     time.Time     // zero until the transaction asks for it
	write   bool
	asIs    bool // sets on the disk only stay there: they may be dropped, and not looked at
	done    bool
	logged  bool        // it has changed something
	owner   bool        // it may change reserved keys
	holds   atomic.Bool // it has the lock of the private keys; written by the closure's goroutine
	private map[string]private.Value

	began time.Duration // when the call began, by Counters.Now; 0: not measured

	closure locks.Closure
	one     struct { // room for sets of one key, which most transactions name
		handle Handle
		list   [1]*Handle
	}
}

// Update is Engine.Update.
func (m *Manager) Update(how Mode, keys []string, fn func(*Tx) error) error {
	_, err := m.UpdateAnd(m.NewTx(how|Write), keys, fn, m.Acknowledge)
	return err
}

// Run is Update up to the commit's place in the log.
func (m *Manager) Run(tx *Tx, keys []string, fn func(*Tx) error) (seq uint64, err error) {
	if err := tx.begin(keys); err != nil {
		return 0, err
	}
	committed := false
	defer func() {
		tx.counted(committed)
		if !committed {
			tx.rollback()
		}
		tx.end()
	}()
	tx.m.Locks.Running.Enter(&tx.closure, (*held)(tx))
	if err := fn(tx); err != nil {
		return 0, err
	}
	if seq, err = tx.commit(); err != nil {
		return 0, locks.ClosedError(err)
	}
	committed = true
	tx.serve()
	return seq, nil
}

// View is Engine.View.
func (m *Manager) View(how Mode, keys []string, fn func(*Tx) error) error {
	tx := m.NewTx(how)
	if err := tx.m.Locks.MayBegin(&tx.closure); err != nil {
		return err
	}
	if !observe.Sampled() {
		return tx.look(keys, fn)
	}
	tx.began = m.Counters.Now()
	err := tx.look(keys, fn)
	took := m.Counters.Now() - tx.began
	m.Counters.Mine().Views.Add(took)
	m.Slow.Report(observe.Event{Op: "view", Duration: took, Err: err}, keys)
	return err
}

// look is a View.
func (tx *Tx) look(keys []string, fn func(*Tx) error) error {
	if err := tx.begin(keys); err != nil {
		return err
	}
	defer tx.end()
	tx.m.Locks.Running.Enter(&tx.closure, (*held)(tx))
	return fn(tx)
}

// InOrder returns the keys sorted and without duplicates. It returns the same slice if it is so already.
func InOrder(keys []string) []string {
	for i := 1; i < len(keys); i++ {
		if keys[i-1] >= keys[i] {
			sorted := slices.Clone(keys)
			slices.Sort(sorted)
			return slices.Compact(sorted)
		}
	}
	return keys
}

// begin locks the sets of a transaction and makes sure that all are in memory. Sets on the disk only are read while nothing is locked;
// the others are pinned meanwhile.
func (tx *Tx) begin(keys []string) error {
	keys = InOrder(keys)
	if err := keysAllowed(keys); err != nil {
		return err
	}
	cold := tx.lock(keys)
	if cold == nil {
		return nil
	}
	var pinned []*keyspace.Set
	defer func() {
		for _, s := range pinned {
			s.Pins.Add(-1)
		}
	}()
	for ; cold != nil; cold = tx.lock(keys) {
		for _, s := range tx.sets {
			s.own.S.Pins.Add(1)
			pinned = append(pinned, s.own.S)
		}
		tx.unlock()
		tx.now = time.Time{} // it sees its sets when all are locked, and others may see one vanish before that
		if err := tx.m.Residency.LoadAll(cold); err != nil {
			return err
		}
	}
	return nil
}

// lock locks the sets of the keys, creates missing ones, and returns those that are on the disk only. A View locks sets that do not exist
// too: if one appeared while the View locks the others, it would see half of the commit that made it. An expired set counts as
// missing: an Update replaces it.
func (tx *Tx) lock(keys []string) (cold []*keyspace.Set) {
	tx.lockOnly(keys)
	for _, x := range tx.sets {
		switch s := x.S; {
		case tx.expired(s):
			if !tx.write {
				x.pending = &nothing
				x.show(Empty.View())
			}
		case s.Cold() && tx.asIs:
		case s.Cold():
			cold = append(cold, s)
		case tx.write:
		case s.Entries != nil && s.Exists:
			x.show(s.Entries.View())
		default:
			x.show(Empty.View())
		}
	}
	if cold != nil || !tx.write {
		return cold
	}
	for _, x := range tx.sets {
		if tx.expired(x.S) {
			x.replace(facts.Layout{})
		}
	}
	return nil
}

// lockOnly locks the sets of the keys, and creates missing ones.
func (tx *Tx) lockOnly(keys []string) {
	tx.makeHandles(len(keys))
	for i, key := range keys {
		s, m := tx.lockKey(keys, i)
		if !tx.asIs {
			tx.m.Keys.Accounts.Touch(s)
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
	tx.sets = make([]*Handle, n)
	handles := make([]Handle, n)
	for i := range handles {
		tx.sets[i] = &handles[i]
	}
}

// init sets up the handle of a set that the transaction has locked.
func (h *Handle) init(tx *Tx, key string, s *keyspace.Set, m *sync.RWMutex) {
	*h = Handle{tx: tx, key: key, lock: m, own: pending{S: s, owner: h, version: s.Version, expires: s.Expires(), sum: s.Digest().Sum}}
	h.Floats.h, h.Ints.h = h, h
	h.pending = &h.own
}

// lockKey locks one of the keys, when those before it are locked, and returns its set and the lock.
func (tx *Tx) lockKey(keys []string, i int) (*keyspace.Set, *sync.RWMutex) {
	key := keys[i]
	for {
		s, m := tx.m.Keys.Obtain(key)
		if !tx.m.Locks.LockSoon(m, tx.write) {
			tx.m.Locks.Wait(m, tx.write, &locks.Wait{Op: tx.op(), Key: key, Keys: keys, Has: handles(tx.sets[:i]).find})
		}
		if s.Mu.Of.Load() == m && s.Is(key) {
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
	tx.m.Locks.Running.Leave(&tx.closure)
	tx.unlock()
}

// unlock unlocks the sets. Those that do not exist leave the keyspace.
func (tx *Tx) unlock() {
	if !tx.write {
		tx.runlock()
		return
	}
	if tx.holds.Load() {
		tx.m.Private.Mu.Unlock()
	}
	for c := range tx.changes {
		tx.release(c.S)
		c.undo.Release()
	}
	for _, s := range tx.sets {
		s.lock.Unlock()
	}
	if tx.adopted != nil {
		tx.adopted.Unlock()
	}
}

// release updates the accounts of a set, and removes it from the keyspace if it does not exist. The caller holds its lock.
func (tx *Tx) release(s *keyspace.Set) {
	if !s.Exists && !s.Gone {
		tx.m.Keys.Remove(s)
	}
	tx.m.Keys.Accounts.Account(s)
	s.Slim()
}

// runlock is unlock for a View. Removing a set needs its lock for writing; runlock waits for it when it holds no other lock.
func (tx *Tx) runlock() {
	if tx.holds.Load() {
		tx.m.Private.Mu.RUnlock()
	}
	var absent []*keyspace.Set
	for _, x := range tx.sets {
		if s := x.own.S; !s.Exists {
			absent = append(absent, s)
		}
		x.lock.RUnlock()
	}
	for _, s := range absent {
		tx.m.Locks.Lock(&s.Mu, "view", "")
		if !s.Exists && !s.Gone {
			tx.m.Keys.Remove(s)
		}
		s.Mu.Unlock()
	}
}

// rollback undoes the changes of the transaction in memory.
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
	if m := &tx.m.Private.Mu; !tx.m.Locks.LockSoon(m, tx.write) {
		tx.m.Locks.Wait(m, tx.write, &locks.Wait{Op: tx.op(), Private: true, Keys: handles(tx.sets).keys(), Own: (*held)(tx)})
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
		return bytes.Clone(v.Value), !v.Deleted, nil
	}
	value, ok, err = tx.m.Private.Get(key)
	return value, ok, locks.ClosedError(err)
}

// Put gives a private key a value, which is copied. It commits with the transaction. Errors: ErrReadOnly, ErrTxDone, ErrKeyTooLong,
// ErrReserved.
func (tx *Tx) Put(key string, value []byte) error {
	return tx.setPrivate(key, private.Value{Value: append([]byte{}, value...)})
}

// Delete deletes a private key. It commits with the transaction. Errors: ErrReadOnly, ErrTxDone, ErrKeyTooLong, ErrReserved.
func (tx *Tx) Delete(key string) error {
	return tx.setPrivate(key, private.Value{Deleted: true})
}

func (tx *Tx) setPrivate(key string, v private.Value) error {
	if !tx.write && !tx.done {
		return ErrReadOnly
	}
	if err := keyAllowed(key); err != nil {
		return err
	}
	if err := tx.holdPrivate(); err != nil {
		return err
	}
	if !tx.owner && facts.Reserved(key) {
		return facts.ReservedError(key)
	}
	if tx.private == nil {
		tx.private = map[string]private.Value{}
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
		for kv, err := range tx.m.Private.Scan(prefix, tx.private) {
			if !yield(kv, locks.ClosedError(err)) || err != nil {
				return
			}
		}
	}
}

// counted counts how a transaction has ended.
func (tx *Tx) counted(committed bool) {
	s := tx.m.Counters.Mine()
	switch {
	case !committed:
		s.RolledBack.Add(1)
	case tx.logged:
		s.Commits.Add(1)
	}
}

package engine

import (
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// run runs an Update until its commit has a place in the log. It does not wait for the disk.
func (m *manager) run(tx *Tx, keys []string, fn func(*Tx) error) (seq uint64, err error) {
	seq, err = tx.runUpdate(keys, fn)
	for runs := 1; tx.again != nil; runs++ {
		if tx, keys, err = tx.anew(runs); err != nil {
			return 0, err
		}
		seq, err = tx.runUpdate(keys, fn)
	}
	return seq, err
}

func (tx *Tx) runUpdate(keys []string, fn func(*Tx) error) (seq uint64, err error) {
	if err := tx.begin(keys); err != nil {
		return 0, err
	}
	committed := false
	defer func() {
		tx.counted(committed)
		if !committed {
			tx.rollback()
		}
		tx.ended(committed)
		tx.end()
	}()
	tx.m.locks.Running.Enter(&tx.closure, (*held)(tx))
	if err := tx.lockKnown(); err != nil {
		return 0, err
	}
	if err := fn(tx); err != nil || tx.again != nil {
		return 0, err
	}
	if seq, err = tx.commit(); err != nil {
		return 0, locks.ClosedError(err)
	}
	committed = true
	tx.serve()
	return seq, nil
}

// runView runs a View.
func (tx *Tx) runView(keys []string, fn func(*Tx) error) error {
	err := tx.runViewOnce(keys, fn)
	for runs := 1; tx.again != nil; runs++ {
		if tx, keys, err = tx.anew(runs); err != nil {
			return err
		}
		err = tx.runViewOnce(keys, fn)
	}
	return err
}

func (tx *Tx) runViewOnce(keys []string, fn func(*Tx) error) error {
	if err := tx.begin(keys); err != nil {
		return err
	}
	defer tx.end()
	tx.m.locks.Running.Enter(&tx.closure, (*held)(tx))
	if err := tx.lockKnown(); err != nil {
		return err
	}
	return fn(tx)
}

// inOrder returns the keys sorted and without duplicates. It returns the same slice if its keys are so already.
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

// begin locks the sets of a transaction and makes sure that all are in memory, except those for blind writes. An Update first waits while the sets in memory take more than the
// limit. Until all is locked, the end of the transaction's context ends the wait. begin loads sets while nothing is locked. All sets are pinned from when there is room to load them until they are locked. They are not
// pinned while it waits for room: if those that wait pinned sets, no set might be left that can make room.
func (tx *Tx) begin(keys []string) error {
	keys = inOrder(keys)
	if err := keysAllowed(keys); err != nil {
		return err
	}
	if tx.write && !tx.asIs {
		if err := tx.m.residency.Room.Admit(tx.ctx, keys, &tx.pass); err != nil {
			return err
		}
	}
	var pinned []*keyspace.Set
	for {
		cold, err := tx.lock(keys)
		tx.m.residency.Unpin(pinned)
		if err != nil {
			tx.m.residency.Room.Release(&tx.pass)
			return err
		}
		if !cold {
			return tx.lookUp()
		}
		wants := tx.wants()
		tx.unlock()
		tx.now = time.Time{} // read the clock again when all sets are locked: other transactions may see one of them expire before
		reserved, err := tx.m.residency.Reserve(tx.ctx, wants, tx.write, &tx.pass)
		if pinned = nil; err == nil {
			pinned = wants
			err = tx.m.residency.LoadAll(wants, reserved)
		}
		if err != nil {
			tx.m.residency.Unpin(pinned)
			tx.m.residency.Room.Release(&tx.pass)
			return err
		}
	}
}

// wants returns the sets that the transaction needs in memory. They are locked.
func (tx *Tx) wants() (sets []*keyspace.Set) {
	for _, x := range tx.sets {
		if s := x.own.S; !s.Cold() || !tx.expired(s) && !x.unread() {
			sets = append(sets, s)
		}
	}
	return sets
}

// lock locks the sets of the keys, creates missing ones, and reports whether one must be loaded. A View locks sets that do not exist
// too: if one appeared while the View locks the others, it would see half of the commit that made it. An expired set counts as
// missing: an Update replaces it. After an error nothing is locked.
func (tx *Tx) lock(keys []string) (cold bool, err error) {
	if err := tx.lockOnly(keys); err != nil {
		return false, err
	}
	for _, x := range tx.sets {
		cold = tx.look(x) || cold
	}
	if cold || !tx.write {
		return cold, nil
	}
	for _, x := range tx.sets {
		if tx.expired(x.S) {
			x.replace(facts.Layout{})
		}
	}
	return false, nil
}

// look shows a View the set that it has locked, and reports whether a set that the transaction needs in memory is on the disk only.
func (tx *Tx) look(x *handle) (cold bool) {
	switch s := x.S; {
	case tx.expired(s):
		if !tx.write {
			x.pending = &nothing
			x.show(empty.View())
		}
	case s.Cold():
		return !tx.asIs && !x.unread()
	case tx.write:
	case s.Entries != nil && s.Exists:
		x.show(tx.viewOf(s))
	default:
		x.show(empty.View())
	}
	return false
}

// lockOnly locks the sets of the keys, and creates missing ones. After an error nothing is locked.
func (tx *Tx) lockOnly(keys []string) error {
	tx.makeHandles(len(keys))
	for i, key := range keys {
		s, l, err := tx.lockKey(keys, i)
		if err != nil {
			tx.sets = tx.sets[:i]
			tx.unlock()
			tx.sets = nil
			return err
		}
		h := tx.sets[i]
		h.init(tx, key, s, l)
		if !tx.asIs && !h.named {
			tx.m.keys.Accounts.Touch(s)
		}
	}
	return nil
}

// lockKey locks one of the keys, when those before it are locked, and returns its set and the lock. Error: the cause of a context that has ended.
func (tx *Tx) lockKey(keys []string, i int) (s *keyspace.Set, l *locks.Lock, err error) {
	key := keys[i]
	for {
		s, l = tx.m.keys.Obtain(key)
		if tx.brief {
			err = tx.lockGuest(l, keys)
		} else if !tx.m.locks.LockSoon(tx.ctx, &l.Mutex, tx.write) {
			err = tx.m.locks.Wait(tx.ctx, &l.Mutex, tx.write, &locks.Wait{Op: tx.op(), Key: key, Keys: keys, Has: handles(tx.sets[:i]).find})
		}
		if err != nil {
			tx.forgo(s)
			return nil, nil, err
		}
		if s.Mu.Has(l) && s.Is(key) {
			return s, l, nil
		}
		tx.giveBack(l)
	}
}

// forgo removes a set that does not exist, for a caller that has waited for its lock in vain. Whoever has the lock does so else.
func (tx *Tx) forgo(s *keyspace.Set) {
	if !s.Mu.TryLock() {
		return
	}
	if !s.Exists && !s.Gone {
		tx.m.keys.Remove(s)
	}
	s.Mu.Unlock()
}

// end ends the transaction.
func (tx *Tx) end() {
	tx.done = true
	tx.m.locks.Running.Leave(&tx.closure)
	tx.unlock()
	tx.m.residency.Room.Release(&tx.pass)
}

// unlock unlocks the sets. Those that do not exist leave the keyspace.
func (tx *Tx) unlock() {
	if !tx.write {
		tx.runlock()
		return
	}
	for at := range tx.stripes.Each {
		tx.m.private.Lock(at).Unlock()
	}
	for c := range tx.changes {
		tx.release(c.S)
		c.undo.Release()
	}
	for _, s := range tx.sets {
		s.lock.Release()
	}
	if tx.adopted != nil {
		tx.adopted.Release()
	}
}

// release updates the accounts of a set, and removes it from the keyspace if it does not exist. The caller holds its lock.
func (tx *Tx) release(s *keyspace.Set) {
	if !s.Exists && !s.Gone {
		tx.m.keys.Remove(s)
	}
	if s.Rare != nil {
		s.Rare.Image = nil
	}
	tx.m.keys.Accounts.Account(s)
	s.Slim()
}

// runlock is unlock for a View. Removing a set needs its lock for writing; runlock takes it when it holds no other lock.
func (tx *Tx) runlock() {
	for at := range tx.stripes.Each {
		tx.m.private.Lock(at).RUnlock()
	}
	var absent []*keyspace.Set
	for _, x := range tx.sets {
		if s := x.own.S; !s.Exists && !tx.guest { // of a guest, the transaction that let it in removes the set
			absent = append(absent, s)
			x.lock.RUnlock() // it is needed again
			continue
		}
		x.lock.RRelease()
	}
	for _, s := range absent {
		tx.m.locks.Lock(&s.Mu, "view", "")
		if !s.Exists && !s.Gone {
			tx.m.keys.Remove(s)
		}
		s.Mu.Unlock()
	}
}

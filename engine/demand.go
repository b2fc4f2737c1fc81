package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// Transactions lock on demand: the closure asks for a set or a private key, and the transaction
// locks it there and then (two-phase locking). Locks may be out of order then, and nothing may wait
// for such a one. The order is that of the keys of sets, and after all sets the stripes of private
// keys by their numbers:
//
//   - T1: A transaction waits for a lock that comes after all that it has, as for those of the keys
//     that it begins with. Any other lock it takes by tryLock only. If that fails, or a set is
//     on the disk only, the transaction restarts: it rolls back, unlocks everything, locks all keys
//     and stripes that it knows by now in their order, and calls the closure again. So each waits
//     for a later lock than those that it has, and no circle of transactions waits.
//   - T2: Once a restart is due, the transaction gives no further set and no private key, and never commits, whatever the closure returns.
//     Changes of sets that the closure has already got are rolled back.
//   - T3: A restart knows at least the keys and the stripes of the run before it. So a closure that
//     asks for the same again runs once more at most.
//   - T4: A View that package board begins without a closure cannot restart: it gets ErrConflict
//     for a private key out of order that is not free. Package board reads what is stored of one
//     board in such a View, which is one stripe.
//
// A reserved key is locked on demand for package board only: see Owner.In. What package board proves about its sets it proves from locks that it takes
// before it looks.

// maxRuns is how often a closure of a program runs at most. One of package board may need more sets
// that are on the disk only, and no run of it asks for other ones than the run before without end.
const maxRuns = 100

// fewRuns is the number of runs after which a transaction that uses private keys locks all of them
// before the next one, so that it does not restart once for each.
const fewRuns = 8

// errNotFree is why a transaction restarts for a stripe of private keys.
var errNotFree = errors.New("a private key is not free")

// restart is why a closure is to run again.
type restart struct {
	keys    []string                 // to lock beside those that are locked
	prepare func() ([]string, error) // returns further keys while nothing is locked; nil: none
	why     error                    // for an error message
}

// demand returns the handle of a key that the closure asks for and that is not locked yet.
func (tx *Tx) demand(key string) (*handle, error) {
	if !tx.onDemand || !tx.owner && facts.Reserved(key) {
		return nil, fmt.Errorf("%w: %q", ErrNotNamed, key)
	}
	if err := tx.lockNow(key); err != nil {
		return nil, err
	}
	return handleOf(tx, key)
}

// lock is Owner.Lock.
func lock(tx *Tx, keys func() ([]string, error)) error {
	if err := tx.usable(); err != nil {
		return err
	}
	all, err := keys()
	if errors.Is(err, locks.ErrInTx) { // they cannot be told without waiting
		return restartTx(tx, keys, err)
	}
	if err != nil {
		return err
	}
	for _, key := range inOrder(all) {
		if _, locked := tx.find(key); locked {
			continue
		}
		if err := tx.lockNow(key); err != nil {
			if tx.again != nil {
				tx.again.prepare = keys
			}
			return err
		}
	}
	return nil
}

// restartTx is Owner.Restart.
func restartTx(tx *Tx, prepare func() ([]string, error), why error) error {
	if tx.again == nil {
		tx.again = &restart{prepare: prepare, why: why}
	}
	return ErrRestart
}

// usable returns an error if the closure can do nothing with the transaction any more.
func (tx *Tx) usable() error {
	switch {
	case tx.done:
		return ErrTxDone
	case tx.again != nil:
		return ErrRestart
	}
	return nil
}

// find returns the place of a key among the locked ones.
func (tx *Tx) find(key string) (at int, locked bool) {
	return slices.BinarySearchFunc(tx.sets, key, func(h *handle, key string) int { return strings.Compare(h.key, key) })
}

// lockNow locks a key while the closure runs. If that cannot be, the transaction restarts. Errors: ErrRestart, ErrKeyTooLong, ErrTooManyKeys, the
// cause of a context that ends the wait.
func (tx *Tx) lockNow(key string) error {
	if err := keyAllowed(key); err != nil {
		return err
	}
	if len(tx.sets) >= MaxKeys {
		return fmt.Errorf("%w: the limit is %d", ErrTooManyKeys, MaxKeys)
	}
	if !tx.owner {
		key = strings.Clone(key) // it may be a part of something big
	}
	for {
		s, l := tx.m.keys.Obtain(key)
		if !tx.comesNext(key) {
			if !tx.tryLock(&l.Mutex) {
				return tx.restartWith(key)
			}
		} else if !tx.m.locks.LockSoon(tx.ctx, &l.Mutex, tx.write) {
			w := &locks.Wait{Op: tx.op(), Key: key, Keys: handles(tx.sets).keys(), Own: (*held)(tx)}
			if err := tx.m.locks.Wait(tx.ctx, &l.Mutex, tx.write, w); err != nil {
				tx.forgo(s)
				return err
			}
		}
		if !s.Mu.Has(l) || !s.Is(key) {
			tx.giveBack(l)
			continue
		}
		h := tx.nextHandle()
		h.init(tx, key, s, l)
		tx.m.keys.Accounts.Touch(s)
		tx.add(h)
		if tx.look(h) {
			return tx.restartWith(key)
		}
		if tx.write && tx.expired(s) {
			h.replace(facts.Layout{})
		}
		return nil
	}
}

// comesNext reports whether the transaction may wait for the lock of a key: it comes after those of all that the transaction has locked.
func (tx *Tx) comesNext(key string) bool {
	n := len(tx.sets)
	return tx.stripes.Empty() && tx.adopted == nil && (n == 0 || tx.sets[n-1].key < key)
}

// lockTries is how often a transaction tries to take a lock out of order. Most transactions hold a
// lock for a few microseconds, and to run a closure again takes longer.
const lockTries = 4

// tryLock takes a lock if it is free now or in a moment, and reports whether it did. It never waits,
// so it is allowed out of order.
func (tx *Tx) tryLock(m *rwlock.Mutex) bool {
	for range lockTries {
		if tx.m.locks.TryLock(m, tx.write) {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// restartWith makes the transaction restart with one more key. It returns ErrRestart.
func (tx *Tx) restartWith(key string) error {
	tx.again = &restart{keys: []string{key}, why: fmt.Errorf("%q is not free, or on the disk only", key)}
	return ErrRestart
}

// giveBack unlocks a lock that is no lock of the transaction.
func (tx *Tx) giveBack(l *locks.Lock) {
	if tx.write {
		l.Release()
	} else {
		l.RRelease()
	}
}

// add adds a handle, in the order of keys. Reports of other goroutines may look at the handles meanwhile.
func (tx *Tx) add(h *handle) {
	at, _ := tx.find(h.key)
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if len(tx.sets) == 1 { // it is in Tx.one
		tx.sets = append(tx.several.list[:0], tx.sets...)
	}
	tx.sets = slices.Insert(tx.sets, at, h)
	tx.several.list = tx.sets
}

// giveWay lets the goroutine go on for which a transaction restarts, which may be between two steps: longer after each run.
func giveWay(ctx context.Context, runs int) {
	if runs < 4 {
		runtime.Gosched()
		return
	}
	select {
	case <-time.After(time.Duration(runs) * 50 * time.Microsecond):
	case <-ctx.Done():
	}
}

// anew returns a transaction for the next run of the closure, and the keys to lock before it, when
// the transaction restarts after some runs. It may wait first. Errors: ErrConflict after maxRuns,
// that of restart.prepare, those of MayBegin.
func (tx *Tx) anew(runs int) (*Tx, []string, error) {
	r := tx.again
	tx.m.counters.Mine().Restarts.Add(1)
	if runs >= maxRuns && !tx.owner {
		return nil, nil, fmt.Errorf("%w: the transaction has restarted %d times, at last since %w", ErrConflict, runs, r.why)
	}
	if len(r.keys) == 0 && r.why != errNotFree {
		giveWay(tx.ctx, runs)
	}
	keys := slices.Concat(handles(tx.sets).keys(), r.keys)
	if r.prepare != nil {
		more, err := r.prepare()
		if err != nil {
			return nil, nil, err
		}
		keys = append(keys, more...)
	}
	next := &Tx{m: tx.m, ctx: tx.ctx, write: tx.write, asIs: tx.asIs, owner: tx.owner, onDemand: tx.onDemand, blind: tx.blind, began: tx.began}
	next.known.AddAll(&tx.known)
	next.known.AddAll(&tx.stripes)
	if runs > fewRuns && !next.known.Empty() {
		next.known.Fill()
	}
	if err := next.m.locks.MayBegin(next.ctx, &next.closure); err != nil { // the engine may be closed by now
		return nil, nil, err
	}
	return next, keys, nil
}

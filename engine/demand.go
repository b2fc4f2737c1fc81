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
)

// Transactions of the engine's users lock on demand: the closure asks for a set, and the
// transaction locks it there and then (two-phase locking). All transactions lock private keys on
// demand, those of an Owner too. Locks may be out of order then, and nothing may wait for such a
// one. The order is that of the keys of sets, and after all sets the stripes of private keys by
// their numbers:
//
//   - T1: A transaction waits for a lock that comes after all that it has, as a transaction that
//     has named its keys does. Any other lock it takes by TryLock only. If that fails, or a set is
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
// Reserved keys are locked by lock only, never because somebody asks for their sets: package board proves things about its sets from the
// fact that all of them are locked.

// maxRuns is how often a closure runs at most.
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
	if !tx.onDemand || facts.Reserved(key) {
		return nil, fmt.Errorf("%w: %q", ErrNotNamed, key)
	}
	if err := tx.lockNow(key); err != nil {
		return nil, err
	}
	return handleOf(tx, key)
}

// lock locks the keys that keys returns, in a transaction on demand. If that cannot be done now, the transaction restarts, and keys is called
// again while nothing is locked. In other transactions Lock does nothing. Errors: ErrRestart, ErrTxDone, ErrKeyTooLong,
// ErrTooManyKeys, those of keys.
func lock(tx *Tx, keys func() ([]string, error)) error {
	if !tx.onDemand {
		return nil
	}
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

// onDemand reports whether a transaction locks on demand, so that restartTx works.
func onDemand(tx *Tx) bool { return tx.onDemand }

// restartTx makes a transaction on demand restart, with the keys that prepare returns while nothing is locked. It returns ErrRestart. If prepare
// returns an error, the transaction ends with that.
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
	key = strings.Clone(key)
	for {
		s, l := tx.m.keys.Obtain(key)
		if !tx.m.locks.TryLock(&l.Mutex, tx.write) {
			if !tx.comesNext(key) {
				return tx.restartWith(key)
			}
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
		h := &handle{}
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
	tx.sets = slices.Insert(slices.Clone(tx.sets), at, h)
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
	if runs >= maxRuns {
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

package engine

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/private"
	"github.com/zrankdb/zrank/persist"
)

// Private keys are locked by stripes: see internal/private. demand.go says in which order, and when
// a transaction restarts for a stripe.

// lockStripe locks a stripe, once. If that cannot be, the transaction restarts. Errors: ErrRestart,
// ErrTxDone, ErrConflict if the transaction cannot restart, the cause of a context that ends the
// wait.
func (tx *Tx) lockStripe(at int) error {
	if err := tx.usable(); err != nil {
		return err
	}
	if tx.stripes.Has(at) {
		return nil
	}
	m := tx.m.private.Lock(at)
	if !tx.stripes.Below(at) {
		if !tx.tryLock(m) {
			return tx.restartWithStripe(at)
		}
	} else if !tx.m.locks.LockSoon(tx.ctx, m, tx.write) {
		w := &locks.Wait{Op: tx.op(), Private: true, Keys: handles(tx.sets).keys(), Own: (*held)(tx)}
		if err := tx.m.locks.Wait(tx.ctx, m, tx.write, w); err != nil {
			return err
		}
	}
	tx.stripes.Add(at)
	return nil
}

// lockStripes locks the stripes of all keys with a prefix. Errors: those of lockStripe.
func (tx *Tx) lockStripes(prefix string) error {
	if at, one := private.StripeOfAll(prefix); one {
		return tx.lockStripe(at)
	}
	for at := range private.Count {
		if err := tx.lockStripe(at); err != nil {
			if tx.again != nil {
				tx.known.Fill()
			}
			return err
		}
	}
	return nil
}

// lockKnown locks the stripes that the runs before this one have asked for, in order, before the
// closure runs. Errors: those of lockStripe.
func (tx *Tx) lockKnown() error {
	for at := range tx.known.Each {
		if err := tx.lockStripe(at); err != nil {
			return err
		}
	}
	return nil
}

// restartWithStripe makes the transaction restart with one more stripe. It returns ErrRestart. A
// View that package board has begun without a closure cannot restart, and need not: it reads what
// is stored of one board, which has one stripe.
func (tx *Tx) restartWithStripe(at int) error {
	if tx.viewed != nil {
		return fmt.Errorf("%w: a private key is not free", ErrConflict)
	}
	tx.again = &restart{why: errNotFree}
	tx.known.Add(at)
	return ErrRestart
}

// Get returns a copy of the value of a private key, and false if there is none. Errors: ErrRestart,
// ErrTxDone, those of the store.
func (tx *Tx) Get(key string) (value []byte, ok bool, err error) {
	at := private.StripeOf(key)
	if err := tx.lockStripe(at); err != nil {
		return nil, false, err
	}
	if v, ok := tx.private[key]; ok {
		return bytes.Clone(v.Value), !v.Deleted, nil
	}
	value, ok, err = tx.m.private.Get(at, key)
	return value, ok, locks.ClosedError(err)
}

// Put gives a private key a value, which is copied. It commits with the transaction. Errors:
// ErrReadOnly, ErrRestart, ErrTxDone, ErrKeyTooLong, ErrReserved.
func (tx *Tx) Put(key string, value []byte) error {
	return tx.setPrivate(key, private.Value{Value: append([]byte{}, value...)})
}

// Delete deletes a private key. It commits with the transaction. Errors: ErrReadOnly, ErrRestart,
// ErrTxDone, ErrKeyTooLong, ErrReserved.
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
	if err := tx.lockStripe(private.StripeOf(key)); err != nil {
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

// Scan walks the private keys with a prefix, in order, with copies of their values. No other
// transaction adds or removes keys with the prefix until this one has ended. The transaction must
// not change private keys during the walk. A walk that fails yields the error and ends. Scan locks
// all private keys, even if few have the prefix, so other transactions that use private keys wait
// meanwhile. O(keys with the prefix). Errors: those of Get.
func (tx *Tx) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		for kv, err := range scan(tx, prefix) {
			both := slices.Concat(kv.Key, kv.Value)
			n := len(kv.Key)
			if !yield(persist.KV{Key: both[:n:n], Value: both[n:]}, err) {
				return
			}
		}
	}
}

// scan is Tx.Scan without copies: a key and its value are valid until the next step, and must not
// be changed.
func scan(tx *Tx, prefix string) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		if err := tx.lockStripes(prefix); err != nil {
			yield(persist.KV{}, err)
			return
		}
		for kv, err := range tx.m.private.Scan(prefix, tx.private) {
			if !yield(kv, locks.ClosedError(err)) || err != nil {
				return
			}
		}
	}
}

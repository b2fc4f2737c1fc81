package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
)

// updateAnd runs an Update, and then calls then with the commit's number. It counts the call, with the time that then takes. Errors: the cause of
// the transaction's context if that ends before the closure has all its locks, those of fn, of commits and of then.
func (m *manager) updateAnd(tx *Tx, keys []string, fn func(*Tx) error, then func(seq uint64) error) (seq uint64, err error) {
	if err := tx.m.locks.MayBegin(tx.ctx, &tx.closure); err != nil {
		return 0, err
	}
	tx.began = m.counters.Now()
	if seq, err = m.run(tx, keys, fn); err == nil {
		err = then(seq)
	}
	took := m.counters.Now() - tx.began
	m.counters.Mine().Updates.Add(took)
	m.slow.Report(observe.Event{Op: "update", Duration: took, Err: err}, keys)
	return seq, err
}

// acknowledge waits for a commit to be durable. Errors: those of persist.Store.Wait; ErrUndecided, with the cause of ctx, if that ends before.
func (m *manager) acknowledge(ctx context.Context, seq uint64) error {
	if seq == 0 || m.store == nil {
		return nil
	}
	err := m.store.Wait(ctx, seq)
	if err != nil && ctx.Err() != nil && err == context.Cause(ctx) {
		return errors.Join(m.passed(seq), fmt.Errorf("%w: %w", ErrUndecided, err))
	}
	if err != nil {
		return locks.ClosedError(err)
	}
	return m.passed(seq)
}

// durable is Acknowledge that waits whatever the context of the caller says.
func (m *manager) durable(seq uint64) error { return m.acknowledge(context.Background(), seq) }

// passed starts what is due in the background after a commit.
func (m *manager) passed(seq uint64) error {
	if seq > 0 && m.store != nil {
		m.checkpoints.SnapshotIfDue()
		m.residency.EvictIfDue()
	}
	return nil
}

// lockOne runs fn with one key locked for writing. fn must not change the set.
func (m *manager) lockOne(key string, fn func(*handle) error) error {
	tx := m.newTx(context.Background(), write)
	if err := tx.begin([]string{key}); err != nil {
		return err
	}
	defer tx.end()
	return fn(tx.sets[0])
}

// inside runs fn as in a closure: calls of the engine in it get ErrInTx.
func (m *manager) inside(fn func()) {
	if m.locks.InTx() {
		fn()
		return
	}
	tx := m.newTx(context.Background(), 0)
	m.locks.Running.Enter(&tx.closure, (*held)(tx))
	defer m.locks.Running.Leave(&tx.closure)
	fn()
}

// asOwner runs fn with the right to change reserved keys in a transaction. It returns false, and does not run fn, if the transaction is
// another manager's.
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

// update is Engine.Update.
func (m *manager) update(ctx context.Context, how mode, keys []string, fn func(*Tx) error) error {
	_, err := m.updateAnd(m.newTx(ctx, how|write), keys, fn, func(seq uint64) error { return m.acknowledge(ctx, seq) })
	return err
}

// view is Engine.View.
func (m *manager) view(ctx context.Context, how mode, keys []string, fn func(*Tx) error) error {
	tx := m.newTx(ctx, how)
	if err := tx.m.locks.MayBegin(ctx, &tx.closure); err != nil {
		return err
	}
	if !observe.Sampled() {
		return tx.runView(keys, fn)
	}
	tx.began = m.counters.Now()
	err := tx.runView(keys, fn)
	tx.timed(keys, err)
	return err
}

// timed counts and reports a View that was chosen to be timed, and that has ended.
func (tx *Tx) timed(keys []string, err error) {
	took := tx.m.counters.Now() - tx.began
	tx.m.counters.Mine().Views.Add(took)
	tx.m.slow.Report(observe.Event{Op: "view", Duration: took, Err: err}, keys)
}

// txs reuses the memory of transactions whose closures are those of packages of ours, which keep nothing of them.
var txs = sync.Pool{New: func() any { return new(Tx) }}

// updateOwning is Update with the right to change reserved keys. It waits for the disk even if ctx ends meanwhile: the caller goes by its result. fn
// must not keep the Tx.
func (m *manager) updateOwning(ctx context.Context, keys []string, fn func(*Tx) error) error {
	tx := m.owning(ctx)
	_, err := m.updateAnd(tx, keys, fn, m.durable)
	tx.reuse()
	return err
}

// owning returns a transaction that is about to begin, with the right to change reserved keys, and whose memory is used again.
func (m *manager) owning(ctx context.Context) *Tx {
	tx := txs.Get().(*Tx)
	tx.m, tx.ctx, tx.write, tx.owner, tx.onDemand = m, ctx, true, true, true
	return tx
}

// updateOwningLater is UpdateOwning without the wait for the disk: see Engine.UpdateLater.
func (m *manager) updateOwningLater(ctx context.Context, keys []string, fn func(*Tx) error) error {
	tx := m.owning(ctx)
	_, err := m.updateAnd(tx, keys, fn, m.passed)
	tx.reuse()
	return err
}

// beginViewOf begins a View of one key, which endView ends. The caller keeps nothing of the Tx. It allocates nothing. With brief the caller
// is done soon, waits for no other set meanwhile, and reads the entries of the set only: then a transaction that changes many members lets
// it in before it ends.
func (m *manager) beginViewOf(ctx context.Context, key string, brief bool) (*Tx, error) {
	tx := txs.Get().(*Tx)
	tx.one.keys[0], tx.brief = key, brief
	return m.beginView(ctx, tx, tx.one.keys[:])
}

// beginViews is beginViewOf of several keys, which are in order and stay as they are until endView.
func (m *manager) beginViews(ctx context.Context, keys []string) (*Tx, error) {
	return m.beginView(ctx, txs.Get().(*Tx), keys)
}

func (m *manager) beginView(ctx context.Context, tx *Tx, keys []string) (*Tx, error) {
	tx.m, tx.ctx, tx.viewed = m, ctx, keys
	err := m.locks.MayBegin(ctx, &tx.closure)
	if err == nil {
		if observe.Sampled() {
			tx.began = m.counters.Now()
		}
		err = tx.begin(keys)
	}
	if err != nil {
		tx.reuse()
		return nil, err
	}
	m.locks.Running.Enter(&tx.closure, (*held)(tx))
	return tx, nil
}

// endView ends a View that beginViewOf or beginViews has begun.
func (m *manager) endView(tx *Tx) {
	tx.end()
	if tx.began != 0 {
		tx.timed(tx.viewed, nil)
	}
	tx.reuse()
}

// keptHandles is the number of handles up to which a Tx keeps their memory.
const keptHandles = 16

// reuse gives the memory of a transaction back. If slow calls are reported, a report may still read the Tx.
func (tx *Tx) reuse() {
	if tx.m.locks.Slow.Observed {
		return
	}
	handles, list := tx.several.handles[:0], tx.several.list[:0]
	clear(tx.several.handles)
	if cap(handles) > keptHandles {
		handles, list = nil, nil
	}
	notes := tx.notes
	notes.Reset()
	*tx = Tx{notes: notes}
	tx.several.handles, tx.several.list = handles, list
	txs.Put(tx)
}

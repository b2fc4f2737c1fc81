package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/zset"
)

// PopMinWait removes and returns the entry with the least score of the first of the sets, in the caller's order, that has members.
// If none has, it waits until one does, ctx ends or the engine is closed; as Redis BZPOPMIN.
//
// First come, first served: of the calls that wait for a key, the one that came first gets the first entry. A transaction that
// leaves members where somebody waits serves those who wait before it lets go of its sets, each with a commit of its own right
// after, until there are no members or no calls left; members that the transaction itself takes out again wake nobody. So nobody
// comes in between, neither a later call nor another transaction's PopMin. A call that waits for several sets that get members at
// the same time pops from the first of them in its own order, and each call is served once.
//
// The pop is a transaction like another: when the call returns nil it is as durable as Options.Durability says. If ctx ends just as
// the entry is popped, the call returns the entry. After an error nothing was popped, but for ErrStalled and ErrPersistence, where
// the pop may have happened: see Update. A call that waits costs its own goroutine and a few hundred bytes, and keeps no set in
// memory. O(keys + log members).
//
// Errors: ErrNoKeys, ErrReserved, the cause of ctx's end, and at once if it has ended before; ErrClosed, and those of Update: also what
// befell the transaction that was to serve the call, and then the entry stays.
func (e *Engine) PopMinWait(ctx context.Context, keys ...string) (key string, entry zset.Entry, err error) {
	return onlyEntry(e.popWait(ctx, &waiter{keys: keys, n: 1}))
}

// PopMaxWait is PopMinWait for the greatest score, as Redis BZPOPMAX.
func (e *Engine) PopMaxWait(ctx context.Context, keys ...string) (key string, entry zset.Entry, err error) {
	return onlyEntry(e.popWait(ctx, &waiter{keys: keys, n: 1, max: true}))
}

// PopMinWaitN is PopMinWait for up to n entries, all of the same set, the least first; at least one. It does not wait for more to
// come. As Redis BZMPOP. Errors: those of PopMinWait, ErrCount if n is less than 1.
func (e *Engine) PopMinWaitN(ctx context.Context, n int, keys ...string) (key string, entries []zset.Entry, err error) {
	a, err := e.popWait(ctx, &waiter{keys: keys, n: n})
	return a.key, a.entries, err
}

// PopMaxWaitN is PopMinWaitN for the greatest scores, the greatest first.
func (e *Engine) PopMaxWaitN(ctx context.Context, n int, keys ...string) (key string, entries []zset.Entry, err error) {
	a, err := e.popWait(ctx, &waiter{keys: keys, n: n, max: true})
	return a.key, a.entries, err
}

// Waiting returns how many calls wait for members now. O(1).
func (e *Engine) Waiting() int { return int(e.waiters.n.Load()) }

// onlyEntry takes the only entry out of an answer.
func onlyEntry(a served, err error) (string, zset.Entry, error) {
	if err != nil {
		return "", zset.Entry{}, err
	}
	return a.key, a.entries[0], nil
}

// popWait pops at once or waits.
func (e *Engine) popWait(ctx context.Context, w *waiter) (served, error) {
	if len(w.keys) == 0 {
		return served{}, ErrNoKeys
	}
	if w.n < 1 {
		return served{}, fmt.Errorf("%w: %d", ErrCount, w.n)
	}
	if err := refuse(w.keys...); err != nil {
		return served{}, err
	}
	if err := e.interrupted(ctx); err != nil {
		return served{}, err
	}
	w.keys = inCallersOrder(w.keys)
	w.answer = make(chan served, 1)
	a, err := e.popOrEnter(w)
	switch {
	case err != nil && w.places != nil: // a set whose time is up could not be dropped
		defer e.waiters.leave(&e.keys, w)
		a, err = w.giveUp(err)
	case err == nil && a.entries == nil:
		a, err = e.await(ctx, w)
	}
	if err == nil {
		err = e.acknowledge(a.seq)
	}
	if err != nil {
		return served{}, err
	}
	return a, nil
}

// inCallersOrder returns a copy of the keys in their order, each once.
func inCallersOrder(keys []string) []string {
	if len(keys) == 1 {
		return slices.Clone(keys)
	}
	once, seen := make([]string, 0, len(keys)), make(map[string]struct{}, len(keys))
	for _, key := range keys {
		if _, again := seen[key]; !again {
			seen[key] = struct{}{}
			once = append(once, key)
		}
	}
	return once
}

// popOrEnter pops from the first set that has members; if none has, it puts the waiter in line.
func (e *Engine) popOrEnter(w *waiter) (a served, err error) {
	a.seq, err = (&Tx{e: e, write: true}).run(w.keys, func(tx *Tx) error {
		for _, key := range w.keys {
			s, err := tx.Set(key)
			if err != nil {
				return err
			}
			if s.Len() > 0 {
				if invariants.Enabled && e.waiters.first(&e.keys, key) != nil {
					invariants.Violated("engine", "W1", fmt.Sprintf("somebody waits for %q, which has members", key), s.Len())
				}
				a.key = key
				a.entries, err = w.pop(s)
				return err
			}
		}
		e.waiters.enter(&e.keys, w)
		return nil
	})
	return a, err
}

// await waits to be served.
func (e *Engine) await(ctx context.Context, w *waiter) (a served, err error) {
	defer e.waiters.leave(&e.keys, w)
	select {
	case a = <-w.answer:
		return a, a.err
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-e.stop:
		err = ErrClosed
	}
	return w.giveUp(err)
}

// giveUp returns the error, unless the waiter has been served.
func (w *waiter) giveUp(err error) (a served, _ error) {
	if w.take() {
		return a, err
	}
	a = <-w.answer // whoever has taken it is about to answer
	return a, a.err
}

// serve hands over what the transaction, which is committed and still holds its sets, has left where somebody waits (W1).
func (tx *Tx) serve() {
	if tx.e.waiters.n.Load() == 0 {
		return
	}
	for w := tx.firstWaiter(); w != nil; w = tx.firstWaiter() {
		if w.take() {
			w.answer <- tx.popFor(w)
		}
	}
}

// firstWaiter returns who has waited for longest for one of the sets that have members now, or nil.
func (tx *Tx) firstWaiter() (first *waiter) {
	for _, s := range tx.sets {
		if !s.hasMembers() {
			continue
		}
		w := tx.e.waiters.first(&tx.e.keys, s.key)
		if w != nil && (first == nil || w.ticket < first.ticket) {
			first = w
		}
	}
	return first
}

// hasMembers reports whether the set holds anything now.
func (h *handle) hasMembers() bool { return h.s.exists && h.s.z != nil && h.s.z.Len() > 0 }

// popFor pops for a waiter, in a commit of its own.
func (tx *Tx) popFor(w *waiter) (a served) {
	for _, key := range w.keys {
		s, err := tx.named(key)
		if err != nil || !s.hasMembers() {
			continue // not a key of this transaction: nobody has left anything there
		}
		own := &Tx{e: tx.e, write: true, now: tx.now}
		own.makeHandles(1)
		own.sets[0].init(own, key, s.s, s.lock)
		own.sets[0].show(s.s.z.View())
		a.key = key
		if a.entries, a.err = w.pop(&own.sets[0].floats); a.err == nil {
			a.seq, a.err = own.commit()
		}
		tx.e.counted(own, a.err == nil)
		if a.err != nil {
			own.rollback()
			a = served{err: fmt.Errorf("engine: pop from %q: %w", key, tx.e.closedError(a.err))}
		}
		own.sets[0].own.touched.forget()
		return a
	}
	return a
}

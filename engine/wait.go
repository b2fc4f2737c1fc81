package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/zset"
)

// PopMinWait removes and returns the entry with the least score of the first set, in the caller's order, that has members. If none has, it
// waits until one does, ctx ends or the engine is closed; as Redis BZPOPMIN.
//
// Of the calls that wait for a key, the first that came gets the first entry. A transaction that leaves members in a set that calls wait for
// serves these calls before it unlocks its sets, each with a separate commit right after its own, until no members or no calls are left.
// Members that the transaction itself removes again wake no call. So neither a later call nor another transaction's PopMin can come in
// between. If several sets of a call get members at the same time, the call pops from the first of them in its own order. Each call is
// served once.
//
// The pop is an ordinary transaction: when the call returns nil, it is as durable as Options.Durability says. If ctx ends just as the entry
// is popped, the call returns the entry. After an error nothing was popped, except that after ErrStalled and ErrPersistence the pop may
// have happened: see Update. A call that waits costs its goroutine and a few hundred bytes, and keeps no set in memory. O(keys + log members).
//
// Errors: ErrNoKeys, ErrReserved, ErrClosed, the cause of the end of ctx, even if ctx has ended before the call, and those of Update. If the
// transaction that serves the call cannot commit the pop, the call returns that error, and the entry stays.
func (e *Engine) PopMinWait(ctx context.Context, keys ...string) (key string, entry zset.Entry, err error) {
	return onlyEntry(e.popWait(ctx, &waitqueue.Waiter{Keys: keys, N: 1}))
}

// PopMaxWait is PopMinWait for the greatest score, as Redis BZPOPMAX.
func (e *Engine) PopMaxWait(ctx context.Context, keys ...string) (key string, entry zset.Entry, err error) {
	return onlyEntry(e.popWait(ctx, &waitqueue.Waiter{Keys: keys, N: 1, Max: true}))
}

// PopMinWaitN is PopMinWait for 1 to n entries of one set, the least first, as Redis BZMPOP. It does not wait until there are n. Errors:
// those of PopMinWait, ErrCount if n is less than 1.
func (e *Engine) PopMinWaitN(ctx context.Context, n int, keys ...string) (key string, entries []zset.Entry, err error) {
	a, err := e.popWait(ctx, &waitqueue.Waiter{Keys: keys, N: n})
	return a.Key, a.Entries, err
}

// PopMaxWaitN is PopMinWaitN for the greatest scores, the greatest first.
func (e *Engine) PopMaxWaitN(ctx context.Context, n int, keys ...string) (key string, entries []zset.Entry, err error) {
	a, err := e.popWait(ctx, &waitqueue.Waiter{Keys: keys, N: n, Max: true})
	return a.Key, a.Entries, err
}

// Waiting returns how many calls wait for members now. O(1).
func (e *Engine) Waiting() int { return int(e.m.waiters.N.Load()) }

// onlyEntry returns the only entry of an answer.
func onlyEntry(a waitqueue.Served, err error) (string, zset.Entry, error) {
	if err != nil {
		return "", zset.Entry{}, err
	}
	return a.Key, a.Entries[0], nil
}

// popWait pops at once, or waits until a transaction pops for it, and then waits until the pop is durable.
func (e *Engine) popWait(ctx context.Context, w *waitqueue.Waiter) (waitqueue.Served, error) {
	if len(w.Keys) == 0 {
		return waitqueue.Served{}, ErrNoKeys
	}
	if w.N < 1 {
		return waitqueue.Served{}, fmt.Errorf("%w: %d", ErrCount, w.N)
	}
	if err := facts.Refuse(w.Keys...); err != nil {
		return waitqueue.Served{}, err
	}
	if err := e.interrupted(ctx); err != nil {
		return waitqueue.Served{}, err
	}
	w.Keys = inCallersOrder(w.Keys)
	w.Answer = make(chan waitqueue.Served, 1)
	a, err := e.m.popOrEnter(w)
	switch {
	case err != nil && w.Places != nil: // the waiter has entered the queues, but the commit failed: an expired set could not be dropped
		defer e.m.waiters.Leave(w)
		a, err = w.GiveUp(err)
	case err == nil && a.Entries == nil:
		a, err = e.await(ctx, w)
	}
	if err == nil {
		err = e.m.acknowledge(context.WithoutCancel(ctx), a.Seq) // the entries would be lost
	}
	if err != nil {
		return waitqueue.Served{}, err
	}
	return a, nil
}

// inCallersOrder returns a copy of the keys in the same order without duplicates.
func inCallersOrder(keys []string) []string {
	if len(keys) == 1 {
		return slices.Clone(keys)
	}
	unique, seen := make([]string, 0, len(keys)), make(map[string]struct{}, len(keys))
	for _, key := range keys {
		if _, again := seen[key]; !again {
			seen[key] = struct{}{}
			unique = append(unique, key)
		}
	}
	return unique
}

// await waits until a transaction serves the waiter, ctx ends or the engine is closed.
func (e *Engine) await(ctx context.Context, w *waitqueue.Waiter) (a waitqueue.Served, err error) {
	defer e.m.waiters.Leave(w)
	select {
	case a = <-w.Answer:
		return a, a.Err
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-e.life.Stop:
		err = ErrClosed
	}
	return w.GiveUp(err)
}

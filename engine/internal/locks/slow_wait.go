package locks

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/goroutine"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// A call that has waited for a lock for Options.SlowCall is reported while it still waits: if the holder's closure waits for that call,
// neither ever ends, and a later report would never come. Calls that get their lock at once pay nothing for this. A call that has to wait
// starts a timer; the holders of the lock are looked up only when the timer fires.

// slowWaitPause is the longest time between two tries to report a call.
const slowWaitPause = 10 * time.Second

// Wait locks m, and reports the call that w describes if that takes long. Error: the cause of ctx if that ends before; then m is not locked.
func (l *Table) Wait(ctx context.Context, m *rwlock.Mutex, write bool, w *Wait) error {
	w.l, w.lock = l, m
	if l.Slow.Observed {
		w.began, w.caller = l.Slow.Counters.Now(), goroutine.ID()
		w.timer = time.AfterFunc(l.Slow.Limit, w.report)
		defer w.end()
	}
	locked := true
	switch done := ctx.Done(); {
	case write:
		locked = m.LockUntil(done)
	case w.Guest:
		locked, w.Guest = m.RLockGuest(done)
	default:
		locked = m.RLockUntil(done)
	}
	if !locked {
		return context.Cause(ctx)
	}
	return nil
}

// end ends the report of a call that waits no more.
func (w *Wait) end() {
	if w.timer.Stop() {
		return
	}
	waits := &w.l.Waits
	waits.mu.Lock()
	defer waits.mu.Unlock()
	w.over = true
	delete(waits.All, w)
	if w.again != nil {
		w.again.Stop()
	}
}

// report emits the event of the call, once. If another call was reported within SlowPause it tries again later.
func (w *Wait) report() {
	waits := &w.l.Waits
	waits.mu.Lock()
	defer waits.mu.Unlock()
	if w.over {
		return
	}
	if waits.All == nil {
		waits.All = map[*Wait]struct{}{}
	}
	waits.All[w] = struct{}{}
	now := w.l.Slow.Counters.Now() + 1
	if waits.last > 0 && now-waits.last < observe.SlowPause {
		w.pause = min(max(2*w.pause, observe.SlowPause), slowWaitPause)
		w.again = time.AfterFunc(w.pause, w.report)
		return
	}
	waits.last = now
	w.l.Slow.Events.Emit(w.event())
}

// Waiting returns how many calls have waited for Options.SlowCall and still wait, and how long the one that began first has. O(n).
func (l *Table) Waiting() (n int, longest time.Duration) {
	l.Waits.mu.Lock()
	defer l.Waits.mu.Unlock()
	now := l.Slow.Counters.Now()
	for w := range l.Waits.All {
		longest = max(longest, now-w.began)
	}
	return len(l.Waits.All), longest
}

// event returns the event of the call, with the holders of the lock. The caller holds slowWaits.mu.
func (w *Wait) event() observe.Event {
	now := w.l.Slow.Counters.Now()
	v := observe.Event{Kind: observe.EventSlowCall, Waiting: true, Op: w.Op, Key: w.Key, Private: w.Private, Goroutine: w.caller, Duration: now - w.began}
	v.N, v.Keys = len(w.Keys), observe.FirstKeys(len(w.Keys), func(i int) string { return w.Keys[i] })
	for _, tx := range w.l.Running.all() {
		if tx == w.Own {
			continue
		}
		if key, ok := tx.Find(w.lock); ok {
			observe.AddHolder(&v, key, tx.Describe(now))
		}
	}
	for other := range w.l.Waits.All {
		if other == w || other.Own != nil || other.Has == nil {
			continue
		}
		if key, ok := other.Has(w.lock); ok {
			observe.AddHolder(&v, key, observe.Holder{Op: other.Op, N: len(other.Keys), Goroutine: other.caller, Duration: now - other.began, Waiting: true,
				Keys: observe.FirstKeys(len(other.Keys), func(i int) string { return other.Keys[i] })})
		}
	}
	return v
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// waitScript starts calls that wait, one after the other, and compares their results.
type waitScript struct {
	t    *testing.T
	e    *Engine
	mu   sync.Mutex
	done map[string]string
}

func newWaitScript(t *testing.T, e *Engine) *waitScript {
	return &waitScript{t: t, e: e, done: map[string]string{}}
}

// call starts a call and lets it return or enter its queues. Its result is recorded under a name.
func (w *waitScript) call(name string, ctx context.Context, max bool, n int, keys ...string) {
	go func() {
		a, err := w.e.popWait(ctx, &waitqueue.Waiter{Keys: keys, N: n, Max: max})
		text := a.Key
		for _, x := range a.Entries {
			text += fmt.Sprintf(" %s=%v", x.Member, x.Score)
		}
		if err != nil {
			text = err.Error()
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.done[name] = text
	}()
	synctest.Wait()
}

// add adds "key member score" entries in one transaction.
func (w *waitScript) add(entries ...string) {
	w.t.Helper()
	var keys []string
	for _, x := range entries {
		keys = append(keys, strings.Fields(x)[0])
	}
	mustUpdate(w.t, w.e, keys, func(tx *Tx) {
		for _, x := range entries {
			f := strings.Fields(x)
			add(w.t, tx, f[0], f[1], number(f[2]))
		}
	})
	synctest.Wait()
}

// returned compares the calls that have returned since it was last called with want, each as "name: result".
func (w *waitScript) returned(want ...string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	got := []string{}
	for name, text := range w.done {
		got = append(got, name+": "+text)
	}
	require.ElementsMatch(w.t, want, got)
	clear(w.done)
}

// left compares the remaining state with want.
func (w *waitScript) left(want string) {
	w.t.Helper()
	keys, err := w.e.Keys("")
	require.NoError(w.t, err)
	var b strings.Builder
	mustView(w.t, w.e, keys, func(tx *Tx) {
		for _, key := range keys {
			fmt.Fprintf(&b, "%s:", key)
			for m, score := range named(w.t, tx, key).Range(0, 1000) {
				fmt.Fprintf(&b, " %s=%v", m, score)
			}
		}
	})
	require.Equal(w.t, want, b.String())
}

// nobody checks that no call waits, that all queues are empty, and that waiting has left no sets.
func nobody(t testing.TB, e *Engine) {
	t.Helper()
	require.Zero(t, e.m.waiters.N.Load())
	for i := range e.m.waiters.Shards {
		require.Empty(t, e.m.waiters.Shards[i].Queues)
	}
	for _, s := range e.keys.All() {
		require.True(t, s.Exists, "%q", s.Key)
	}
}

// scripted runs a test on fake time, in memory and stored.
func scripted(t *testing.T, f func(w *waitScript)) {
	for _, stored := range []bool{false, true} {
		t.Run(fmt.Sprintf("stored=%v", stored), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, err := New(Options{})
				if stored {
					e, err = Open("db", Options{FS: persist.MemFS()})
				}
				require.NoError(t, err)
				f(newWaitScript(t, e))
				nobody(t, e)
				require.NoError(t, e.Close())
			})
		})
	}
}

// TestPopWaitAtOnce: if a set has members, the call pops at once from the first such set in the caller's order.
func TestPopWaitAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		ctx := t.Context()
		mustUpdate(t, e, []string{"a", "b"}, func(tx *Tx) {
			for i, m := range []string{"p", "q", "r", "s", "t", "u"} {
				add(t, tx, "b", m, float64(i))
			}
			add(t, tx, "a", "x", 9)
		})
		key, entry, err := e.PopMinWait(ctx, "none", "b", "a")
		require.NoError(t, err)
		require.Equal(t, "b p 0", fmt.Sprintf("%s %s %v", key, entry.Member, entry.Score))
		key, entry, err = e.PopMaxWait(ctx, "b", "b")
		require.NoError(t, err)
		require.Equal(t, "b u 5", fmt.Sprintf("%s %s %v", key, entry.Member, entry.Score))
		members := func(entries []zset.Entry) (out string) {
			for _, x := range entries {
				out += string(x.Member)
			}
			return out
		}
		key, entries, err := e.PopMaxWaitN(ctx, 2, "b", "a")
		require.NoError(t, err)
		require.Equal(t, "b ts", key+" "+members(entries))
		key, entries, err = e.PopMinWaitN(ctx, 100, "b", "a")
		require.NoError(t, err)
		require.Equal(t, "b qr", key+" "+members(entries))
		key, entries, err = e.PopMinWaitN(ctx, 100, "b", "a")
		require.NoError(t, err)
		require.Equal(t, "a x", key+" "+members(entries))
		nobody(t, e)
	})
}

// TestPopWaitRefused: invalid calls are refused at once.
func TestPopWaitRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		_, _, err := e.PopMinWait(t.Context())
		require.ErrorIs(t, err, ErrNoKeys)
		for _, n := range []int{0, -1} {
			_, _, err = e.PopMinWaitN(t.Context(), n, "a")
			require.ErrorIs(t, err, ErrCount)
			_, _, err = e.PopMaxWaitN(t.Context(), n, "a")
			require.ErrorIs(t, err, ErrCount)
		}
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("why")
		cancel(why)
		_, _, err = e.PopMinWait(ctx, "a")
		require.ErrorIs(t, err, why, "the entry stays")
		require.NoError(t, e.Close())
		_, _, err = e.PopMaxWait(t.Context(), "a")
		require.ErrorIs(t, err, ErrClosed)
	})
}

// TestPopsInOrder: the call that came first gets the first entry, from whichever end it pops and however many it wants. A commit serves calls until no
// members are left. A later call cannot overtake.
func TestPopsInOrder(t *testing.T) {
	scripted(t, func(w *waitScript) {
		ctx := w.t.Context()
		w.call("1", ctx, false, 1, "q")
		w.call("2", ctx, true, 1, "q")
		w.call("3", ctx, false, 2, "q")
		w.call("4", ctx, false, 5, "q")
		w.call("5", ctx, false, 1, "q")
		w.returned()
		w.add("q a 1")
		w.returned("1: q a=1")
		w.call("6", ctx, false, 1, "q")
		w.add("q c 3", "q d 4", "q b 2", "q e 5")
		w.returned("2: q e=5", "3: q b=2 c=3", "4: q d=4")
		w.add("q f 6", "q g 7", "q h 8")
		w.returned("5: q f=6", "6: q g=7")
		w.left("q: h=8")
		w.call("7", ctx, false, 1, "q")
		w.returned("7: q h=8")
		w.left("")
	})
}

// TestPopWaitSeveralKeys: a call pops from the first key in its own order that has members, is served once, and leaves the other
// queues; among the calls of several keys the first to come is the first to be served.
func TestPopWaitSeveralKeys(t *testing.T) {
	scripted(t, func(w *waitScript) {
		ctx := w.t.Context()
		w.call("cab", ctx, false, 1, "c", "a", "b")
		w.call("b", ctx, false, 1, "b")
		w.call("ba", ctx, false, 1, "b", "a")
		w.call("a", ctx, false, 1, "a")
		w.add("b x 1", "a y 2", "other z 0")
		w.returned("cab: a y=2", "b: b x=1")
		w.add("a v 3", "a w 4")
		w.returned("ba: a v=3", "a: a w=4")
		w.add("b u 5", "c u 5")
		w.returned()
		w.left("b: u=5c: u=5other: z=0")
		w.call("p", ctx, false, 1, "p")
		w.call("pa", ctx, false, 1, "p", "a")
		w.add("a x 1", "p y 1")
		w.returned("p: p y=1", "pa: a x=1")
	})
}

// TestPopWaitNotWoken: a member that a transaction removes again, or rolls back, wakes no call, as in Redis with ZADD and DEL in one EXEC; nor do members
// of other keys.
func TestPopWaitNotWoken(t *testing.T) {
	scripted(t, func(w *waitScript) {
		ctx, cancel := context.WithCancel(w.t.Context())
		w.call("1", ctx, false, 1, "q")
		mustUpdate(w.t, w.e, []string{"q"}, func(tx *Tx) {
			add(w.t, tx, "q", "x", 1)
			_, err := named(w.t, tx, "q").Remove([]byte("x"))
			require.NoError(w.t, err)
		})
		failed := errors.New("failed")
		require.ErrorIs(w.t, w.e.Update(ctx, func(tx *Tx) error { add(w.t, tx, "q", "x", 1); return failed }, "q"), failed)
		w.add("p x 1")
		mustUpdate(w.t, w.e, []string{"q"}, func(tx *Tx) { // its own pops come before
			add(w.t, tx, "q", "x", 1)
			add(w.t, tx, "q", "y", 2)
			got, err := named(w.t, tx, "q").PopMin(1)
			require.NoError(w.t, err)
			require.Len(w.t, got, 1)
			require.NoError(w.t, tx.Put("k", []byte("v")))
		})
		synctest.Wait()
		w.returned("1: q y=2")
		w.call("2", ctx, false, 1, "q")
		cancel()
		synctest.Wait()
		w.returned("2: context canceled")
		w.left("p: x=1")
	})
}

// TestPopWaitNobodyBetween: the entry is popped before the transaction that added it unlocks the set.
func TestPopWaitNobodyBetween(t *testing.T) {
	scripted(t, func(w *waitScript) {
		w.call("1", w.t.Context(), false, 1, "q")
		mustUpdate(w.t, w.e, []string{"q"}, func(tx *Tx) { add(w.t, tx, "q", "x", 1) })
		mustUpdate(w.t, w.e, []string{"q"}, func(tx *Tx) {
			got, err := named(w.t, tx, "q").PopMin(1)
			require.NoError(w.t, err)
			require.Empty(w.t, got)
		})
		synctest.Wait()
		w.returned("1: q x=1")
	})
}

// TestPopWaitTimeout: a call ends with its ctx, and the next call takes its place in the queue.
func TestPopWaitTimeout(t *testing.T) {
	scripted(t, func(w *waitScript) {
		short, cancel := context.WithTimeout(w.t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		w.call("1", short, false, 1, "q", "r")
		w.call("2", w.t.Context(), false, 1, "r", "q")
		time.Sleep(time.Second - 1)
		synctest.Wait()
		w.returned()
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		w.returned("1: context deadline exceeded")
		require.Equal(w.t, time.Second, time.Since(start))
		w.add("q x 1")
		w.returned("2: q x=1")
	})
}

// TestPopWaitClose: Close ends the calls that wait.
func TestPopWaitClose(t *testing.T) {
	scripted(t, func(w *waitScript) {
		for i := range 5 {
			w.call(fmt.Sprint(i), w.t.Context(), false, 1, "q", fmt.Sprint(i))
		}
		require.Equal(w.t, int64(5), w.e.m.waiters.N.Load())
		require.NoError(w.t, w.e.Close())
		synctest.Wait()
		closed := ErrClosed.Error()
		w.returned("0: "+closed, "1: "+closed, "2: "+closed, "3: "+closed, "4: "+closed)
	})
}

// TestPopWaitKeepsNothing: many calls that wait for keys without sets leave no sets in the keyspace, and one commit wakes one of them.
func TestPopWaitKeepsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Options{})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan string, 2000)
		for i := range 1000 {
			for _, keys := range [][]string{{"q"}, {fmt.Sprint("k", i), "q"}} {
				go func() {
					key, _, err := e.PopMinWait(ctx, keys...)
					returned <- fmt.Sprint(key, err)
				}()
			}
		}
		synctest.Wait()
		require.Empty(t, e.keys.All())
		mustUpdate(t, e, []string{"q", "k7"}, func(tx *Tx) { add(t, tx, "q", "x", 1) })
		synctest.Wait()
		require.Len(t, returned, 1)
		require.Equal(t, "q<nil>", <-returned)
		require.Empty(t, e.keys.All())
		cancel()
		synctest.Wait()
		require.Len(t, returned, 1999)
		nobody(t, e)
		require.NoError(t, e.Close())
	})
}

// TestPopWaitUnserved: if a transaction cannot serve a call because of an error, the call returns that error, and the entry stays.
func TestPopWaitUnserved(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{})
	mustUpdate(t, e, []string{"q"}, func(tx *Tx) { add(t, tx, "q", "x", 1) })
	mustView(t, e, []string{"q"}, func(tx *Tx) { require.EqualValues(t, 1, named(t, tx, "q").Version()) })
	_ = e.Update(t.Context(), func(tx *Tx) error {
		named(t, tx, "q")
		require.NoError(t, e.store.Close())
		a := popFor(tx, &waitqueue.Waiter{Keys: []string{"p", "q"}, N: 1})
		require.ErrorIs(t, a.Err, ErrClosed)
		require.Contains(t, a.Err.Error(), `"q"`)
		return nil
	}, "q")
	mustView(t, e, []string{"q"}, func(tx *Tx) {
		require.Equal(t, 1, named(t, tx, "q").Len())
		require.EqualValues(t, 1, named(t, tx, "q").Version())
	})
	_, _, err := e.PopMinWait(t.Context(), "q")
	require.ErrorIs(t, err, ErrClosed)
	mustView(t, e, []string{"q"}, func(tx *Tx) { require.Equal(t, 1, named(t, tx, "q").Len()) })
	require.NoError(t, e.Close())
}

// TestPopWaitStalled: a call that is served while the disk is silent gets ErrStalled, and so does the transaction that served it; both are there when the
// engine is opened again. A later call is refused.
func TestPopWaitStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem, disk := memfs.NewCrashable(), &slow{}
		e := mustOpen(t, errorfs.Wrap(mem, disk), Options{})
		w := newWaitScript(t, e)
		w.call("1", t.Context(), false, 1, "q")
		disk.delay.Store(int64(time.Minute))
		stalled := e.Update(t.Context(), func(tx *Tx) error { add(t, tx, "q", "x", 1); add(t, tx, "q", "y", 2); return nil }, "q")
		require.ErrorIs(t, stalled, ErrStalled)
		synctest.Wait()
		w.returned("1: " + stalled.Error())
		_, _, err := e.PopMinWait(t.Context(), "q")
		require.ErrorIs(t, err, ErrStalled, "refused: the entry stays")
		w.left("q: y=2")
		disk.delay.Store(0)
		time.Sleep(2 * time.Minute)
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{})
		newWaitScript(t, e).left("q: y=2")
		require.NoError(t, e.Close())
	})
}

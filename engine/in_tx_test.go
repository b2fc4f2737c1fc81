package engine

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/internal/hangtest"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// idle is a closure that does nothing.
func idle(*Tx) error { return nil }

func errorOf[T any](_ T, err error) error { return err }

func errorOf2[T, U any](_ T, _ U, err error) error { return err }

// refusedInside are the methods of Engine that return ErrInTx inside a closure. The set "a" exists, and the closure has it locked.
func refusedInside(e *Engine, dir string) map[string]func() error {
	ctx, sum := context.Background(), zset.Combine[float64]{}
	return map[string]func() error{
		"Update":         func() error { return e.Update(ctx, idle, "a") },
		"UpdateLater":    func() error { return errorOf(e.UpdateLater(ctx, idle, "a")) },
		"View":           func() error { return e.View(ctx, idle, "a") },
		"Exists":         func() error { return errorOf(e.Exists(ctx, "a")) },
		"Type":           func() error { return errorOf(e.Type(ctx, "a")) },
		"Delete":         func() error { return errorOf(e.Delete(ctx, "a")) },
		"Rename":         func() error { return e.Rename(ctx, "a", "b") },
		"RenameIfAbsent": func() error { return errorOf(e.RenameIfAbsent(ctx, "a", "b")) },
		"Copy":           func() error { return errorOf(e.Copy(ctx, "a", "b")) },
		"ExpireAt":       func() error { return errorOf(e.ExpireAt(ctx, "a", time.Now().Add(time.Hour))) },
		"ExpireIn":       func() error { return errorOf(e.ExpireIn(ctx, "a", time.Hour)) },
		"Persist":        func() error { return errorOf(e.Persist(ctx, "a")) },
		"Expiry":         func() error { return errorOf2(e.Expiry("a")) },
		"Usage":          func() error { return errorOf2(e.Usage("a")) },
		"Usages":         func() error { return errorOf(e.Usages([]string{"a"})) },
		"Keys":           func() error { return errorOf(e.Keys("")) },
		"Glob":           func() error { return errorOf(e.Glob("*")) },
		"ScanKeys":       func() error { return errorOf2(e.ScanKeys(0, 10)) },
		"RandomKey":      func() error { return errorOf2(e.RandomKey(nil)) },
		"Clear":          func() error { return errorOf(e.Clear(ctx)) },
		"Union":          func() error { return errorOf(e.Union(ctx, sum, "a", "b")) },
		"Inter":          func() error { return errorOf(e.Inter(ctx, sum, "a", "b")) },
		"InterCard":      func() error { return errorOf(e.InterCard(ctx, 0, "a", "b")) },
		"Diff":           func() error { return errorOf(e.Diff(ctx, "a", "b")) },
		"UnionStore":     func() error { return errorOf(e.UnionStore(ctx, "a", sum, "a", "b")) },
		"InterStore":     func() error { return errorOf(e.InterStore(ctx, "a", sum, "a", "b")) },
		"DiffStore":      func() error { return errorOf(e.DiffStore(ctx, "a", "a", "b")) },
		"RangeStore": func() error {
			return errorOf(e.RangeStore(ctx, "a", "a", func(v *zset.View) (lo, hi int) { return 0, v.Len() }))
		},
		"CopyInts":    func() error { return errorOf2(e.CopyInts(ctx, "a", Form{})) },
		"StoreInts":   func() error { return e.StoreInts(ctx, "a", must(zset.NewInt(zset.Options{}))) },
		"StoreSet":    func() error { return errorOf(e.StoreSet(ctx, "a", must(newSet()), SetStore{})) },
		"Preload":     func() error { return errorOf(e.Preload(ctx, "")) },
		"Unload":      func() error { return e.Unload("a") },
		"PopMinWait":  func() error { return errorOf2(e.PopMinWait(ctx, "a")) },
		"PopMaxWait":  func() error { return errorOf2(e.PopMaxWait(ctx, "none")) },
		"PopMinWaitN": func() error { return errorOf2(e.PopMinWaitN(ctx, 2, "a", "none")) },
		"PopMaxWaitN": func() error { return errorOf2(e.PopMaxWaitN(ctx, 2, "none", "a")) },
		"Snapshot":    e.Snapshot,
		"Compact":     func() error { return errorOf(e.Compact(ctx, nil)) },
		"Check":       func() error { return errorOf(e.Check(ctx, nil)) },
		"Feed": func() error {
			for _, err := range e.Feed(ctx, e.m.lastSeq()) {
				return err
			}
			return nil
		},
		"Close": e.Close,
	}
}

// allowedInside are the other methods: they wait for no transaction.
func allowedInside(e *Engine, dir string) map[string]func() error {
	ctx := context.Background()
	return map[string]func() error{
		"Acknowledge": func() error { return e.Acknowledge(ctx, e.LastSeq()) },
		"Flush":       e.Flush,
		"Barrier":     func() error { return e.Barrier(ctx) },
		"Backup": func() error {
			if err := e.Backup(ctx, dir); e.store != nil || err != ErrMemory {
				return err
			}
			return nil
		},
		"Stats":       func() error { return errorOf(e.Stats()) },
		"Count":       func() error { return errorOf(e.Count()) },
		"LastSeq":     func() error { e.LastSeq(); return nil },
		"DurableSeq":  func() error { e.DurableSeq(); return nil },
		"Waiting":     func() error { e.Waiting(); return nil },
		"Settings":    func() error { e.Settings(); return nil },
		"Recovery":    func() error { e.Recovery(); return nil },
		"Now":         func() error { e.Now(); return nil },
		"Done":        func() error { e.Done(); return nil },
		"Listpack":    func() error { e.Listpack(); return nil },
		"SetListpack": func() error { e.SetListpack(128, 64); return nil },
		"Owner":       func() error { return errorOf(e.Owner(owner.New())) },
		"InTx": func() error {
			if !e.InTx() {
				return ErrConflict
			}
			return nil
		},
	}
}

// TestInTxKnowsEveryMethod: each exported method of Engine is in one of the two lists.
func TestInTxKnowsEveryMethod(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{})
	known := slices.Collect(maps.Keys(refusedInside(e, "")))
	known = append(known, slices.Collect(maps.Keys(allowedInside(e, "")))...)
	var methods []string
	for i, typ := 0, reflect.TypeOf(e); i < typ.NumMethod(); i++ {
		methods = append(methods, typ.Method(i).Name)
	}
	require.ElementsMatch(t, methods, known)
	require.NoError(t, e.Close())
}

// count returns how many closures run.
func countRunning(r *locks.Running) (n int) {
	for i := range r.Buckets {
		for j := range r.Buckets[i] {
			if r.Buckets[i][j].Load() != 0 {
				n++
			}
		}
	}
	return n + int(r.Crowded.Load())
}

// ways are the two kinds of transactions, of one key.
var ways = map[string]func(e *Engine, fn func(*Tx) error) error{
	"Update": func(e *Engine, fn func(*Tx) error) error { return e.Update(context.Background(), fn, "a") },
	"View":   func(e *Engine, fn func(*Tx) error) error { return e.View(context.Background(), fn, "a") },
}

// TestInTx calls every method of Engine inside the closures of an Update and of a View: those that would wait for what the closure has
// locked are refused at once, the others answer, and the engine is as it was.
func TestInTx(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, []string{"a", "b"}, func(tx *Tx) { add(t, tx, "a", "x", 1); add(t, tx, "b", "y", 2) })
		before := stateText(t, e)
		for way, run := range ways {
			for name, call := range refusedInside(e, "") {
				t.Run(way+"/"+name, func(t *testing.T) {
					hangtest.Do(t, func() {
						require.NoError(t, run(e, func(*Tx) error {
							require.ErrorIs(t, call(), ErrInTx)
							require.ErrorIs(t, call(), ErrInTx, "again")
							return nil
						}))
						require.Equal(t, before, stateText(t, e))
					})
				})
			}
			for name, call := range allowedInside(e, "backup of "+way) {
				t.Run(way+"/"+name, func(t *testing.T) {
					hangtest.Do(t, func() { require.NoError(t, run(e, func(*Tx) error { return call() })) })
				})
			}
		}
		require.False(t, e.InTx())
	})
}

// TestInTxOwner: what an Owner does is refused too, unless it does it in the transaction.
func TestInTxOwner(t *testing.T) {
	e, ctx := mustOpen(t, persist.MemFS(), Options{}), context.Background()
	o := ownerOf(t, e)
	refused := map[string]func() error{
		"Update":      func() error { return o.Update(ctx, []string{"board/a"}, idle) },
		"UpdateLater": func() error { return o.UpdateLater(ctx, []string{"board/a"}, idle) },
		"UpdateBlind": func() error { return o.UpdateBlind(ctx, []string{"board/a"}, []string{"board/b"}, idle) },
		"Delete":      func() error { return errorOf(o.Delete(ctx, "board/a")) },
		"StoreInts":   func() error { return o.StoreInts(ctx, "board/a", must(zset.NewInt(zset.Options{}))) },
		"Check":       func() error { return errorOf(o.Check(ctx, nil, owner.Audit{})) },
		"Seal":        func() error { return errorOf(o.Seal("board/a")) },
		"List":        func() error { return errorOf(o.List("board/", every)) },
		"BeginView":   func() error { return errorOf(o.BeginView(ctx, "board/a", false)) },
		"CopyAll":     func() error { return errorOf(o.CopyAll(ctx, []string{"board/a"}, []Form{{}})) },
		"Notes": func() (err error) {
			for _, err = range notesOf(ctx, o, 0, true) {
			}
			return err
		},
		"BeginViews": func() error { return errorOf(o.BeginViews(ctx, []string{"board/a", "board/b"})) },
	}
	known := append(slices.Collect(maps.Keys(refused)), "In", "Digest", "EndView", "Scan", "NoteEnd", "Lock", "Restart", "EntryHash", "BlindRemove", "BlindPut", "Note", "LogEnd", "DurableEnd")
	var methods []string
	for m := range reflect.TypeOf(o).Methods() {
		methods = append(methods, m.Name)
	}
	require.ElementsMatch(t, methods, known)
	for _, run := range ways {
		for name, call := range refused {
			hangtest.Do(t, func() {
				require.NoError(t, run(e, func(*Tx) error {
					require.ErrorIs(t, call(), ErrInTx, name)
					return nil
				}))
			})
		}
	}
	require.NoError(t, e.Close())
}

// TestInTxGoesOn: after ErrInTx the transaction commits, or is rolled back, as its closure decides; the board that it was about takes
// results from others.
func TestInTxGoesOn(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		hangtest.Do(t, func() {
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
				add(t, tx, "a", "x", 1)
				require.ErrorIs(t, setX(e, "a", 7), ErrInTx)
				require.ErrorIs(t, setX(e, "other", 7), ErrInTx, "whatever the key")
				add(t, tx, "a", "y", 2)
				require.NoError(t, tx.Put("k", []byte("v")))
			})
			err := e.Update(t.Context(), func(tx *Tx) error {
				add(t, tx, "a", "z", 3)
				return setX(e, "a", 7)
			}, "a")
			require.ErrorIs(t, err, ErrInTx)
			mustView(t, e, []string{"a", "other"}, func(tx *Tx) {
				require.Equal(t, 2, named(t, tx, "a").Len(), "the first has committed, the second is rolled back")
				require.Zero(t, named(t, tx, "other").Len())
				v, ok, err := tx.Get("k")
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, "v", string(v))
			})
			require.NoError(t, setX(e, "a", 7))
			var wg sync.WaitGroup
			wg.Go(func() { require.NoError(t, setX(e, "a", 8)) })
			wg.Wait()
			require.NoError(t, e.Snapshot())
			require.NoError(t, e.Close())
		})
	})
}

// TestInTxEnds: a goroutine is outside again however the closure has ended, and so is one that has ended with it.
func TestInTxEnds(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		for name, end := range endings {
			for _, run := range ways {
				hangtest.Do(t, func() {
					ended(func() error { return run(e, end) })
					func() {
						defer func() { _ = recover() }()
						if name != "goexit" {
							_ = run(e, end)
						}
					}()
					require.False(t, e.InTx(), name)
					require.NoError(t, setX(e, "a", 1), name)
				})
			}
		}
		require.Zero(t, countRunning(&e.locks.Running))
	})
}

// TestInTxOtherEngine: a closure of one engine may call another, and that one's may not call back.
func TestInTxOtherEngine(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	other, err := New(Options{})
	require.NoError(t, err)
	hangtest.Do(t, func() {
		mustUpdate(t, e, []string{"a"}, func(*Tx) {
			require.NoError(t, setX(other, "a", 1))
			require.False(t, other.InTx())
			mustUpdate(t, other, []string{"a"}, func(*Tx) {
				require.ErrorIs(t, setX(e, "b", 1), ErrInTx)
				require.ErrorIs(t, setX(other, "b", 1), ErrInTx)
			})
			require.NoError(t, setX(other, "b", 1))
			require.ErrorIs(t, setX(e, "b", 1), ErrInTx)
		})
	})
	require.NoError(t, other.Close())
	require.NoError(t, e.Close())
}

// TestInTxBeside: calls on other goroutines are not refused while a closure runs. Those that name its keys wait. A goroutine that the closure has
// started may use other keys.
func TestInTxBeside(t *testing.T) {
	const callers = 700 // so many that some buckets of Running overflow
	onBoth(t, func(t *testing.T, e *Engine) {
		hangtest.Do(t, func() {
			var wg sync.WaitGroup
			errs := make(chan error, 4*callers+1)
			inside := make(chan struct{}, callers)
			leave := make(chan struct{})
			for range callers {
				wg.Go(func() { // all these are inside at the same time
					errs <- e.View(t.Context(), func(*Tx) error {
						inside <- struct{}{}
						<-leave
						if err := setX(e, "b", 1); err != ErrInTx {
							return err
						}
						return nil
					}, "v")
				})
			}
			for range callers {
				<-inside
			}
			mustUpdate(t, e, []string{"a"}, func(*Tx) {
				wg.Go(func() { errs <- setX(e, "other", 1) })
				for i := range callers {
					wg.Go(func() { errs <- setX(e, "a", float64(i)) })
					wg.Go(func() { errs <- errorOf2(e.Usage("a")) })
					wg.Go(func() { errs <- e.View(t.Context(), idle, "v", "a") })
				}
				require.ErrorIs(t, setX(e, "b", 1), ErrInTx)
			})
			close(leave)
			wg.Wait()
			close(errs)
			for err := range errs {
				require.NoError(t, err)
			}
			require.Zero(t, countRunning(&e.locks.Running))
			require.NoError(t, e.Close())
		})
	})
}

// TestInTxRangeStore: the function that RangeStore is given is inside, whether the sets are big or not.
func TestInTxRangeStore(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		e.ops.pageWork = 1000
		for _, members := range []int{1, 100} {
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
				for i := range members {
					add(t, tx, "a", wide(i), float64(i))
				}
			})
			hangtest.Do(t, func() {
				n, err := e.RangeStore(context.Background(), "b", "a", func(v *zset.View) (lo, hi int) {
					require.ErrorIs(t, setX(e, "a", 1), ErrInTx)
					return 0, v.Len()
				})
				require.NoError(t, err)
				require.Equal(t, members, n)
			})
		}
	})
}

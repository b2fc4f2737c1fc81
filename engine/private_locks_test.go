package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/private"
	"github.com/zrankdb/zrank/internal/hangtest"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/owner"
)

// apart returns n private keys of different stripes, in the order of these.
func apart(n int) (keys []string) {
	at := map[int]bool{}
	for i := 0; len(keys) < n; i++ {
		key := fmt.Sprint("coins:", i)
		if stripe := private.StripeOf(key); !at[stripe] {
			at[stripe] = true
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return private.StripeOf(a) - private.StripeOf(b) })
	return keys
}

// whileUsed runs fn while a transaction that has put a value under a private key has not ended. The
// transaction ends when fn calls free, or returns.
func whileUsed(t *testing.T, e *Engine, key string, fn func(free func())) {
	t.Helper()
	used, leave, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = e.Update(context.Background(), func(tx *Tx) error {
			err := tx.Put(key, []byte("used"))
			close(used)
			<-leave
			return err
		})
	}()
	<-used
	free := sync.OnceFunc(func() { close(leave); <-done })
	defer free()
	fn(free)
}

// TestPrivateKeysApart: a transaction does not wait for one that uses other private keys.
func TestPrivateKeysApart(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		keys := apart(3)
		for _, used := range keys { // others come before it and after it
			hangtest.Do(t, func() {
				whileUsed(t, e, used, func(func()) {
					for _, key := range keys {
						if key == used {
							continue
						}
						mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, tx.Put(key, []byte(used))) })
						mustView(t, e, nil, func(tx *Tx) {
							value, ok, err := tx.Get(key)
							require.NoError(t, err)
							require.True(t, ok)
							require.Equal(t, used, string(value))
						})
					}
				})
			})
		}
		require.Zero(t, must(e.Stats()).Restarts)
	})
}

// TestPrivateWaits: a transaction that asks for a private key that is not free waits with its locks
// if the key's stripe comes after its others, and restarts otherwise. After a restart it waits with
// no private key locked.
func TestPrivateWaits(t *testing.T) {
	keys := apart(2)
	for _, order := range [][]string{{keys[0], keys[1]}, {keys[1], keys[0]}} {
		synctest.Test(t, func(t *testing.T) {
			e := mustOpen(t, memfs.New(), Options{})
			ended, runs, waits := false, 0, order[0] == keys[0]
			whileUsed(t, e, order[1], func(free func()) {
				go func() {
					defer func() { ended = true }()
					mustUpdate(t, e, nil, func(tx *Tx) {
						runs++
						_ = tx.Put(order[0], []byte("first"))
						_ = tx.Put(order[1], []byte("second"))
					})
				}()
				synctest.Wait()
				require.False(t, ended)
				if !waits {
					mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, tx.Put(order[0], []byte("meanwhile"))) })
				}
				free()
				synctest.Wait()
			})
			require.True(t, ended)
			require.Equal(t, map[bool]int{true: 1, false: 2}[waits], runs)
			require.Equal(t, uint64(runs-1), must(e.Stats()).Restarts)
			mustView(t, e, nil, func(tx *Tx) {
				value, _, err := tx.Get(order[1])
				require.NoError(t, err)
				require.Equal(t, "second", string(value))
			})
			require.NoError(t, e.Close())
		})
	}
}

// TestScanWaits: a walk over private keys waits for every transaction that uses one, even of a key
// that the walk does not find, and no key comes during the walk.
func TestScanWaits(t *testing.T) {
	keys := apart(3)
	for _, used := range keys {
		synctest.Test(t, func(t *testing.T) {
			e := mustOpen(t, memfs.New(), Options{})
			found := []string{}
			whileUsed(t, e, used, func(free func()) {
				go mustView(t, e, nil, func(tx *Tx) {
					found = nil
					for kv, err := range tx.Scan("coins:") {
						require.NoError(t, err)
						found = append(found, string(kv.Key))
					}
				})
				synctest.Wait()
				require.Empty(t, found)
				free()
				synctest.Wait()
			})
			require.Equal(t, []string{used}, found)
			require.NoError(t, e.Close())
		})
	}
}

// TestReservedTogether: the private keys of a board share a stripe, whatever they are for, and a
// walk over some of them waits for no other board. An owner's transaction that uses two boards out
// of order restarts; a View that package board has begun cannot.
func TestReservedTogether(t *testing.T) {
	names := []string{"arena", "duel"}
	if private.StripeOf("board.meta\x00arena\x00") > private.StripeOf("board.meta\x00duel\x00") {
		slices.Reverse(names)
	}
	low, high := names[0], names[1]
	put := func(tx *Tx, name string) error { return tx.Put("board.meta\x00"+name+"\x00ada", nil) }
	synctest.Test(t, func(t *testing.T) {
		e := mustOpen(t, memfs.New(), Options{})
		o := must(e.Owner(owner.New()))
		leave, runs, done := make(chan struct{}), 0, false
		go func() {
			require.NoError(t, o.Update(t.Context(), nil, func(tx *Tx) error { err := put(tx, low); <-leave; return err }))
		}()
		synctest.Wait()
		go func() {
			require.NoError(t, o.Update(t.Context(), []string{"board/set"}, func(tx *Tx) error {
				runs++
				s, err := tx.IntSet("board/set", Form{})
				require.NoError(t, err)
				require.Zero(t, s.Len(), "rolled back")
				_, err = s.Add([]byte("x"), 1)
				require.NoError(t, err)
				_ = put(tx, high)
				_ = put(tx, low)
				return nil
			}))
			done = true
		}()
		synctest.Wait()
		tx, err := o.BeginView(t.Context(), "free", false)
		require.NoError(t, err)
		for range tx.Scan("board.kept\x00" + high + "\x00week\x00") {
			t.Error("there are none")
		}
		require.False(t, tx.stripes.Empty(), "the one that waits has released it")
		_, _, err = tx.Get("board.meta\x00" + low + "\x00ada")
		require.ErrorIs(t, err, ErrConflict)
		o.EndView(tx)
		close(leave)
		synctest.Wait()
		require.True(t, done)
		require.Equal(t, 2, runs)
		require.NoError(t, e.Close())
	})
}

// TestPrivateTransfers: many goroutines move coins between private keys and a set, in random order,
// and others count them. Each sees the same sum, and none waits for ever.
func TestPrivateTransfers(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		hangtest.Do(t, func() {
			x := &transfers{t: t, e: e, keys: apart(10)}
			mustUpdate(t, e, nil, func(tx *Tx) {
				for _, key := range x.keys {
					require.NoError(t, x.give(tx, key, 100))
				}
			})
			var wg sync.WaitGroup
			for id := range 16 {
				rng := rand.New(rand.NewPCG(1, uint64(id)))
				wg.Go(func() {
					for range matrix.Pick(500, 5000) {
						x.one(rng)
					}
				})
			}
			wg.Wait()
			require.Equal(t, e.m.private.CountKept(), e.m.private.Kept())
		})
	})
}

// transfers are coins under private keys, and in a set.
type transfers struct {
	t    *testing.T
	e    *Engine
	keys []string
}

// one moves coins, or counts them.
func (x *transfers) one(rng *rand.Rand) {
	from, to, n := x.keys[rng.IntN(len(x.keys))], x.keys[rng.IntN(len(x.keys))], rng.IntN(5)
	var err error
	switch rng.IntN(8) {
	case 0:
		err = x.e.View(x.t.Context(), x.scan)
	case 1:
		err = x.e.View(x.t.Context(), func(tx *Tx) error { return x.look(tx, rng.Perm(len(x.keys))) })
	case 2:
		err = x.e.Update(x.t.Context(), func(tx *Tx) error {
			if err := x.scan(tx); err != nil {
				return err
			}
			return x.give(tx, to, 0)
		})
	case 3:
		err = x.e.Update(x.t.Context(), func(tx *Tx) error {
			if err := x.give(tx, from, -n); err != nil {
				return err
			}
			set, err := tx.Set("chest")
			if err == nil {
				_, err = set.IncrBy([]byte("coins"), float64(n))
			}
			return err
		})
	default:
		err = x.e.Update(x.t.Context(), func(tx *Tx) error {
			if err := x.give(tx, from, -n); err != nil {
				return err
			}
			return x.give(tx, to, n)
		})
	}
	require.NoError(x.t, err)
}

// give adds coins to those of a key. One that has none is deleted.
func (x *transfers) give(tx *Tx, key string, n int) error {
	has, err := x.coins(tx, key)
	if err != nil {
		return err
	}
	if has+n == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, fmt.Append(nil, has+n))
}

func (x *transfers) coins(tx *Tx, key string) (n int, err error) {
	value, ok, err := tx.Get(key)
	if ok {
		_, err = fmt.Sscan(string(value), &n)
	}
	return n, err
}

// scan counts all coins by a walk.
func (x *transfers) scan(tx *Tx) error {
	sum := 0
	for kv, err := range tx.Scan("coins:") {
		if err != nil {
			return err
		}
		n := 0
		_, err = fmt.Sscan(string(kv.Value), &n)
		require.NoError(x.t, err)
		sum += n
	}
	return x.check(tx, sum)
}

// look counts all coins by reading the keys one by one, in some order.
func (x *transfers) look(tx *Tx, order []int) error {
	sum := 0
	for _, i := range order {
		n, err := x.coins(tx, x.keys[i])
		if err != nil {
			return err
		}
		sum += n
	}
	return x.check(tx, sum)
}

func (x *transfers) check(tx *Tx, sum int) error {
	set, err := tx.Set("chest")
	if err != nil {
		return err
	}
	n, _ := set.Score([]byte("coins"))
	require.Equal(x.t, 100*len(x.keys), sum+int(n))
	return nil
}

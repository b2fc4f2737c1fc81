package budget

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// TestLargestIsEvicted: when the budget is short, the clients that hold most are evicted, and only for a client that would hold less.
func TestLargestIsEvicted(t *testing.T) {
	b := New(100)
	ended := map[string]int{}
	account := func(name string) *Account { return b.Account(func() { ended[name]++ }) }
	one, two, three := account("one"), account("two"), account("three")
	require.True(t, one.Take(50))
	require.True(t, two.Take(40))
	require.False(t, one.Take(11), "nobody holds more than 61")
	require.Empty(t, ended)
	require.True(t, three.Take(20))
	require.Equal(t, map[string]int{"one": 1}, ended)
	require.Equal(t, int64(110), b.Used(), "until it gives back what it holds")
	require.True(t, one.Evicted())
	require.False(t, one.Take(1), "it is gone")
	require.True(t, three.Take(15), "what is leaving does not count")
	one.Give(50)
	require.Equal(t, int64(75), b.Used())
	require.False(t, three.Take(30))
	require.True(t, three.Take(25))
	four := account("four")
	require.False(t, four.Take(59), "less than the largest, which is evicted, but has yet to give back")
	require.Equal(t, map[string]int{"one": 1, "three": 1}, ended)
	three.Give(60)
	require.True(t, four.Take(59))
	two.Give(40)
	require.Equal(t, int64(59), b.Used())
	require.Len(t, b.holders, 1)
	require.True(t, (*Account)(nil).Take(math.MaxInt))
	require.False(t, (*Account)(nil).Evicted())
}

// TestBudgetIsKept: clients take and give bytes at random, and evicted clients give everything back: the sum of all accounts stays within B1.
func TestBudgetIsKept(t *testing.T) {
	const limit = 1000
	b := New(limit)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			a, held := b.Account(func() {}), 0
			for range 3000 {
				if n := r.IntN(200); a.take(n, r.IntN(2) == 0) {
					held += n
				} else if a.Evicted() || held > 0 && r.IntN(2) == 0 {
					a.Give(held)
					held = 0
				}
				if a.Evicted() {
					a.Give(held)
					a, held = b.Account(func() {}), 0
				}
				b.mu.Lock()
				ok := b.used-b.leaving <= limit && b.leaving >= 0 && b.used <= limit+limit/4
				b.mu.Unlock()
				if !ok {
					t.Error("more is held than there may be")
					return
				}
			}
			a.Give(held)
		})
	}
	all.Wait()
	require.Zero(t, b.Used())
	require.Zero(t, b.leaving)
	require.Empty(t, b.holders)
}

// TestMoreThanTheLimit: clients that ask while those that were evicted have given nothing back get a quarter of the limit at most.
func TestMoreThanTheLimit(t *testing.T) {
	const limit = 1000
	b := New(limit)
	for range 100 {
		for n := 1; b.Account(func() {}).Take(10 * n); n++ {
			require.LessOrEqual(t, b.Used(), int64(limit+limit/4))
		}
	}
	require.Equal(t, b.Used(), b.Stats().Peak)
	require.Greater(t, b.Used(), int64(limit))
}

// TestTakeWait waits for the bytes of clients that were evicted, and ends when the one that waits is evicted itself.
func TestTakeWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(100)
		large, small, third := b.Account(func() {}), b.Account(func() {}), b.Account(func() {})
		require.True(t, large.Take(70))
		require.True(t, third.Take(30))
		took := make(chan bool)
		go func() { took <- small.TakeWait(60) }()
		synctest.Wait()
		require.True(t, large.Evicted())
		require.Equal(t, int64(100), b.Used())
		large.Give(10)
		synctest.Wait()
		large.Give(60)
		require.True(t, <-took)
		require.Equal(t, int64(90), b.Used())

		require.True(t, third.TakeWait(25), "small is evicted, and a quarter more may be held meanwhile")
		require.True(t, small.Evicted())
		go func() { took <- third.TakeWait(20) }()
		synctest.Wait()
		require.False(t, b.Account(func() {}).Take(50), "the third is evicted")
		require.False(t, <-took)
	})
}

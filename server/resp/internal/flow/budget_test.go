package flow

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheLargestGoes: when the budget is short, those who hold most are let go, and only for who would hold less.
func TestTheLargestGoes(t *testing.T) {
	b := NewBudget(100)
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
	require.True(t, one.LetGo())
	require.False(t, one.Take(1), "it is gone")
	require.True(t, three.Take(15), "what is leaving does not count")
	one.Give(50)
	require.Equal(t, int64(75), b.Used())
	require.False(t, three.Take(30))
	require.True(t, three.Take(25))
	require.True(t, account("four").Take(59), "less than the largest")
	require.Equal(t, map[string]int{"one": 1, "three": 1}, ended)
	three.Give(60)
	two.Give(40)
	require.Equal(t, int64(59), b.Used())
	require.Len(t, b.holders, 1)
	require.True(t, (*Account)(nil).Take(math.MaxInt))
	require.False(t, (*Account)(nil).LetGo())
}

// TestBudgetIsKept by many clients at once that take and give at random; who is let go gives all back.
func TestBudgetIsKept(t *testing.T) {
	const limit = 1000
	b := NewBudget(limit)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			a, held := b.Account(func() {}), 0
			for range 3000 {
				if n := r.IntN(200); a.Take(n) {
					held += n
				} else if a.LetGo() || held > 0 && r.IntN(2) == 0 {
					a.Give(held)
					held = 0
				}
				if a.LetGo() {
					a.Give(held)
					a, held = b.Account(func() {}), 0
				}
				b.mu.Lock()
				ok := b.used-b.leaving <= limit && b.leaving >= 0
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

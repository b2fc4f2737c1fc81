package members

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// owner is a table with the state that an owner keeps: the ref of each member, and the member of each ref.
type owner struct {
	*Table
	refs map[uint32]string
	text map[string]uint32
}

func newOwner(tieWidth int) *owner {
	return &owner{Table: New(tieWidth), refs: map[uint32]string{}, text: map[string]uint32{}}
}

func (o *owner) add(m string) {
	ref := o.Add(uint64(len(o.refs)), nil, []byte(m))
	o.refs[ref], o.text[m] = m, ref
}

// remove removes a member and calls Shrink, as the owner of a table does.
func (o *owner) remove(t *testing.T, m string) {
	ref, ok := o.Find([]byte(m))
	require.True(t, ok)
	require.Equal(t, o.text[m], ref)
	delete(o.refs, ref)
	delete(o.text, m)
	o.Remove(ref)
	o.shrink(t, 4)
}

func (o *owner) shrink(t *testing.T, moves int) {
	o.Shrink(moves, func(old, ref uint32) {
		m, ok := o.refs[old]
		require.True(t, ok, "moved is called for a member that is there")
		require.Equal(t, string(o.Text(old)), string(o.Text(ref)))
		require.Equal(t, o.Key(old), o.Key(ref))
		delete(o.refs, old)
		o.refs[ref], o.text[m] = m, ref
	})
}

// fresh returns a new table of the same members.
func (o *owner) fresh() *Table {
	table := New(0)
	for _, m := range o.refs {
		table.Add(0, nil, []byte(m))
	}
	return table
}

// mixed returns a member of 8 to 110 bytes.
func mixed(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("m", int(int64(i)*7919%103)) }

// TestRemoveMost removes nine of ten members, in several orders. The table must never take more than 1.5 times the memory of a new table
// of the same members.
func TestRemoveMost(t *testing.T) {
	n := matrix.Pick(50_000, 300_000)
	if invariants.Enabled {
		n = 3000 // each change is checked in O(n)
	}
	for _, order := range []string{"random", "first", "last"} {
		t.Run("order="+order, func(t *testing.T) {
			o := newOwner(0)
			for i := range n {
				o.add(mixed(i))
			}
			rng := rand.New(rand.NewPCG(7, 7))
			removals := rng.Perm(n)
			if order != "random" {
				for i := range removals {
					removals[i] = i
				}
			}
			if order == "last" {
				for i := range removals {
					removals[i] = n - 1 - i
				}
			}
			full := o.Size()
			for i, k := range removals[:n*9/10] {
				o.remove(t, mixed(k))
				if (i+1)%(n/10) == 0 && !invariants.Enabled {
					fresh := o.fresh()
					t.Logf("%d left: %d bytes, a fresh table %d: %.2f", o.Len(), o.Size(), fresh.Size(), float64(o.Size())/float64(fresh.Size()))
					require.LessOrEqual(t, o.Size(), fresh.Size()*3/2)
				}
			}
			number, found := o.verify()
			require.Empty(t, number, found)
			if !invariants.Enabled { // with invariant checks the table has only one or two slabs
				require.Less(t, o.Size(), full/5)
			}
			for m, ref := range o.text {
				at, ok := o.Find([]byte(m))
				require.True(t, ok)
				require.Equal(t, ref, at)
			}
			for m := range o.text {
				o.remove(t, m)
			}
			for range n {
				o.shrink(t, 4)
			}
			require.LessOrEqual(t, o.Size(), 4*shrinkFrom)
		})
	}
}

// TestDrift repeatedly removes the oldest member and adds a new one, whose length changes slowly.
func TestDrift(t *testing.T) {
	n, rounds := 5000, 400_000
	if invariants.Enabled {
		n, rounds = 500, 3000
	}
	o := newOwner(0)
	length := func(i int) int { return 8 + i*200/rounds }
	text := func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("d", length(i)-8) }
	most := 0.0
	for i := range rounds {
		o.add(text(i))
		if i >= n {
			o.remove(t, text(i-n))
		}
		if i > 2*n && i%(n/2) == 0 {
			most = max(most, float64(o.Size())/float64(o.fresh().Size()))
		}
	}
	t.Logf("at most %.2f of a fresh table", most)
	if !invariants.Enabled { // one slab more or less decides
		require.LessOrEqual(t, most, 1.5)
	}
	number, found := o.verify()
	require.Empty(t, number, found)
}

// TestSizeIsMemory compares Size with the growth of the heap.
func TestSizeIsMemory(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	held := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for _, n := range []int{20_000, 200_000} {
		before := held()
		table := New(0)
		var b []byte
		for i := range n {
			b = player(b[:0], i)
			if i%1000 == 0 {
				b = append(b, make([]byte, 9000+i%30_000)...)
			}
			table.Add(0, nil, b)
		}
		b = nil
		same := func() {
			heap := held() - before
			t.Logf("%d members: %d bytes, %d in the heap", table.Len(), table.Size(), heap)
			require.InDelta(t, heap, table.Size(), 0.05*float64(heap))
		}
		same()
		for i := range n {
			b = player(b[:0], i)
			if ref, ok := table.Find(b); ok && i%10 != 0 {
				table.Remove(ref)
				table.Shrink(4, func(_, _ uint32) {})
			}
		}
		b = nil
		same()
		runtime.KeepAlive(table)
	}
}

package members

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// owner keeps refs beside a table, as the index of a set does.
type owner struct {
	table *Table
	refs  map[string]uint32
}

func newOwner() *owner { return &owner{table: New(8), refs: map[string]uint32{}} }

func (o *owner) add(member string) {
	o.refs[member] = o.table.Add(uint64(len(member)), []byte("tie.tie."), []byte(member))
}

// remove takes a member out and follows the records that are moved.
func (o *owner) remove(t *testing.T, member string) {
	o.table.Remove(o.refs[member])
	delete(o.refs, member)
	o.shrink(t)
}

func (o *owner) shrink(t *testing.T) {
	o.table.Shrink(4, func(old, ref uint32) {
		require.Equal(t, string(o.table.Text(old)), string(o.table.Text(ref)))
		require.Equal(t, o.table.Key(old), o.table.Key(ref))
		member := string(o.table.Member(ref))
		require.Equal(t, o.refs[member], old)
		o.refs[member] = ref
	})
}

// check finds every member where the owner believes it is.
func (o *owner) check(t *testing.T) {
	number, found := o.table.verify()
	require.Empty(t, number, found)
	require.Equal(t, len(o.refs), o.table.Len())
	for member, ref := range o.refs {
		at, ok := o.table.Find([]byte(member))
		require.True(t, ok)
		require.Equal(t, ref, at)
		require.Equal(t, "tie.tie.", string(o.table.Tie(at)))
	}
}

// fresh returns the size of a new table of the same members.
func (o *owner) fresh() int {
	table := New(8)
	for member := range o.refs {
		table.Add(0, []byte("tie.tie."), []byte(member))
	}
	return table.Size()
}

func mixed(i int) string { return fmt.Sprintf("%d%s", i, strings.Repeat("m", i%50)) }

// TestShrink removes nine tenths of many members: memory follows.
func TestShrink(t *testing.T) {
	n := 300_000
	if invariants.Enabled {
		n = 8000
	}
	for _, order := range []string{"random", "in order", "all of a slab but few"} {
		t.Run(order, func(t *testing.T) {
			o := newOwner()
			for i := range n {
				o.add(mixed(i))
			}
			rng := rand.New(rand.NewPCG(4, 4))
			victims := rng.Perm(n)
			switch order {
			case "in order":
				for i := range victims {
					victims[i] = i
				}
			case "all of a slab but few":
				victims = victims[:0]
				for i := range n {
					if i%10 != 3 {
						victims = append(victims, i)
					}
				}
			}
			for _, i := range victims[:n*9/10] {
				o.remove(t, mixed(i))
			}
			o.check(t)
			require.LessOrEqual(t, o.table.Size(), o.fresh()*3/2+fewSlabs*slabBytes)
		})
	}
}

// TestDrift removes and adds for ever, with members that become longer: memory stays in proportion.
func TestDrift(t *testing.T) {
	rounds, n := 300_000, 30_000
	if invariants.Enabled {
		rounds, n = 3000, 1000
	}
	o := newOwner()
	name := func(i int) string { return fmt.Sprintf("%d%s", i, strings.Repeat("d", i*100/(rounds+n))) }
	for i := range n {
		o.add(name(i))
	}
	most := 0.0
	for i := range rounds {
		o.remove(t, name(i))
		o.add(name(i + n))
		if i%(rounds/10) == 0 {
			most = max(most, float64(o.table.Size())/float64(o.fresh()+fewSlabs*slabBytes))
		}
	}
	o.check(t)
	require.Less(t, most, 1.5)
}

// TestEmptied removes everything, one by one: next to nothing is left.
func TestEmptied(t *testing.T) {
	n := 50_000
	if invariants.Enabled {
		n = 3000
	}
	o := newOwner()
	for i := range n {
		o.add(mixed(i))
	}
	for i := range n {
		o.remove(t, mixed(i))
	}
	o.check(t)
	require.Zero(t, o.table.index.depth)
	require.Less(t, o.table.Size(), (fewSlabs+2)*slabBytes)
}

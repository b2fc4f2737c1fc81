package members

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// want is a member's key and tie in the oracle.
type want struct {
	key uint64
	tie string
}

// compare looks up every member of the oracle in the table, and checks that the table's pages hold no other members.
func compare(t *testing.T, table *Table, oracle map[string]want) {
	t.Helper()
	number, found := table.verify()
	require.Empty(t, number, found)
	require.Equal(t, len(oracle), table.Len())
	for m, w := range oracle {
		ref, ok := table.Find([]byte(m))
		require.True(t, ok, "%.40q", m)
		require.Equal(t, w.key, table.Key(ref))
		require.Equal(t, w.tie, string(table.Tie(ref)))
		require.Equal(t, w.tie+m, string(table.Text(ref)))
	}
	seen := 0
	for page := range table.Pages() {
		for ref := range table.Page(page) {
			require.Contains(t, oracle, string(table.Member(ref)))
			seen++
		}
	}
	require.Equal(t, len(oracle), seen)
}

// name returns one of n members, of lengths from 0 to beyond a slab.
func name(i int) string {
	switch {
	case i == 0:
		return ""
	case i%97 == 0:
		return fmt.Sprint(i) + strings.Repeat("x", maxText-20+i%40)
	case i%307 == 0:
		return fmt.Sprint(i) + strings.Repeat("y", 70_000)
	}
	return fmt.Sprint(i) + strings.Repeat("z", i%60)
}

// TestAgainstMap adds, changes and removes random members in a table and in a map, and compares both.
func TestAgainstMap(t *testing.T) {
	for _, tieWidth := range []int{0, 8, 40} {
		t.Run(fmt.Sprintf("tie=%d", tieWidth), func(t *testing.T) {
			const seed = 5
			steps := matrix.Pick(4000, 20_000)
			rng := rand.New(rand.NewPCG(seed, uint64(tieWidth)))
			table, oracle := New(tieWidth), map[string]want{}
			tie := make([]byte, tieWidth)
			for i := range steps {
				m := name(rng.IntN(3000))
				for at := range tieWidth / 8 {
					binary.LittleEndian.PutUint64(tie[8*at:], rng.Uint64())
				}
				w := want{key: rng.Uint64(), tie: string(tie)}
				ref, ok := table.Find([]byte(m))
				_, had := oracle[m]
				require.Equal(t, had, ok, "seed %d step %d", seed, i)
				switch {
				case !ok:
					table.Add(w.key, tie, []byte(m))
					oracle[m] = w
				case rng.IntN(2) == 0 || i > steps*3/4:
					table.Remove(ref)
					delete(oracle, m)
				default:
					table.SetKey(ref, w.key)
					table.SetTie(ref, tie)
					oracle[m] = w
				}
				if i%2500 == 0 {
					compare(t, table, oracle)
				}
			}
			compare(t, table, oracle)
		})
	}
}

// TestReuse repeatedly removes and adds members of one size. The table must not get a new slab.
func TestReuse(t *testing.T) {
	table, rounds := New(0), 50_000
	if invariants.Enabled {
		rounds = 500 // each change is checked in O(n)
	}
	for i := range 5000 {
		table.Add(0, nil, fmt.Appendf(nil, "%08d", i))
	}
	size := table.Size()
	for i := range rounds {
		ref, ok := table.Find(fmt.Appendf(nil, "%08d", i))
		require.True(t, ok)
		table.Remove(ref)
		table.Add(0, nil, fmt.Appendf(nil, "%08d", i+5000))
	}
	require.LessOrEqual(t, table.Size(), size*3/2)
	number, found := table.verify()
	require.Empty(t, number, found)
}

// TestMatches tries every tag at every place beside tags that differ by one, where the inexact zero-byte test fails.
func TestMatches(t *testing.T) {
	for place := range places {
		for tag := 1; tag < 256; tag++ {
			var b bucket
			for i := range places {
				b.set(i, byte(tag^1))
			}
			b.set(place, byte(tag))
			m := b.matches(byte(tag))
			require.Equal(t, place, first(m))
			require.Zero(t, m&(m-1))
			require.Equal(t, byte(tag), b.tag(place))
		}
	}
}

func TestNoAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	table := New(8)
	tie, member := make([]byte, 8), []byte("member:0001")
	for i := range 2000 {
		table.Add(0, tie, fmt.Appendf(nil, "member:%04d", i))
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		ref, _, _ := table.FindKey(member)
		table.SetKey(ref, 1)
		table.Remove(ref)
		moved := 0
		table.Shrink(4, func(_, _ uint32) { moved++ })
		table.Add(2, tie, member)
		table.Scan(0, 100, func(uint32) { moved++ })
	}))
}

// TestPassedAllAround searches for absent members in a table in which every bucket was passed. The search must end after one round.
func TestPassedAllAround(t *testing.T) {
	table := New(0)
	q := &table.index.dir[0]
	for g := range q.buckets {
		q.buckets[g].over = 1
	}
	for _, m := range []string{"", "absent", strings.Repeat("a", 70_000)} {
		_, ok := table.Find([]byte(m))
		require.False(t, ok)
	}
	require.Zero(t, table.Scan(0, 1, func(uint32) { t.Error("a member of an empty table") }))
}

// TestChurn replaces members at random in tables that are nearly full. The number of passed records, which bounds a search, must stay
// low.
func TestChurn(t *testing.T) {
	n, rounds := 20_000, 200_000
	if invariants.Enabled {
		n, rounds = 170, 5000
	}
	o, rng := newOwner(0), rand.New(rand.NewPCG(3, 9))
	for i := range n {
		o.add(fmt.Sprint(i))
	}
	ids := rng.Perm(n)
	for i := range rounds {
		o.remove(t, fmt.Sprint(ids[i%n]))
		ids[i%n] = n + i
		o.add(fmt.Sprint(n + i))
		if i%n == n-1 {
			rng.Shuffle(n, func(a, b int) { ids[a], ids[b] = ids[b], ids[a] })
		}
	}
	for _, q := range o.index.tables {
		require.LessOrEqual(t, int(q.passed), len(q.buckets)*maxPassed+len(q.buckets))
	}
	number, found := o.verify()
	require.Empty(t, number, found)
}

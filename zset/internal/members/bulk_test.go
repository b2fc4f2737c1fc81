package members

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// bulk makes a table from pages, each given as a list of members; the key of a member is its page.
func bulk(t *testing.T, tie, workers int, pages [][]string) *Table {
	table := New(tie)
	b := table.Bulk(len(pages), workers)
	inParallel(workers, len(pages), func(i int) {
		var s Slab
		for _, member := range pages[i] {
			if !s.Add(uint64(i), bytes.Repeat([]byte{byte(i)}, tie), []byte(member)) {
				panic("no room")
			}
		}
		b.Place(i, &s)
	})
	b.Finish()
	number, found := table.verify()
	require.Empty(t, number, found)
	return table
}

// TestBulk makes tables with directories of all sizes, with empty pages, long members and members that come twice. Each member must have
// the key of its last page, and be on that page. The table must work like any other afterwards.
func TestBulk(t *testing.T) {
	for _, n := range []int{0, 1, 15, 200, 1080, 1081, 5000, 70_000} {
		if n > 2000 && invariants.Enabled {
			continue // every change is checked in full
		}
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("n=%d/workers=%d", n, workers), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(n), 1))
				pages, want := make([][]string, n/300+3), map[string]int{}
				for i := range n {
					p := rng.IntN(len(pages))
					member := fmt.Sprintf("m%d", rng.IntN(max(n*9/10, 1)))
					if p == 1 || slices.Contains(pages[p], member) {
						p, member = i%len(pages)/2*2, fmt.Sprintf("only%d", i) // page 1 stays empty
					}
					pages[p] = append(pages[p], member)
				}
				pages = append(pages, nil, []string{strings.Repeat("long", maxText)}, nil)
				for i, page := range pages {
					for _, member := range page {
						want[member] = i
					}
				}
				table := bulk(t, 8, workers, pages)
				require.Equal(t, len(want), table.Len())
				changed := map[int]bool{}
				for i, page := range pages {
					for _, member := range page {
						changed[i] = changed[i] || want[member] != i
					}
					require.Equal(t, changed[i], i < table.Pages() && len(page) > 0 && table.PageChanged(i), "page %d", i)
				}
				for member, page := range want {
					ref, key, ok := table.FindKey([]byte(member))
					require.True(t, ok, member)
					require.Equal(t, uint64(page), key)
					require.Equal(t, page, int(ref>>slabBits))
				}
				var last *entry
				count := 0
				for key, ref := range table.InOrder(workers) {
					require.Equal(t, table.Key(ref), key)
					if count++; last != nil {
						require.True(t, last.by < key || last.by == key && string(table.Text(last.ref)) < string(table.Text(ref)))
					}
					last = &entry{key, ref}
				}
				require.Equal(t, len(want), count)
				goesOn(t, table, want)
			})
		}
	}
}

// goesOn adds 100 members to a table and then removes the members of want. Only the new ones must remain.
func goesOn(t *testing.T, table *Table, want map[string]int) {
	for i := range 100 {
		table.Add(uint64(i), make([]byte, 8), fmt.Appendf(nil, "new%d", i))
	}
	for member := range want {
		ref, ok := table.Find([]byte(member))
		require.True(t, ok)
		table.Remove(ref)
		table.Shrink(4, func(_, _ uint32) {})
	}
	require.Equal(t, 100, table.Len())
	number, found := table.verify()
	require.Empty(t, number, found)
}

// TestBulkCrowded places so many members of one hash range that their table has too few places. The others must be found too, also those
// that come twice.
func TestBulkCrowded(t *testing.T) {
	table := New(0)
	var pages [][]string
	var crowd []string
	for i := 0; len(crowd) < 3000; i++ {
		member := fmt.Sprint("m", i)
		if table.index.hash([]byte(member))>>61 == 5 { // all in one of the 8 tables that Bulk makes
			crowd = append(crowd, member)
		}
	}
	for i := 0; i < len(crowd); i += 1000 {
		pages = append(pages, crowd[i:i+1000], crowd[i:i+500])
	}
	b := table.Bulk(len(pages), 2)
	for i, page := range pages {
		var s Slab
		for _, member := range page {
			require.True(t, s.Add(uint64(i), nil, []byte(member)))
		}
		b.Place(i, &s)
	}
	b.Finish()
	number, found := table.verify()
	require.Empty(t, number, found)
	require.Equal(t, len(crowd), table.Len())
	for i, member := range crowd {
		_, key, ok := table.FindKey([]byte(member))
		require.True(t, ok)
		want := i / 1000 * 2
		if i%1000 < 500 {
			want++
		}
		require.Equal(t, uint64(want), key)
	}
}

// TestSlabRoom: a slab must take 64 KiB of records, or one large record.
func TestSlabRoom(t *testing.T) {
	var s Slab
	large := make([]byte, maxText+1)
	for s.Add(1, nil, make([]byte, 90)) {
	}
	require.Greater(t, len(s.bytes), slabBytes-200)
	s.Reset()
	require.True(t, s.Add(1, nil, large))
	require.False(t, s.Add(1, nil, nil))
	s.Reset()
	require.True(t, s.Add(1, nil, nil))
	require.False(t, s.Add(1, nil, large))
}

// TestBulkMore adds members by Put to tables of all sizes, some of them twice, and long ones. The last key of each counts, and the table works like any other afterwards.
func TestBulkMore(t *testing.T) {
	for _, before := range []int{0, 1, 300} {
		for _, n := range []int{0, 1, 200, 1080, 5000, 70_000} {
			if n > 2000 && invariants.Enabled {
				continue // every change is checked in full
			}
			for _, again := range []int{0, 1, 3} { // every so-manyth member comes again
				t.Run(fmt.Sprintf("before=%d/n=%d/again=%d", before, n, again), func(t *testing.T) {
					table, want := New(8), map[string]int{}
					for i := range before {
						member := fmt.Sprint("before", i)
						table.Add(uint64(i), make([]byte, 8), []byte(member))
						want[member] = i
					}
					b := table.BulkMore(1 + n%3)
					put := func(member string, key int) {
						require.True(t, b.Put(uint64(key), make([]byte, 8), []byte(member)))
						want[member] = key
					}
					for i := range n {
						put(fmt.Sprint("m", i), i)
						if again > 0 && i%again == 0 {
							put(fmt.Sprint("m", i/2), n+i)
							put(fmt.Sprint("before", i), i)
						}
					}
					put(strings.Repeat("long", maxText), 7)
					twice := b.Finish()
					require.Equal(t, again > 0 && n > 0, twice != nil)
					if twice != nil {
						require.Contains(t, want, string(twice))
					}
					number, found := table.verify()
					require.Empty(t, number, found)
					require.Equal(t, len(want), table.Len())
					for member, key := range want {
						_, got, ok := table.FindKey([]byte(member))
						require.True(t, ok)
						require.Equal(t, uint64(key), got)
					}
					for i := range table.Pages() {
						require.True(t, table.PageChanged(i))
					}
					goesOn(t, table, want)
				})
			}
		}
	}
}

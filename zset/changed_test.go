package zset

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// store holds the pages of a set that its snapshots have written.
type store struct {
	rng    *rand.Rand
	set    *Set
	o      Options
	pages  [][]byte
	kept   int // pages that were not written again
	loaded int // of those, right after the set was loaded
}

// change changes the set n times.
func (d *store) change(n int) {
	if invariants.Enabled {
		n = min(n, 40) // each is checked, in a time that grows with the set
	}
	for range n {
		i := d.rng.IntN(6000)
		m := long(i)[:10+i%190]
		if i%2000 == 7 {
			m = bytes.Repeat([]byte{byte(i)}, 9000+i)
		}
		switch p := d.rng.IntN(1000); {
		case p == 0:
			d.set.RemoveRange(0, d.set.Len()/2)
		case p < 200:
			d.set.Remove(m)
		case p < 300:
			_, _ = d.set.AddTied(m, bytes.Repeat([]byte{byte(i)}, d.o.TieWidth), 3)
		default:
			_, _ = d.set.Add(m, float64(d.rng.IntN(50)))
		}
	}
}

// same requires that each unchanged page equals the stored one.
func (d *store) same(t *testing.T) (n int) {
	for i := range d.set.Pages() {
		if !d.set.PageChanged(i) {
			require.Less(t, i, len(d.pages))
			require.True(t, bytes.Equal(d.pages[i], d.set.AppendPage(nil, i)), "page %d of %d has changed", i, d.set.Pages())
			n++
		}
	}
	return n
}

// snapshot writes the changed pages, with changes of the set between them. Then it keeps the pages, or loses them as a failed snapshot
// does.
func (d *store) snapshot(t *testing.T, keep bool) {
	var pages [][]byte
	d.set.HoldPages()
	for i := 0; i < d.set.Pages(); i++ {
		if d.set.PageChanged(i) {
			pages = append(pages, d.set.TakePage(nil, i))
		} else {
			pages = append(pages, d.pages[i])
			d.kept++
		}
		d.change(d.rng.IntN(3))
	}
	d.set.ReleasePages()
	d.set.SettlePages(keep)
	if keep {
		d.pages = pages
	}
	d.same(t)
}

// storedPages returns the pages in the form that LoadPages takes.
func storedPages(pages [][]byte) func(from, to int) iter.Seq2[[]byte, error] {
	return func(from, to int) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for _, page := range pages[from:to] {
				if !yield(page, nil) {
					return
				}
			}
		}
	}
}

// reload loads the set from the store.
func (d *store) reload(t *testing.T) {
	b, err := NewBuilder(d.o)
	require.NoError(t, err)
	require.NoError(t, b.LoadPages(len(d.pages), 1+d.rng.IntN(3), storedPages(d.pages)))
	d.set = b.Set()
	require.NoError(t, d.set.verifyError())
	d.loaded += d.same(t)
}

// TestChangedPages checks M6: during random changes, kept and lost snapshots, and reloads, a page that is not marked as changed must equal
// the stored page byte for byte.
func TestChangedPages(t *testing.T) {
	rounds := matrix.Pick(100, 300)
	if invariants.Enabled {
		rounds = 6
	}
	for seed, o := range []Options{{}, {TieWidth: 8}, {Cap: 3000}, {DenseRanks: true}} {
		d := &store{rng: rand.New(rand.NewPCG(uint64(seed), 9)), o: o}
		d.set, _ = New(o)
		for round := range rounds {
			switch p := d.rng.IntN(20); {
			case p == 0:
				d.set.RemoveRange(0, d.set.Len())
			case p < 4 && d.pages != nil:
				d.reload(t)
			case p < 8:
				d.change(4000)
			default:
				d.change(d.rng.IntN(30))
			}
			d.same(t)
			d.snapshot(t, d.rng.IntN(4) > 0)
			require.NoError(t, d.set.verifyError(), "seed %d, round %d", seed, round)
		}
		if !invariants.Enabled {
			require.Positive(t, d.kept, "a test of nothing")
			require.Positive(t, d.loaded, "a test of nothing")
		}
		t.Logf("seed %d: %d pages kept, %d unchanged after a reload", seed, d.kept, d.loaded)
	}
}

// TestLoadedPages loads a set from its pages. The set must have no changed page, and take no more memory than the original. A change of
// one member must change only one page, or a few.
func TestLoadedPages(t *testing.T) {
	n := 100_000
	if invariants.Enabled {
		n = 4000 // each addition is checked, in a time that grows with the set
	}
	s, names := filled(n)
	b, _ := NewBuilder(Options{})
	require.NoError(t, b.LoadPages(s.Pages(), 2, pagesOf(s.View())))
	l := b.Set()
	count := func() (changed int) {
		for i := range l.Pages() {
			if l.PageChanged(i) {
				changed++
			}
		}
		return changed
	}
	require.Equal(t, s.Pages(), l.Pages())
	require.Zero(t, count())
	require.LessOrEqual(t, l.Size(), s.Size()+s.Size()/100)
	l.Add(names[77], -1)
	require.Equal(t, 1, count())
	l.Remove(names[777])
	require.LessOrEqual(t, count(), 2)
	l.Add([]byte("new"), 0)
	require.LessOrEqual(t, count(), 3)
	l.RemoveRange(0, l.Len()-100)
	require.NoError(t, l.verifyError())
	require.Equal(t, l.Pages(), count(), "all other pages were freed")
	for i := range l.Pages() {
		l.TakePage(nil, i)
	}
	require.Zero(t, count())
	l.TouchPages()
	l.SettlePages(true)
	require.Equal(t, l.Pages(), count(), "a snapshot that has begun before does not have them")
}

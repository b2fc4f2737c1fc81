package counted

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/model"
)

// check returns the first violation of C1 to C5.
func (t *Tree) check() error {
	c := checker{}
	if err := c.inner(t.root, true); err != nil {
		return err
	}
	if c.last.next != nil {
		return fmt.Errorf("violates C5: the chain goes on behind the last leaf")
	}
	return nil
}

// checker walks a tree in order.
type checker struct {
	rows, low model.Entry // the last row seen, and the greatest low
	seen      int         // rows
	last      *leaf
}

func (c *checker) inner(in *inner, root bool) error {
	if !root && in.n < least {
		return fmt.Errorf("violates C4: an inner node of %d kids", in.n)
	}
	for i := range width {
		if i >= in.n {
			if in.members[i] != "" || in.leaves[i] != nil || in.kids[i] != nil {
				return fmt.Errorf("violates C5: something behind kid %d of %d", i, in.n)
			}
			continue
		}
		if low := (model.Entry{Score: in.scores[i], Member: in.members[i]}); i > 0 {
			if c.seen > 0 && !model.Less(c.rows, low) {
				return fmt.Errorf("violates C2: low %v after row %v", low, c.rows)
			}
			c.low = low
		}
		before := c.seen
		if err := c.kid(in, i, root); err != nil {
			return err
		}
		if c.seen-before != in.counts[i] {
			return fmt.Errorf("violates C3: %d rows counted as %d", c.seen-before, in.counts[i])
		}
	}
	return nil
}

func (c *checker) kid(in *inner, i int, root bool) error {
	if in.height > 1 {
		if in.kids[i].height != in.height-1 {
			return fmt.Errorf("height %d below %d", in.kids[i].height, in.height)
		}
		return c.inner(in.kids[i], false)
	}
	return c.leaf(in.leaves[i], root && in.n == 1)
}

func (c *checker) leaf(l *leaf, sole bool) error {
	if c.last != nil && c.last.next != l {
		return fmt.Errorf("violates C5: a leaf is not in the chain")
	}
	if c.last = l; !sole && l.n < least {
		return fmt.Errorf("violates C4: a leaf of %d rows", l.n)
	}
	for i := range l.n {
		row := model.Entry{Score: l.scores[i], Member: l.members[i]}
		if c.seen > 0 && !model.Less(c.rows, row) {
			return fmt.Errorf("violates C1: row %v after %v", row, c.rows)
		}
		if model.Less(row, c.low) {
			return fmt.Errorf("violates C2: row %v below low %v", row, c.low)
		}
		c.rows = row
		c.seen++
	}
	for _, m := range l.members[l.n:] {
		if m != "" {
			return fmt.Errorf("violates C5: %q behind the last row", m)
		}
	}
	return nil
}

// pair is a tree and the oracle.
type pair struct {
	tree   *Tree
	oracle *model.Set
	r      *rand.Rand
	scores int // scores are whole numbers below this
}

func (p *pair) put(i int) {
	e := model.Entry{Score: float64(p.r.IntN(p.scores)), Member: fmt.Sprintf("m%05d", i)}
	if old, had := p.oracle.Get(e.Member); !had {
		p.tree.Insert(e.Score, e.Member)
	} else {
		if p.r.IntN(2) == 0 {
			e.Score = old.Score + float64(p.r.IntN(3))
		}
		p.tree.Move(old.Score, e.Member, e.Score)
	}
	p.oracle.Put(e)
}

func (p *pair) remove(i int) {
	member := fmt.Sprintf("m%05d", i)
	if e, had := p.oracle.Get(member); had {
		p.tree.Delete(e.Score, member)
		p.oracle.Remove(member)
	}
}

// compare looks at everything.
func (p *pair) compare(t *testing.T) {
	t.Helper()
	require.NoError(t, p.tree.check())
	all := p.oracle.All()
	require.Equal(t, len(all), p.tree.Len())
	for i, e := range all {
		if rank := p.tree.Rank(e.Score, e.Member); rank != i {
			t.Fatalf("rank of %v is %d, want %d", e, rank, i)
		}
	}
	p.interval(t, all, 0, len(all))
	for range 20 {
		lo := p.r.IntN(len(all) + 1)
		p.interval(t, all, lo, lo+p.r.IntN(len(all)-lo+1))
	}
}

// interval looks at the rows with ranks in [lo, hi).
func (p *pair) interval(t *testing.T, all []model.Entry, lo, hi int) {
	t.Helper()
	at := lo
	for score, member := range p.tree.Range(lo, hi) {
		if got := (model.Entry{Score: score, Member: member}); got != all[at] {
			t.Fatalf("row %d is %v, want %v", at, got, all[at])
		}
		at++
	}
	require.Equal(t, hi, at)
}

// TestAgreesWithTheModel grows trees of three levels and shrinks them to nothing, in orders that split and merge at the
// ends and in the middle.
func TestAgreesWithTheModel(t *testing.T) {
	const n = 6000
	orders := map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return n - 1 - i },
		"scattered":  func(i int) int { return i * 7919 % n },
	}
	for _, scores := range []int{1, 50, 1 << 30} {
		for in, grow := range orders {
			for out, shrink := range orders {
				t.Run(fmt.Sprintf("scores=%d/%s/%s", scores, in, out), func(t *testing.T) {
					t.Parallel()
					p := &pair{New(), model.New(), rand.New(rand.NewPCG(uint64(scores), 5)), scores}
					for i := range n {
						p.put(grow(i))
						if i%2000 == 0 {
							p.compare(t)
						}
					}
					assert.GreaterOrEqual(t, p.tree.root.height, 2, "three levels")
					for range n {
						p.put(p.r.IntN(n))
					}
					p.compare(t)
					for i := range n {
						p.remove(shrink(i))
						if i%2000 == 0 {
							p.compare(t)
						}
					}
					p.compare(t)
					assert.Equal(t, 1, p.tree.root.height)
				})
			}
		}
	}
}

// TestInvariantsHoldAfterEveryChange checks after each step of a mix that hovers about sizes where nodes split and merge.
func TestInvariantsHoldAfterEveryChange(t *testing.T) {
	for _, around := range []int{10, width, 3 * width, width * width / 2} {
		p := &pair{New(), model.New(), rand.New(rand.NewPCG(uint64(around), 6)), 1 << 20}
		for range 6000 {
			if i := p.r.IntN(2 * around); p.r.IntN(2) == 0 {
				p.put(i)
			} else {
				p.remove(i)
			}
			require.NoError(t, p.tree.check(), "around %d rows", around)
		}
		p.compare(t)
	}
}

func TestAnEmptyTree(t *testing.T) {
	tree := New()
	assert.Zero(t, tree.Len())
	assert.Zero(t, tree.Rank(1, "a"))
	for range tree.Range(0, 0) {
		assert.Fail(t, "a row")
	}
}

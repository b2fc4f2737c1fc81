package zset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/skiplist"
)

// variants are the sets under which every test body runs: each encoding alone, the move between them at hard places, and
// small leaves, so that runs of equal scores cross them.
func variants() map[string]func(tieWidth int) *Set {
	of := func(entries int, shape skiplist.Options) func(int) *Set {
		return func(tieWidth int) *Set {
			return makeSet[float64](Options{TieWidth: tieWidth, MaxListpackEntries: entries}, shape)
		}
	}
	return map[string]func(int) *Set{
		"listpack": of(1<<15, skiplist.Options{}),
		"skiplist": of(-1, skiplist.Options{}),
		"default":  of(0, skiplist.Options{}),
		"move=1":   of(1, skiplist.Options{LeafSize: 2}),
		"move=20":  of(20, skiplist.Options{LeafSize: 3}),
		"leaf=4":   of(-1, skiplist.Options{LeafSize: 4, Height: func() int { return 1 }}),
	}
}

// pair is a set beside the oracle.
type pair struct {
	set  *Set
	want *model.Set
}

func newPair(set *Set) *pair { return &pair{set: set, want: model.New()} }

func (p *pair) add(member string, tie []byte, score float64) error {
	added, err := p.set.AddTied([]byte(member), tie, score)
	if err != nil {
		return err
	}
	if want := p.want.Put(model.Entry{Score: score, Tie: string(tie), Member: member}); added != want {
		return fmt.Errorf("add of %q: added %v, want %v", member, added, want)
	}
	return nil
}

func (p *pair) incr(member string, delta float64) error {
	e, had := p.want.Get(member)
	if !had {
		e = model.Entry{Member: member, Tie: string(make([]byte, p.set.TieWidth()))}
	}
	e.Score += delta
	got, err := p.set.IncrBy([]byte(member), delta)
	if math.IsNaN(e.Score) {
		if err != ErrNaN {
			return fmt.Errorf("increment of %q by %v: %v, want ErrNaN", member, delta, err)
		}
		return nil
	}
	if err != nil || got != e.Score {
		return fmt.Errorf("increment of %q by %v: %v %v, want %v", member, delta, got, err, e.Score)
	}
	p.want.Put(e)
	return nil
}

func (p *pair) remove(member string) error {
	if got, want := p.set.Remove([]byte(member)), p.want.Remove(member); got != want {
		return fmt.Errorf("remove of %q: %v, want %v", member, got, want)
	}
	return nil
}

func (p *pair) pop(n int, highest bool) error {
	var got []Entry
	want := p.want.Range(0, n)
	if highest {
		got = p.set.PopMax(nil, n)
		want = p.want.Range(p.want.Len()-n, p.want.Len())
	} else {
		got = p.set.PopMin(nil, n)
	}
	if len(got) != len(want) {
		return fmt.Errorf("popped %d, want %d", len(got), len(want))
	}
	for i, e := range want {
		g := got[i]
		if highest {
			g = got[len(got)-1-i]
		}
		if err := same(g, e); err != nil {
			return fmt.Errorf("pop %d: %w", i, err)
		}
		p.want.Remove(e.Member)
	}
	return nil
}

func same(g Entry, e model.Entry) error {
	if string(g.Member) != e.Member || g.Score != e.Score || string(g.Tie) != e.Tie {
		return fmt.Errorf("%q %v %x, want %q %v %x", g.Member, g.Score, g.Tie, e.Member, e.Score, e.Tie)
	}
	return nil
}

// compare returns the first difference that any reading method shows.
func (p *pair) compare() error {
	if number, found := p.set.verify(); number != "" {
		return fmt.Errorf("violates %s: %s", number, found)
	}
	all := p.want.All()
	n := len(all)
	if p.set.Len() != n {
		return fmt.Errorf("len %d, want %d", p.set.Len(), n)
	}
	entries := p.set.Append(nil, 0, n)
	for rank, e := range all {
		if err := same(entries[rank], e); err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
		m := []byte(e.Member)
		if got, ok := p.set.Rank(m); !ok || got != rank {
			return fmt.Errorf("rank of %q is %d %v, want %d", m, got, ok, rank)
		}
		if got, ok := p.set.RevRank(m); !ok || got != n-1-rank {
			return fmt.Errorf("reverse rank of %q is %d %v, want %d", m, got, ok, n-1-rank)
		}
		if score, tie, ok := p.set.Get(m); !ok || score != e.Score || string(tie) != e.Tie {
			return fmt.Errorf("get of %q: %v %x %v", m, score, tie, ok)
		}
	}
	return p.compareRanges(all)
}

// compareRanges walks pieces of the set in both directions, and asks for the intervals of some scores.
func (p *pair) compareRanges(all []model.Entry) error {
	n := len(all)
	for _, r := range [][2]int{{0, n}, {-5, n + 5}, {n / 3, n / 2}, {n / 2, n / 3}, {n, n + 1}, {-3, -1}, {n - 1, n}} {
		want := p.want.Range(r[0], r[1])
		i := 0
		for member, score := range p.set.Range(r[0], r[1]) {
			if i >= len(want) || string(member) != want[i].Member || score != want[i].Score {
				return fmt.Errorf("range %v at %d: %q %v", r, i, member, score)
			}
			i++
		}
		for member, score := range p.set.RevRange(n-r[1], n-r[0]) {
			i--
			if i < 0 || string(member) != want[i].Member || score != want[i].Score {
				return fmt.Errorf("reverse range %v at %d: %q %v", r, i, member, score)
			}
		}
		if i != 0 {
			return fmt.Errorf("range %v: directions differ by %d", r, i)
		}
	}
	bounds := []float64{math.Inf(-1), -1, 0, 1, 2.5, math.Inf(1)}
	if n > 0 {
		bounds = append(bounds, all[n/2].Score)
	}
	for _, low := range bounds {
		for _, high := range bounds {
			for open := range 4 {
				a, b := Bound{low, open&1 != 0}, Bound{high, open&2 != 0}
				lo, hi := p.set.ScoreInterval(a, b)
				if err := p.compareInterval(a, b, lo, hi); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compareInterval counts what the oracle holds between two bounds.
func (p *pair) compareInterval(a, b Bound, lo, hi int) error {
	below := func(bound Bound, equal bool) int {
		return p.want.CountBefore(func(e model.Entry) bool {
			return e.Score < bound.Score || equal && e.Score == bound.Score
		})
	}
	from, to := below(a, a.Exclusive), below(b, !b.Exclusive)
	if lo != from || hi != max(from, to) {
		return fmt.Errorf("scores %v..%v: ranks %d..%d, want %d..%d", a, b, lo, hi, from, to)
	}
	return nil
}

// reload writes the set's pages and loads them into a set of the same kind.
func (p *pair) reload() error {
	b := builderLike(p.set.View())
	for i := range p.set.Pages() {
		if err := b.LoadPage(p.set.AppendPage(nil, i)); err != nil {
			return err
		}
	}
	return (&pair{set: b.Set(), want: p.want}).compare()
}

// scores are few, so that ties are common, and hard.
var scores = []float64{0, math.Copysign(0, -1), 1, 1, 2, 2.5, -1, -2.5, math.Inf(1), math.Inf(-1), math.MaxFloat64,
	-math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2, 1}

// run applies operations, five bytes each: what, which member, which tie, which score, how many; and compares every few.
func run(set *Set, data []byte) error {
	p := newPair(set)
	tie := make([]byte, set.TieWidth())
	for step := 0; len(data) >= 5 && step < 3000; step++ {
		op, data5 := data[0]%16, data
		data = data[5:]
		member := string(bytes.Repeat([]byte{data5[1] % 3}, int(data5[1])/8)) + string(data5[1]%64)
		if len(tie) > 0 {
			binary.BigEndian.PutUint64(tie[len(tie)-8:], uint64(data5[2]%3))
		}
		score := scores[int(data5[3])%len(scores)]
		var err error
		switch {
		case op < 8:
			err = p.add(member, tie, score)
		case op < 11:
			err = p.incr(member, score)
		case op < 14:
			err = p.remove(member)
		default:
			err = p.pop(int(data5[4]%8), op == 15)
		}
		if err == nil && (step%32 == 0 || len(data) < 5) {
			if err = p.compare(); err == nil {
				err = p.reload()
			}
		}
		if err != nil {
			return fmt.Errorf("step %d: %w\n%#v", step, err, set)
		}
	}
	return nil
}

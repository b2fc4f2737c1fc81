package peers

import (
	"strings"

	"github.com/huandu/skiplist"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// huandu is huandu/skiplist with a map to its elements, so that no delete has to search. The list has no spans: ranks and
// the beginnings of pages are counted from the front.
type huandu struct {
	list     *skiplist.SkipList
	elements map[string]*skiplist.Element
	page     []row
}

// huanduOrder compares the list's keys, which are *row; the list compares their scores before it asks.
type huanduOrder struct{}

// Compare orders keys as a sorted set does.
func (huanduOrder) Compare(a, b any) int { return rowCompare(*a.(*row), *b.(*row)) }

// CalcScore tells the list a key's score, which it keeps beside the key.
func (huanduOrder) CalcScore(key any) float64 { return key.(*row).score }

func newHuandu() Board {
	return &huandu{list: skiplist.New(huanduOrder{}), elements: map[string]*skiplist.Element{}}
}

func (b *huandu) Insert(k workload.Key, score float64) {
	if _, had := b.elements[k.Name]; had {
		b.Set(k, score)
		return
	}
	b.put(&row{score, strings.Clone(k.Name)})
}

func (b *huandu) Set(k workload.Key, score float64) {
	if e := b.elements[k.Name]; e != nil && e.Score() != score {
		b.move(e, score)
	}
}

func (b *huandu) Incr(k workload.Key, delta float64) {
	if e := b.elements[k.Name]; e != nil && delta != 0 {
		b.move(e, e.Score()+delta)
	}
}

func (b *huandu) move(e *skiplist.Element, score float64) {
	r := rowOf(e)
	b.list.RemoveElement(e)
	r.score = score
	b.put(r)
}

func (b *huandu) put(r *row) { b.elements[r.member] = b.list.Set(r, nil) }

func (b *huandu) Remove(k workload.Key) {
	if e := b.elements[k.Name]; e != nil {
		b.list.RemoveElement(e)
		delete(b.elements, k.Name)
	}
}

func (b *huandu) Score(k workload.Key) (float64, bool) {
	if e := b.elements[k.Name]; e != nil {
		return e.Score(), true
	}
	return 0, false
}

func (b *huandu) Len() int { return b.list.Len() }

// Rank counts the entries before the member.
func (b *huandu) Rank(k workload.Key) (int, bool) {
	e := b.elements[k.Name]
	if e == nil {
		return 0, false
	}
	rank := 0
	for e = e.Prev(); e != nil; e = e.Prev() {
		rank++
	}
	return rank, true
}

func (b *huandu) Page(lo, hi int) int {
	b.page = b.page[:0]
	for e := b.at(lo); e != nil && len(b.page) < hi-lo; e = e.Next() {
		b.page = append(b.page, *rowOf(e))
	}
	return len(b.page)
}

func (b *huandu) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *huandu) Walk(lo, hi int) uint64 {
	var sum uint64
	e := b.at(lo)
	for i := lo; i < hi && e != nil; i++ {
		r := rowOf(e)
		sum = fold(sum, r.score, r.member[len(r.member)-1])
		e = e.Next()
	}
	return sum
}

// at returns the element of a rank.
func (b *huandu) at(rank int) *skiplist.Element {
	e := b.list.Front()
	for ; e != nil && rank > 0; rank-- {
		e = e.Next()
	}
	return e
}

func rowOf(e *skiplist.Element) *row { return e.Key().(*row) }

package peers

import (
	"github.com/Workiva/go-datastructures/common"
	"github.com/Workiva/go-datastructures/slice/skip"
	"github.com/huandu/skiplist"
)

// workivaRow is an entry of Workiva's list.
type workivaRow struct{ row }

// Compare orders entries as a sorted set does.
func (a *workivaRow) Compare(other common.Comparator) int { return a.compare(other.(*workivaRow).row) }

// workivaList is the skip list of Workiva/go-datastructures, which knows positions. An entry is taken out, changed and put back.
type workivaList struct{ *skip.SkipList }

// newWorkiva asks for 32 levels, which is what the list's own documentation means by uint32.
func newWorkiva() Board { return withMap[*workivaRow](workivaList{skip.New(uint32(0))}) }

func (l workivaList) insert(r row) *workivaRow {
	e := &workivaRow{r}
	l.Insert(e)
	return e
}

func (l workivaList) move(e *workivaRow, _ string, score float64) (*workivaRow, string) {
	l.Delete(e)
	e.row.score = score
	l.Insert(e)
	return e, e.member
}
func (l workivaList) remove(e *workivaRow, _ string) { l.Delete(e) }
func (workivaList) score(e *workivaRow) float64      { return e.row.score }
func (l workivaList) len() int                       { return int(l.Len()) }
func (l workivaList) rank(e *workivaRow, _ string) int {
	_, rank := l.GetWithPosition(e)
	return int(rank)
}

func (l workivaList) from(rank int, visit func(row) bool) {
	for it := l.IterAtPosition(uint64(rank)); it.Next() && visit(it.Value().(*workivaRow).row); {
	}
}

// huanduOrder compares the keys of huandu's list, which are *row; the list compares their scores first.
type huanduOrder struct{}

// Compare orders keys as a sorted set does.
func (huanduOrder) Compare(a, b any) int { return a.(*row).compare(*b.(*row)) }

// CalcScore returns a key's score, which the list keeps beside the key.
func (huanduOrder) CalcScore(key any) float64 { return key.(*row).score }

// huanduList is huandu/skiplist. The map holds its elements, so that no delete has to search. The list has no spans: ranks and the
// beginnings of pages are counted from the front.
type huanduList struct{ *skiplist.SkipList }

func newHuandu() Board { return withMap[*skiplist.Element](huanduList{skiplist.New(huanduOrder{})}) }

func (l huanduList) insert(r row) *skiplist.Element { return l.Set(&r, nil) }

func (l huanduList) move(e *skiplist.Element, _ string, score float64) (*skiplist.Element, string) {
	r := e.Key().(*row)
	l.RemoveElement(e)
	r.score = score
	return l.Set(r, nil), r.member
}
func (l huanduList) remove(e *skiplist.Element, _ string) { l.RemoveElement(e) }
func (huanduList) score(e *skiplist.Element) float64      { return e.Score() }
func (l huanduList) len() int                             { return l.Len() }

func (l huanduList) rank(e *skiplist.Element, _ string) (rank int) {
	for e = e.Prev(); e != nil; e = e.Prev() {
		rank++
	}
	return rank
}

func (l huanduList) from(rank int, visit func(row) bool) {
	e := l.Front()
	for ; e != nil && rank > 0; rank-- {
		e = e.Next()
	}
	for ; e != nil && visit(*e.Key().(*row)); e = e.Next() {
	}
}

package peers

import (
	"cmp"
	"strings"

	"github.com/Workiva/go-datastructures/common"
	"github.com/Workiva/go-datastructures/slice/skip"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// workiva is the skip list of Workiva/go-datastructures, which knows positions, with a map to its entries. An entry is
// taken out, changed and put back, so that an update touches the map once.
type workiva struct {
	list    *skip.SkipList
	entries map[string]*workivaRow
	page    []row
}

// workivaRow is an entry as the list wants it.
type workivaRow struct{ row }

// Compare orders entries as a sorted set does.
func (a *workivaRow) Compare(other common.Comparator) int {
	return rowCompare(a.row, other.(*workivaRow).row)
}

// newWorkiva asks for 32 levels, which is what the list's own documentation means by uint32.
func newWorkiva() Board {
	return &workiva{list: skip.New(uint32(0)), entries: map[string]*workivaRow{}}
}

func (b *workiva) Insert(k workload.Key, score float64) {
	if _, had := b.entries[k.Name]; had {
		b.Set(k, score)
		return
	}
	e := &workivaRow{row{score, strings.Clone(k.Name)}}
	b.entries[e.member] = e
	b.list.Insert(e)
}

func (b *workiva) Set(k workload.Key, score float64) {
	if e := b.entries[k.Name]; e != nil && e.score != score {
		b.move(e, score)
	}
}

func (b *workiva) Incr(k workload.Key, delta float64) {
	if e := b.entries[k.Name]; e != nil && delta != 0 {
		b.move(e, e.score+delta)
	}
}

func (b *workiva) move(e *workivaRow, score float64) {
	b.list.Delete(e)
	e.score = score
	b.list.Insert(e)
}

func (b *workiva) Remove(k workload.Key) {
	if e := b.entries[k.Name]; e != nil {
		b.list.Delete(e)
		delete(b.entries, k.Name)
	}
}

func (b *workiva) Score(k workload.Key) (float64, bool) {
	if e := b.entries[k.Name]; e != nil {
		return e.score, true
	}
	return 0, false
}

func (b *workiva) Len() int { return int(b.list.Len()) }

func (b *workiva) Rank(k workload.Key) (int, bool) {
	e := b.entries[k.Name]
	if e == nil {
		return 0, false
	}
	_, rank := b.list.GetWithPosition(e)
	return int(rank), true
}

func (b *workiva) Page(lo, hi int) int {
	b.page = b.page[:0]
	for it := b.list.IterAtPosition(uint64(lo)); len(b.page) < hi-lo && it.Next(); {
		b.page = append(b.page, it.Value().(*workivaRow).row)
	}
	return len(b.page)
}

func (b *workiva) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *workiva) Walk(lo, hi int) uint64 {
	var sum uint64
	it := b.list.IterAtPosition(uint64(lo))
	for i := lo; i < hi && it.Next(); i++ {
		e := it.Value().(*workivaRow)
		sum = fold(sum, e.score, e.member[len(e.member)-1])
	}
	return sum
}

// rowCompare is the order of a sorted set for peers that ask for a number.
func rowCompare(a, b row) int {
	if a.score != b.score {
		return cmp.Compare(a.score, b.score)
	}
	return strings.Compare(a.member, b.member)
}

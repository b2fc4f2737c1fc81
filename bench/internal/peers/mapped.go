package peers

import (
	"cmp"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// row is an entry of the peers that keep strings.
type row struct {
	score  float64
	member string
}

// compare is the order of a sorted set, and less the same.
func (r row) compare(other row) int {
	if r.score != other.score {
		return cmp.Compare(r.score, other.score)
	}
	return strings.Compare(r.member, other.member)
}

func less(a, b row) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return a.member < b.member
}

// fold adds an entry to a Walk's number. It reads the member's last byte, so that a walk has to fetch the text.
func fold[T string | []byte](sum uint64, score float64, member T) uint64 {
	return sum*31 + uint64(int64(score)) + uint64(member[len(member)-1])
}

// order is an ordered structure of rows. A handle is what the map beside it holds of a row: its score, or a pointer to the entry.
type order[H any] interface {
	// insert adds a row, whose text it may keep.
	insert(r row) H
	// move gives the row of a handle another score, and returns the text that the structure holds.
	move(h H, member string, score float64) (H, string)
	remove(h H, member string)
	score(h H) float64
	rank(h H, member string) int
	len() int
	// from visits rows in ascending order from a rank on, as long as visit returns true.
	from(rank int, visit func(row) bool)
}

// mapped is an ordered structure with a map from members to their handles: what a Go program writes that has a tree or a skip list.
type mapped[H any] struct {
	order[H]
	held map[string]H
	page []row
}

func withMap[H any](o order[H]) Board { return &mapped[H]{order: o, held: map[string]H{}} }

func (b *mapped[H]) Insert(k workload.Key, score float64) {
	if h, had := b.held[k.Name]; had {
		b.moveTo(h, k, score)
		return
	}
	owned := strings.Clone(k.Name)
	b.held[owned] = b.insert(row{score, owned})
}

func (b *mapped[H]) Set(k workload.Key, score float64) {
	if h, had := b.held[k.Name]; had {
		b.moveTo(h, k, score)
	}
}

func (b *mapped[H]) Incr(k workload.Key, delta float64) {
	if h, had := b.held[k.Name]; had {
		b.moveTo(h, k, b.score(h)+delta)
	}
}

// moveTo puts the text that the board owns back into the map: assigning to a key of a Go map replaces the key.
func (b *mapped[H]) moveTo(h H, k workload.Key, score float64) {
	if b.score(h) != score {
		h, owned := b.move(h, k.Name, score)
		b.held[owned] = h
	}
}

func (b *mapped[H]) Remove(k workload.Key) {
	if h, had := b.held[k.Name]; had {
		b.remove(h, k.Name)
		delete(b.held, k.Name)
	}
}

func (b *mapped[H]) Score(k workload.Key) (float64, bool) {
	h, had := b.held[k.Name]
	if !had {
		return 0, false
	}
	return b.score(h), true
}

func (b *mapped[H]) Len() int { return b.len() }

func (b *mapped[H]) Rank(k workload.Key) (int, bool) {
	h, had := b.held[k.Name]
	if !had {
		return 0, false
	}
	return b.rank(h, k.Name), true
}

func (b *mapped[H]) Page(lo, hi int) int {
	b.page = b.page[:0]
	b.from(lo, func(r row) bool {
		b.page = append(b.page, r)
		return len(b.page) < hi-lo
	})
	return len(b.page)
}

func (b *mapped[H]) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *mapped[H]) Walk(lo, hi int) (sum uint64) {
	left := hi - lo
	b.from(lo, func(r row) bool {
		sum = fold(sum, r.score, r.member)
		left--
		return left > 0
	})
	return sum
}

func (b *mapped[H]) Encode(dst []byte, lo, hi int, f Format) []byte {
	left := hi - lo
	dst = f.begin(dst, left)
	b.from(lo, func(r row) bool {
		dst = appendEntry(dst, f, r.member, r.score)
		left--
		return left > 0
	})
	return f.end(dst)
}

// gomap is a bare Go map: the floor for look-ups and memory, and no order.
type gomap struct {
	Board // nil: the map has none of the other methods
	m     map[string]float64
}

func newGomap() Board { return gomap{m: map[string]float64{}} }

func (b gomap) Insert(k workload.Key, score float64) { b.m[strings.Clone(k.Name)] = score }
func (b gomap) Remove(k workload.Key)                { delete(b.m, k.Name) }
func (b gomap) Len() int                             { return len(b.m) }
func (b gomap) Score(k workload.Key) (float64, bool) {
	score, ok := b.m[k.Name]
	return score, ok
}

package ranking

import (
	"bytes"
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// Parts is the sets of a ranking in parts, which nobody changes meanwhile, read as one set: places are counts of the parts added up, and rows
// are merged.
//
//   - P1: the ranking is the union of the sets; each member is in one of its parts in the layout.
//   - P2: at holds, for some place, how many of the entries before it are in each set.
type Parts struct {
	Views []*zset.IntView // one for each set

	layout Layout

	text    []byte // backs the text of an entry: its tie and its member
	place   int    // see P2; -1 before the first
	at      []int
	low, up []int // bounds of at during locate
	seeks   []zset.Sought
	heads   []head // of a walk
	left    int    // entries that the walk has not returned
}

// Candidate is an entry that a member has, had or would have, and where it stands among the others as they are now.
type Candidate struct {
	Score  int64
	Tie    []byte
	Others int // the number of other members before the entry
	Place  int // the place of the first row behind the entry, without regard to the member
}

// head is the next entries of one part in a walk.
type head struct {
	batch []zset.IntEntry // read ahead
	i     int             // of the next entry in batch
	score int64           // of the next entry, unless that is not read yet
	next  int             // rank of the entry behind the batch
}

// partsPool reuses the memory of Parts.
var partsPool = sync.Pool{New: func() any { return new(Parts) }}

// NewParts returns the Parts of a ranking with a layout; the caller sets the Views, and calls Release at the end.
func NewParts(l Layout) *Parts {
	p := partsPool.Get().(*Parts)
	n := l.Sets()
	p.layout, p.place, p.left = l, -1, 0
	if cap(p.Views) < n {
		p.Views, p.at, p.low, p.up = make([]*zset.IntView, n), make([]int, n), make([]int, n), make([]int, n)
		p.heads = make([]head, n)
	}
	p.Views, p.at, p.low, p.up, p.heads = p.Views[:n], p.at[:n], p.low[:n], p.up[:n], p.heads[:n]
	return p
}

// Release lets go of the sets. The caller does not use p any more.
func (p *Parts) Release() {
	clear(p.Views)
	clear(p.seeks)
	for i := range p.heads {
		clear(p.heads[i].batch)
		p.heads[i] = head{batch: p.heads[i].batch[:0]}
	}
	partsPool.Put(p)
}

// Len returns the number of members. O(parts).
func (p *Parts) Len() (n int) {
	for _, v := range p.Views {
		n += v.Len()
	}
	return n
}

// Get returns a member's score and tie. O(1).
func (p *Parts) Get(member []byte) (score int64, tie []byte, ok bool) {
	home, old := p.layout.Homes(member)
	if score, tie, ok = p.Views[home].Get(member); ok || old == home {
		return score, tie, ok
	}
	return p.Views[old].Get(member)
}

// RankGet returns a member's place, score and tie. O(parts log n).
func (p *Parts) RankGet(member []byte) (place int, score int64, tie []byte, ok bool) {
	if score, tie, ok = p.Get(member); !ok {
		return 0, 0, nil, false
	}
	return p.seekEntry(score, tie, member), score, tie, true
}

// seek returns the number of entries before a score and a text, as zset.View.Seek does. O(parts log n).
func (p *Parts) seek(score int64, text []byte) int {
	p.seeks = p.appendSeeks(p.seeks[:0], score, text)
	zset.SeekAll(p.seeks)
	return p.take(p.seeks)
}

// appendSeeks appends a search in each part.
func (p *Parts) appendSeeks(dst []zset.Sought, score int64, text []byte) []zset.Sought {
	for _, v := range p.Views {
		dst = append(dst, zset.Sought{View: v, Score: score, Text: text})
	}
	return dst
}

// take takes the results of a search in each part as the present place, and returns it.
func (p *Parts) take(found []zset.Sought) int {
	p.place = 0
	for i := range found {
		p.at[i] = found[i].Rank
		p.place += found[i].Rank
	}
	return p.place
}

// stand sets the Places of the candidates of a member. It makes all searches together: see zset.SeekAll.
func (p *Parts) stand(member []byte, all []Candidate) {
	p.text, p.seeks = p.text[:0], p.seeks[:0]
	for i := range all {
		p.text = append(append(p.text, all[i].Tie...), member...)
	}
	text := p.text
	for i := range all {
		n := len(all[i].Tie) + len(member)
		p.seeks = p.appendSeeks(p.seeks, all[i].Score, text[:n])
		text = text[n:]
	}
	zset.SeekAll(p.seeks)
	for i := range all {
		all[i].Place = p.take(p.seeks[i*len(p.Views) : (i+1)*len(p.Views)])
	}
}

// SeekAfter returns the number of entries up to a score and its columns, as zset.View.SeekAfter. O(parts log n).
func (p *Parts) SeekAfter(score int64, columns []byte) int {
	p.place = 0
	for i, v := range p.Views {
		p.at[i] = v.SeekAfter(score, columns)
		p.place += p.at[i]
	}
	return p.place
}

// seekEntry returns the number of entries before an entry.
func (p *Parts) seekEntry(score int64, tie, member []byte) int {
	p.text = append(append(p.text[:0], tie...), member...)
	return p.seek(score, p.text)
}

// Distinct returns the number of different scores among the first entries. O(parts log n) for each of these scores.
func (p *Parts) Distinct(place, scoreTie int) (n int) {
	for at := 0; at < place; n++ {
		p.walk(at, at+1)
		e := p.next()
		if e == nil {
			break
		}
		p.text = append(p.text[:0], e.Tie[:scoreTie]...)
		at = p.SeekAfter(e.Score, p.text)
	}
	return n
}

// Copy returns a copy as one set. O(n log n).
func (p *Parts) Copy() *zset.IntSet {
	z, _ := p.Views[0].Copy(), error(nil)
	for _, v := range p.Views[1:] {
		for e := range v.Entries(0, v.Len()) {
			_, _ = z.AddTied(e.Member, e.Tie, e.Score) // the sets have the same form
		}
	}
	return z
}

// locate sets at for a place. It narrows bounds of at by entries whose place it finds, and begins near the place that it knows. O(parts^2 log n).
func (p *Parts) locate(place int) {
	switch place {
	case p.place:
		return
	case 0:
		clear(p.at)
		p.place = 0
		return
	}
	for i, v := range p.Views {
		p.low[i], p.up[i] = 0, min(v.Len(), place)
		if p.place >= 0 {
			far := max(place-p.place, p.place-place)
			p.low[i], p.up[i] = max(p.low[i], p.at[i]-far), min(p.up[i], p.at[i]+far)
		}
	}
	p.place = -1
	for round := 0; ; round++ {
		below, above, widest := 0, 0, 0
		for i := range p.low {
			below, above = below+p.low[i], above+p.up[i]
			if p.up[i]-p.low[i] > p.up[widest]-p.low[widest] {
				widest = i
			}
		}
		if below == place || above == place {
			copy(p.at, p.low)
			if below != place {
				copy(p.at, p.up)
			}
			p.place = place
			return
		}
		p.narrow(widest, p.guess(widest, round, place-below, above-below), place)
	}
}

// guess returns a rank within the bounds of a part: the one in proportion or, every other time, the middle, so that the number of rounds is
// logarithmic however the members are spread.
func (p *Parts) guess(part, round, want, of int) int {
	low, wide := p.low[part], p.up[part]-p.low[part]
	if round%2 == 1 {
		return low + wide/2
	}
	return low + min(wide-1, int(float64(wide)*float64(want)/float64(of)))
}

// narrow narrows the bounds by the entry at a rank of a part.
func (p *Parts) narrow(part, rank, place int) {
	for e := range p.Views[part].Entries(rank, rank+1) {
		total := p.seekEntry(e.Score, e.Tie, e.Member)
		for i, n := range p.at {
			if total >= place {
				p.up[i] = min(p.up[i], n)
			} else {
				p.low[i] = max(p.low[i], n)
			}
		}
		if total < place {
			p.low[part] = max(p.low[part], rank+1)
		}
	}
	p.place = -1
}

// maxBatch is how many entries of a part a walk reads ahead.
const maxBatch = 64

// walk begins a walk of the places [lo, hi), which are within the ranking.
func (p *Parts) walk(lo, hi int) {
	p.locate(lo)
	p.left = hi - lo
	for i := range p.heads {
		h := &p.heads[i]
		h.batch, h.i, h.next = h.batch[:0], 0, p.at[i]
	}
}

// next returns the next entry of the walk, and nil behind the last. It is valid until the next call, and aliases the sets. O(parts), and O(log n) for
// each batch.
func (p *Parts) next() *zset.IntEntry {
	if p.left == 0 {
		return nil
	}
	var best *head
	for i := range p.heads {
		h := &p.heads[i]
		if h.i == len(h.batch) && !p.readAhead(i) {
			continue
		}
		if best == nil || h.score < best.score || h.score == best.score && compareText(&h.batch[h.i], &best.batch[best.i]) < 0 {
			best = h
		}
	}
	if best == nil {
		return nil
	}
	p.left--
	e := &best.batch[best.i]
	if best.i++; best.i < len(best.batch) {
		best.score = best.batch[best.i].Score
	}
	return e
}

// readAhead reads the next entries of a part, about as many as the walk needs of it, and reports whether there are any.
func (p *Parts) readAhead(part int) bool {
	h, v := &p.heads[part], p.Views[part]
	n := min(p.left/len(p.heads)+2, p.left, maxBatch, v.Len()-h.next)
	if n <= 0 {
		return false
	}
	h.batch, h.i = v.AppendAliases(h.batch[:0], h.next, h.next+n), 0
	h.next, h.score = h.next+n, h.batch[0].Score
	return true
}

// compareText orders entries of equal score as a set does: by tie and member.
func compareText(a, b *zset.IntEntry) int {
	if c := bytes.Compare(a.Tie, b.Tie); c != 0 {
		return c
	}
	return bytes.Compare(a.Member, b.Member)
}

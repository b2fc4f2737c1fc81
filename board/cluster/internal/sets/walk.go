package sets

import (
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/zset"
)

// near is how far from a place that is known a walk may begin without a search for its own.
const near = 1000

// Walk implements ranking.Sets.
func (s *Sets) Walk(lo, hi int) {
	if s.from <= lo && hi <= s.from+len(s.walk) && lo < hi { // the last walk has read them
		s.next, s.end = lo-s.from, hi-s.from
		return
	}
	s.walk, s.next, s.from = nil, 0, lo
	s.locate(lo)
	if s.err != nil {
		return
	}
	n, back := hi-lo, max(s.place-lo, 0)
	from := func(k int) int { return max(s.at[k]-back, 0) }
	to := func(k int) int { return s.at[k] + max(hi-s.place, 0) }
	if back == 0 {
		from = func(k int) int { return s.at[k] }
	}
	merged := s.read(from, to)
	if skipped := s.before(from); skipped <= lo { // the entries before those that were read
		merged = merged[min(lo-skipped, len(merged)):]
	}
	s.walk = merged[:min(n, len(merged))]
	s.end = len(s.walk)
	s.readMeta()
}

// Distinct implements ranking.Sets. It takes two round trips for each score.
func (s *Sets) Distinct(rank, scoreTie int) (n int) {
	for at := 0; at < rank && s.err == nil; n++ {
		s.Walk(at, at+1)
		e := s.Next()
		if e == nil {
			break
		}
		at = s.SeekAfter(e.Score, e.Tie[:scoreTie])
	}
	return n
}

// before returns the number of entries before those of each partition from a rank on.
func (s *Sets) before(from func(k int) int) (n int) {
	for k := range s.at {
		n += from(k)
	}
	return n
}

// locate makes place one that is near to a wanted one.
func (s *Sets) locate(want int) {
	switch {
	case len(s.at) == 1:
		s.place, s.at[0] = want, want
	case want <= near && (s.place < 0 || want < s.place-want):
		s.place = 0
		clear(s.at)
	case s.place >= 0 && s.place-near <= want && want <= s.place+near:
	default:
		s.search(want)
	}
}

// search finds a place that is near to a wanted one: it narrows bounds of the ranks in each partition by the places of entries in the widest.
func (s *Sets) search(want int) {
	low, high := make([]int, len(s.at)), s.sizes()
	for s.err == nil {
		widest := 0
		for k := range low {
			if high[k]-low[k] > high[widest]-low[widest] {
				widest = k
			}
		}
		if high[widest]-low[widest] <= 1 { // the places within the bounds are all near
			s.place = 0
			for k := range low {
				s.at[k] = low[k]
				s.place += low[k]
			}
			return
		}
		middle := low[widest] + (high[widest]-low[widest])/2
		e := s.entryAt(widest, middle)
		if e == nil {
			high[widest] = middle // the partition has become smaller
			continue
		}
		place := s.Seek(append(layout.AppendEntry(nil, e.Score, e.Tie), e.Member...))
		if place-near/2 <= want && want <= place+near/2 {
			return
		}
		for k, n := range s.at {
			if place > want {
				high[k] = max(min(high[k], n), low[k])
			} else {
				low[k] = min(max(low[k], n), high[k])
			}
		}
	}
}

// entryAt returns the entry at a rank of a partition, nil if it has fewer.
func (s *Sets) entryAt(k, rank int) *zset.IntEntry {
	texts, err := s.texts(k, rank, rank+1)
	if !s.keep(err) || len(texts) == 0 {
		return nil
	}
	e, err := layout.DecodeText(texts[0], s.TieWidth)
	if !s.keep(err) {
		return nil
	}
	return &e
}

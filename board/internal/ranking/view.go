package ranking

import (
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// view is what a Look reads: a set, or several as if they were one. The branches are here, and cost a set nothing that can be measured.
type view struct {
	*zset.IntView        // nil if the ranking is several sets
	parts         *Parts // nil unless the ranking is in parts
	sets          Sets   // nil unless another store has the ranking. It gets copies of arguments, so that those of the other two need no allocation
}

// Sets is the entries of a ranking in another store, read as if they were one set. It is for one goroutine. A method that cannot read the entries returns anything;
// Err says why, and then the call of Ranking fails.
type Sets interface {
	Len() int
	Get(member []byte) (score int64, tie []byte, ok bool)
	RankGet(member []byte) (rank int, score int64, tie []byte, ok bool)
	// SeekBefore returns the number of entries before a score and a text, as zset.View.Seek does.
	SeekBefore(score int64, text []byte) int
	// SeekAfter returns the number of entries up to a score and its columns, as zset.View.SeekAfter does.
	SeekAfter(score int64, columns []byte) int
	// Distinct returns the number of different scores among the first entries. scoreTie is the number of bytes of a tie that belong to the score.
	Distinct(rank, scoreTie int) int
	// Walk begins a walk of the entries with ranks [lo, hi), all of which exist.
	Walk(lo, hi int)
	// Next returns the next entry of the walk, and nil behind the last. It is valid until the next call.
	Next() *zset.IntEntry
	Copy() *zset.IntSet
	Err() error
}

func (v *view) Len() int {
	if v.parts != nil {
		return v.parts.Len()
	}
	if v.sets != nil {
		return v.sets.Len()
	}
	return v.IntView.Len()
}

func (v *view) Score(member []byte) (score int64, ok bool) {
	if v.parts != nil {
		score, _, ok = v.parts.Get(member)
		return score, ok
	}
	if v.sets != nil {
		score, _, ok = v.sets.Get(slices.Clone(member))
		return score, ok
	}
	return v.IntView.Score(member)
}

func (v *view) Get(member []byte) (score int64, tie []byte, ok bool) {
	if v.parts != nil {
		return v.parts.Get(member)
	}
	if v.sets != nil {
		return v.sets.Get(slices.Clone(member))
	}
	return v.IntView.Get(member)
}

func (v *view) Rank(member []byte) (rank int, ok bool) {
	if v.parts != nil {
		rank, _, _, ok = v.parts.RankGet(member)
		return rank, ok
	}
	if v.sets != nil {
		rank, _, _, ok = v.sets.RankGet(slices.Clone(member))
		return rank, ok
	}
	return v.IntView.Rank(member)
}

func (v *view) RankGet(member []byte) (rank int, score int64, tie []byte, ok bool) {
	if v.parts != nil {
		return v.parts.RankGet(member)
	}
	if v.sets != nil {
		return v.sets.RankGet(slices.Clone(member))
	}
	return v.IntView.RankGet(member)
}

func (v *view) seek(score int64, text []byte) int {
	if v.parts != nil {
		return v.parts.seek(score, text)
	}
	if v.sets != nil {
		return v.sets.SeekBefore(score, slices.Clone(text))
	}
	return v.IntView.Seek(score, text)
}

func (v *view) SeekAfter(score int64, columns []byte) int {
	if v.parts != nil {
		return v.parts.SeekAfter(score, columns)
	}
	if v.sets != nil {
		return v.sets.SeekAfter(score, slices.Clone(columns))
	}
	return v.IntView.SeekAfter(score, columns)
}

// Distinct returns the number of different scores among the first entries, as zset.View.Distinct does. scoreTie is the number of bytes of a tie
// that belong to the score.
func (v *view) Distinct(rank, scoreTie int) int {
	if v.parts != nil {
		return v.parts.Distinct(rank, scoreTie)
	}
	if v.sets != nil {
		return v.sets.Distinct(rank, scoreTie)
	}
	return v.IntView.Distinct(rank)
}

// entry returns the entry at a place, and false if there is none. Tie and member alias the set.
func (v *view) entry(place int) (e zset.IntEntry, ok bool) {
	if v.parts != nil {
		v.parts.walk(place, place+1)
		if first := v.parts.next(); first != nil {
			return *first, true
		}
		return e, false
	}
	if v.sets != nil {
		v.sets.Walk(place, place+1)
		if first := v.sets.Next(); first != nil {
			return *first, true
		}
		return e, false
	}
	for e := range v.IntView.Entries(place, place+1) {
		return e, true
	}
	return e, false
}

// Copy returns a copy as one set.
func (v *view) Copy() *zset.IntSet {
	if v.parts != nil {
		return v.parts.Copy()
	}
	if v.sets != nil {
		return v.sets.Copy()
	}
	return v.IntView.Copy()
}

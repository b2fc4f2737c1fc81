package fuzz

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// oracleSet gives a model.Set the methods of a sortedSet, each as plain as it can be.
type oracleSet struct {
	m        *model.Set
	tieWidth int
}

func newOracleSet(tieWidth int) *oracleSet { return &oracleSet{model.New(), tieWidth} }

// clone returns a copy that may be changed.
func (o *oracleSet) clone() *oracleSet { return &oracleSet{o.m.Clone(), o.tieWidth} }

// Len and what follows are those of zset.
func (o *oracleSet) Len() int { return o.m.Len() }

func (o *oracleSet) Get(member []byte) (score float64, tie []byte, ok bool) {
	e, ok := o.m.Get(string(member))
	return e.Score, []byte(e.Tie), ok
}

func (o *oracleSet) Rank(member []byte) (int, bool) { return o.m.Rank(string(member)) }

func (o *oracleSet) RevRank(member []byte) (int, bool) {
	rank, ok := o.m.Rank(string(member))
	if !ok {
		return 0, false
	}
	return o.m.Len() - 1 - rank, true
}

func (o *oracleSet) Range(lo, hi int) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for _, e := range o.m.Range(lo, hi) {
			if !yield([]byte(e.Member), e.Score) {
				return
			}
		}
	}
}

func (o *oracleSet) RevRange(lo, hi int) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		all := o.m.All()
		slices.Reverse(all)
		for i, e := range all {
			if i >= lo && i < hi && !yield([]byte(e.Member), e.Score) {
				return
			}
		}
	}
}

func (o *oracleSet) Append(dst []zset.Entry, lo, hi int) []zset.Entry {
	for _, e := range o.m.Range(lo, hi) {
		dst = append(dst, zset.Entry{Member: []byte(e.Member), Score: e.Score, Tie: []byte(e.Tie)})
	}
	return dst
}

func (o *oracleSet) ScoreInterval(low, high zset.Bound) (lo, hi int) {
	if math.IsNaN(low.Score) || math.IsNaN(high.Score) {
		return 0, 0
	}
	lo = o.m.CountBefore(func(e model.Entry) bool { return e.Score < low.Score || low.Exclusive && e.Score == low.Score })
	hi = o.m.CountBefore(func(e model.Entry) bool { return e.Score < high.Score || !high.Exclusive && e.Score == high.Score })
	return lo, max(lo, hi)
}

func (o *oracleSet) MemberInterval(low, high *zset.MemberBound) (lo, hi int) {
	hi = o.m.Len()
	if low != nil {
		m := string(low.Member)
		lo = o.m.CountBefore(func(e model.Entry) bool { return e.Member < m || low.Exclusive && e.Member == m })
	}
	if high != nil {
		m := string(high.Member)
		hi = o.m.CountBefore(func(e model.Entry) bool { return e.Member < m || !high.Exclusive && e.Member == m })
	}
	return lo, max(lo, hi)
}

func (o *oracleSet) Add(member []byte, score float64) (added bool, err error) {
	e, ok := o.m.Get(string(member))
	if !ok {
		e.Tie = string(make([]byte, o.tieWidth))
	}
	return o.AddTied(member, []byte(e.Tie), score)
}

func (o *oracleSet) AddTied(member, tie []byte, score float64) (added bool, err error) {
	if len(tie) != o.tieWidth {
		return false, zset.ErrTieWidth
	}
	if math.IsNaN(score) {
		return false, zset.ErrNaN
	}
	if score == 0 {
		score = 0 // not -0
	}
	return o.m.Put(model.Entry{Score: score, Tie: string(tie), Member: string(member)}), nil
}

func (o *oracleSet) IncrBy(member []byte, delta float64) (score float64, err error) {
	e, _ := o.m.Get(string(member))
	if _, err := o.Add(member, e.Score+delta); err != nil {
		return 0, err
	}
	e, _ = o.m.Get(string(member))
	return e.Score, nil
}

func (o *oracleSet) Remove(member []byte) (removed bool, err error) {
	return o.m.Remove(string(member)), nil
}

func (o *oracleSet) PopMin(n int) ([]zset.Entry, error) { return o.pop(o.Append(nil, 0, n)) }

func (o *oracleSet) PopMax(n int) ([]zset.Entry, error) {
	entries := o.Append(nil, o.Len()-max(n, 0), o.Len())
	slices.Reverse(entries)
	return o.pop(entries)
}

func (o *oracleSet) pop(entries []zset.Entry) ([]zset.Entry, error) {
	for _, e := range entries {
		o.m.Remove(string(e.Member))
	}
	return entries, nil
}

// values are private keys in a Go map.
type values map[string]string

// Get and what follows are those of engine.Tx.
func (v values) Get(key string) (value []byte, ok bool, err error) {
	s, ok := v[key]
	return []byte(s), ok, nil
}

func (v values) Put(key string, value []byte) error {
	v[key] = string(value)
	return nil
}

func (v values) Delete(key string) error {
	delete(v, key)
	return nil
}

func (v values) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if strings.HasPrefix(key, prefix) && !yield(persist.KV{Key: []byte(key), Value: []byte(v[key])}, nil) {
				return
			}
		}
	}
}

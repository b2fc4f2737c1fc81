package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// modelSets are the oracle's sets by key.
type modelSets map[string]*model.Set

func (sets modelSets) of(keys []string) (list []*model.Set) {
	for _, key := range keys {
		if sets[key] == nil {
			sets[key] = model.New()
		}
		list = append(list, sets[key])
	}
	return list
}

// combine is Redis ZUNION, or ZINTER if inter is true. It adds scores in the order of the sizes of the sets. See joined for NaN.
func (sets modelSets) combine(how zset.Combine[float64], keys []string, inter bool) *model.Set {
	list, result := sets.of(keys), model.New()
	order := make([]int, len(list))
	members := map[string]bool{}
	for i, s := range list {
		order[i] = i
		for _, e := range s.All() {
			members[e.Member] = true
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(list[x].Len(), list[y].Len()) })
	for member := range members {
		score, in := 0.0, 0
		for _, i := range order {
			e, ok := list[i].Get(member)
			if !ok {
				continue
			}
			weight := 1.0
			if how.Weights != nil {
				weight = how.Weights[i]
			}
			score = joined(how.Aggregate, score, e.Score, weight, in, inter)
			in++
		}
		if !inter || in == len(list) {
			result.Put(model.Entry{Score: score + 0, Member: member})
		}
	}
	return result
}

// joined returns the score of a member after one more set; in is the number of sets before. A NaN becomes 0 as in Redis.
func joined(how zset.Aggregate, sum, score, weight float64, in int, inter bool) float64 {
	score *= weight
	if how == zset.Count {
		score, how = weight, zset.Sum
	}
	if math.IsNaN(score) && (!inter || in == 0) {
		score = 0
	}
	switch {
	case in == 0:
		return score
	case how == zset.Sum:
		if sum += score; math.IsNaN(sum) {
			return 0
		}
		return sum
	case how == zset.Min && score < sum, how == zset.Max && score > sum:
		return score
	}
	return sum
}

func (sets modelSets) diff(keys []string) *model.Set {
	list, result := sets.of(keys), model.New()
	for _, e := range list[0].All() {
		if !slices.ContainsFunc(list[1:], func(s *model.Set) bool { _, ok := s.Get(e.Member); return ok }) {
			result.Put(e)
		}
	}
	return result
}

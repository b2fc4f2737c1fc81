package board

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// oracle is a board that keeps nothing but the list of submissions it has accepted, and works every ranking out anew from
// that list and the words of doc.go.
type oracle struct {
	spec Spec
	log  []Submission
}

// sum adds up in the order of arrival.
func sum(subs []arrived) (total float64) {
	for _, s := range subs {
		total += s.Score
	}
	return total
}

// arrived is a submission and its place in the log.
type arrived struct {
	Submission
	n int
}

// of returns a member's submissions in one period, in the order they came.
func (o *oracle) of(w Window, period, member string) (subs []arrived) {
	for n, s := range o.log {
		if s.Member == member && w.Period(s.At) == period {
			subs = append(subs, arrived{s, n})
		}
	}
	return subs
}

// submit accepts a submission unless a sum would overflow.
func (o *oracle) submit(sub Submission) bool {
	for _, w := range o.spec.Windows {
		total := sum(o.of(w, w.Period(sub.At), sub.Member)) + sub.Score
		if o.spec.Op == Sum && math.IsInf(total, 0) {
			return false
		}
	}
	o.log = append(o.log, sub)
	return true
}

// standing is a member's score, and the submission that it counts from.
type standing struct {
	member string
	score  float64
	micros int64
	n      int
}

// stand works out one member's standing from all of its submissions in a period.
func (o *oracle) stand(subs []arrived) standing {
	from, score, micros := 0, 0.0, int64(0)
	switch o.spec.Op {
	case Sum: // from the last one that changed the sum; reached when the latest of those that changed it happened
		micros = math.MinInt64
		for i := range subs {
			if i == 0 || sum(subs[:i]) != sum(subs[:i+1]) {
				from, micros = i, max(micros, subs[i].At.UnixMicro())
			}
		}
		score = sum(subs)
	case Last: // from the first of the equals at the end
		for from = len(subs) - 1; from > 0 && subs[from-1].Score == subs[from].Score; from-- {
		}
		score, micros = subs[from].Score, subs[from].At.UnixMicro()
	case Best: // from the first that came with the best score, or for FirstToReach the first that happened
		for i, s := range subs {
			better := s.Score > subs[from].Score
			if o.spec.Order == Asc {
				better = s.Score < subs[from].Score
			}
			sooner := s.Score == subs[from].Score && s.At.UnixMicro() < subs[from].At.UnixMicro()
			if better || o.spec.Ties == FirstToReach && sooner {
				from = i
			}
		}
		score, micros = subs[from].Score, subs[from].At.UnixMicro()
	}
	return standing{subs[0].Member, score, micros, subs[from].n}
}

// standing returns a member's standing in a period; the zero value if it has none.
func (o *oracle) standing(w Window, period, member string) standing {
	subs := o.of(w, period, member)
	if len(subs) == 0 {
		return standing{}
	}
	return o.stand(subs)
}

// ranking returns a period's ranking, best first.
func (o *oracle) ranking(w Window, period string) []Row {
	members := map[string]bool{}
	var places []standing
	for _, s := range o.log {
		if w.Period(s.At) == period && !members[s.Member] {
			members[s.Member] = true
			places = append(places, o.stand(o.of(w, period, s.Member)))
		}
	}
	slices.SortStableFunc(places, o.compare)
	rows := make([]Row, len(places))
	for i, p := range places {
		rows[i] = Row{Rank: i + 1, Member: p.member, Score: p.score + 0}
	}
	return rows
}

// compare puts what stands first first.
func (o *oracle) compare(a, b standing) int {
	score := cmp.Compare(b.score+0, a.score+0)
	if o.spec.Order == Asc {
		score = -score
	}
	switch o.spec.Ties {
	case FirstToReach:
		return cmp.Or(score, cmp.Compare(a.micros, b.micros), cmp.Compare(a.n, b.n))
	case LastToReach:
		return cmp.Or(score, cmp.Compare(b.micros, a.micros), cmp.Compare(b.n, a.n))
	default:
		return cmp.Or(score, strings.Compare(a.member, b.member))
	}
}

// periods returns the periods of a window that hold anybody, in order.
func (o *oracle) periods(w Window) []string {
	var periods []string
	for _, s := range o.log {
		periods = append(periods, w.Period(s.At))
	}
	slices.Sort(periods)
	return slices.Compact(periods)
}

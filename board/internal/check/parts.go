package check

import (
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// layouts notes the stored layouts of rankings in parts.
func (a *audit) layouts() {
	for rest, text := range a.each(boardkey.LayoutPrefix()) {
		name, window, period, version, ok := boardkey.ParseLayout(rest)
		t, _ := a.at(pathOf(name, window, period))
		if !ok || t == nil || t.Version != version {
			continue
		}
		l, err := ranking.ParseLayout(string(text))
		if err != nil {
			a.problem(where(pathOf(name, window, period)), "stored layout: %v", err)
			continue
		}
		t.SetLayout(period, l)
	}
}

// notePart counts the members of a part that belong to other parts, and notes those that may be in
// two. O(members) for a part, else O(1).
func (s *set) notePart(entries *zset.IntView) {
	p := s.parts()
	if p == nil {
		return
	}
	d := p.Now()
	part := slices.Index(d.Keys, s.key)
	s.strays, s.moving = 0, nil
	for e := range entries.Entries(0, entries.Len()) {
		home, old := d.Homes(e.Member)
		if part != home && part != old {
			s.strays++
		}
		if home != old {
			s.moving = append(s.moving, ranking.PartHash(e.Member))
		}
	}
	slices.Sort(s.moving)
}

// parts returns the parts of the ranking that a set belongs to; nil for sets of other rankings.
func (s *set) parts() *state.Parts {
	if s.k.IsHidden() {
		return nil
	}
	return s.t.PartsOf(s.k.Period)
}

// belongs reports members of a part that are not in the part of their address: see L1 in package
// ranking.
func (a *audit) belongs(s *set) {
	if s.strays > 0 && !s.Doubtful {
		a.fault(s.path, "part %q has %d members that belong to other parts", s.key, s.strays)
	}
}

// twice reports members that are in two parts. Two members with the same hash would be reported
// too.
func (a *audit) twice(sets []*set) {
	first := map[*state.Parts]*set{} // a split or a merge is between two parts
	for _, y := range sets {
		if len(y.moving) == 0 {
			continue
		}
		x := first[y.parts()]
		if x == nil {
			first[y.parts()] = y
			continue
		}
		if n := common(x.moving, y.moving); n > 0 && !x.Doubtful && !y.Doubtful {
			a.fault(y.path, "%d members are in part %q and in part %q", n, x.key, y.key)
		}
	}
}

// common returns the number of values that two sorted lists have in common.
func common(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b, n = a[1:], b[1:], n+1
		}
	}
	return n
}

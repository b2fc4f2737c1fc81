package local

import (
	"context"
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// moved notes that a member has gone from a group to another one.
func (s *societies) moved(kind, member, was, to string) {
	if s.in[kind][member] = to; to == "" {
		delete(s.in[kind], member)
	}
	s.eachKept(kind, func(key, period string, scores map[string]int64) {
		score, ranked := scores[member]
		base := s.bases[key][member]
		delete(s.bases[key], member)
		if score, hidden := s.hiddenScore(member, period); hidden && to != "" {
			s.base(key, member, based{to, score})
		}
		if !ranked {
			return
		}
		if was != "" && strings.HasPrefix(key, "stay/") {
			if base.group == was {
				score -= base.score
			}
			s.leave(key, member, was, score)
		}
		if to != "" {
			s.joined(key, member, to, scores[member])
		}
	})
}

// joined notes that a member with a score is in a group from now on. What it has left there goes on.
func (s *societies) joined(key, member, group string, score int64) {
	s.base(key, member, based{group, score})
	if left := s.left[key][member+" "+group]; len(left) > 0 {
		s.base(key, member, based{group, score - left[0]})
		s.left[key][member+" "+group] = left[1:]
	}
}

// renamed notes that a member has the place of another one in its group.
func (s *societies) renamed(kind, member, to string) {
	group := s.in[kind][member]
	delete(s.in[kind], member)
	s.in[kind][to] = group
	s.eachKept(kind, func(key, period string, scores map[string]int64) {
		if score, ranked := scores[to]; ranked && s.bases[key][to].group != group { // the entry is its own, and it joins
			s.joined(key, to, group, score)
		} else if score, hidden := s.hiddenScore(to, period); hidden && s.bases[key][to].group != group {
			s.base(key, to, based{group, score})
		}
		for group := range s.groups[kind] {
			for _, score := range s.left[key][member+" "+group] {
				s.leave(key, to, group, score)
			}
			delete(s.left[key], member+" "+group)
		}
	})
}

// handOver notes that the entries of a member are those of another one, or are added to those.
func (s *societies) handOver(member, to string, renames bool) {
	s.handOverClosed(member, to, renames)
	for _, kind := range []string{"guild", "country"} {
		s.eachKept(kind, func(key, _ string, scores map[string]int64) {
			if _, had := scores[member]; !had {
				return
			}
			base, ok := s.bases[key][member]
			delete(s.bases[key], member)
			if group := s.in[kind][member]; group != "" && base.group != group { // all of it counts
				base, ok = based{group, 0}, true
			}
			toBase, toBased := s.bases[key][to]
			switch _, has := scores[to]; {
			case ok && !has:
				s.base(key, to, base)
			case ok && toBased && toBase.group == s.in[kind][to] && s.arena.Spec().Op == board.Sum: // what has not counted of either does not count then
				toBase.score += base.score
				s.base(key, to, toBase)
			}
		})
	}
}

// eachKept calls do for each period that takes results of each board of the kind that keeps points, with the scores that the members had.
func (s *societies) eachKept(kind string, do func(key, period string, scores map[string]int64)) {
	for _, b := range s.derived() {
		d := b.Spec().Derived
		if d.Groups != kind || d.Points == board.Follow {
			continue
		}
		for period, scores := range s.scores {
			if s.takes(b, period) {
				do(b.Name()+"/"+period, period, scores)
			}
		}
	}
}

func (s *societies) base(key, member string, b based) {
	if s.bases[key] == nil {
		s.bases[key] = map[string]based{}
	}
	s.bases[key][member] = b
}

func (s *societies) leave(key, member, group string, score int64) {
	if s.left[key] == nil {
		s.left[key] = map[string][]int64{}
	}
	s.left[key][member+" "+group] = append(s.left[key][member+" "+group], score)
}

// takes reports whether an open period of the members takes results, and a board follows its window.
func (s *societies) takes(b board.Board, period string) bool {
	w, name := cut(period)
	if _, err := b.Periods(context.Background(), w); err != nil {
		return false
	}
	st := coreOf(s.arena).State()
	t, err := st.Timeline(w)
	require.NoError(s.t, err)
	p, err := t.Cal.Parse(name)
	require.NoError(s.t, err)
	return t.Accepts(t.SlotOf(p), s.clock.Now())
}

func cut(period string) (window, name string) {
	window, name, _ = strings.Cut(period, "/")
	return window, name
}

// follow forgets the bases of members that have no entry any more, hidden or not.
func (s *societies) follow() {
	now := s.snapshot()
	for key, bases := range s.bases {
		_, period := cut(key)
		for member := range bases {
			_, ranked := now[period][member]
			_, hidden := s.hiddenScore(member, period)
			if s.removes[member] || !ranked && !hidden {
				delete(bases, member)
			}
		}
	}
}

// hiddenScore returns the score of a hidden member in a period, and false if it is not hidden or has none.
func (s *societies) hiddenScore(member, period string) (score int64, ok bool) {
	if !isHidden(s.arena, member) {
		return 0, false
	}
	m, err := s.arena.Member(context.Background(), member)
	require.NoError(s.t, err)
	for _, w := range m.Windows {
		for _, place := range w.Places {
			if place.Hidden && place.Window+"/"+place.Period == period {
				return whole(place.Score.At(0).Units()), true
			}
		}
	}
	return 0, false
}

// compare compares all boards of groups with what follows from their members.
func (s *societies) compare(i int) {
	for _, b := range s.derived() {
		for _, w := range b.Spec().Windows {
			periods, err := coreOf(b).Following().Source.State().Timeline(w.Name)
			require.NoError(s.t, err)
			for _, slot := range periods.OpenSlots() {
				if !periods.Accepts(slot, s.clock.Now()) {
					continue
				}
				got := map[string]string{} // before a read of the members removes what has left a rolling window
				for _, row := range s.rowsOf(b, w.Name, slot.Name) {
					got[row.Member] = row.Score.String()
				}
				key := b.Name() + "/" + w.Name + "/" + slot.Name
				now := &then{in: s.in[b.Spec().Derived.Groups], bases: s.bases[key], left: s.left[key]}
				require.Equal(s.t, s.expected(b, w.Name, slot.Name, now), got, "step %d: %s, %s of %s", i, b.Name(), slot.Name, w.Name)
			}
		}
	}
}

// expected returns the scores of the groups of a period as they follow from their members, and from what counts for the groups.
func (s *societies) expected(b board.Board, w, period string, x *then) map[string]string {
	d := b.Spec().Derived
	members := map[string][]board.Score{}
	counts, sums := map[string]int64{}, map[string]int64{}
	source := coreOf(b).Following().Source
	for _, row := range s.rowsOf((*localBoard)(source), w, period) {
		group := x.group(row.Member)
		if group == "" {
			continue
		}
		members[group] = append(members[group], row.Score)
		counts[group]++
		sums[group] += whole(row.Score.At(0).Units())
		if base, ok := x.bases[row.Member]; ok && base.group == group && d.Points != board.Follow {
			sums[group] -= base.score
		}
	}
	for name, left := range x.left {
		_, group, _ := strings.Cut(name, " ")
		for _, score := range left {
			counts[group]++
			sums[group] += score
		}
	}
	want := map[string]string{}
	for group, n := range counts {
		list := members[group] // best first
		switch d.Op {
		case board.GroupSum:
			want[group] = board.Ints(sums[group], n).String()
		case board.GroupCount:
			want[group] = board.Ints(n).String()
		case board.GroupBestOf:
			sum := int64(0)
			for _, score := range list[:min(2, len(list))] {
				sum += whole(score.At(0).Units())
			}
			want[group] = board.Ints(sum, n).String()
		case board.GroupBest:
			values := make([]board.Value, 0, 3)
			for i := range len(b.Spec().Columns) - 1 {
				values = append(values, list[0].At(i))
			}
			want[group] = board.Values(append(values, board.Int(n))...).String()
		case board.GroupAverage:
			if n >= 2 {
				want[group] = fmt.Sprintf("%s %d %d", average(sums[group], n), n, sums[group])
			}
		}
	}
	return want
}

// average returns a sum divided by a count, with three decimals and halves away from zero.
func average(sum, n int64) string {
	sign := int64(1)
	if sum < 0 {
		sign, sum = -1, -sum
	}
	return board.Values(board.Decimal(sign*((2*sum*1000+n)/(2*n)), 3)).String()
}

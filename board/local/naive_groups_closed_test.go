package local

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// then is what counted for the groups of a period of a board when it closed.
type then struct {
	in    map[string]string // by member the group
	named map[string]string // the same of members that have another name since
	bases map[string]based
	left  map[string][]int64
}

// group returns the group that a member counts for; "" for none.
func (x *then) group(member string) string {
	if group, ok := x.named[member]; ok {
		return group
	}
	return x.in[member]
}

// remember notes who is in which group, for each period that takes results.
func (s *societies) remember() {
	for _, b := range s.derived() {
		for period := range s.snapshot() {
			if key := b.Name() + "/" + period; strings.HasPrefix(period, "day/") && s.takes(b, period) {
				s.past[key] = &then{maps.Clone(s.in[b.Spec().Derived.Groups]), map[string]string{}, maps.Clone(s.bases[key]), maps.Clone(s.left[key])}
			}
		}
	}
}

// closedDays returns the scores of the members in the closed days, by period and member.
func (s *societies) closedDays() map[string]map[string]int64 {
	all := map[string]map[string]int64{}
	for _, p := range s.closedOf(s.arena) {
		scores := map[string]int64{}
		for _, row := range s.rowsOf(s.arena, "day", p) {
			scores[row.Member] = whole(row.Score.At(0).Units())
		}
		all["day/"+p] = scores
	}
	return all
}

func (s *societies) closedOf(b board.Board) (names []string) {
	periods, err := b.Periods(context.Background(), "day")
	if errors.Is(err, board.ErrNoWindow) {
		return nil
	}
	require.NoError(s.t, err)
	for _, p := range periods {
		if p.Closed {
			names = append(names, p.Period)
		}
	}
	return names
}

// keeps reports whether a board has a closed day, after a drop that is in progress has ended.
func (s *societies) keeps(b board.Board, period string) bool {
	coreOf(b).LockClosing()()
	return slices.Contains(s.closedOf(b), period)
}

// handOverClosed is handOver of the closed days. A member that is renamed takes its group of then along.
func (s *societies) handOverClosed(member, to string, renames bool) {
	for _, b := range s.derived() {
		for _, p := range s.closedOf(b) {
			scores, key := s.days["day/"+p], b.Name()+"/day/"+p
			x := s.past[key]
			if _, had := scores[member]; !had || x == nil || b.Spec().Derived.From != "arena" {
				continue
			}
			group := x.group(member)
			if renames {
				delete(x.named, member)
				x.named[to] = group
			}
			if b.Spec().Derived.Points == board.Follow {
				continue
			}
			base, ok := x.bases[member]
			delete(x.bases, member)
			if group != "" && base.group != group {
				base, ok = based{group, 0}, true
			}
			toBase, toBased := x.bases[to]
			switch _, has := scores[to]; {
			case ok && !has:
				x.base(to, base)
			case ok && group != "" && toBased && toBase.group == x.group(to) && s.arena.Spec().Op == board.Sum:
				toBase.score += base.score
				x.base(to, toBase)
			}
		}
	}
}

func (x *then) base(member string, b based) {
	if x.bases == nil {
		x.bases = map[string]based{}
	}
	x.bases[member] = b
}

// compareClosed compares the closed days of all boards of groups with what follows from their members, and forgets the bases of members without an entry.
func (s *societies) compareClosed(i int) {
	days := s.closedDays()
	for _, b := range s.derived() {
		for _, p := range s.closedOf(b) {
			x := s.past[b.Name()+"/day/"+p]
			if x == nil || days["day/"+p] == nil {
				continue
			}
			for member := range x.bases {
				_, hidden := s.hiddenScore(member, "day/"+p)
				if _, ranked := days["day/"+p][member]; !ranked && !hidden {
					delete(x.bases, member)
				}
			}
			got := map[string]string{}
			for _, row := range s.rowsOf(b, "day", p) {
				got[row.Member] = row.Score.String()
			}
			in, source := map[string]string{}, (*localBoard)(coreOf(b).Following().Source)
			for _, row := range s.rowsOf(source, "day", p) {
				in[row.Member] = x.group(row.Member)
			}
			want := s.expected(b, "day", p, &then{in: in, bases: x.bases, left: x.left})
			if !s.keeps(source, p) || !s.keeps(b, p) {
				continue // the one that is not kept may have been dropped between the reads
			}
			require.Equal(s.t, want, got, "step %d: %s, closed %s", i, b.Name(), p)
		}
	}
}

// correct submits a result to a closed day.
func (s *societies) correct(member string) error {
	days := s.closedOf(s.arena)
	if len(days) == 0 {
		return nil
	}
	_, err := s.arena.Correct(context.Background(), member, board.ClosedSubmission{Window: string(window.Day), Period: days[s.rng.IntN(len(days))], Score: board.Ints(int64(s.rng.IntN(100) - 20))}, ops)
	return err
}

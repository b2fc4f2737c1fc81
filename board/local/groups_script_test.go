package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// derivedSpecs are boards of groups of all kinds, all of one board of members. Sources comes before followers.
var derivedSpecs = []board.Spec{
	{Name: "sum", Derived: &board.Derived{From: "arena", Groups: "guild"}},
	{Name: "best", Derived: &board.Derived{From: "arena", Groups: "guild", Op: board.GroupBest}, Ties: board.ByMember},
	{Name: "bestof", Derived: &board.Derived{From: "arena", Groups: "guild", Op: board.GroupBestOf, K: 2}, Ties: board.LastToReach},
	{Name: "average", Derived: &board.Derived{From: "arena", Groups: "country", Op: board.GroupAverage, Least: 2}},
	{Name: "count", Derived: &board.Derived{From: "arena", Groups: "country", Op: board.GroupCount}},
	{Name: "stay", Derived: &board.Derived{From: "arena", Groups: "guild", Points: board.Stay}},
	{Name: "since", Derived: &board.Derived{From: "arena", Groups: "guild", Points: board.SinceJoining}, Windows: []board.Window{{Kind: window.Day, Grace: hour, Keep: 2}}},
	{Name: "alliances", Derived: &board.Derived{From: "sum", Groups: "alliance", Op: board.GroupBest}},
	{Name: "first guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}, Top: &board.Top{N: 1, Reserve: 1}},
	{Name: "first countries", Derived: &board.Derived{From: "arena", Groups: "country", Op: board.GroupAverage, Least: 2}, Top: &board.Top{N: 1, Reserve: 1, Segments: 2}},
	{Name: "divided", Derived: &board.Derived{From: "arena", Groups: "guild", Op: board.GroupBestOf, K: 2}, Parts: 2},
	{Name: "growing", Derived: &board.Derived{From: "arena", Groups: "country", Op: board.GroupBest}, PartMembers: 1},
	{Name: "pacts", Derived: &board.Derived{From: "first guilds", Groups: "alliance", Op: board.GroupBestOf, K: 2}},
	{Name: "continents", Derived: &board.Derived{From: "average", Groups: "continent", Op: board.GroupCount}},
}

var lastTwoHours = []board.Window{board.Rolling("2h", 2*time.Hour)}

const hour = window.Duration(time.Hour)

// societies is a random script of submissions, moderation and groups, and where members are.
type societies struct {
	*game
	rng     *rand.Rand
	arena   board.Board
	in      map[string]map[string]string  // by kind and member the group
	groups  map[string]map[string]bool    // by kind
	bases   map[string]map[string]based   // by board and period, and member, of boards that keep points
	left    map[string]map[string][]int64 // by board and period, and member and group
	scores  map[string]map[string]int64   // what the ranking had before the step, by window and period, and member
	past    map[string]*then              // by board and period, of days
	days    map[string]map[string]int64   // what closed days had before the step, by period and member
	removes map[string]bool               // members whose bases the step forgets
	then    func()                        // the next step; nil: a random one
}

// based is the part of a member's score that does not count for the group that it is in.
type based struct {
	group string
	score int64
}

// TestGroupsScript: after every step of a random script the score of each group is the one that follows from its members.
func TestGroupsScript(t *testing.T) {
	specs := map[string]board.Spec{"sum": {Op: board.Sum, Journal: 100}, "best": {Op: board.Best}, "kept": {Op: board.BestOf, K: 2}, "top": {Op: board.Sum, Top: &board.Top{N: 4, Reserve: 2}}, "parts": {Op: board.Sum, Parts: 3}, "growing": {Op: board.Sum, PartMembers: 6},
		"rolling sum": {Op: board.Sum, Windows: lastTwoHours}, "rolling best": {Op: board.Best, Windows: lastTwoHours}}
	for name, spec := range specs {
		for _, durable := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", durable), func(t *testing.T) { runGroupsScript(t, spec, durable, 3, 500) })
			t.Run(fmt.Sprint(name, " ", durable, " check before closing"), func(t *testing.T) { runGroupsScript(t, spec, durable, 108, 250) })
		}
	}
}

func runGroupsScript(t testing.TB, spec board.Spec, durable bool, seed uint64, steps int) {
	rolls := spec.Windows != nil
	spec.Name, spec.Windows = "arena", append([]board.Window{{Kind: window.Day, Grace: hour, Keep: 3}, board.All}, spec.Windows...)
	s := &societies{game: newGame(t, durable), rng: rand.New(rand.NewPCG(seed, 5)),
		in: map[string]map[string]string{}, groups: map[string]map[string]bool{}, bases: map[string]map[string]based{}, left: map[string]map[string][]int64{}, past: map[string]*then{}}
	s.arena = s.define(spec)
	for _, kind := range []string{"guild", "country", "alliance", "continent"} {
		_, err := s.bs.DefineGroups(t.Context(), kind)
		require.NoError(t, err)
		s.in[kind], s.groups[kind] = map[string]string{}, map[string]bool{}
	}
	for i := range steps {
		if rolls {
			s.clock.Add(time.Duration(s.rng.IntN(10)) * time.Minute)
		}
		s.scores, s.days, s.removes = s.snapshot(), s.closedDays(), map[string]bool{}
		s.step(i)
		s.follow()
		s.compare(i)
		s.compareClosed(i)
		s.remember()
	}
}

// derived returns the boards of groups that are defined.
func (s *societies) derived() (list []board.Board) {
	for _, spec := range derivedSpecs {
		if b, err := s.bs.Board(context.Background(), spec.Name); err == nil {
			list = append(list, b)
		}
	}
	return list
}

// snapshot returns the scores of the members in all open periods.
func (s *societies) snapshot() map[string]map[string]int64 {
	all := map[string]map[string]int64{}
	for _, w := range []string{"day", "all"} {
		periods, err := s.arena.Periods(context.Background(), w)
		require.NoError(s.t, err)
		for _, p := range periods {
			if p.Closed {
				continue
			}
			scores := map[string]int64{}
			for _, row := range s.rowsOf(s.arena, w, p.Period) {
				scores[row.Member] = whole(row.Score.At(0).Units())
			}
			all[w+"/"+p.Period] = scores
		}
	}
	return all
}

// rowsOf returns all members of a ranking, best first, also those beyond the best.
func (s *societies) rowsOf(b board.Board, w, period string) (rows []board.Row) {
	ctx := context.Background()
	r, err := b.Period(ctx, w, period)
	if errors.Is(err, board.ErrNoPeriod) {
		return nil
	}
	require.NoError(s.t, err)
	if b.Spec().Top == nil {
		rows, err = r.Top(ctx, 1<<20)
		require.NoError(s.t, err)
		return rows
	}
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprint("m", i))
	}
	for kind := range s.groups { // also those that have been dissolved
		for i := range 4 {
			names = append(names, fmt.Sprint(kind, i))
		}
	}
	for _, name := range names {
		row, ok, err := r.Rank(ctx, name)
		require.NoError(s.t, err)
		if ok {
			rows = append(rows, row)
		}
	}
	compare := coreOf(b).State().Rules.Compare
	slices.SortStableFunc(rows, func(x, y board.Row) int { return compare(x.Score, y.Score) })
	return rows
}

// step makes one step.
func (s *societies) step(i int) {
	ctx := context.Background()
	if then := s.then; then != nil {
		s.then = nil
		then()
		return
	}
	member, other := fmt.Sprint("m", s.rng.IntN(16)), fmt.Sprint("m", s.rng.IntN(20))
	kind := []string{"guild", "guild", "country"}[s.rng.IntN(3)]
	switch n := s.rng.IntN(100); {
	case n < 35:
		s.submit(member)
	case n < 50:
		s.join(kind, member)
	case n < 55:
		s.joinAll(kind)
	case n < 60:
		s.found(kind)
	case n < 63:
		s.joinHigher()
	case n < 70:
		s.moderate(member, other)
	case n < 76:
		s.clock.Add(time.Duration(s.rng.IntN(10)) * time.Hour)
		if s.rng.IntN(2) == 0 {
			_, err := s.bs.CloseDue(ctx)
			require.NoError(s.t, err)
		}
	case n < 79:
		_, err := s.arena.CloseNow(ctx, "day")
		require.NoError(s.t, err)
	case n < 83:
		s.defineOne()
	case n < 84:
		s.regrace()
	case n < 87 && s.mem != nil:
		if s.rng.IntN(2) == 0 {
			s.reopen()
		} else {
			s.powerCut(0, uint64(i))
		}
		s.arena = s.board("arena")
	case n < 92:
		for _, b := range s.derived() {
			corrected, err := b.Rebuild(ctx)
			require.NoError(s.t, err)
			require.Zero(s.t, corrected, "%s has followed its source", b.Name())
			s.rebuildClosed(b)
		}
	case s.mem != nil:
		rep, err := s.bs.Check(ctx, nil)
		require.NoError(s.t, err)
		require.Empty(s.t, rep.Problems)
	}
}

// submit makes submissions in one of the ways there are.
func (s *societies) submit(member string) {
	ctx := context.Background()
	sub := board.Submission{Member: member, Score: board.Ints(int64(s.rng.IntN(100) - 20)), At: s.clock.Now().Add(-time.Duration(s.rng.IntN(90)) * time.Minute)}
	if s.rng.IntN(4) == 0 {
		sub.Windows = []string{"all"}
	}
	var err error
	switch s.rng.IntN(5) {
	case 0:
		_, err = s.arena.Apply(ctx, sub)
	case 1:
		again := sub
		again.Score, again.Member = board.Ints(7), fmt.Sprint("m", s.rng.IntN(16))
		_, err = s.arena.SubmitAll(ctx, []board.Submission{sub, again, sub})
	case 2:
		err = s.submitIn(sub)
	default:
		_, err = s.arena.Submit(ctx, sub)
	}
	if !errors.Is(err, board.ErrPeriodClosed) && !errors.Is(err, board.ErrBanned) {
		require.NoError(s.t, err)
	}
}

// submitIn submits twice in a transaction of the program's own, with a removal in between.
func (s *societies) submitIn(sub board.Submission) error {
	err := s.e.Update(context.Background(), func(tx *engine.Tx) error {
		in := in(s.arena, tx)
		if _, err := in.Submit(sub); err != nil {
			return err
		}
		if _, err := in.Remove(sub.Member); err != nil {
			return err
		}
		s.removes[sub.Member] = true
		_, err := in.Submit(sub)
		return err
	})
	if err != nil {
		delete(s.removes, sub.Member)
	}
	return err
}

// join makes a member join a group, leave it, go to another one, or take the name of another member there.
func (s *societies) join(kind, member string) {
	g, err := s.bs.Groups(context.Background(), kind)
	require.NoError(s.t, err)
	to, was := fmt.Sprint(kind, s.rng.IntN(4)), s.in[kind][member]
	call, name := g.Join, "join"
	switch s.rng.IntN(4) {
	case 0:
		call, name = g.Move, "move"
	case 1:
		call, name, to = func(ctx context.Context, member, _ string) error { return g.Leave(ctx, member) }, "leave", ""
	case 2:
		s.renameIn(g, member, fmt.Sprint("m", s.rng.IntN(20)))
		return
	}
	err = call(context.Background(), member, to)
	switch {
	case name != "leave" && !s.groups[kind][to]:
		require.ErrorIs(s.t, err, board.ErrNoGroup)
	case name != "join" && was == "":
		require.ErrorIs(s.t, err, board.ErrNotInGroup)
	case name == "join" && was != "" || name == "move" && was == to:
		require.ErrorIs(s.t, err, board.ErrInGroup)
	default:
		require.NoError(s.t, err)
		s.moved(kind, member, was, to)
	}
	now, ok, err := g.Of(context.Background(), member)
	require.NoError(s.t, err)
	if ok || s.in[kind][member] != "" {
		require.Equal(s.t, s.in[kind][member], now)
	}
}

// renameIn gives the place of a member in its group to another one.
func (s *societies) renameIn(g board.Groups, member, to string) {
	was, other := s.in[g.Kind()][member], s.in[g.Kind()][to]
	switch err := g.Rename(context.Background(), member, to); {
	case was == "":
		require.ErrorIs(s.t, err, board.ErrNotInGroup)
	case other != "":
		require.ErrorIs(s.t, err, board.ErrInGroup)
	default:
		require.NoError(s.t, err)
		s.renamed(g.Kind(), member, to)
		s.then = func() { s.rename(member, to) }
		now, _, err := g.Of(context.Background(), to)
		require.NoError(s.t, err)
		require.Equal(s.t, was, now)
	}
}

// found makes a group, or dissolves one.
func (s *societies) found(kind string) {
	ctx := context.Background()
	g, err := s.bs.Groups(ctx, kind)
	require.NoError(s.t, err)
	name := fmt.Sprint(kind, s.rng.IntN(4))
	if s.rng.IntN(3) > 0 {
		if err := g.Create(ctx, name, []byte("of "+name)); s.groups[kind][name] {
			require.ErrorIs(s.t, err, board.ErrGroupExists)
		} else {
			require.NoError(s.t, err)
		}
		s.groups[kind][name] = true
		info, err := g.Info(ctx, name)
		require.NoError(s.t, err)
		require.Equal(s.t, "of "+name, string(info.Meta))
		return
	}
	if err := g.Dissolve(ctx, name); !s.groups[kind][name] {
		require.ErrorIs(s.t, err, board.ErrNoGroup)
		return
	} else {
		require.NoError(s.t, err)
	}
	delete(s.groups[kind], name)
	maps.DeleteFunc(s.in[kind], func(_, group string) bool { return group == name })
	for _, left := range s.left {
		maps.DeleteFunc(left, func(key string, _ []int64) bool { return strings.HasSuffix(key, " "+name) })
	}
	for _, bases := range s.bases {
		maps.DeleteFunc(bases, func(_ string, b based) bool { return b.group == name })
	}
}

// joinHigher makes a guild join an alliance, and a country a continent.
func (s *societies) joinHigher() {
	ctx := context.Background()
	kind, of := "alliance", "guild"
	if s.rng.IntN(2) == 0 {
		kind, of = "continent", "country"
	}
	g, err := s.bs.Groups(ctx, kind)
	require.NoError(s.t, err)
	group, member := fmt.Sprint(kind, s.rng.IntN(2)), fmt.Sprint(of, s.rng.IntN(4))
	if !s.groups[kind][group] {
		require.NoError(s.t, g.Create(ctx, group, nil))
		s.groups[kind][group] = true
	}
	call := g.Join
	if s.in[kind][member] != "" {
		call = g.Move
	}
	if s.in[kind][member] == group {
		return
	}
	require.NoError(s.t, call(ctx, member, group))
	s.in[kind][member] = group
}

// regrace migrates the members' board to another Grace, which the boards of groups follow.
func (s *societies) regrace() {
	spec := s.arena.Spec()
	spec.Windows = slices.Clone(spec.Windows)
	spec.Windows[0].Grace = window.Duration(time.Duration(1+s.rng.IntN(3)) * time.Hour)
	s.migrate(spec)
	for _, b := range s.derived() {
		require.Equal(s.t, spec.Windows[0].Grace, b.Spec().Windows[0].Grace, b.Name())
	}
}

// defineOne defines a board of groups that is not there yet, or drops one that nobody follows.
func (s *societies) defineOne() {
	ctx := context.Background()
	spec := derivedSpecs[s.rng.IntN(len(derivedSpecs))]
	_, err := s.bs.Board(ctx, spec.Name)
	if err == nil && s.rng.IntN(8) == 0 {
		if err := s.bs.Drop(ctx, spec.Name); !errors.Is(err, board.ErrFollowed) {
			require.NoError(s.t, err)
			maps.DeleteFunc(s.left, func(key string, _ map[string][]int64) bool { return strings.HasPrefix(key, spec.Name+"/") })
			maps.DeleteFunc(s.bases, func(key string, _ map[string]based) bool { return strings.HasPrefix(key, spec.Name+"/") })
			maps.DeleteFunc(s.past, func(key string, _ *then) bool { return strings.HasPrefix(key, spec.Name+"/") })
		}
		return
	}
	if spec.Windows != nil {
		spec.Windows = []board.Window{{Kind: window.Day, Grace: s.arena.Spec().Windows[0].Grace, Keep: 2}}
	}
	_, err = s.bs.Define(ctx, spec)
	if _, noSource := s.bs.Board(ctx, spec.Derived.From); noSource != nil {
		require.ErrorIs(s.t, err, board.ErrNoBoard)
		return
	}
	require.NoError(s.t, err)
}

package engines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Boards of groups follow some boards: in rolling windows by each operator, and groups of groups; in
// other windows by the operators that add up no members, since the oracle does not know groups and could
// not tell when Submit refuses a sum that is out of range. No script names these boards, and the oracle
// has none of them: their scores must be those that follow from the rankings that they follow, which the
// oracle knows.

// sources are the boards that others follow under some of their specs.
var sources = []string{boardspecs.Rolling, boardspecs.Mixed}

// kinds are those of the groups: teams, and unions of teams.
var kinds = []string{"team", "union"}

// groupsOfKind is the number of groups of each kind.
const groupsOfKind = 3

// following returns the specs of the boards of groups that follow a board and one of these.
func following(source board.Spec) (specs []board.Spec) {
	if !boardspecs.Followed(source) {
		return nil
	}
	var rolling, others []board.Window
	for _, w := range source.Windows {
		if w.Kind == window.Rolling {
			rolling = append(rolling, w)
		} else {
			others = append(others, w)
		}
	}
	specs = followingIn(source.Name, "", rolling, []board.Derived{{}, {Op: board.GroupBest}, {Op: board.GroupBestOf, K: 2},
		{Op: board.GroupAverage, Least: 2}, {Op: board.GroupCount}})
	if source.Name != boardspecs.Mixed {
		return specs
	}
	return append(specs, followingIn(source.Name, "periods ", others, []board.Derived{{Op: board.GroupBest}, {Op: board.GroupBestOf, K: 1},
		{Op: board.GroupCount, Least: 2}})...)
}

// followingIn returns the specs of the boards that follow a board in some windows: one of teams for each
// of list, and one of unions that follows the first of these.
func followingIn(source, what string, windows []board.Window, list []board.Derived) (specs []board.Spec) {
	if len(windows) == 0 {
		return nil
	}
	name := func(i int) string { return fmt.Sprint("groups of ", source, " ", what, i) }
	for i, d := range list {
		d.From, d.Groups = source, kinds[0]
		specs = append(specs, board.Spec{Name: name(i), Derived: &d, Windows: windows})
	}
	d := board.Derived{From: name(0), Groups: kinds[1], Op: board.GroupBest}
	return append(specs, board.Spec{Name: name(len(specs)), Derived: &d, Windows: windows})
}

// followed are boards, some of which others follow.
type followed struct {
	*local.Boards
	strolls int // calls of stroll
}

// followAll defines the groups, and the boards of groups that are not there.
func (on *followed) followAll() error {
	for _, kind := range kinds {
		k, err := on.DefineGroups(context.Background(), kind)
		for i := 0; i < groupsOfKind && err == nil; i++ {
			if err = k.Create(context.Background(), groupName(kind, i), nil); errors.Is(err, board.ErrGroupExists) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
	}
	for _, name := range sources {
		if err := on.follow(name); err != nil {
			return err
		}
	}
	return nil
}

func groupName(kind string, i int) string { return fmt.Sprint(kind, i) }

// follow defines the boards of groups that follow a board.
func (on *followed) follow(name string) error {
	b, err := on.Board(context.Background(), name)
	if err != nil {
		return err
	}
	for _, spec := range following(b.Spec()) {
		if _, err := on.Define(context.Background(), spec); err != nil {
			return err
		}
	}
	return nil
}

// changing changes a board that none follows meanwhile.
func (on *followed) changing(name string, change func() error) error {
	if !slices.Contains(sources, name) {
		return change()
	}
	b, err := on.Board(context.Background(), name)
	if err != nil {
		return err
	}
	for _, spec := range slices.Backward(following(b.Spec())) {
		if err := on.Drop(context.Background(), spec.Name); err != nil {
			return err
		}
	}
	return errors.Join(change(), on.follow(name))
}

// compareFollowing compares the scores of all groups that follow a board with those of their
// members, and moves a member. It reads the groups first: they must not need a read of the members.
func (on *followed) compareFollowing(name string) error {
	b, err := on.Board(context.Background(), name)
	if err != nil {
		return err
	}
	for _, spec := range slices.Backward(following(b.Spec())) {
		for _, w := range spec.Windows {
			if err := on.compareWindow(b, spec, w.Label()); err != nil {
				return err
			}
		}
	}
	return on.stroll()
}

// compareWindow compares the scores in the live period of a window, unless that is closed by hand: then
// the groups stay as they are, whatever is done to their members.
func (on *followed) compareWindow(source board.Board, spec board.Spec, w string) error {
	live, err := source.Live(context.Background(), w)
	if err != nil {
		return err
	}
	if info, err := live.Info(context.Background()); err != nil || info.Closed {
		return err
	}
	got, err := on.scoresOf(spec.Name, w)
	if err != nil {
		return err
	}
	want, err := on.expected(spec.Derived, w)
	if err != nil {
		return err
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("fuzz: %s, window %s: groups have %v, and their members make it %v", spec.Name, w, got, want)
	}
	return nil
}

// named are all whom a row may be about: members and groups.
var named = func() []string {
	names := slices.Clone(script.Players)
	for _, kind := range kinds {
		for i := range groupsOfKind {
			names = append(names, groupName(kind, i))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}()

// rows returns the rows of the live period of a window, best first: on a board with Top also those of the
// members beyond the best n.
func (on *followed) rows(name, w string) (rows []board.Row, err error) {
	b, err := on.Board(context.Background(), name)
	if err != nil {
		return nil, err
	}
	r, err := b.Live(context.Background(), w)
	if err != nil {
		return nil, err
	}
	if b.Spec().Top == nil {
		return r.Top(context.Background(), len(named))
	}
	for _, member := range named {
		row, ok, err := r.Rank(context.Background(), member)
		if err != nil {
			return nil, err
		}
		if ok {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b board.Row) int {
		x, _ := a.Score.At(0).Units()
		y, _ := b.Score.At(0).Units()
		return cmp.Compare(y, x)
	})
	return rows, nil
}

// scoresOf returns the scores in a window of a board of groups.
func (on *followed) scoresOf(name, w string) (map[string]board.Score, error) {
	rows, err := on.rows(name, w)
	scores := map[string]board.Score{}
	for _, row := range rows {
		scores[row.Member] = row.Score
	}
	return scores, err
}

// expected returns the scores of groups as they follow from those of their members.
func (on *followed) expected(d *board.Derived, w string) (map[string]board.Score, error) {
	rows, err := on.rows(d.From, w)
	if err != nil {
		return nil, err
	}
	k, err := on.Groups(context.Background(), d.Groups)
	if err != nil {
		return nil, err
	}
	scores := map[string][]board.Score{} // best first
	for _, row := range rows {
		group, ok, err := k.Of(context.Background(), row.Member)
		if err != nil {
			return nil, err
		}
		if ok {
			scores[group] = append(scores[group], row.Score)
		}
	}
	want := map[string]board.Score{}
	for group, list := range scores {
		if len(list) >= d.Least {
			want[group] = groupScore(d, list)
		}
	}
	return want, nil
}

// groupScore returns the score of a group with members that have some scores, best first. What is
// out of range is at that end of the range.
func groupScore(d *board.Derived, list []board.Score) board.Score {
	n, counted := board.Int(int64(len(list))), list
	switch d.Op {
	case board.GroupCount:
		return board.Values(n)
	case board.GroupBest:
		return board.Values(list[0].At(0), n)
	case board.GroupBestOf:
		counted = list[:min(d.K, len(list))]
	}
	sum := new(big.Int)
	for _, score := range counted {
		units, _ := score.At(0).Units()
		sum.Add(sum, big.NewInt(units))
	}
	total := within(sum, math.MinInt64)
	if d.Op != board.GroupAverage {
		return board.Values(board.Int(total), n)
	}
	twice := new(big.Int).Mul(big.NewInt(total), big.NewInt(2000))
	twice.Add(twice, big.NewInt(int64(len(list)*big.NewInt(total).Sign()))) // halves go away from zero
	average := within(twice.Quo(twice, big.NewInt(2*int64(len(list)))), -math.MaxInt64)
	return board.Values(board.Decimal(average, 3), n, board.Int(total))
}

// within returns the number of a range, up to math.MaxInt64, that is nearest to v.
func within(v *big.Int, least int64) int64 {
	switch {
	case v.Cmp(big.NewInt(least)) < 0:
		return least
	case !v.IsInt64():
		return math.MaxInt64
	}
	return v.Int64()
}

// stroll makes a player go to another team or to none, and now and then a team to another union.
func (on *followed) stroll() error {
	on.strolls++
	kind, member := kinds[0], script.Players[on.strolls*7%len(script.Players)]
	if on.strolls%3 == 0 {
		kind, member = kinds[1], groupName(kinds[0], on.strolls%5)
	}
	k, err := on.Groups(context.Background(), kind)
	if err != nil || member == "" {
		return err
	}
	if on.strolls%4 == 0 {
		err = k.Leave(context.Background(), member)
	} else if err = k.Move(context.Background(), member, groupName(kind, on.strolls%groupsOfKind)); errors.Is(err, board.ErrNotInGroup) {
		err = k.Join(context.Background(), member, groupName(kind, on.strolls%groupsOfKind))
	}
	if errors.Is(err, board.ErrInGroup) || errors.Is(err, board.ErrNotInGroup) {
		return nil
	}
	return err
}

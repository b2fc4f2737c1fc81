package boards

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
)

// groupsOf is the number of groups of a kind for n players: guilds have 50 members, and there are 200 countries.
func groupsOf(kind string, n int) int {
	if kind == "guild" {
		return max(n/50, 1)
	}
	return 200
}

// joinGroups puts all players of a board into groups of some kinds, and defines a board of the sums of each kind.
func joinGroups(o bench.Options, r *roller, kinds []string) error {
	ctx := context.Background()
	for _, kind := range kinds {
		groups, err := r.boards.DefineGroups(ctx, kind)
		if err != nil {
			return err
		}
		n := groupsOf(kind, o.N)
		name := func(i int) string { return fmt.Sprintf("%s%05d", kind, i%n) }
		for i := range n {
			if err := groups.Create(ctx, name(i), nil); err != nil {
				return err
			}
		}
		var list []board.Joining
		err = fill(o.N, o.Seed, func(s *workload.Stream) error {
			for i := range s.Len() {
				list = append(list, board.Joining{Member: s.Key(i).Name, Group: name(len(list))})
			}
			return nil
		})
		if err == nil {
			err = groups.JoinAll(ctx, list, nil)
		}
		if err == nil {
			_, err = r.boards.Define(ctx, board.Spec{Name: kind + "s", Derived: &board.Derived{From: r.Name(), Groups: kind}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

package settlement

import (
	"context"
	"slices"
	"sort"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// closeUp closes up the ranks of a ranking without some of its members.
type closeUp struct {
	members map[string]bool
	ranked  int   // how many of the members are ranked
	gone    []int // in order: a rank loses one for each of these below it
}

// newCloseUp looks the members up in a ranking, which has some mode. O(members log n).
func newCloseUp(ctx context.Context, r board.Ranking, mode rules.Mode, members []string) (*closeUp, error) {
	c := &closeUp{members: make(map[string]bool, len(members))}
	groups := map[rules.Score]int{} // members by their score
	for _, member := range members {
		if c.members[member] {
			continue
		}
		c.members[member] = true
		row, ok, err := r.By(rules.Competition).Rank(ctx, member)
		if err != nil {
			return nil, err
		}
		if !ok || row.Beyond {
			continue
		}
		c.ranked++
		groups[row.Score]++
		if mode == rules.Competition {
			c.gone = append(c.gone, row.Rank)
			continue
		}
		if mode != rules.Dense {
			row, _, err = r.By(mode).Rank(ctx, member)
			if err != nil {
				return nil, err
			}
			if mode == rules.Modified { // a rank counts the members of its own score too
				row.Rank--
			}
			c.gone = append(c.gone, row.Rank)
		}
	}
	if mode == rules.Dense {
		if err := c.addGroups(ctx, r, groups); err != nil {
			return nil, err
		}
	}
	slices.Sort(c.gone)
	return c, nil
}

// addGroups adds the dense ranks of the scores that none but the members have.
func (c *closeUp) addGroups(ctx context.Context, r board.Ranking, groups map[rules.Score]int) error {
	for score, members := range groups {
		place, err := r.Count(ctx, nil, &score) // of the last member with the score
		if err != nil {
			return err
		}
		var rank [3]int
		for i, mode := range []rules.Mode{rules.Competition, rules.Modified, rules.Dense} {
			row, _, err := r.By(mode).At(ctx, place)
			if err != nil {
				return err
			}
			rank[i] = row.Rank
		}
		if rank[1]-rank[0]+1 == members {
			c.gone = append(c.gone, rank[2])
		}
	}
	return nil
}

// rank returns the rank without the members, of a member that stays. O(log members).
func (c *closeUp) rank(rank int) int { return rank - sort.SearchInts(c.gone, rank) }

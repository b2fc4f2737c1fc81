package totals

import (
	"fmt"

	"github.com/zrankdb/zrank/board/rules"
)

// Tallies computes the scores of all groups from those of their members.
type Tallies struct {
	t  *Totals
	of map[string]*counted
}

// counted is the score of a group on the way.
type counted struct {
	*Tally
	reached int64
}

// Tallies returns one without groups.
func (t *Totals) Tallies() *Tallies { return &Tallies{t, map[string]*counted{}} }

// Of returns the Tally of a group.
func (a *Tallies) Of(group string) *Tally { return a.group(group).Tally }

func (a *Tallies) group(name string) *counted {
	g := a.of[name]
	if g == nil {
		g = &counted{Tally: a.t.Tally()}
		a.of[name] = g
	}
	return g
}

// Add adds the score of a member of a group, and when it was reached, in microseconds after 1970.
func (a *Tallies) Add(group string, s rules.Score, reached int64) {
	g := a.group(group)
	g.Add(s)
	g.reached = max(g.reached, reached)
}

// Computed is the score of a group as it follows from its members, and when it was reached: when the last of their entries was, in microseconds after 1970.
type Computed struct {
	Score   rules.Score
	Members int64
	Reached int64
}

// Scores returns the scores of the groups that have a member with a score. Error: that of Totals.Score.
func (a *Tallies) Scores() (map[string]Computed, error) {
	all := make(map[string]Computed, len(a.of))
	for name, g := range a.of {
		if g.Members() == 0 {
			continue
		}
		score, err := g.Score()
		if err != nil {
			return nil, fmt.Errorf("group %q: %w", name, err)
		}
		all[name] = Computed{score, g.Members(), g.reached}
	}
	return all, nil
}

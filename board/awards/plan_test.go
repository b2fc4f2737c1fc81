package awards

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// standings returns the standings of scores, best first, in a mode, computed one by one.
func standings(scores []int, mode rules.Mode) (list []Standing) {
	for i, score := range scores {
		better, equal, different := 0, 0, map[int]bool{}
		for _, other := range scores {
			if other > score {
				better++
				different[other] = true
			} else if other == score {
				equal++
			}
		}
		rank := []int{i + 1, better + 1, better + equal, len(different) + 1}[mode]
		list = append(list, Standing{Rank: rank, Place: i + 1})
	}
	return list
}

// holders returns the places, from 1, that have each tier of a plan.
func holders(p Plan, scores []int) (got [][]int) {
	got = make([][]int, len(p.Tiers))
	f := Field{Members: len(scores), Reached: make([]int, len(p.Tiers))}
	for i, t := range p.Tiers {
		if t.Score != nil {
			f.Reached[i] = len(scores) - len(slices.DeleteFunc(slices.Clone(scores), func(s int) bool { return int64(s) >= int64(t.Score.At(0).Float()) }))
		}
	}
	over := false
	for _, s := range standings(scores, p.Mode) {
		tiers, more := p.For(s, f)
		if over && tiers != 0 {
			panic("a tier behind the place where For said that there are no more")
		}
		over = over || !more
		for i := range p.Tiers {
			if tiers>>i&1 != 0 {
				got[i] = append(got[i], s.Place)
			}
		}
	}
	return got
}

// TestTies: the mode decides about equals across the edge of a tier (A2).
func TestTies(t *testing.T) {
	scores := []int{50, 40, 40, 40, 30, 20}
	for _, row := range []struct {
		mode rules.Mode
		want [][]int // the places of rank 1, of ranks 2 and 3, and of everyone else
	}{
		{rules.Ordinal, [][]int{{1}, {2, 3}, {4, 5, 6}}},
		{rules.Competition, [][]int{{1}, {2, 3, 4}, {5, 6}}},
		{rules.Modified, [][]int{{1}, nil, {2, 3, 4, 5, 6}}},
		{rules.Dense, [][]int{{1}, {2, 3, 4, 5}, {6}}},
	} {
		p := Plan{Mode: row.mode, Tiers: []Tier{{Name: "gold", From: 1}, {Name: "silver", From: 2, To: 3}, {Name: "rest", Everyone: true}}}
		require.NoError(t, p.Validate())
		require.Equal(t, row.want, holders(p, scores), row.mode)
	}
}

// TestKinds: each kind of tier has its members, the first only (A1) or stacked.
func TestKinds(t *testing.T) {
	scores := []int{90, 80, 70, 60, 50, 40, 30, 20, 10, 0}
	above := rules.Ints(40)
	p := Plan{Tiers: []Tier{{Name: "first", From: 1}, {Name: "best", Percent: 35}, {Name: "above", Score: &above}, {Name: "played", Everyone: true}}}
	require.NoError(t, p.Validate())
	require.Equal(t, [][]int{{1}, {2, 3}, {4, 5, 6}, {7, 8, 9, 10}}, holders(p, scores))
	p.Stack = true
	require.Equal(t, [][]int{{1}, {1, 2, 3}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, holders(p, scores))
	require.Equal(t, [][]int{nil, nil, nil, nil}, holders(p, nil))
}

// TestRanges: without Stack every rank up to the last is in exactly one tier of ranges, in every mode in which the rank is given to anybody.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		p := Plan{Mode: rules.Mode(r.IntN(4))}
		next := 1
		for i := range 1 + r.IntN(5) {
			t := Tier{Name: string(rune('a' + i)), From: next, To: next + r.IntN(4)}
			p.Tiers, next = append(p.Tiers, t), t.To+1
		}
		require.NoError(t, p.Validate())
		scores := make([]int, r.IntN(30))
		for i := range scores {
			scores[i] = r.IntN(8)
		}
		slices.SortFunc(scores, func(a, b int) int { return b - a })
		got := holders(p, scores)
		for place, s := range standings(scores, p.Mode) {
			for i, tier := range p.Tiers {
				require.Equal(t, tier.From <= s.Rank && s.Rank <= tier.To, slices.Contains(got[i], place+1))
			}
		}
	}
}

// TestImpossiblePlans: Validate names what is wrong.
func TestImpossiblePlans(t *testing.T) {
	good := Tier{Name: "a", From: 1, To: 3}
	for want, p := range map[string]Plan{
		"0 tiers":                          {},
		"65 tiers":                         {Tiers: make([]Tier, 65)},
		"no such mode":                     {Mode: 7, Tiers: []Tier{good}},
		"there twice":                      {Tiers: []Tier{good, {Name: "a", From: 4}}},
		"up to 3: set stack, or begin":     {Tiers: []Tier{good, {Name: "b", From: 3}}},
		"no tier has rank 4":               {Tiers: []Tier{good, {Name: "b", From: 5}}},
		"no tier has rank 1":               {Tiers: []Tier{{Name: "b", From: 2}}},
		"behind \"a\", which has everyone": {Tiers: []Tier{{Name: "a", Everyone: true}, {Name: "b", From: 1}}},
		"behind one of 10 %":               {Tiers: []Tier{{Name: "a", Percent: 10}, {Name: "b", Percent: 5}}},
		"want one of from":                 {Tiers: []Tier{{Name: "a", From: 1, Everyone: true}}},
		"tier 1, \"a\": want one of":       {Tiers: []Tier{{Name: "a"}}},
		"ranks are 3 to 2":                 {Tiers: []Tier{{Name: "a", From: 3, To: 2}}},
		"ranks are 0 to 2":                 {Tiers: []Tier{{Name: "a", To: 2}}},
		"percent is 101":                   {Tiers: []Tier{{Name: "a", Percent: 101}}},
		"percent is NaN":                   {Tiers: []Tier{{Name: "a", Percent: math.NaN()}}},
		"payload has 16385 bytes":          {Tiers: []Tier{{Name: "a", From: 1, Payload: strings.Repeat("x", MaxPayload+1)}}},
		"payload is not UTF-8":             {Tiers: []Tier{{Name: "a", From: 1, Payload: "\xff"}}},
		"want a name":                      {Tiers: []Tier{{Name: "a/b", From: 1}}},
		"expires is 1h":                    {Expires: window.Duration(3600e9), Tiers: []Tier{good}},
		"dropUndelivered":                  {Claim: true, DropUndelivered: true, Tiers: []Tier{good}},
	} {
		err := p.Validate()
		require.ErrorIs(t, err, ErrPlan, want)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, (&Plan{Stack: true, Tiers: []Tier{{Name: "a", From: 5, To: 9}, {Name: "b", From: 1, To: 7}}}).Validate())
}

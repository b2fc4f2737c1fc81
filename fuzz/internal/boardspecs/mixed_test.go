package boardspecs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// reasons are why Spec.Validate refuses combinations, and how many each of them refuses.
var reasons = map[string]int{
	"feed: the board is in parts, whose ranks are counted after the commit, and events are written in it": 1296,
	"parts is N, want N with op bestof, whose commits come one after the other":                           144,
	"parts is N, want N with op lastof, whose commits come one after the other":                           144,
	"parts is N, want N with op dropworst, whose commits come one after the other":                        144,
	"partMembers is N, want N with op bestof, whose commits come one after the other":                     144,
	"partMembers is N, want N with op lastof, whose commits come one after the other":                     144,
	"partMembers is N, want N with op dropworst, whose commits come one after the other":                  144,
	"window N: board: impossible rules: op is bestof, which a rolling window does not have":               144,
	"window N: board: impossible rules: op is lastof, which a rolling window does not have":               144,
	"window N: board: impossible rules: op is dropworst, which a rolling window does not have":            144,
}

// TestMixedHasAllCombinations goes through the product of the dimensions: a combination that Validate
// allows is one of those that are drawn, and the others are refused for known reasons.
func TestMixedHasAllCombinations(t *testing.T) {
	require.Len(t, Combination{}, len(Dimensions))
	drawn := map[Combination]bool{}
	for i := range len(allowed()) {
		drawn[CombinationOf(i)] = true
	}
	require.Less(t, 10*len(drawn), MixedSpecs)
	all, refused, product := 0, 0, 1
	for c, err := range Combinations {
		if all++; err != nil {
			refused++
			require.ErrorIs(t, err, board.ErrSpec)
		}
		require.Equal(t, err == nil, drawn[c], "%v: %v", c, err)
	}
	for _, d := range Dimensions {
		product *= len(d.Values)
	}
	require.Equal(t, product, all)
	require.Equal(t, reasons, Reasons())
	t.Logf("%d combinations, %d are allowed, %d are refused:", all, len(drawn), refused)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%5d %s", reasons[reason], reason)
	}
}

// TestMixedSizes: whether a combination is allowed does not depend on the sizes that a spec draws.
func TestMixedSizes(t *testing.T) {
	for i := range 4 * len(allowed()) {
		require.NoError(t, Of(Mixed, i).Validate(), i)
	}
	for c, err := range Combinations {
		for seed := range uint64(4) {
			require.Equal(t, err == nil, mixed(c, seed).Validate() == nil, "%v, seed %d", c, seed)
		}
	}
}

// TestPlacesExcludeEachOther: each two kinds of places but one set are refused together, and so one
// dimension has them all. Top with segments is Top.
func TestPlacesExcludeEachOther(t *testing.T) {
	places := Dimensions[0].Values[1:]
	got := map[string]string{}
	for i, a := range places {
		for _, b := range places[i+1:] {
			spec, rng := mixed(Combination{}, 0), rand.New(rand.NewPCG(1, 1))
			a.set(&spec, rng)
			b.set(&spec, rng)
			text := ""
			if err := spec.Validate(); err != nil {
				first, _, _ := strings.Cut(err.Error(), "\n")
				text = normal(first)
			}
			got[fmt.Sprint(a.Name, ", ", b.Name)] = text
		}
	}
	require.Equal(t, map[string]string{
		"parts, part members":    "partMembers is N, want N with parts, which fixes their number",
		"parts, rolling":         "parts is N, want N with a rolling window: N",
		"parts, top":             "top: parts is N, and a board of the best members has its own sets",
		"parts, segments":        "top: parts is N, and a board of the best members has its own sets",
		"part members, rolling":  "partMembers is N, want N with a rolling window: N",
		"part members, top":      "partMembers is N, want N with top, whose best members are one set",
		"part members, segments": "partMembers is N, want N with top, whose best members are one set",
		"rolling, top":           "top: window N is rolling, and a rolling window ranks all members",
		"rolling, segments":      "top: window N is rolling, and a rolling window ranks all members",
		"top, segments":          "",
	}, got)
}

// TestConverts: Migrate converts between any two specs but for kept results and cohorts.
func TestConverts(t *testing.T) {
	plain := mixed(Combination{}, 0)
	for d, dimension := range Dimensions {
		for v, value := range dimension.Values {
			c := Combination{}
			c[d] = uint8(v)
			require.Equal(t, mixed(c, 0).K == 0, Converts(plain, mixed(c, 0)), value.Name)
		}
	}
}

package boardspecs

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zrankdb/zrank/board"
)

// MixedSpecs is the number of specs of Mixed.
const MixedSpecs = 10_000

// Of returns a board's i-th spec, modulo their number.
func Of(name string, i int) board.Spec {
	if name == Mixed {
		return mixed(i)
	}
	specs := specsOf[name]
	spec := specs[((i%len(specs))+len(specs))%len(specs)]
	spec.Name = name
	return spec
}

// mixed returns a spec drawn at random: a kind of ranking, an operator, a rule for ties, and what is
// kept beside rankings, in one of the combinations that Define allows. Entries can be converted from
// any of them to any other.
func mixed(i int) board.Spec {
	rng := rand.New(rand.NewPCG(uint64(max(i, 0)%MixedSpecs), 49))
	for {
		if spec := drawMixed(rng); spec.Validate() == nil {
			return spec
		}
	}
}

// drawMixed draws a spec, which may be one that Define refuses.
func drawMixed(rng *rand.Rand) board.Spec {
	isSet := func() bool { return rng.IntN(3) == 0 }
	spec := board.Spec{Name: Mixed, Op: []board.Op{board.Best, board.Last, board.Sum, board.Max, board.Min}[rng.IntN(5)],
		Ties: []board.Ties{board.FirstToReach, board.LastToReach, board.ByMember}[rng.IntN(3)], MaxMeta: 8, BestRanks: isSet(),
		Windows: []board.Window{hours(30*time.Minute, 2), board.All}}
	switch rng.IntN(6) {
	case 0:
		spec.Top = &board.Top{N: LeastTop + rng.IntN(2), Reserve: 1 + rng.IntN(2), Segments: rng.IntN(4)}
	case 1:
		spec.Parts = 2 + rng.IntN(3)
	case 2:
		spec.PartMembers = 1 + rng.IntN(3)
	case 3:
		spec.Windows = append(spec.Windows, board.Rolling("", time.Hour))
	}
	if isSet() {
		spec.Journal = 9
	}
	if n := len(spec.Windows); n > 2 { // which keeps its results, and so its rules: with other ones it is another window
		spec.Windows[2].Name = fmt.Sprintf("1h-%s-%s-%v", spec.Op, spec.Ties, spec.Journal > 0)
	}
	if isSet() {
		spec.Leagues = leagues(rng.IntN(2), rng.IntN(2))
	}
	if isSet() {
		spec.Feed = &board.Feed{Top: 2}
	}
	return spec
}

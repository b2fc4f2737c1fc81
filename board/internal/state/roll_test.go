package state

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoll makes random transactions, some of which fail, and which raise in any order. Next never exceeds the time of the first result, and is that
// time after a transaction that others do not overlap.
func TestRoll(t *testing.T) {
	type open struct {
		begun uint64
		first int64
	}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := newRoll("b", "w", 1)
		results := map[int64]bool{}
		first := func() int64 {
			at := int64(math.MaxInt64)
			for x := range results {
				at = min(at, x)
			}
			return at
		}
		var pending []open
		for now := range int64(300) {
			switch rng.IntN(4) {
			case 0: // a submission, which may fail
				at := now + rng.Int64N(50)
				if r.Lower(at); rng.IntN(5) > 0 {
					results[at] = true
				}
			case 1: // a transaction that applies what is due; it is committed, and raises later
				for x := range results {
					if x <= now {
						delete(results, x)
					}
				}
				pending = append(pending, open{r.Begin(), first()})
			case 2:
				if len(pending) > 0 {
					i := rng.IntN(len(pending))
					r.Raise(pending[i].begun, pending[i].first)
					pending = append(pending[:i], pending[i+1:]...)
				}
			case 3:
				r.Begin() // it fails
			}
			require.LessOrEqual(t, r.Next(), first(), "seed %d", seed)
		}
		r.Raise(r.Begin(), first())
		require.Equal(t, first(), r.Next(), "seed %d", seed)
	}
}

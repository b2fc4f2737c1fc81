package mapping

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzFormula parses formulas and unpacks scores. What is unpacked of an integer packs to it.
func FuzzFormula(f *testing.F) {
	f.Add("points * 2^32 + (2^32 - 1 - time)", 123456789012.0)
	f.Add("points + time / 10^10", 5.17)
	f.Fuzz(func(t *testing.T, text string, score float64) {
		x, err := ParseFormula(text)
		if err != nil {
			return
		}
		points, at, err := x.Unpack(score)
		if err != nil || x.Over > 1 {
			return
		}
		rest := int64(0)
		if x.Sign != 0 {
			rest = x.Const + x.Sign*at.Unix()
		}
		require.Equal(t, score, float64(points*x.Times+rest), text)
		require.False(t, math.IsInf(score, 0))
	})
}

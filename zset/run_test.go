package zset

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomScript returns n random steps over the given number of members. With few members, sets stay small and often become empty.
func randomScript(rng *rand.Rand, n, members int) []step {
	script := make([]step, n)
	for i := range script {
		bits := rng.Uint64()
		script[i] = step{byte(bits), byte(rng.IntN(members)), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)}
	}
	return script
}

// TestAgainstModel runs random operations over every variant, tie width and kind of score.
func TestAgainstModel(t *testing.T) {
	for i, v := range allVariants() {
		for _, tieWidth := range []int{0, 8, 16, 24, 32, 40} {
			seed := uint64(i)
			rng := rand.New(rand.NewPCG(seed, uint64(tieWidth)))
			t.Run(fmt.Sprintf("%s/tie=%d", v.name, tieWidth), func(t *testing.T) {
				require.NoError(t, run(freshOf[float64](v, tieWidth), randomScript(rng, 700, 256)), "seed %d", seed)
				require.NoError(t, run(freshOf[int64](v, tieWidth), randomScript(rng, 700, 256)), "seed %d", seed)
				require.NoError(t, run(freshOf[float64](v, tieWidth), randomScript(rng, 200, 20)), "seed %d", seed)
			})
		}
	}
}

// FuzzSet reads its input as a variant, a kind of score with a tie width, and a script.
func FuzzSet(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range allVariants() {
		seed := []byte{byte(i), byte(i)}
		for _, s := range randomScript(rng, 60, 256) {
			seed = append(seed, s.op, s.member, s.tie, s.score, s.amount)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		list := allVariants()
		v, kind := list[int(data[0])%len(list)], int(data[1])%12
		var err error
		if kind < 6 {
			err = run(freshOf[float64](v, kind*8), steps(data[2:]))
		} else {
			err = run(freshOf[int64](v, kind%6*8), steps(data[2:]))
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

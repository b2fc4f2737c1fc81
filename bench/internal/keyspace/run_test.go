package keyspace

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/redis"
)

func TestEverySystem(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	for _, system := range Systems {
		if system == Redis && program == "" {
			continue
		}
		t.Run(system, func(t *testing.T) {
			o := Options{System: system, Dir: t.TempDir(), Server: program, N: 2345, Seed: 1}
			f, err := Run(t.Context(), o)
			require.NoError(t, err)
			assert.Positive(t, f[figure.Fill])
			assert.Greater(t, f[figure.SetOwn], 14.0+Members*(minMember+8))
			assert.Less(t, f[figure.SetOwn], 14.0+Members*(maxMember+12))
			assert.InDelta(t, f[figure.SetBytes], f[figure.SetOwn]+f[figure.SetOverhead], 0.001)
			t.Logf("%.0f B a set, %.0f B of them overhead", f[figure.SetBytes], f[figure.SetOverhead])
			o.Open = true
			f, err = Run(t.Context(), o)
			if !Opens(system) {
				assert.ErrorContains(t, err, "cannot be opened")
				return
			}
			require.NoError(t, err)
			assert.Positive(t, f[figure.Open])
			if system == Zrank {
				assert.Equal(t, float64(touches), f[figure.Calls])
			}
			o.N++
			_, err = Run(t.Context(), o)
			assert.ErrorContains(t, err, "2345 sets of 2346 are there")
		})
	}
}

func TestWhatThereIsNot(t *testing.T) {
	_, err := Run(t.Context(), Options{System: "valkey"})
	assert.ErrorContains(t, err, `no system "valkey"`)
}

// TestASetIsItsNumber draws some twice, and looks at the members.
func TestASetIsItsNumber(t *testing.T) {
	lengths := map[int]int{}
	for i := range 1000 {
		var a, b sample
		a.draw(7, i+1)
		a.draw(7, i)
		b.draw(7, i)
		assert.Equal(t, a.key, b.key)
		assert.Len(t, a.key, 14)
		seen := map[string]bool{}
		for m := range Members {
			assert.Equal(t, a.members[m], b.members[m])
			assert.Equal(t, a.scores[m], b.scores[m])
			seen[string(a.members[m])] = true
			lengths[len(a.members[m])]++
		}
		assert.Len(t, seen, Members)
	}
	assert.Len(t, lengths, maxMember-minMember+1)
	assert.Contains(t, lengths, minMember)
	assert.Contains(t, lengths, maxMember)
}

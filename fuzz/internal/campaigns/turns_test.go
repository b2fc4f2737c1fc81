package campaigns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/runner"
)

// TestCampaignTurns expects a turn for each configuration, and more for those without a disk.
func TestCampaignTurns(t *testing.T) {
	c, err := New(Plan{Configs: All()})
	require.NoError(t, err)
	turns := make([]int, len(All()))
	for i, index := range c.turns {
		require.True(t, i >= len(turns) || index == i, "each configuration has a turn before any has a second one")
		turns[index]++
	}
	light := 0
	for i, config := range All() {
		m, err := config.Open()
		require.NoError(t, err)
		require.NoError(t, m.Close())
		stored := config.Layer != "listpack" && config.Layer != "skiplist" && config.Layer != "zset" && runner.Does(m, "cut")
		require.Equal(t, map[bool]int{true: 1, false: 1 + lightTurns}[stored], turns[i], config.Name)
		if !stored {
			light++
		}
	}
	t.Logf("%d of %d configurations without a disk", light, len(turns))
}

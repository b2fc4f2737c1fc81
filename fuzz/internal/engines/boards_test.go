package engines

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// TestDefineTakesCombinations defines a board of each combination that Spec.Validate allows.
func TestDefineTakesCombinations(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	bs, err := local.Open(e, local.Options{Manual: true})
	require.NoError(t, err)
	i := 0
	for _, refused := range boardspecs.Combinations {
		if refused != nil {
			continue
		}
		_, err := bs.Define(t.Context(), boardspecs.Of(boardspecs.Mixed, i))
		require.NoError(t, err, boardspecs.CombinationOf(i))
		require.NoError(t, bs.Drop(t.Context(), boardspecs.Mixed))
		i++
	}
	t.Logf("%d boards", i)
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
}

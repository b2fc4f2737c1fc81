package specs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestParseColumn: the parts of --column after the name come in any order, and each at most once.
func TestParseColumn(t *testing.T) {
	for text, want := range map[string]board.Column{
		"a":                  {Name: "a"},
		"a:asc":              {Name: "a", Order: board.Asc},
		"a:float64:desc:max": {Name: "a", Kind: board.Float64, Order: board.Desc, Op: board.Max},
		"a:sum:int64":        {Name: "a", Kind: board.Int64, Op: board.Sum},
	} {
		got, err := parseColumn(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"a:", "a:up", "a:asc:desc", "a:sum:max", "a:int64:int64"} {
		_, err := parseColumn(text)
		require.ErrorContains(t, err, "want name[:int64|float64][:desc|asc][:op]", text)
	}
}

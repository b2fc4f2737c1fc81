package cluster

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/state"
)

// TestRefused: all that boards on a cluster do not have is refused, with a reason, by one error.
func TestRefused(t *testing.T) {
	s := board.Spec{Name: "arena", Windows: []board.Window{board.Rolling("", 0)}, Top: new(board.Top), BestRanks: true, Parts: 2, Journal: 1, Feed: new(board.Feed), Awards: []awards.Plan{},
		Leagues: new(board.Leagues), Derived: new(board.Derived)}
	err := refuse(s)
	require.ErrorIs(t, err, ErrUnsupported)
	require.Len(t, state.Extras(s), len(reasons))
	for _, name := range state.Extras(s) {
		require.NotEmpty(t, reasons[name], name)
		require.ErrorContains(t, err, `"arena": `+name+": "+reasons[name])
	}
	require.NoError(t, refuse(board.Spec{Name: "arena"}.WithDefaults()))
}

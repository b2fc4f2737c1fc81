package move

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestImmovable: a board that has more than plain rankings does not move, and the error names all of that. It is where it was.
func TestImmovable(t *testing.T) {
	clock := testclock.New()
	here, there := newPlace(t, clock), newPlace(t, clock)
	for names, spec := range map[string]board.Spec{
		"rolling windows": {Windows: []board.Window{board.Rolling("3h", 3*time.Hour)}},
		"top":             {Top: &board.Top{N: 10}},
		"parts":           {Parts: 2},
		"bestRanks, journal, feed, awards": {BestRanks: true, Journal: 10, Feed: &board.Feed{Top: 3}, Windows: []board.Window{board.Day},
			Awards: []awards.Plan{{Window: "day", Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "5"}}}}},
	} {
		spec.Name, spec.Op = names, board.Sum
		b, err := here.Define(t.Context(), spec)
		require.NoError(t, err)
		_, err = Board(t.Context(), names, here, there, Options{Partial: true})
		require.ErrorIs(t, err, board.ErrImmovable)
		require.ErrorContains(t, err, "has "+names)
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		require.NoError(t, err)
		_, err = there.Board(t.Context(), names)
		require.ErrorIs(t, err, board.ErrNoBoard)
	}
}

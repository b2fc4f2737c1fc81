package local

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/invariants"
)

// TestAllocations: what a submission and the reads of a live ranking allocate at most. Rows and the members in them are two allocations.
func TestAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Windows: []board.Window{board.All, board.Day, board.Week}})
	for i := range 500 {
		g.score(b, fmt.Sprintf("player %03d", i), int64(i))
	}
	day, err := b.Live(t.Context(), "day")
	require.NoError(t, err)
	score, buf := int64(0), []board.Row(nil)
	for name, c := range map[string]struct {
		most float64
		call func() error
	}{
		"Submit": {2, func() error {
			score++
			_, err := b.Submit(t.Context(), board.Submission{Member: "player 007", Score: board.Ints(score)})
			return err
		}},
		"Rank":      {0, func() error { return errorOf2(day.Rank(t.Context(), "player 007")) }},
		"Score":     {0, func() error { return errorOf2(day.Score(t.Context(), "player 007")) }},
		"At":        {1, func() error { return errorOf2(day.At(t.Context(), 10)) }},
		"Top":       {2, func() error { return errorOf(day.Top(t.Context(), 100)) }},
		"Around":    {2, func() error { return errorOf2(day.Around(t.Context(), "player 007", 5)) }},
		"Card":      {2, func() error { return errorOf(day.Card(t.Context(), "player 007", 10, 5)) }},
		"AppendTop": {0, func() (err error) { buf, err = day.AppendTop(t.Context(), buf[:0], 100); return err }},
	} {
		require.NoError(t, c.call())
		got := testing.AllocsPerRun(100, func() {
			if err := c.call(); err != nil {
				t.Fatal(err)
			}
		})
		require.LessOrEqual(t, got, c.most, name)
	}
}

package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/redistest"
)

func Example() {
	boards, err := inProcess()
	if err != nil {
		panic(err)
	}
	if err := play(boards); err != nil {
		panic(err)
	}
	// Output:
	// ada: 15 points, number 1 of all time, number 1 this week, passed 0
	// bea: 20 points, number 1 of all time, number 1 this week, passed 1
	// ada: 25 points, number 1 of all time, number 1 this week, passed 1
}

// TestCluster runs the same program on a server that it starts.
func TestCluster(t *testing.T) {
	s, err := redistest.Start(t.TempDir(), 1)
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("SKIPPED: there is no redis-server, so nothing here is tested")
	}
	require.NoError(t, err)
	defer s.Close()

	boards, err := onCluster("redis://" + s.Addr(0))
	require.NoError(t, err)
	require.NoError(t, play(boards))
	arena, err := boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	live, err := arena.Live(t.Context(), "all")
	require.NoError(t, err)
	row, _, err := live.Rank(t.Context(), "ada")
	require.NoError(t, err)
	require.Equal(t, board.Ints(25), row.Score)
	require.NoError(t, boards.Close())
}

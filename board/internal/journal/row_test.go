package journal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// TestRows: decode is the inverse of append for rows of every kind, and refuses bytes that were cut off or have more behind them.
func TestRows(t *testing.T) {
	for _, r := range []Row{
		{Number: 1, Kind: Blank, Version: 1, Arrived: -5},
		{Number: 300, Kind: Removal, Version: 2, Arrived: 7, At: 7, Member: []byte("ada"), Removed: []Place{{Period: "all"}, {Window: 200, Period: "2026-W47"}}},
		{Number: 301, Kind: Removal, Version: 2, Arrived: 7, At: 7, Member: []byte("ada"), Entries: true,
			Removed: []Place{{Period: "all"}, {Window: 1, Period: "2026-W47", Had: true, Score: -9, Tie: []byte("12345678")}}},
		{Number: 1 << 40, Kind: Submission, Version: 3, Meta: true, Arrived: 1, At: -1, Member: []byte("\xff"), Once: []byte("q"), Reverted: 9, Score: rules.Ints(1, -2),
			Befores: []Before{{Arrival: 5}, {Arrival: 1 << 50, Changed: true, Had: true, Score: -3, Tie: make([]byte, 40), Kept: []byte("kept")},
				{Had: true, Score: 3, Tie: []byte("12345678"), Kept: []byte{}}}},
	} {
		stored := r.append(nil)
		var got Row
		require.True(t, got.decode(stored))
		for _, empty := range []*[]byte{&got.Member, &got.Once} {
			if len(*empty) == 0 {
				*empty = nil
			}
		}
		if len(got.Befores) == 0 {
			got.Befores = nil
		}
		require.Equal(t, r, got)
		require.False(t, got.decode(append(stored, 1)))
		require.True(t, isOf(stored, string(r.Member)))
		require.False(t, isOf(stored, "other"))
		if r.Kind == Blank {
			continue
		}
		for n := range 22 {
			require.False(t, new(Row).decode(stored[:n]), "cut to %d bytes", n)
		}
	}
	require.False(t, new(Row).decode([]byte{1, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), "an unknown kind")
}

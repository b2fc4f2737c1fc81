package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPortableScores: CutScore is the inverse of AppendScore for every kind of column, and refuses what was cut off.
func TestPortableScores(t *testing.T) {
	for _, s := range []Score{
		{}, Ints(0), Ints(-1), Ints(1<<63-1, -1<<63), Floats(0.5, -1e300), Values(Absent, Decimal(114, 2), Int(7)),
		Ints(1, 2, 3, 4, 5, 6, 7), Values(Int(1), Int(2), Int(3), Int(4), Absent, Float(2.5), Decimal(-1, 18)),
	} {
		b := AppendScore(nil, s)
		got, rest, ok := CutScore(append(b, 9))
		require.True(t, ok, s)
		require.Equal(t, s, got)
		require.Equal(t, []byte{9}, rest)
		for n := range b {
			_, _, ok := CutScore(b[:n])
			require.False(t, ok, "%v cut to %d bytes", s, n)
		}
	}
	for _, bad := range [][]byte{{33}, {1, 200, 0}, {1, 0, 0x80}} {
		_, _, ok := CutScore(bad)
		require.False(t, ok, bad)
	}
}

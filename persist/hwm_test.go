package persist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var exampleMark = waterMark{
	store: storeID{1, 2, 3}, counter: 4, durable: 5, chain: 6, snapshot: 7, upto: 8,
	manifest: manifestMark{9, 10, 11}, clean: true,
}

func TestMarkBytes(t *testing.T) {
	v := exampleMark.encode()
	require.Len(t, v, markSize)
	m, err := decodeMark(v)
	require.NoError(t, err)
	require.Equal(t, exampleMark, m)
}

func FuzzMark(f *testing.F) {
	f.Add(exampleMark.encode())
	f.Add(waterMark{}.encode())
	f.Fuzz(func(t *testing.T, v []byte) {
		m, err := decodeMark(v)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		require.Equal(t, v, m.encode())
	})
}

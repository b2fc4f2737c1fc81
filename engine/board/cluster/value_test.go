package cluster

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// FuzzValue decodes any bytes as a value and as a text. Those that decode survive encoding and decoding; others are ErrCorrupt.
func FuzzValue(f *testing.F) {
	whole := value{hasMember: true, score: -5, tie: make([]byte, 16), kept: []byte("kept"), meta: []byte("meta")}
	f.Add(whole.encode())
	f.Add(whole.text([]byte("ada")))
	whole.hidden = true
	f.Add(whole.encode())
	f.Add("")
	f.Add("12345678\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, stored string) {
		for _, width := range []int{0, 16} {
			v, err := decodeValue(stored, width)
			if err != nil {
				require.ErrorIs(t, err, ErrCorrupt)
			} else {
				again, err := decodeValue(v.encode(), width)
				require.NoError(t, err)
				require.Equal(t, v, again)
			}
			e, err := sets.DecodeText(stored, width)
			if err != nil {
				require.ErrorIs(t, err, ErrCorrupt)
				continue
			}
			text := value{hasMember: true, score: e.Score, tie: e.Tie}
			require.Equal(t, stored, text.text(e.Member))
		}
	})
}

// FuzzStoredBoard decodes any text as a board of the catalog. One that decodes survives encoding and decoding.
func FuzzStoredBoard(f *testing.F) {
	s := storedBoard{"id", 16, specs.WithDefaults(specs.Spec{Name: "arena"})}
	text, err := s.encode()
	require.NoError(f, err)
	f.Add(text)
	f.Add("id 0 {}")
	f.Add("id 1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := decodeBoard("arena", text)
		if err != nil {
			return
		}
		again, err := s.encode()
		require.NoError(t, err)
		got, err := decodeBoard("arena", again)
		require.NoError(t, err)
		require.Equal(t, s.id, got.id)
		require.Equal(t, s.partitions, got.partitions)
		require.Nil(t, s.spec.Differences(got.spec))
	})
}

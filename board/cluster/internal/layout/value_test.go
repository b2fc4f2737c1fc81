package layout

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// FuzzValue decodes any bytes as a value and as a text. Those that decode survive encoding and decoding; others are ErrCorrupt.
func FuzzValue(f *testing.F) {
	whole := Value{HasMember: true, Score: -5, Tie: make([]byte, 16), Kept: []byte("kept"), Meta: []byte("meta")}
	f.Add(whole.Encode())
	f.Add(whole.Text([]byte("ada")))
	whole.Hidden = true
	f.Add(whole.Encode())
	f.Add("")
	f.Add("12345678\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, stored string) {
		for _, width := range []int{0, 16} {
			v, err := DecodeValue(stored, width)
			if err != nil {
				require.ErrorIs(t, err, ErrCorrupt)
			} else {
				again, err := DecodeValue(v.Encode(), width)
				require.NoError(t, err)
				require.Equal(t, v, again)
			}
			e, err := DecodeText(stored, width)
			if err != nil {
				require.ErrorIs(t, err, ErrCorrupt)
				continue
			}
			text := Value{HasMember: true, Score: e.Score, Tie: e.Tie}
			require.Equal(t, stored, text.Text(e.Member))
		}
	})
}

// FuzzStoredBoard decodes any text as a board of the catalog. One that decodes survives encoding and decoding.
func FuzzStoredBoard(f *testing.F) {
	s := Board{"id", 16, board.Spec{Name: "arena"}.WithDefaults()}
	text, err := s.Encode()
	require.NoError(f, err)
	f.Add(text)
	f.Add("id 0 {}")
	f.Add("id 1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := DecodeBoard("arena", text)
		if err != nil {
			return
		}
		again, err := s.Encode()
		require.NoError(t, err)
		got, err := DecodeBoard("arena", again)
		require.NoError(t, err)
		require.Equal(t, s.ID, got.ID)
		require.Equal(t, s.Partitions, got.Partitions)
		require.Nil(t, s.Spec.Differences(got.Spec))
	})
}

package storedir

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/formattest"
	"github.com/zrankdb/zrank/persist/wal"
)

var exampleMark = Mark{
	Store: format.StoreID{1, 2, 3}, Counter: 4, Durable: 5, Chain: 6, Snapshot: 7, Upto: 8,
	Manifest: ManifestMark{Number: 9, Length: 10, CRC: 11}, Clean: true,
}

func TestMarkBytes(t *testing.T) {
	v := exampleMark.Encode()
	require.Len(t, v, markSize)
	m, err := decodeMark(v)
	require.NoError(t, err)
	require.Equal(t, exampleMark, m)
}

func FuzzMark(f *testing.F) {
	f.Add(exampleMark.Encode())
	f.Add(Mark{}.Encode())
	f.Fuzz(func(t *testing.T, v []byte) {
		m, err := decodeMark(v)
		if err != nil {
			require.ErrorIs(t, err, wal.ErrCorrupt)
			return
		}
		require.Equal(t, v, m.Encode())
	})
}

// FuzzIdentity decodes any bytes as IDENTITY. Bytes that decode must encode to the same bytes again.
func FuzzIdentity(f *testing.F) {
	f.Add(NewIdentity().Encode())
	f.Add([]byte(identityMagic))
	f.Fuzz(func(t *testing.T, v []byte) {
		n, err := DecodeIdentity(v)
		if err != nil {
			require.True(t, errors.Is(err, wal.ErrCorrupt) || errors.Is(err, errs.ErrNewerFormat))
			return
		}
		require.Equal(t, v, n.Encode())
	})
}

// TestMarkAndIdentityFlips flips each bit of both files, and cuts or adds a byte. Decoding must fail each time.
func TestMarkAndIdentityFlips(t *testing.T) {
	n := Identity{ID: format.StoreID{1, 2}, Millis: 3}
	for name, c := range map[string]struct {
		value  []byte
		decode func(v []byte) error
	}{
		"mark":     {exampleMark.Encode(), func(v []byte) error { _, err := decodeMark(v); return err }},
		"identity": {n.Encode(), func(v []byte) error { _, err := DecodeIdentity(v); return err }},
	} {
		require.NoError(t, formattest.Flips(c.value, c.decode), name)
	}
}

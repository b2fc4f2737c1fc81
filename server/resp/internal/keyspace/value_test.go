package keyspace

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPlain: any bytes either decode to a plain value that encodes to the same bytes, or give an error.
func FuzzPlain(f *testing.F) {
	f.Add(Plain{Kind: String, Body: []byte("text")}.Encode())
	f.Add(Plain{Kind: PlainSet, Expires: TimeOf(5)}.Encode())
	f.Add(Plain{Kind: PlainSet, Hashed: true}.Encode())
	f.Add(Plain{Kind: String, Copied: true}.Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := DecodePlain(b); err == nil {
			require.Equal(t, b, v.Encode())
		}
	})
}

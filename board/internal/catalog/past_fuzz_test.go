package catalog

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPast gives any bytes to the decoders of what the history of a kind of groups stores. A value
// that decodes is the same after it was encoded and decoded again.
func FuzzPast(f *testing.F) {
	m := Moment{{1, "day", 1764460800000000}, {2, "all", math.MinInt64}, {3, "", math.MaxInt64}}
	f.Add(Stays{{7, m}, {0, m[:1]}, {8, nil}}.Encode())
	f.Add(Dissolved{"wolves", m}.Encode())
	f.Add(Since{3, m}.Encode())
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := DecodeStays(b); err == nil {
			again, err := DecodeStays(s.Encode())
			require.NoError(t, err)
			require.Equal(t, s, again)
		}
		if d, err := DecodeDissolved(b); err == nil {
			again, err := DecodeDissolved(d.Encode())
			require.NoError(t, err)
			require.Equal(t, d, again)
		}
		if s, err := DecodeSince(b); err == nil {
			again, err := DecodeSince(s.Encode())
			require.NoError(t, err)
			require.Equal(t, s, again)
		}
	})
}

package events

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sameRest reads text in one go, and again with a stop and a Resume after n rows. It reports whether the rows after the stop and the final
// positions are equal.
func sameRest(t testing.TB, text string, n int) bool {
	in := stream(t, text)
	all, failed := drain(in)
	end := in.Position()

	first := stream(t, text)
	p := at(t, first, n)
	var stored Position
	b, err := p.MarshalBinary()
	require.NoError(t, err)
	require.NoError(t, stored.UnmarshalBinary(b))

	second := stream(t, text)
	require.NoError(t, second.Resume(stored, false))
	rest, failedToo := drain(second)
	return slices.Equal(all[n:], rest) && end == second.Position() && (failed == nil) == (failedToo == nil)
}

// FuzzEvents reads arbitrary bytes: reading does not panic, and a Resume after any row gives the same rest.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(threeRows))
	f.Add([]byte("\xef\xbb\xbfscore,member,time,board\r\n1,\"a\r\nb\",5,x\r\n\r\n2,c\"d,6,y\r\n3,,7,\r"))
	f.Add([]byte("time,member,delta\n1,\"open"))
	f.Add([]byte("time,member,delta\n1,a,NaN\n1,\xff,1\n-1.5,a,1e999\n\n\n9,b,2"))
	f.Add([]byte("op,time,member,delta\nremove,1,a,\nsubmit,2,a,1\nremove,3,b,1\nundo,4,a,1\n"))
	f.Add([]byte(zip(f, threeRows)))
	f.Add([]byte(zip(f, threeRows))[:40])
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		in, err := OpenStream(t.Context(), bytes.NewReader(data), Options{})
		if err != nil {
			return
		}
		all, _ := drain(in)
		for n := 0; n <= len(all); n += 1 + len(all)/64 {
			require.True(t, sameRest(t, string(data), n), "stopped after %d of %d rows", n, len(all))
		}
	})
}

// FuzzPosition decodes arbitrary bytes: a position that decodes is encoded to the same bytes. One of version 1 is encoded as version 2.
func FuzzPosition(f *testing.F) {
	for _, p := range []Position{{}, {Rows: 1 << 40, Done: true, File: FileID{Size: 1, Digest: [32]byte{1}}, Unit: Milliseconds, Given: true,
		Latest: time.Unix(-5, 0).UTC()}} {
		b, err := p.MarshalBinary()
		require.NoError(f, err)
		f.Add(b)
		f.Add(append([]byte{1}, b[1:positionLen1]...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Position
		if err := p.UnmarshalBinary(data); err != nil {
			require.ErrorIs(t, err, ErrPosition)
			return
		}
		b, err := p.MarshalBinary()
		require.NoError(t, err)
		if data[0] == 1 {
			var q Position
			require.NoError(t, q.UnmarshalBinary(b))
			require.Equal(t, p, q)
			return
		}
		require.Equal(t, data, b)
	})
}

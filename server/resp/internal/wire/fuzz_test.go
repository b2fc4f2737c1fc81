package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzReader reads any bytes in any pieces: the requests are those of the oracle, which reads the bytes in one piece, and the reader's memory is
// in proportion to the bytes that have arrived.
func FuzzReader(f *testing.F) {
	f.Add([]byte("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\nPING \"a\\x41b\"\r\n"), uint8(3), uint8(1))
	f.Add([]byte("*1000\r\n$60000\r\nx"), uint8(1), uint8(200))
	f.Add([]byte("\r\n*0\r\n'a' b\"c\\\"\" \v\n*-1\r\n*1\r$4\rYPINGZZ"), uint8(2), uint8(5))
	f.Fuzz(func(t *testing.T, text []byte, first, second uint8) {
		limits := Limits{Args: 2000, Bulk: 70_000, Request: 100_000, Inline: 200}
		src := &cut{text: string(text), sizes: []int{1 + int(first), 1 + int(second)}}
		r := NewReader(limits, nil)
		checked := reading{r, src, t}
		got, gotErr := outcome(r, checked)
		want, wantErr := expected(string(text), limits, false)
		require.Equal(t, want, got)
		require.Equal(t, wantErr, gotErr)
	})
}

// reading is a source that checks the memory of its reader at each read.
type reading struct {
	r   *Reader
	src *cut
	t   *testing.T
}

func (c reading) Read(b []byte) (int, error) {
	require.LessOrEqual(c.t, c.r.Held(), bound(c.r.Buffered())+64*(len(c.r.spans)+len(c.r.args)))
	return c.src.Read(b)
}

// FuzzWriter builds replies from a program of bytes and parses them again, in both protocols.
func FuzzWriter(f *testing.F) {
	f.Add([]byte("\x00\x01a\x02b\r\n\x03\x04xyz\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d"))
	f.Fuzz(func(t *testing.T, program []byte) {
		for _, protocol := range []int{2, 3} {
			w := &Writer{Protocol: protocol}
			want := write(w, program[:min(len(program), 1000)])
			rest := string(w.Buf)
			for _, reply := range want {
				var got string
				var ok bool
				got, rest, ok = readReply(rest)
				require.True(t, ok, "%q", w.Buf)
				require.Equal(t, reply, got)
			}
			require.Empty(t, rest)
			if protocol == 2 {
				require.NotContains(t, kindsOf(w.Buf), "3")
			}
		}
	})
}

// kindsOf returns "3" if a line begins with a sign that only RESP3 has, else "2". Texts of the program have no such lines.
func kindsOf(replies []byte) string {
	for line := range strings.SplitSeq(string(replies), "\r\n") {
		if line != "" && strings.ContainsAny(line[:1], "_,#=%~>") {
			return "3"
		}
	}
	return "2"
}

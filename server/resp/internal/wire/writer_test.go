package wire

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReplies writes every kind of reply in both protocols.
func TestReplies(t *testing.T) {
	for _, row := range []struct {
		resp2, resp3 string
		write        func(w *Writer)
	}{
		{"+OK\r\n", "+OK\r\n", func(w *Writer) { w.OK() }},
		{"+QUEUED\r\n", "+QUEUED\r\n", func(w *Writer) { w.Status("QUEUED") }},
		{"-ERR a  b c\r\n", "-ERR a  b c\r\n", func(w *Writer) { w.Error("ERR a\r\nb\nc") }},
		{":-7\r\n", ":-7\r\n", func(w *Writer) { w.Int(-7) }},
		{":-9223372036854775808\r\n", ":-9223372036854775808\r\n", func(w *Writer) { w.Int(math.MinInt64) }},
		{"$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n", func(w *Writer) { w.Bulk([]byte("a\r\nb")) }},
		{"$0\r\n\r\n", "$0\r\n\r\n", func(w *Writer) { w.BulkString("") }},
		{"$-1\r\n", "_\r\n", func(w *Writer) { w.Null() }},
		{"*-1\r\n", "_\r\n", func(w *Writer) { w.NullArray() }},
		{"*0\r\n", "*0\r\n", func(w *Writer) { w.Array(0) }},
		{"*6\r\n", "%3\r\n", func(w *Writer) { w.Map(3) }},
		{"*3\r\n", "~3\r\n", func(w *Writer) { w.Set(3) }},
		{"*3\r\n", ">3\r\n", func(w *Writer) { w.Push(3) }},
		{"$3\r\n1.5\r\n", ",1.5\r\n", func(w *Writer) { w.Double(1.5) }},
		{"$4\r\n-inf\r\n", ",-inf\r\n", func(w *Writer) { w.Double(math.Inf(-1)) }},
		{"$3\r\n0.1\r\n", ",0.1\r\n", func(w *Writer) { w.Double(0.1) }},
		{":1\r\n", "#t\r\n", func(w *Writer) { w.Bool(true) }},
		{":0\r\n", "#f\r\n", func(w *Writer) { w.Bool(false) }},
		{"$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n", func(w *Writer) { w.Verbatim("txt", "hi") }},
	} {
		two, three := Writer{Protocol: 2}, Writer{Protocol: 3}
		row.write(&two)
		row.write(&three)
		require.Equal(t, row.resp2, string(two.Buf))
		require.Equal(t, row.resp3, string(three.Buf))
	}
	old := Writer{Scores: Redis70}
	old.Double(0.1)
	require.Equal(t, "$19\r\n0.10000000000000001\r\n", string(old.Buf))
}

// TestTruncate: Truncate drops an unfinished reply.
func TestTruncate(t *testing.T) {
	var w Writer
	w.OK()
	at := w.Len()
	w.Array(3)
	w.Bulk(make([]byte, 100_000))
	w.Truncate(at)
	w.Int(1)
	require.Equal(t, "+OK\r\n:1\r\n", string(w.Buf))
}

// TestWriterAllocs: a writer does not allocate while Buf is large enough.
func TestWriterAllocs(t *testing.T) {
	w := Writer{Buf: make([]byte, 0, 4096)}
	member := []byte("player:1")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for _, w.Protocol = range []int{2, 3} {
			w.Truncate(0)
			w.Array(8)
			w.Bulk(member)
			w.Double(1234.5)
			w.Double(0.1234567890123456)
			w.Map(1)
			w.BulkString("x")
			w.Null()
			w.Int(12345)
			w.Error("ERR syntax error")
			w.Verbatim("txt", "hello")
			w.Bool(true)
		}
	}))
}

func BenchmarkWriter(b *testing.B) {
	w := Writer{Buf: make([]byte, 0, 1<<16)}
	member := []byte("player:12345")
	b.Run("reply=range100", func(b *testing.B) {
		for b.Loop() {
			w.Truncate(0)
			w.Array(200)
			for i := range 100 {
				w.Bulk(member)
				w.Double(float64(i * 1000))
			}
		}
	})
}

package resp

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// benchMembers is the number of members of the benchmarks' set: their scores are fractional.
const benchMembers = 1_000_000

// BenchmarkRequest is one request and its reply over loopback, the client's work included. The client allocates nothing.
func BenchmarkRequest(b *testing.B) {
	e, err := engine.New(engine.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, e.Close()) })
	p := serve(b, e, Options{})
	r := rand.New(rand.NewPCG(1, 2))
	for from := 0; from < benchMembers; from += 1000 {
		require.NoError(b, e.Update(b.Context(), func(tx *engine.Tx) error {
			s, err := tx.Set("arena")
			for i := from; i < from+1000 && err == nil; i++ {
				_, err = s.Add(fmt.Appendf(nil, "player:%013d", i), float64(r.IntN(1e9))/8)
			}
			return err
		}, "arena"))
	}
	for _, command := range []string{"ZSCORE", "ZRANK", "ZINCRBY", "ZRANGE", "ZREVRANGE"} {
		b.Run("op="+command, func(b *testing.B) {
			var request []byte
			reply := make([]byte, 64<<10)
			b.ReportAllocs()
			for b.Loop() {
				request = appendRequest(request[:0], command, r.Int64N(benchMembers-100))
				p.exchange(b, request, reply)
			}
		})
	}
}

// appendRequest appends a request about member n, or about 100 ranks from n on.
func appendRequest(dst []byte, command string, n int64) []byte {
	dst = append(append(dst, command...), " arena "...)
	switch command {
	case "ZRANGE", "ZREVRANGE":
		dst = append(strconv.AppendInt(dst, n, 10), ' ')
		return append(strconv.AppendInt(dst, n+99, 10), " WITHSCORES\r\n"...)
	case "ZINCRBY":
		dst = append(dst, "1 "...)
	}
	dst = append(dst, "player:0000000000000"...)
	for at := len(dst); n > 0; n /= 10 {
		at--
		dst[at] = byte('0' + n%10)
	}
	return append(dst, "\r\n"...)
}

// exchange sends a request and reads its whole reply.
func (p *peer) exchange(b *testing.B, request, reply []byte) {
	if _, err := p.conn.Write(request); err != nil {
		b.Fatal(err)
	}
	lines := 1
	for have := 0; lines > 0; {
		m, err := p.conn.Read(reply[have:])
		if err != nil {
			b.Fatal(err)
		}
		have += m
		lines = left(reply[:have])
	}
}

// left returns how many lines a reply lacks.
func left(reply []byte) int {
	lines := 0
	for _, c := range reply {
		if c == '\n' {
			lines++
		}
	}
	want := 1
	switch reply[0] {
	case '-':
		panic(string(reply))
	case '$':
		want = 2
	case '*':
		want = 1 + 2*200
	}
	return want - lines
}

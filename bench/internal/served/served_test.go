package served

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

func TestRepliesAreSkippedWhole(t *testing.T) {
	replies := []string{":7\r\n", "+OK\r\n", "$5\r\nhello\r\n", "$0\r\n\r\n", "*0\r\n", "*2\r\n$1\r\na\r\n:1\r\n", "*2\r\n*1\r\n:1\r\n$3\r\na\r\n\r\n"}
	for _, r := range replies {
		n, err := skip([]byte(r + ":8\r\n"))
		require.NoError(t, err)
		assert.Equal(t, len(r), n, "%q", r)
		for cut := range len(r) {
			n, err := skip([]byte(r[:cut]))
			require.NoError(t, err)
			assert.Zero(t, n, "%q", r[:cut])
		}
	}
	for _, r := range []string{"-ERR no\r\n", "_\r\n", "\n", "*1\r\n-ERR no\r\n"} {
		_, err := skip([]byte(r))
		assert.ErrorContains(t, err, "reply", "%q", r)
	}
	t.Logf("%d replies", len(replies))
}

func TestRequestsAreDrawnAsTheyGoOverTheWire(t *testing.T) {
	for _, s := range spots(false) {
		l := draw(s, 200, 7)
		assert.Equal(t, l, draw(s, 200, 7))
		assert.Len(t, l.ends, 4*200/s.depth)
		first := string(l.next())
		for range len(l.ends) - 1 {
			l.next()
		}
		assert.Equal(t, first, string(l.next()), "begins again")
	}
	l := draw(spot{depth: 1, command: commands[0]}, 10, 1)
	assert.Regexp(t, `^\*4\r\n\$4\r\nZADD\r\n\$5\r\narena\r\n\$\d+\r\n\d+\r\n\$20\r\nplayer:000000000000\d\r\n$`, string(l.next()))
}

func TestWhatRedisBenchmarkPrints(t *testing.T) {
	const head = `"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"` + "\n"
	f, err := parse(head + `"ZADD arena __rand_int__ x","70821.53","0.505","0.144","0.455","0.863","1.015","6.743"` + "\n")
	require.NoError(t, err)
	assert.Equal(t, figure.Figures{figure.Rate: 70821.53, figure.P50: 455_000, figure.P99: 1_014_999.9999999999, figure.Max: 6_743_000}, f)
	for _, text := range []string{"", head, "\"", "a,b\n1,2\n"} {
		_, err := parse(text)
		assert.ErrorContains(t, err, "redis-benchmark: ", "%q", text)
	}
}

// piecemeal answers every request with a reply, cut into two pieces.
func piecemeal(t *testing.T, reply string) (addr string, served *atomic.Int64) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	served = new(atomic.Int64)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					var words int
					if _, err := fmt.Fscanf(in, "*%d\r\n", &words); err != nil {
						return
					}
					for range 2 * words {
						if _, err := in.ReadString('\n'); err != nil {
							return
						}
					}
					served.Add(1)
					for _, part := range []string{reply[:len(reply)/2], reply[len(reply)/2:]} {
						if _, err := io.WriteString(conn, part); err != nil {
							return
						}
					}
				}
			}()
		}
	}()
	return l.Addr().String(), served
}

func TestEveryCallOfADriveIsAnswered(t *testing.T) {
	if !supported {
		t.Skip("Linux only")
	}
	for _, depth := range depths {
		addr, served := piecemeal(t, "*2\r\n$5\r\nhello\r\n:7\r\n")
		c, err := dial(addr, 5)
		require.NoError(t, err)
		times := crew.NewRecorder()
		calls, took, err := c.drive(draw(spot{depth: depth, command: commands[2]}, 100, 1), 20*time.Millisecond, times)
		require.NoError(t, err)
		assert.EqualValues(t, served.Load(), calls)
		assert.Equal(t, calls, depth*times.Count())
		assert.GreaterOrEqual(t, calls, 5*depth)
		assert.GreaterOrEqual(t, took, 20*time.Millisecond)
		require.NoError(t, c.Close())
		t.Logf("depth %d: %d calls", depth, calls)
	}
	for reply, want := range map[string]string{"-ERR no\r\n": "-ERR no", ":1\r\n:2\r\n": "more replies than requests"} {
		addr, _ := piecemeal(t, reply)
		c, err := dial(addr, 1)
		require.NoError(t, err)
		_, _, err = c.drive(draw(spot{depth: 1, command: commands[2]}, 100, 1), time.Minute, crew.NewRecorder())
		assert.ErrorContains(t, err, want)
		require.NoError(t, c.Close())
	}
	_, err := dial("127.0.0.1:1", 1)
	assert.ErrorContains(t, err, "connect to 127.0.0.1:1")
}

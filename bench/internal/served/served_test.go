package served

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/redis"
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
	const n = 200
	for _, spot := range Spots(false) {
		l, again := draw(spot, n, 7), draw(spot, n, 7)
		assert.Equal(t, l, again)
		assert.Equal(t, 4*n/spot.Depth, len(l.ends))
		assert.NotEqual(t, l.bytes, draw(spot, n, 8).bytes)
		total := 0
		for range l.ends {
			b := string(l.next())
			assert.Equal(t, spot.Depth, strings.Count(b, "\r\n"+spot.Command.Name+"\r\n$5\r\narena\r\n"), "%q", b)
			total += len(b)
		}
		assert.Equal(t, len(l.bytes), total)
		assert.Equal(t, again.next(), l.next(), "begins again")
	}
	l := draw(Spot{Depth: 1, Command: Commands[0]}, 10, 1)
	assert.Regexp(t, `^\*4\r\n\$4\r\nZADD\r\n\$5\r\narena\r\n\$\d+\r\n\d+\r\n\$20\r\nplayer:000000000000\d\r\n$`, string(l.next()))
}

func TestSpotsHaveLinesOfTheirOwn(t *testing.T) {
	lines := map[string]bool{}
	for _, l := range Levels {
		lines[l.Process()] = true
		for _, s := range Spots(true) {
			assert.NotContains(t, l.Line(s), " ")
			lines[l.Line(s)] = true
		}
	}
	assert.Len(t, lines, len(Levels)*(1+len(Depths)*len(Commands)*len(Clients)))
	_, err := LevelNamed("paper")
	assert.ErrorContains(t, err, `no level "paper"`)
}

func TestWhatRedisBenchmarkPrints(t *testing.T) {
	const head = `"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"` + "\n"
	r, err := parse(head + `"ZADD arena __rand_int__ x","70821.53","0.505","0.144","0.455","0.863","1.015","6.743"` + "\n")
	require.NoError(t, err)
	assert.InDelta(t, 70821.53, r.rate, 0)
	assert.InDelta(t, 455_000, r.p50, 1)
	assert.InDelta(t, 1_015_000, r.p99, 1)
	assert.InDelta(t, 6_743_000, r.max, 1)
	for _, text := range []string{"", head, "\"", head + strings.Repeat(`"x",`, 7) + `"x"`, "a,b\n1,2\n"} {
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
	for _, depth := range Depths {
		addr, served := piecemeal(t, "*2\r\n$5\r\nhello\r\n:7\r\n")
		c, err := dial(addr, 5)
		require.NoError(t, err)
		times := latency.New()
		calls, took, err := c.drive(draw(Spot{Depth: depth, Command: Commands[2]}, 100, 1), 20*time.Millisecond, times)
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
		_, _, err = c.drive(draw(Spot{Depth: 1, Command: Commands[2]}, 100, 1), time.Minute, latency.New())
		assert.ErrorContains(t, err, want)
		require.NoError(t, c.Close())
	}
	_, err := dial("127.0.0.1:1", 1)
	assert.ErrorContains(t, err, "connect to 127.0.0.1:1")
}

// TestARealRedis is skipped where there is none.
func TestARealRedis(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	if program == "" || !supported {
		t.Skip("no redis-server in the path, or no Linux")
	}
	for _, l := range Levels {
		s, err := Start(t.Context(), Options{Level: l.Name, System: Redis, Dir: t.TempDir(), Program: program,
			Benchmark: FindBenchmark(program), N: 1000, Seed: 1, For: 3 * time.Millisecond})
		require.NoError(t, err)
		for range Turns(s.o.Benchmark != "") {
			require.NoError(t, s.Turn())
		}
		lines, err := s.End()
		require.NoError(t, err)
		assert.Len(t, lines, 1+len(s.spots))
		for line, f := range lines {
			if line != l.Process() {
				assert.Positive(t, f[figure.Rate], line)
				assert.GreaterOrEqual(t, f[figure.P99], f[figure.P50], line)
			}
		}
		assert.Greater(t, lines[l.Process()][figure.Filled], 1e6)
		t.Logf("%s: %d lines", l.Name, len(lines))
	}
}

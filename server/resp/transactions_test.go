package resp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// lines sends commands one after the other and returns the last reply. It expects that queued of the replies are +QUEUED.
func (p *peer) lines(queued int, list ...string) (last string) {
	p.t.Helper()
	for _, line := range list {
		if last = p.line(line); last == "+QUEUED\r\n" {
			queued--
		}
	}
	require.Zero(p.t, queued)
	return last
}

// TestExecUndoesAll: a transaction that fails while it runs changes nothing: neither keys, nor the client's name, database and protocol.
func TestExecUndoesAll(t *testing.T) {
	p := startServer(t, engine.Options{MaxSets: 2}, Options{MaxReply: 300_000})
	p.lines(0, "ZADD a 1 m", "CLIENT SETNAME before")
	reply := p.lines(7, "MULTI", "CLIENT SETNAME after", "SELECT 3", "HELLO 3", "ZADD x 1 m", "ZADD y 1 m", "SADD plain m", "ZREM a m", "EXEC")
	require.Equal(t, "-EXECABORT Transaction discarded because of: engine: too many sets", reply[:strings.Index(reply, "sets")+4])
	require.Equal(t, "$6\r\nbefore\r\n", p.line("CLIENT GETNAME"))
	require.Equal(t, "$1\r\n1\r\n", p.line("ZSCORE a m"), "it is in database 0, in RESP2, as it was")
	require.Equal(t, ":0\r\n", p.line("EXISTS x y plain"))
	require.Equal(t, "-ERR EXEC without MULTI\r\n", p.line("EXEC"))

	p.do("ZADD", "a", "2", strings.Repeat("long", 15_000))
	queue := []string{"MULTI", "ZADD a 5 m"}
	for range 4 {
		queue = append(queue, "ZRANGE a 0 -1")
	}
	require.Len(t, p.lines(5, append(queue, "EXEC")...), len("*5\r\n:0\r\n")+4*(len("*2\r\n$1\r\nm\r\n$60000\r\n\r\n")+60_000))
	queue[1] = "ZADD a 6 m"
	for range 2 {
		queue = append(queue, "ZRANGE a 0 -1")
	}
	require.Equal(t, "-EXECABORT Transaction discarded because of: reply is larger than the limit of 300000 bytes\r\n",
		p.lines(7, append(queue, "EXEC")...))
	require.Equal(t, "$1\r\n5\r\n", p.line("ZSCORE a m"), "the transaction is undone if its reply is too large")
}

// TestMultiIsBounded: a client that queues or watches more than the limits gets an error.
func TestMultiIsBounded(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{MaxRequest: 4000})
	p.line("MULTI")
	replies := map[string]int{}
	for range 50 {
		replies[p.line("ZADD k 1 some-member-or-other")]++
	}
	require.Len(t, replies, 2)
	t.Logf("%d commands fit", replies["+QUEUED\r\n"])
	require.Contains(t, p.line("EXEC"), "-EXECABORT")
	require.Equal(t, ":0\r\n", p.line("EXISTS k"))
	for refused := false; !refused; {
		refused = strings.HasPrefix(p.do("WATCH", fmt.Sprint("key", rand.Uint64())), "-ERR more keys are watched than the limits")
	}
	require.Equal(t, "+OK\r\n", p.line("UNWATCH"))
	require.Equal(t, "+OK\r\n", p.line("WATCH k"))
	require.NoError(t, p.conn.Close())
	until(t, "the client is gone", func() bool { return clients(p.s) == 0 && !p.s.host.Space.Watching() })
	require.Zero(t, p.s.host.Budget.Used())
}

// TestTransfers: clients move points between two keys, each time in a transaction, while others read both: the sum is always the same (P1).
func TestTransfers(t *testing.T) {
	const each, points = 60, 1000
	p := startServer(t, engine.Options{}, Options{})
	p.lines(0, fmt.Sprintf("ZADD a %d m", points), "ZADD b 0 m")
	var all sync.WaitGroup
	for n := range 4 {
		c, r := p.another(), rand.New(rand.NewPCG(1, uint64(n)))
		all.Go(func() {
			for range each {
				from, to, by := "a", "b", r.IntN(50)
				if r.IntN(2) == 0 {
					from, to = to, from
				}
				c.raw([]byte(fmt.Sprintf("MULTI\r\nZINCRBY %s %d m\r\nZINCRBY %s %d m\r\nEXEC\r\n", from, -by, to, by)))
				for range 3 {
					c.reply()
				}
				checkSum(t, c.reply(), points)
			}
		})
	}
	for range 2 {
		c := p.another()
		all.Go(func() {
			for range each {
				checkSum(t, c.lines(2, "MULTI", "ZSCORE a m", "ZSCORE b m", "EXEC"), points)
			}
		})
	}
	all.Wait()
}

// checkSum checks the sum of the two scores in a reply of EXEC.
func checkSum(t *testing.T, reply string, want int) {
	var n int
	var a, b int
	_, err := fmt.Sscanf(reply, "*2\r\n$%d\r\n%d\r\n$%d\r\n%d", &n, &a, &n, &b)
	if err != nil || a+b != want {
		t.Errorf("%q: %v, sum %d", reply, err, a+b)
	}
}

// TestWatchedCounter: clients read a score and, with WATCH, store one more if no other client has changed it. No increment is lost.
func TestWatchedCounter(t *testing.T) {
	const clients, each = 4, 40
	p := startServer(t, engine.Options{}, Options{})
	var all sync.WaitGroup
	var mu sync.Mutex
	failed := 0
	for range clients {
		c := p.another()
		all.Go(func() {
			for done := 0; done < each; {
				c.line("WATCH counter")
				var n, score int
				if reply := c.line("ZSCORE counter m"); reply != "$-1\r\n" {
					_, err := fmt.Sscanf(reply, "$%d\r\n%d", &n, &score)
					if err != nil {
						t.Error(err)
					}
				}
				c.line("MULTI")
				c.line(fmt.Sprintf("ZADD counter %d m", score+1))
				if c.line("EXEC") != "*-1\r\n" {
					done++
					continue
				}
				mu.Lock()
				failed++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	require.Equal(t, fmt.Sprintf("$3\r\n%d\r\n", clients*each), p.line("ZSCORE counter m"))
	t.Logf("%d of %d were overtaken and began again", failed, clients*each+failed)
}

// TestExecRepeats: transactions of several clients on different plain sets, whose locks some of them
// share, may run more than once in the engine. Each reply is whole, and there once.
func TestExecRepeats(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	var all sync.WaitGroup
	for n := range 8 {
		c, r := p.another(), rand.New(rand.NewPCG(2, uint64(n)))
		all.Go(func() {
			for i := range 100 {
				text, want := "MULTI\r\nHELLO 2\r\n", "*7\r\n"
				for k, at := range r.Perm(40)[:6] { // of this client
					text += fmt.Sprintf("SADD set:%d:%d member:%d:%d\r\n", n, at, i, k)
					want += ":1\r\n"
				}
				c.raw([]byte(text + "EXEC\r\n"))
				for range 8 {
					c.reply()
				}
				got := c.reply()
				if end := strings.Index(got, ":1\r\n"); end < 0 || got[:4]+got[len(got)-24:] != want || strings.Count(got, "server") != 1 {
					t.Errorf("%q", got)
				}
			}
		})
	}
	all.Wait()
	st, err := p.s.host.Engine.Stats()
	require.NoError(t, err)
	t.Logf("%d restarts", st.Restarts)
}

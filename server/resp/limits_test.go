package resp

import (
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/dispatch"
)

// inBubble runs a test on fake time with a server whose clients connect with connect.
func inBubble(t *testing.T, o Options, test func(t *testing.T, s *Server)) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Options{})
		require.NoError(t, err)
		s, err := New(e, o)
		require.NoError(t, err)
		test(t, s)
		require.NoError(t, s.Close())
		require.NoError(t, e.Close())
		require.Zero(t, s.host.Budget.Used(), "everything was given back")
	})
}

// connect returns the client's end of a connection without any buffer between.
func connect(s *Server) net.Conn {
	server, client := net.Pipe()
	s.take(server)
	return client
}

// ended says that the server has closed a connection, and when, and what it said before.
func ended(t *testing.T, client net.Conn) (said string, after time.Duration) {
	begun := time.Now()
	all, err := io.ReadAll(client)
	require.NoError(t, err)
	return string(all), time.Since(begun)
}

func clients(s *Server) int {
	return s.host.Clients.Len()
}

// heap returns the bytes that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSlowloris sends a byte of a request now and then: it is disconnected, as one is that has sent half a request and no
// more. One that really sends a large request over a slow line is served.
func TestSlowloris(t *testing.T) {
	inBubble(t, Options{SlowTimeout: time.Minute}, func(t *testing.T, s *Server) {
		begun := time.Now()
		client := connect(s)
		_, err := client.Write([]byte("*1000000\r\n"))
		for err == nil {
			time.Sleep(5 * time.Second)
			_, err = client.Write([]byte("$1\r\nx\r\n"))
		}
		require.GreaterOrEqual(t, time.Since(begun), time.Minute)
		require.LessOrEqual(t, time.Since(begun), time.Minute+5*time.Second)

		client = connect(s)
		_, err = client.Write([]byte("*1\r\n$4\r\nPI"))
		require.NoError(t, err)
		_, after := ended(t, client)
		require.Equal(t, time.Minute, after)

		client = connect(s)
		const size = 1 << 20
		_, err = client.Write([]byte("*2\r\n$4\r\nPING\r\n$" + strconv.Itoa(size) + "\r\n"))
		require.NoError(t, err)
		for range size / 4096 {
			time.Sleep(2 * time.Second)
			_, err = client.Write(make([]byte, 4096))
			require.NoError(t, err)
		}
		_, err = client.Write([]byte("\r\n"))
		require.NoError(t, err)
		n, err := io.ReadFull(client, make([]byte, size+12))
		require.NoError(t, err)
		require.Equal(t, size+12, n)
		require.NoError(t, client.Close())
	})
}

// TestStreamOfCutRequests: every read ends within a request, for longer than SlowTimeout; nobody is slow.
func TestStreamOfCutRequests(t *testing.T) {
	inBubble(t, Options{SlowTimeout: time.Minute}, func(t *testing.T, s *Server) {
		client := connect(s)
		go func() { _, _ = io.Copy(io.Discard, client) }()
		_, err := client.Write([]byte("PI"))
		for range 100 {
			require.NoError(t, err)
			time.Sleep(30 * time.Second)
			_, err = client.Write([]byte("NG\r\nPI"))
		}
		require.NoError(t, client.Close())
	})
}

// TestIdle disconnects who sends nothing, if the options say so; by default, nobody.
func TestIdle(t *testing.T) {
	inBubble(t, Options{IdleTimeout: time.Hour}, func(t *testing.T, s *Server) {
		client := connect(s)
		for range 3 {
			time.Sleep(59 * time.Minute)
			_, err := client.Write([]byte("PING\r\n"))
			require.NoError(t, err)
			_, err = io.ReadFull(client, make([]byte, 7))
			require.NoError(t, err)
		}
		_, after := ended(t, client)
		require.Equal(t, time.Hour, after)
	})
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		client := connect(s)
		time.Sleep(1000 * time.Hour)
		_, err := client.Write([]byte("PING\r\n"))
		require.NoError(t, err)
		_, err = io.ReadFull(client, make([]byte, 7))
		require.NoError(t, err)
		require.NoError(t, client.Close())
	})
}

// TestStranger has SlowTimeout to say who it is, whatever it sends meanwhile.
func TestStranger(t *testing.T) {
	o := Options{SlowTimeout: time.Minute, Users: []User{{Name: "default", Password: "secret"}}}
	inBubble(t, o, func(t *testing.T, s *Server) {
		begun := time.Now()
		client := connect(s)
		go func() { _, _ = io.Copy(io.Discard, client) }()
		for err := error(nil); err == nil; _, err = client.Write([]byte("PING\r\nPI")) {
			time.Sleep(time.Second)
		}
		require.Equal(t, time.Minute, time.Since(begun).Truncate(2*time.Second))

		client = connect(s)
		_, err := client.Write([]byte("AUTH secret\r\n"))
		require.NoError(t, err)
		_, err = io.ReadFull(client, make([]byte, len("+OK\r\n")))
		require.NoError(t, err)
		time.Sleep(time.Hour)
		_, err = client.Write([]byte("PING\r\n"))
		require.NoError(t, err)
		_, err = io.ReadFull(client, make([]byte, len("+PONG\r\n")))
		require.NoError(t, err)
		require.NoError(t, client.Close())
	})
}

// TestStrayed closes the connection on a browser, after what came before.
func TestStrayed(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, text := range []string{"PING\r\nPOST / HTTP/1.1\r\nFLUSHALL\r\n", "PING\r\nHost: x\r\nFLUSHALL\r\n"} {
			client := connect(s)
			go func() { _, _ = client.Write([]byte(text)) }()
			said, _ := ended(t, client)
			require.Equal(t, "+PONG\r\n", said)
		}
	})
}

// TestSlowClient asks for much and reads nothing: no more than MaxPending waits for it, and it is disconnected in time.
func TestSlowClient(t *testing.T) {
	const pending = 200_000
	inBubble(t, Options{MaxPending: pending, SlowTimeout: time.Minute}, func(t *testing.T, s *Server) {
		client := connect(s)
		begun := time.Now()
		request := "*2\r\n$4\r\nPING\r\n$10000\r\n" + strings.Repeat("x", 10_000) + "\r\n"
		sent := 0
		for {
			_, err := client.Write([]byte(request))
			if err != nil {
				break
			}
			sent++
			require.LessOrEqual(t, s.host.Budget.Used(), int64(pending+4*dispatch.FlushAt))
		}
		require.Equal(t, time.Minute, time.Since(begun))
		require.Less(t, sent, 100)
		synctest.Wait()
		require.Zero(t, clients(s))
		t.Logf("%d requests of %d bytes were taken", sent, len(request))
	})
}

// TestAnnouncedAndNeverSent: lengths cost nothing, in any number of clients.
func TestAnnouncedAndNeverSent(t *testing.T) {
	const most = 20_000 // of a client
	inBubble(t, Options{ClientMemory: 50 * most}, func(t *testing.T, s *Server) {
		var all []net.Conn
		for range 50 {
			client := connect(s)
			_, err := client.Write([]byte("*1048576\r\n$4\r\nPING\r\n$60000000\r\nxyz"))
			require.NoError(t, err)
			all = append(all, client)
		}
		synctest.Wait()
		require.Equal(t, 50, clients(s))
		for _, c := range s.host.Clients.All() {
			require.LessOrEqual(t, c.Conn.Reader.Held(), most)
		}
		for _, client := range all {
			require.NoError(t, client.Close())
		}
	})
}

// TestHugeRequest: what is larger than MaxRequest is refused when it is announced, and what is dribbled is held only as far
// as it came.
func TestHugeRequest(t *testing.T) {
	inBubble(t, Options{MaxRequest: 100_000}, func(t *testing.T, s *Server) {
		for _, text := range []string{"*2\r\n$4\r\nPING\r\n$100001\r\n", "*3\r\n$4\r\nPING\r\n$60000\r\n" + strings.Repeat("x", 60_000) + "\r\n$40000\r\n"} {
			client := connect(s)
			_, err := client.Write([]byte(text))
			require.NoError(t, err)
			said, _ := ended(t, client)
			require.Contains(t, []string{"-ERR Protocol error: invalid bulk length\r\n", "-ERR Protocol error: too big request\r\n"}, said)
		}
	})
}

// TestBudgetOfRequests: clients send large requests at once and never their ends. Those who hold most go, and others are
// served all the time.
func TestBudgetOfRequests(t *testing.T) {
	const budget = 1 << 20
	inBubble(t, Options{ClientMemory: budget}, func(t *testing.T, s *Server) {
		modest, before := connect(s), heap()
		request := "*2\r\n$4\r\nPING\r\n$100000\r\n" + strings.Repeat("x", 100_000) + "\r\n"
		for range 20 {
			client := connect(s)
			_, err := client.Write([]byte("*2\r\n$4\r\nPING\r\n$300000\r\n"))
			for i := 0; err == nil && i < 250; i++ {
				_, err = client.Write(make([]byte, 1000))
				require.LessOrEqual(t, s.host.Budget.Used(), int64(2*budget))
			}
			_, err = modest.Write([]byte(request))
			require.NoError(t, err)
			_, err = io.ReadFull(modest, make([]byte, 100_011))
			require.NoError(t, err)
		}
		synctest.Wait()
		gone := 21 - clients(s)
		t.Logf("%d of 20 disconnected, %d bytes taken, the heap grew by %d", gone, s.host.Budget.Used(), heap()-before)
		require.Less(t, heap()-before, int64(4*budget))
		require.Greater(t, gone, 10)
		require.Less(t, gone, 20)
	})
}

// TestLargeReply: one over the limit is an error, and those before and after it are as they were.
func TestLargeReply(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{MaxReply: 300_000})
	big := strings.Repeat("x", 290_000)
	for range 3 {
		p.raw([]byte("PING a\r\n"))
		p.send("PING", big)
		p.send("PING", strings.Repeat("x", 300_000))
		p.raw([]byte("PING b\r\n"))
		require.Equal(t, "$1\r\na\r\n", p.reply())
		require.Equal(t, "$290000\r\n"+big+"\r\n", p.reply())
		require.Equal(t, "-ERR reply is larger than the limit of 300000 bytes\r\n", p.reply())
		require.Equal(t, "$1\r\nb\r\n", p.reply())
	}
}

// TestReplyWithoutBudget is an error; replies that the budget has room for are answered.
func TestReplyWithoutBudget(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{ClientMemory: 300_000})
	for i := range 1000 {
		require.Equal(t, ":1\r\n", p.do("ZADD", "k", strconv.Itoa(i), strings.Repeat("x", 300)+strconv.Itoa(i)))
	}
	for range 3 {
		require.Equal(t, "+PONG\r\n", p.do("PING"))
		require.Len(t, p.do("PING", strings.Repeat("x", 50_000)), 50_010)
		require.Equal(t, 600, strings.Count(p.do("ZRANGE", "k", "0", "599"), "$"))
		require.Equal(t, "-ERR no memory for the reply: clients hold as much as they may together\r\n", p.do("ZRANGE", "k", "0", "-1"))
	}
}

// TestFloodOfConnections: those over MaxClients hear so and are disconnected; when one goes there is room again.
func TestFloodOfConnections(t *testing.T) {
	const most, flood = 20, 200
	p := startServer(t, engine.Options{}, Options{MaxClients: most})
	require.Equal(t, "+PONG\r\n", p.do("PING"))
	refused := 0
	var served []*peer
	for range flood {
		c := p.another()
		c.raw([]byte("PING\r\n"))
		switch said, err := readReply(c.in); {
		case err != nil: // the client's request came after the end: no reply is left
			refused++
		case said == "+PONG\r\n":
			served = append(served, c)
		default:
			require.Equal(t, "-ERR max number of clients reached\r\n", said)
			refused++
		}
		require.LessOrEqual(t, clients(p.s), most)
	}
	require.Len(t, served, most-1)
	require.Equal(t, flood-most+1, refused)
	require.NoError(t, served[0].conn.Close())
	for clients(p.s) == most {
		runtime.Gosched()
	}
	require.Equal(t, "+PONG\r\n", p.another().do("PING"))
}

// TestFloodOfRequests: a pipeline of any length is done with a bounded amount of memory, and answered whole.
func TestFloodOfRequests(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	const requests = 300_000
	go p.raw([]byte(strings.Repeat("PING\r\n", requests)))
	n, err := io.CopyN(io.Discard, p.in, requests*int64(len("+PONG\r\n")))
	require.NoError(t, err)
	require.EqualValues(t, requests*7, n)
	require.Equal(t, "+PONG\r\n", p.do("PING"))
	require.LessOrEqual(t, p.s.host.Budget.Used(), int64(2*dispatch.FlushAt))
}

// TestHalfOpen: clients that went without a word, in any state, leave nothing behind.
func TestHalfOpen(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	require.Equal(t, "+PONG\r\n", p.do("PING"))
	for i, text := range []string{"", "PI", "*1\r\n$4\r\n", "PING\r\n", strings.Repeat("PING\r\n", 1000)} {
		c := p.another()
		c.raw([]byte(text))
		if i%2 == 0 {
			require.NoError(t, c.conn.(*net.TCPConn).SetLinger(0))
		}
		require.NoError(t, c.conn.Close())
	}
	for clients(p.s) > 1 {
		runtime.Gosched()
	}
	require.Equal(t, "+PONG\r\n", p.do("PING"))
}

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
		s, err := New(t.Context(), e, o)
		require.NoError(t, err)
		test(t, s)
		require.NoError(t, s.Close())
		require.NoError(t, e.Close())
		require.Zero(t, s.host.Budget.Used(), "everything was given back")
	})
}

// connect returns the client's end of a new connection, which has no buffer.
func connect(s *Server) net.Conn {
	server, client := net.Pipe()
	s.take(server)
	return client
}

// ended waits until the server closes a connection. It returns the bytes received before, and the time that it took.
func ended(t *testing.T, client net.Conn) (received string, after time.Duration) {
	begun := time.Now()
	all, err := io.ReadAll(client)
	require.NoError(t, err)
	return string(all), time.Since(begun)
}

func clients(s *Server) int {
	return s.host.Clients.Len()
}

// heap collects garbage and returns the bytes of live memory.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what lies in a pool is let go of at the second collection
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSlowloris: a client that sends a few bytes of a request now and then is disconnected after SlowTimeout, and so is one that stops in the
// middle of a request. A client that sends a large request over a slow line is served.
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

// TestStreamOfCutRequests: a client whose every read ends in the middle of a request, for longer than SlowTimeout, is not slow as long as it
// finishes requests.
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

// TestIdle: IdleTimeout disconnects a client that sends nothing. By default there is no such timeout.
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

// TestStranger: a client must authenticate within SlowTimeout, whatever else it sends. Afterwards it may be idle.
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

// TestStrayed: a line of HTTP ends the connection, after replies to the commands before it.
func TestStrayed(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, text := range []string{"PING\r\nPOST / HTTP/1.1\r\nFLUSHALL\r\n", "PING\r\nHost: x\r\nFLUSHALL\r\n"} {
			client := connect(s)
			go func() { _, _ = client.Write([]byte(text)) }()
			received, _ := ended(t, client)
			require.Equal(t, "+PONG\r\n", received)
		}
	})
}

// TestSlowClient: for a client that sends requests and reads nothing, at most MaxPending bytes of replies wait. It is disconnected after
// SlowTimeout.
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

// TestAnnouncedAndNeverSent: a request whose length is announced and whose bytes do not arrive takes no memory, for any number of clients.
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

// TestHugeRequest: a length above MaxRequest is refused when it is announced. A request that arrives in pieces takes memory only for the bytes
// that have arrived.
func TestHugeRequest(t *testing.T) {
	inBubble(t, Options{MaxRequest: 100_000}, func(t *testing.T, s *Server) {
		for _, text := range []string{"*2\r\n$4\r\nPING\r\n$100001\r\n", "*3\r\n$4\r\nPING\r\n$60000\r\n" + strings.Repeat("x", 60_000) + "\r\n$40000\r\n"} {
			client := connect(s)
			_, err := client.Write([]byte(text))
			require.NoError(t, err)
			received, _ := ended(t, client)
			require.Contains(t, []string{"-ERR Protocol error: invalid bulk length\r\n", "-ERR Protocol error: too big request\r\n"}, received)
		}
	})
}

// TestBudgetOfRequests: clients send large requests at the same time and never finish them. The clients that hold most are disconnected, and
// another client is served all the time.
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
			synctest.Wait() // clients that were disconnected have given their memory back
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

// TestLargeReply: a reply over the limit becomes an error; the replies before and after it are sent.
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

// TestReplyWithoutBudget: a reply that does not fit the budget becomes an error; smaller replies are sent.
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

// TestFloodOfConnections: connections above MaxClients get an error and are closed. After a client has gone, another one is accepted.
func TestFloodOfConnections(t *testing.T) {
	const most, flood = 20, 200
	p := startServer(t, engine.Options{}, Options{MaxClients: most})
	require.Equal(t, "+PONG\r\n", p.do("PING"))
	refused := 0
	var served []*peer
	for range flood {
		c := p.another()
		c.raw([]byte("PING\r\n"))
		switch received, err := readReply(c.in); {
		case err != nil: // the client's request came after the end: no reply is left
			refused++
		case received == "+PONG\r\n":
			served = append(served, c)
		default:
			require.Equal(t, "-ERR max number of clients reached\r\n", received)
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

// TestFloodOfRequests: the server executes and answers a pipeline of any length in bounded memory.
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

// TestHalfOpen: the server holds no memory of clients that disconnected, whatever they were doing.
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

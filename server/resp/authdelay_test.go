package resp

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

var withPassword = Options{Users: []User{{Name: "default", Password: "secret"}, {Name: "ada", Password: "key"}}}

// from is a connection of a client at an address.
type from struct {
	net.Conn
	addr net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.addr }

// connectFrom is connect for a client at an address.
func connectFrom(s *Server, ip string) net.Conn {
	server, client := net.Pipe()
	s.take(from{server, &net.TCPAddr{IP: net.ParseIP(ip), Port: 1000}})
	return client
}

// says sends a line, and returns the first line of the reply and how long that took.
func says(t *testing.T, client net.Conn, line string) (reply string, took time.Duration) {
	t.Helper()
	begun := time.Now()
	_, err := fmt.Fprint(client, line+"\r\n")
	require.NoError(t, err)
	for b := make([]byte, 1); !strings.HasSuffix(reply, "\r\n"); reply += string(b) {
		_, err := io.ReadFull(client, b)
		require.NoError(t, err)
	}
	return strings.TrimSpace(reply), time.Since(begun)
}

// TestWrongPasswordsAreSlow: after auth.Free failures without a delay, a connection may try one wrong password a second, by AUTH or HELLO, for
// any user. A right password is delayed as long. Other addresses and authenticated clients of the same address are not delayed.
func TestWrongPasswordsAreSlow(t *testing.T) {
	inBubble(t, withPassword, func(t *testing.T, s *Server) {
		guesses, known := connectFrom(s, "10.0.0.1"), connectFrom(s, "10.0.0.1")
		reply, _ := says(t, known, "AUTH secret")
		require.Equal(t, "+OK", reply)
		begun := time.Now()
		for i := range 60 {
			line := []string{"AUTH wrong", "HELLO 2 AUTH ada wrong", "AUTH nobody key"}[i%3]
			reply, took := says(t, guesses, line)
			require.Contains(t, reply, "-WRONGPASS")
			require.LessOrEqual(t, took, auth.Interval)
			if i < auth.Free {
				require.Zero(t, took)
			}
			_, took = says(t, known, "PING")
			require.Zero(t, took)
		}
		require.Equal(t, 50*auth.Interval, time.Since(begun))
		other := connectFrom(s, "10.0.0.2")
		reply, took := says(t, other, "AUTH wrong")
		require.Contains(t, reply, "-WRONGPASS")
		require.Zero(t, took)
		reply, took = says(t, guesses, "AUTH ada key")
		require.Equal(t, "+OK", reply)
		require.Equal(t, auth.Interval, took)
		reply, took = says(t, guesses, "PING")
		require.Equal(t, "+PONG", reply)
		require.Zero(t, took)
		time.Sleep(time.Hour)
		for range auth.Free {
			_, took = says(t, guesses, "AUTH wrong")
			require.Zero(t, took, "after an hour the address has its free failures again")
		}
		for _, c := range []net.Conn{guesses, known, other} {
			require.NoError(t, c.Close())
		}
	})
}

// TestManyConnectionsOfOneAddress: a thousand connections of an address that guess without a pause have one password a second checked together, and the others are
// refused after auth.Longest, so a right password among them may be refused too. Clients of other addresses, and those that have signed in, notice nothing.
func TestManyConnectionsOfOneAddress(t *testing.T) {
	inBubble(t, withPassword, func(t *testing.T, s *Server) {
		const connections = 1000
		var checked, refused atomic.Int64
		known := connectFrom(s, "2001:db8::3")
		reply, _ := says(t, known, "AUTH secret")
		require.Equal(t, "+OK", reply)
		all := []net.Conn{known}
		for range connections {
			c := connectFrom(s, "2001:db8::1")
			all = append(all, c)
			go func() {
				for b := make([]byte, 200); ; {
					if _, err := c.Write([]byte("AUTH wrong\r\n")); err != nil {
						return
					}
					n, err := c.Read(b)
					switch {
					case err != nil:
						return
					case strings.HasPrefix(string(b[:n]), "-WRONGPASS"):
						checked.Add(1)
					case strings.Contains(string(b[:n]), "not looked at"):
						refused.Add(1)
					}
				}
			}()
		}
		time.Sleep(50 * time.Second) // within SlowTimeout
		t.Logf("%d connections: %d passwords checked, %d refused", connections, checked.Load(), refused.Load())
		require.LessOrEqual(t, checked.Load(), int64(auth.Free+50+50), "a few may be checked before others have failed")
		begun := checked.Load()
		time.Sleep(5 * time.Second)
		require.LessOrEqual(t, checked.Load()-begun, int64(6))
		require.Positive(t, checked.Load()-begun)
		require.LessOrEqual(t, refused.Load(), int64(connections*55*time.Second/auth.Longest))
		same, other := connectFrom(s, "2001:db8::2"), connectFrom(s, "2001:db8:0:1::1")
		_, took := says(t, same, "AUTH secret")
		require.LessOrEqual(t, took, auth.Longest)
		require.Positive(t, took, "it has the same first 64 bits")
		reply, took = says(t, other, "AUTH secret")
		require.Equal(t, "+OK", reply)
		require.Zero(t, took)
		reply, took = says(t, known, "PING")
		require.Equal(t, "+PONG", reply)
		require.Zero(t, took)
		for _, c := range append(all, same, other) {
			require.NoError(t, c.Close())
		}
		time.Sleep(auth.Longest)
		synctest.Wait()
	})
}

// failFromClient records failed passwords of the address 10.0.0.1.
func failFromClient(s *Server, times int) {
	for range times {
		s.host.AuthDelay.Fail(auth.AddressOf(&net.TCPAddr{IP: net.ParseIP("10.0.0.1")}), time.Now())
	}
}

// signedIn returns a connection from an address that has given the right password.
func signedIn(t *testing.T, s *Server, addr string) net.Conn {
	client := connectFrom(s, addr)
	reply, _ := says(t, client, "AUTH secret")
	require.Equal(t, "+OK", reply)
	return client
}

// TestAuthThatWaitsEnds: a delayed AUTH ends when the client is killed and when the server closes. The server does not check the password
// then.
func TestAuthThatWaitsEnds(t *testing.T) {
	inBubble(t, withPassword, func(t *testing.T, s *Server) {
		admin := signedIn(t, s, "10.0.0.2")
		failFromClient(s, 3*auth.Free)
		begun := time.Now()
		for _, end := range []func(){
			func() { reply, _ := says(t, admin, "CLIENT KILL SKIPME yes"); require.Equal(t, ":1", reply) },
			func() { go func() { _ = s.Close() }() },
		} {
			waits := connectFrom(s, "10.0.0.1")
			_, err := waits.Write([]byte("AUTH secret\r\n"))
			require.NoError(t, err)
			synctest.Wait()
			require.Equal(t, 2, clients(s))
			end()
			received, _ := io.ReadAll(waits)
			require.NotContains(t, string(received), "+OK")
			require.Zero(t, time.Since(begun))
		}
	})
}

// TestAuthInTransaction: AUTH in a transaction is never delayed, since EXEC holds locks. After the free failures it is refused, and the
// password is not checked.
func TestAuthInTransaction(t *testing.T) {
	inBubble(t, withPassword, func(t *testing.T, s *Server) {
		client := signedIn(t, s, "10.0.0.1")
		failFromClient(s, 2*auth.Free)
		begun := time.Now()
		for _, line := range []string{"MULTI", "AUTH ada key", "EXEC"} {
			_, err := client.Write([]byte(line + "\r\n"))
			require.NoError(t, err)
		}
		require.NoError(t, drain(client, "+OK\r\n+QUEUED\r\n*1\r\n-"+string(session.ErrAuthLater)+"\r\n"))
		require.Zero(t, time.Since(begun))
		require.NoError(t, client.Close())
	})
}

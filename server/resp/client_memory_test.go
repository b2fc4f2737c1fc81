package resp

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// fill adds members of the given length in bytes, 20 at least, to a set. Tests use few long members: with invariants each change checks the
// whole set.
func fill(t *testing.T, s *Server, key string, members, bytes int) {
	require.NoError(t, s.e.Update(t.Context(), func(tx *engine.Tx) error {
		z, err := tx.Set(key)
		for i := 0; i < members && err == nil; i++ {
			_, err = z.Add(fmt.Appendf(nil, "member:%0*d", bytes-len("member:"), i), float64(i))
		}
		return err
	}, key))
}

// hostile are clients that make the server hold memory. Each writes as long as the server reads, and reads nothing.
var hostile = []struct {
	name string
	head string                  // the client sends it first
	text func(budget int) string // then it sends this text again and again
}{
	{name: "unread replies", text: func(int) string { return "ZRANGE z 0 -1 WITHSCORES\r\n" }},
	{name: "half requests", head: "*2\r\n$4\r\nPING\r\n$60000000\r\n", text: func(int) string { return strings.Repeat("x", 10_000) }},
	{name: "half requests of tiny words", head: "*1000000\r\n", text: func(int) string { return strings.Repeat("$0\r\n\r\n", 2000) }},
	{name: "whole requests with unread replies", text: func(n int) string {
		return "*2\r\n$4\r\nPING\r\n$" + strconv.Itoa(n/20) + "\r\n" + strings.Repeat("x", n/20) + "\r\n"
	}},
	{name: "MULTI without EXEC", head: "MULTI\r\n", text: func(int) string { return "SET k " + strings.Repeat("x", 10_000) + "\r\n" }},
	{name: "requests of many words", text: func(n int) string {
		return "*" + strconv.Itoa(n/200) + "\r\n$4\r\nPING\r\n" + strings.Repeat("$1\r\nx\r\n", n/200-1)
	}},
	{name: "small requests", text: func(int) string { return strings.Repeat("PING\r\n", 5000) }},
}

// TestRow51ClientMemory connects 40 hostile clients of each kind. The accounts count at most 5/4 of the budget, the heap grows by at most 3/2
// of it, and another client is served all the time.
func TestRow51ClientMemory(t *testing.T) {
	limit := matrix.Pick(4<<20, 64<<20)
	for _, kind := range hostile {
		inBubble(t, Options{ClientMemory: int64(limit), MaxPending: limit / 4}, func(t *testing.T, s *Server) {
			fill(t, s, "z", limit/8000, 1000)
			_, _ = heap(), heap() // two collections empty the pools that other tests have filled
			modest, before := connect(s), heap()
			text, most := kind.text(limit), int64(0)
			var all []net.Conn
			for i := range 40 {
				client := connect(s)
				all = append(all, client)
				go func() {
					if _, err := client.Write([]byte(kind.head)); err != nil || strings.HasPrefix(kind.head, "MULTI") && drain(client, "+OK\r\n") != nil {
						return
					}
					if kind.head == "MULTI\r\n" {
						go func() { _, _ = io.Copy(io.Discard, client) }()
					}
					for range limit/4/len(text) + 1 {
						if _, err := client.Write([]byte(text)); err != nil {
							return
						}
					}
				}()
				synctest.Wait()
				_, err := modest.Write([]byte("PING\r\n"))
				require.NoError(t, err)
				require.NoError(t, drain(modest, "+PONG\r\n"))
				if i%matrix.Pick(4, 1) == 0 { // heap is slow: it collects garbage
					most = max(most, heap()-before)
				}
			}
			peak := s.host.Budget.Stats().Peak
			matrix.Row(t, 51, "%s, 40 clients, a budget of %d MiB: %d disconnected, at most %.2f of the budget counted and %.2f in the heap; others are served",
				kind.name, limit>>20, 41-clients(s), float64(peak)/float64(limit), float64(most)/float64(limit))
			require.LessOrEqual(t, peak, int64(limit+limit/4))
			require.LessOrEqual(t, most, int64(limit+limit/2))
			for _, client := range all {
				require.NoError(t, client.Close())
			}
		})
	}
}

// drain reads as many bytes as want has, and returns an error if they differ.
func drain(client net.Conn, want string) error {
	got := make([]byte, len(want))
	if _, err := io.ReadFull(client, got); err != nil || string(got) != want {
		return fmt.Errorf("%q, %w", got, err)
	}
	return nil
}

// TestEvicted: a client that is disconnected because of its memory is told why, if all its earlier replies have been sent. INFO counts it, and
// the log has at most one line a second.
func TestEvicted(t *testing.T) {
	var log bytes.Buffer
	p := startServer(t, engine.Options{}, Options{ClientMemory: 1 << 20, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	half := []byte("*2\r\n$4\r\nPING\r\n$60000000\r\n" + strings.Repeat("x", 900_000))
	for i := range 3 {
		large := p.another()
		large.raw(half)
		for p.s.host.Budget.Used() < int64(len(half)) {
			require.Equal(t, "+PONG\r\n", p.do("PING"))
		}
		until(t, "the client that holds most is evicted, and has given back enough", func() bool {
			reply := p.do("PING", strings.Repeat("x", 200_000))
			return len(reply) == 200_011 || reply != "-"+string(session.ErrNoMemory)+"\r\n"
		})
		require.Equal(t, "-"+string(session.ErrEvicted)+"\r\n", large.reply())
		_, err := large.in.ReadByte()
		require.Error(t, err)
		for clients(p.s) > 1 {
			require.Equal(t, "+PONG\r\n", p.do("PING"))
		}
		require.Contains(t, p.do("INFO", "stats"), fmt.Sprintf("evicted_clients:%d\r\n", i+1))
	}
	require.Equal(t, "+OK\r\n", p.do("CONFIG", "RESETSTAT"))
	require.Contains(t, p.do("INFO", "stats"), "evicted_clients:0\r\n")
	require.Contains(t, log.String(), "all clients hold as much as Options.ClientMemory")
}

// TestOneTooLarge: a client that needs more than the whole budget is disconnected and told why.
func TestOneTooLarge(t *testing.T) {
	inBubble(t, Options{ClientMemory: 300_000}, func(t *testing.T, s *Server) {
		client := connect(s)
		go func() { _, _ = client.Write([]byte("*2\r\n$4\r\nPING\r\n$400000\r\n" + strings.Repeat("x", 400_000))) }()
		_, after := ended(t, client)
		require.Zero(t, after)
		synctest.Wait()
		require.EqualValues(t, 1, s.host.Counters.Evicted.Load())
	})
}

// TestTurns: while other clients have all turns, a large reply of any command waits, and its client holds no lock meanwhile. Small replies
// need no turn.
func TestTurns(t *testing.T) {
	for _, command := range []string{"ZRANGE z 0 -1", "ZPOPMIN z 400", "MULTI\r\nSELECT 0\r\nZRANGE z 0 -1\r\nEXEC", "ZUNION 1 z",
		"ZCARD z\r\nZRANGE z 0 -1", "KEYS *"} {
		inBubble(t, Options{}, func(t *testing.T, s *Server) {
			fill(t, s, "z", 400, 1000)
			for range cap(s.host.Turns) {
				s.host.Turns <- struct{}{}
			}
			large, small := connect(s), connect(s)
			got := make(chan int)
			go func() {
				n, _ := io.Copy(io.Discard, large)
				got <- int(n)
			}()
			_, err := large.Write([]byte(command + "\r\n"))
			require.NoError(t, err)
			synctest.Wait()
			_, err = small.Write([]byte("ZADD z 1 a\r\nZRANGE z 0 10\r\n"))
			require.NoError(t, err)
			require.NoError(t, drain(small, ":1\r\n*11\r\n"))
			go func() { _, _ = io.Copy(io.Discard, small) }()
			select {
			case <-got:
				t.Fatal("it did not wait")
			default:
			}
			<-s.host.Turns
			synctest.Wait()
			require.Len(t, s.host.Turns, cap(s.host.Turns)-1, "the turn was given back")
			_, err = large.Write([]byte("QUIT\r\n"))
			require.NoError(t, err)
			n := <-got
			if command != "KEYS *" {
				require.Greater(t, n, 300*1000)
			}
			for range cap(s.host.Turns) - 1 {
				<-s.host.Turns
			}
			require.NoError(t, small.Close())
		})
	}
}

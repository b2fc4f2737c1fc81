package flow

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
)

// TestAllArrivesInOrder sends replies of random sizes over every kind of connection, with small and large limits, and with a budget that is
// often used up. All bytes arrive in order.
func TestAllArrivesInOrder(t *testing.T) {
	for name, make := range kinds {
		for _, limit := range []int{2000, 100_000, 64 << 20} {
			t.Run(name, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(3, uint64(limit)))
				server, client := make(t)
				all := budget.New(3 * budget.BlockBytes)
				account := all.Account(nil)
				s := NewSender(server, SendOptions{Limit: limit, Account: account})
				var want bytes.Buffer
				got := take(client)
				for i := range 60 {
					b := bytes.Repeat([]byte{byte(i)}, 1+rnd.IntN(50)*rnd.IntN(50)*rnd.IntN(50))
					want.Write(b)
					if block := budget.NewBlock(); len(b) <= budget.BlockSize && rnd.IntN(2) == 0 && block.Charge(account) {
						block.Extend(copy(block.Bytes()[:len(b)], b))
						require.NoError(t, s.SendBlock(block))
					} else {
						require.NoError(t, s.Send(b))
					}
					clear(b) // Send does not keep it
					require.LessOrEqual(t, s.Waiting(), max(limit, budget.BlockSize))
					require.LessOrEqual(t, all.Used(), int64(3*budget.BlockBytes))
				}
				require.NoError(t, s.Close(time.Minute))
				require.Equal(t, want.Bytes(), <-got)
				require.Zero(t, all.Used())
				require.Zero(t, s.Waiting())
			})
		}
	}
}

// take reads everything.
func take(client net.Conn) <-chan []byte {
	got := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(client)
		got <- all
	}()
	return got
}

// TestClientSendsBeforeItReads: a client sends more requests than all socket buffers hold, and reads the replies only after the last request.
// With writes that block, client and server would wait for each other for ever.
func TestClientSendsBeforeItReads(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			server, client := make(t)
			s := NewSender(server, SendOptions{})
			const total = 12 << 20
			served := promise(func() error {
				b := bytes.Repeat([]byte{'r'}, 40_000)
				for n := 0; n < total; {
					got, err := server.Read(b)
					if err != nil {
						return err
					}
					if err := s.Send(b[:got]); err != nil {
						return err
					}
					n += got
				}
				return s.Close(time.Minute)
			})
			_, err := client.Write(bytes.Repeat([]byte{'q'}, total))
			require.NoError(t, err)
			n, err := io.Copy(io.Discard, client)
			require.NoError(t, err)
			require.Equal(t, int64(total), n)
			require.NoError(t, <-served)
		})
	}
}

func promise(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}

// TestClientThatReadsNothing: for a client that reads nothing, replies wait up to the limit. Then Send blocks, and fails after Timeout.
func TestClientThatReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := net.Pipe()
		all := budget.New(1 << 20)
		s := NewSender(server, SendOptions{Limit: 100_000, Timeout: time.Minute, Account: all.Account(nil)})
		begun := time.Now()
		require.NoError(t, s.Send(make([]byte, 100_000)))
		require.Zero(t, time.Since(begun))
		require.Equal(t, 100_000, s.Waiting())
		err := s.Send([]byte("x"))
		require.ErrorIs(t, err, ErrSlow)
		require.Equal(t, time.Minute, time.Since(begun))
		require.ErrorIs(t, s.Send([]byte("y")), ErrSlow)
		require.ErrorIs(t, s.Close(time.Minute), ErrSlow)
		require.Zero(t, all.Used())
		require.Zero(t, s.Waiting())
		_, err = client.Read(make([]byte, 1))
		require.Equal(t, io.EOF, err, "the connection is closed")
	})
}

// TestClientThatReadsSlowly: a client is served as long as it reads at least a byte within each Timeout.
func TestClientThatReadsSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := net.Pipe()
		s := NewSender(server, SendOptions{Limit: 10, Timeout: time.Minute})
		sent := promise(func() error { return s.Send([]byte("a reply of 24 characters")) })
		b := make([]byte, 1)
		var got []byte
		for range 24 {
			time.Sleep(59 * time.Second)
			_, err := client.Read(b)
			require.NoError(t, err)
			got = append(got, b...)
		}
		require.NoError(t, <-sent)
		require.Equal(t, "a reply of 24 characters", string(got))
		require.NoError(t, s.Close(0))
	})
}

// TestBudgetOfAll: the replies that wait for all clients share one budget. When it is used up and no client holds more than the others, the
// next sender writes without queueing, and goes on when its client reads.
func TestBudgetOfAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := budget.New(4 * budget.BlockBytes)
		var clients []net.Conn
		var sent []<-chan error
		reply := make([]byte, budget.BlockSize)
		for range 5 {
			server, client := net.Pipe()
			s := NewSender(server, SendOptions{Account: all.Account(func() { t.Error("nobody holds more than the others") })})
			clients = append(clients, client)
			sent = append(sent, promise(func() error {
				if err := s.Send(reply); err != nil {
					return err
				}
				return s.Close(time.Minute)
			}))
		}
		synctest.Wait()
		require.Equal(t, int64(4*budget.BlockBytes), all.Used())
		for i, client := range clients {
			n, err := io.Copy(io.Discard, client)
			require.NoError(t, err)
			require.Equal(t, int64(len(reply)), n)
			require.NoError(t, <-sent[i])
		}
		require.Zero(t, all.Used())
	})
}

// TestClose: Close waits for a client that reads, and for the time grace at most.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := net.Pipe()
		s := NewSender(server, SendOptions{})
		require.NoError(t, s.Send([]byte("bye")))
		got := take(client)
		require.NoError(t, s.Close(time.Second))
		require.Equal(t, "bye", string(<-got))
		require.NoError(t, s.Close(time.Second))
		require.ErrorIs(t, s.Send([]byte("more")), net.ErrClosed)

		server, _ = net.Pipe()
		s = NewSender(server, SendOptions{})
		require.NoError(t, s.Send([]byte("bye")))
		begun := time.Now()
		require.ErrorIs(t, s.Close(3*time.Second), ErrSlow)
		require.Equal(t, 3*time.Second, time.Since(begun))

		server, _ = net.Pipe()
		s = NewSender(server, SendOptions{Timeout: time.Second})
		require.NoError(t, s.Send([]byte("bye")))
		require.ErrorIs(t, s.Close(time.Hour), ErrSlow, "the grace is not more than Timeout")
	})
}

// TestClientGone: after the client has disconnected, Send and Close return the error of the connection.
func TestClientGone(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			server, client := make(t)
			s := NewSender(server, SendOptions{})
			require.NoError(t, client.Close())
			var err error
			for err == nil {
				err = s.Send(bytes.Repeat([]byte{'x'}, 100_000))
			}
			require.NotErrorIs(t, err, ErrSlow)
			require.Equal(t, err, s.Send(nil))
			_ = s.Close(0)
		})
	}
}

// TestSendAllocs: Send to a client that reads at once does not allocate.
func TestSendAllocs(t *testing.T) {
	for _, kind := range []string{"tcp", "unix"} {
		server, client := kinds[kind](t)
		s := NewSender(server, SendOptions{Account: budget.New(1 << 20).Account(nil)})
		if s.try == nil {
			t.Skip("no sockets that can be asked here")
		}
		b, room := []byte("+OK\r\n"), make([]byte, 5)
		require.Zero(t, testing.AllocsPerRun(200, func() {
			if s.Send(b) != nil {
				t.Fail()
			}
			_, _ = io.ReadFull(client, room)
		}), kind)
		require.Zero(t, s.Waiting())
	}
}

func BenchmarkSend(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(b, err)
	server, err := l.Accept()
	require.NoError(b, err)
	go func() { _, _ = io.Copy(io.Discard, client) }()
	reply := bytes.Repeat([]byte("+OK\r\n"), 16)
	b.Run("way=sender", func(b *testing.B) {
		s := NewSender(server, SendOptions{})
		for b.Loop() {
			_ = s.Send(reply)
		}
	})
	b.Run("way=write", func(b *testing.B) {
		for b.Loop() {
			_, _ = server.Write(reply)
		}
	})
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
)

// sent counts the pipelines that a client sends.
type sent struct{ n atomic.Int64 }

func (s *sent) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (s *sent) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (s *sent) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		s.n.Add(1)
		return next(ctx, commands)
	}
}

// wrong is a client and what its errors are.
type wrong struct {
	name   string
	client redis.UniversalClient
	is     func(error) bool
	text   string
	tries  int64
	partly bool // some slots are there
}

// test makes calls whose slots are on several servers.
func (row wrong) test(t *testing.T) {
	t.Cleanup(func() { _ = row.client.Close() })
	count := new(sent)
	row.client.AddHook(count)
	boards, err := Open(row.client, Options{Partitions: 16})
	require.NoError(t, err)
	t.Cleanup(func() { _ = boards.Close() })
	if _, err := boards.Board(t.Context(), "arena"); errors.Is(err, board.ErrNoBoard) {
		t.Log("the catalog is on the server") // of a cluster
	} else {
		require.True(t, row.is(err) || row.tries > 1 && redis.IsClusterDownError(err), err)
	}
	spec := board.Spec{Name: "arena", Op: board.Sum}.WithDefaults()
	b, err := newBoard(boards.servers, boards.o, layout.Board{ID: "id", Partitions: 16, Spec: spec})
	require.NoError(t, err)
	ctx := context.Background()
	for _, call := range []func() error{
		func() error { _, err := b.Live(ctx, "all"); return err },
		func() error {
			_, err := b.Apply(ctx, board.Submission{Member: "ada", Score: board.Ints(1)})
			return err
		},
		func() error { return b.writer.CloseThrough(ctx, 0, "all", 1) },
		func() error { return b.writer.CloseThrough(ctx, 1, "all", 1) },
	} {
		count.n.Store(0)
		if err = call(); err == nil && row.partly {
			continue // the slot is there
		}
		require.True(t, row.is(err), err)
		require.Contains(t, err.Error(), row.text)
		require.NotErrorIs(t, err, ErrUndecided)
		require.NotContains(t, err.Error(), "\n")
		require.LessOrEqual(t, count.n.Load(), row.tries+1, "one more greets the server")
	}
}

// TestWrongServers: a password that is wrong, a client of the wrong kind and a cluster without all slots are named by an error, without the tries that wait for a failover.
func TestWrongServers(t *testing.T) {
	ctx := context.Background()
	locked, lone, part := start(t, 1), start(t, 1, "--cluster-enabled", "yes"), start(t, 1, "--cluster-enabled", "yes")
	admin := func(s *fleet) *redis.Client { return redis.NewClient(&redis.Options{Addr: s.one(), MaxRetries: -1}) }
	require.NoError(t, admin(locked).ConfigSet(ctx, "requirepass", "secret").Err())
	require.NoError(t, admin(part).ClusterAddSlotsRange(ctx, 0, 8000).Err())
	plain, member := start(t, 1), startCluster(t, 2, 0)
	one := func(addr, password string) redis.UniversalClient {
		return redis.NewClient(&redis.Options{Addr: addr, Password: password, MaxRetries: -1, DialerRetries: 1})
	}
	many := func(addr, password string) redis.UniversalClient {
		return redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{addr}, Password: password, MaxRedirects: -1, DialerRetries: 1})
	}
	isAuth := func(err error) bool { return redis.IsAuthError(err) }
	is := func(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }
	for _, row := range []wrong{
		{"no password", one(locked.one(), ""), isAuth, "cluster: the password of the client: NOAUTH", 1, false},
		{"wrong password", one(locked.one(), "x"), isAuth, "cluster: the password of the client: WRONGPASS", 1, false},
		{"no password for a cluster", many(locked.one(), ""), isAuth, "cluster: the password of the client: NOAUTH", 1, false},
		{"wrong password for a cluster", many(locked.one(), "x"), isAuth, "cluster: the password of the client: WRONGPASS", 1, false},
		{"ClusterClient, plain server", many(plain.one(), ""), is(ErrClient), "a redis.Client is needed", 1, false},
		{"Client, server of a cluster", one(member.one(), ""), is(ErrClient), "a redis.ClusterClient is needed: MOVED", 1, true},
		{"server without slots", one(lone.one(), ""), is(ErrIncomplete), "cluster_slots_assigned:0", servers.LookAt + 1, false},
		{"cluster without slots", many(lone.one(), ""), is(ErrIncomplete), "Hash slot not served", servers.LookAt + 1, false},
		{"cluster that misses slots", many(part.one(), ""), is(ErrIncomplete), "cluster: slots belong to no server", servers.LookAt + 1, true},
	} {
		t.Run(row.name, row.test)
	}
	_, err := Open(redis.NewRing(&redis.RingOptions{}), Options{})
	require.ErrorIs(t, err, ErrClient)
}

// TestNobodyThere: Define fails with the address where no server is. What a closed client has not sent is not undecided.
func TestNobodyThere(t *testing.T) {
	t.Parallel() // it waits for calls that are repeated
	for name, client := range map[string]redis.UniversalClient{
		"one":     redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", DialerRetries: 1}),
		"cluster": redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}, DialerRetries: 1}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			boards, err := Open(client, Options{})
			require.NoError(t, err)
			_, err = boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum})
			require.ErrorContains(t, err, "127.0.0.1:1")
			require.NoError(t, boards.Close())
			require.NoError(t, client.Close())
			err = commit.Define(context.Background(), boards.servers, "a", "arena", "")
			require.Error(t, err)
			require.NotErrorIs(t, err, ErrUndecided, "it is closed")
		})
	}
}

// breaking is a connection that breaks after so many bytes of answers; below 0, never.
type breaking struct {
	net.Conn
	left *atomic.Int64
}

func (c breaking) Read(b []byte) (int, error) {
	left := c.left.Load()
	if left == 0 {
		_ = c.Close()
		return 0, io.EOF
	}
	if left > 0 && int64(len(b)) > left {
		b = b[:left]
	}
	n, err := c.Conn.Read(b)
	if left > 0 {
		c.left.Add(-int64(n))
	}
	return n, err
}

// TestAnswersBreakOff: the answers of a member's first submission break off after each number of bytes. It is an ordinary error before anything was sent that changes,
// ErrUndecided then, ErrNoRanks once it is known that the change was made; and a retry with its Once key counts it once.
func TestAnswersBreakOff(t *testing.T) {
	left := new(atomic.Int64)
	left.Store(-1)
	dial := func(_ context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return breaking{c, left}, err
	}
	for name, client := range map[string]redis.UniversalClient{
		"server": redis.NewClient(&redis.Options{Addr: start(t, 1).one(), MaxRetries: -1, PoolSize: 1, Protocol: 2, DisableIdentity: true, Dialer: dial}),
		// This one returns the error of the first command, which may be that of a missing field.
		"cluster": redis.NewClusterClient(&redis.ClusterOptions{Addrs: startCluster(t, 1, 0).Addrs(), MaxRedirects: -1, PoolSize: 1, Protocol: 2, DisableIdentity: true,
			Dialer: dial}),
	} {
		t.Cleanup(func() { require.NoError(t, client.Close()) })
		for partitions, kinds := range map[int]int{1: 3, 2: 4} { // with one partition the ranks come with the change
			c := newCounter(t, client, Options{Partitions: partitions})
			require.Len(t, breakOff(t, c, left), kinds, name)
		}
	}
}

// breakOff submits while answers break off, and returns how often submissions have ended in which way.
func breakOff(t *testing.T, c *counter, left *atomic.Int64) map[string]int {
	live, err := c.Live(t.Context(), "all")
	require.NoError(t, err)
	seen := map[string]int{}
	for n := int64(0); seen["made"] == 0; n++ {
		c.add(t, "warm", "") // the connections are there
		member := fmt.Sprint("m", n)
		left.Store(n)
		_, err := c.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1)})
		left.Store(-1)
		score, ranked, scoreErr := live.Score(t.Context(), member)
		require.NoError(t, scoreErr)
		switch {
		case err == nil:
			seen["made"]++
			require.Equal(t, board.Int(1), score.At(0))
		case errors.Is(err, ErrNoRanks):
			seen["without ranks"]++
			require.Equal(t, board.Int(1), score.At(0))
		case errors.Is(err, ErrUndecided):
			seen["undecided"]++
		default:
			seen["not made"]++
			require.False(t, ranked, "%d bytes: %v", n, err)
		}
		for range 2 {
			left.Store(n)
			_, _ = c.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(10), Once: member})
			left.Store(-1)
		}
		_, err = c.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(10), Once: member})
		require.NoError(t, err)
		again, _, err := live.Score(t.Context(), member)
		require.NoError(t, err)
		was := int64(0)
		if ranked {
			was = int64(score.At(0).Float())
		}
		require.Equal(t, was+10, int64(again.At(0).Float()), "%d bytes", n)
	}
	t.Log(seen)
	return seen
}

// TestClientThatRepeats: a ClusterClient that repeats commands whose answers got lost is refused, since a change would count twice. By default it repeats none.
func TestClientThatRepeats(t *testing.T) {
	ctx := context.Background()
	s, lose := startCluster(t, 1, 0), new(atomic.Bool)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: s.Addrs(), PoolSize: 1, Dialer: func(_ context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return losing{c, lose}, err
	}})
	t.Cleanup(func() { _ = client.Close() })
	c := newCounter(t, client, Options{})
	for range 10 {
		c.add(t, "ada", "")
		p, err := c.newPlan(board.Submission{Member: "ada", Score: board.Ints(1)}, nil)
		require.NoError(t, err)
		_, err = p.read(ctx)
		require.NoError(t, err)
		_, err = p.decide(ctx)
		require.NoError(t, err)
		lose.Store(true)
		_, _, err = p.store(ctx, false)
		require.ErrorIs(t, err, ErrUndecided)
		c.undecided["ada"]++
	}
	require.Zero(t, c.lost(t))

	bad := redis.NewClusterClient(&redis.ClusterOptions{Addrs: s.Addrs(), MaxRetries: 3})
	t.Cleanup(func() { _ = bad.Close() })
	_, err := Open(bad, Options{})
	require.ErrorIs(t, err, ErrClient)
	require.ErrorContains(t, err, "MaxRetries is 3")
	_, err = Dial("redis://"+s.one()+"?addr="+s.one()+"&max_retries=3", Options{})
	require.ErrorIs(t, err, ErrClient)
}

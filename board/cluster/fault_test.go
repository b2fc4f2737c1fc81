package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// counter is a board whose members count their submissions.
type counter struct {
	*clusterBoard
	acked, undecided map[string]int
}

func newCounter(t *testing.T, client redis.UniversalClient, o Options) *counter {
	o.Prefix = fmt.Sprint("test", prefixes.Add(1), ":")
	boards, err := Open(client, o)
	require.NoError(t, err)
	b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum}))
	require.NoError(t, err)
	return &counter{clusterBoard: b, acked: map[string]int{}, undecided: map[string]int{}}
}

// add submits 1 for a member, once.
func (c *counter) add(t *testing.T, member, once string) {
	_, err := c.Apply(t.Context(), board.Submission{Member: member, Score: board.Ints(1), Once: once})
	switch {
	case err == nil:
		c.acked[member]++
	case errors.Is(err, ErrUndecided):
		c.undecided[member]++
	default:
		require.NoError(t, err)
	}
}

// lost compares the scores with what was acknowledged: it returns how much is missing, and requires that nothing is too much.
func (c *counter) lost(t *testing.T) (lost int) {
	r, err := c.Live(t.Context(), "all")
	require.NoError(t, err)
	for member, acked := range c.acked {
		score, _, err := r.Score(t.Context(), member)
		require.NoError(t, err)
		has := 0
		if score.Len() > 0 {
			has = int(score.Int(0))
		}
		lost += max(acked-has, 0)
		require.LessOrEqual(t, has, acked+c.undecided[member], member)
	}
	return lost
}

// of returns a member of a partition whose slot a server has.
func (c *counter) memberAt(t *testing.T, s *fleet, client *redis.ClusterClient, i int) string {
	for n := range 1000 {
		member := fmt.Sprint("m", n)
		key := c.keys.Fence(c.keys.PartitionOf([]byte(member)))
		master, err := client.MasterForKey(context.Background(), key)
		require.NoError(t, err)
		if master.Options().Addr == s.addr(s.ports[i]) {
			return member
		}
	}
	t.Fatal("the server has no slot")
	return ""
}

// TestFailover: a master whose replica cannot follow it acknowledges changes, and fails. Without Replicas they are lost; with, they were not acknowledged, and nothing is.
func TestFailover(t *testing.T) {
	t.Parallel() // it waits for servers that notice a failure
	for _, replicas := range []int{0, 1} {
		t.Run(fmt.Sprint(replicas), func(t *testing.T) {
			t.Parallel()
			s := startCluster(t, 3, 1)
			client := s.client(t)
			c := newCounter(t, client, Options{Partitions: 16, Replicas: replicas, ReplicaTimeout: time.Minute})
			member := c.memberAt(t, s, client, 0)
			require.Eventually(t, func() bool { return isReplicated(t, s, 0) }, time.Minute, 10*time.Millisecond)
			for range 100 {
				c.add(t, member, "")
			}
			require.Empty(t, c.undecided)

			ctx := context.Background()
			victim := redis.NewClient(&redis.Options{Addr: s.addr(s.ports[0])})
			require.NoError(t, victim.ConfigSet(ctx, "requirepass", "x").Err()) // who is connected stays so; the replica cannot come back
			require.NoError(t, victim.Do(ctx, "client", "kill", "type", "replica").Err())
			c.servers.Options.ReplicaTimeout = 10 * time.Millisecond // nobody will confirm
			for range 50 {
				c.add(t, member, "")
			}
			require.NoError(t, victim.Close())
			require.NoError(t, s.runs[0].Process.Kill())
			s.notice(t)
			require.Eventually(t, func() bool { return isOK(s, 1, ctx) }, time.Minute, 50*time.Millisecond)
			require.Eventually(t, func() bool {
				client.ReloadState(ctx)
				_, err := c.Live(ctx, "all")
				return err == nil
			}, time.Minute, 50*time.Millisecond)

			lost := c.lost(t)
			t.Logf("%d replicas: %d acknowledged, %d undecided, %d lost", replicas, c.acked[member], c.undecided[member], lost)
			if replicas == 0 {
				require.Equal(t, 50, lost)
			} else {
				require.Zero(t, lost)
				require.Equal(t, 100, c.acked[member])
			}
		})
	}
}

// notice makes the servers but the first notice soon that one has failed.
func (s *fleet) notice(t *testing.T) {
	for _, port := range s.ports[1:] {
		node := redis.NewClient(&redis.Options{Addr: s.addr(port)})
		require.NoError(t, node.ConfigSet(context.Background(), "cluster-node-timeout", "1000").Err())
		require.NoError(t, node.Close())
	}
}

// isReplicated reports whether a master has a replica that follows it.
func isReplicated(t *testing.T, s *fleet, i int) bool {
	node := redis.NewClient(&redis.Options{Addr: s.addr(s.ports[i])})
	defer node.Close()
	info, err := node.Info(context.Background(), "replication").Result()
	require.NoError(t, err)
	return strings.Contains(info, "state=online")
}

// isOK reports whether a server says that the cluster is complete.
func isOK(s *fleet, i int, ctx context.Context) bool {
	node := redis.NewClient(&redis.Options{Addr: s.addr(s.ports[i])})
	defer node.Close()
	info, err := node.ClusterInfo(ctx).Result()
	nodes, _ := node.ClusterNodes(ctx).Result()
	return err == nil && strings.Contains(info, "cluster_state:ok") && strings.Contains(nodes, "fail")
}

// losing is a connection that loses an answer when it is told to.
type losing struct {
	net.Conn
	lose *atomic.Bool
}

func (c losing) Read(b []byte) (int, error) {
	if c.lose.CompareAndSwap(true, false) {
		_ = c.Close()
		return 0, io.EOF
	}
	return c.Conn.Read(b)
}

// TestAnswerLost: a submission whose answer was lost is undecided. One with a Once key is sent again, and counts once.
func TestAnswerLost(t *testing.T) {
	ctx := context.Background()
	s := start(t, 1)
	lose := new(atomic.Bool)
	client := redis.NewClient(&redis.Options{Addr: s.one(), MaxRetries: -1, PoolSize: 1, Dialer: func(_ context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return losing{c, lose}, err
	}})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	c := newCounter(t, client, Options{})
	for i := range 40 {
		c.add(t, "ada", "") // the connections are there
		once := []string{"", fmt.Sprint("once", i)}[i%2]
		p, err := c.newPlan(board.Submission{Member: "ada", Score: board.Ints(1), Once: once}, nil)
		require.NoError(t, err)
		_, err = p.read(ctx)
		require.NoError(t, err)
		_, err = p.decide(ctx)
		require.NoError(t, err)
		lose.Store(true)
		made, _, err := p.store(ctx, false)
		if once == "" {
			require.ErrorIs(t, err, ErrUndecided)
			c.undecided["ada"]++
			continue
		}
		require.NoError(t, err)
		require.True(t, made)
		c.acked["ada"]++
	}
	require.Zero(t, c.lost(t))
	require.Equal(t, 60, c.acked["ada"])
}

// TestScriptsFlushed: a server that has forgotten the scripts gets them again.
func TestScriptsFlushed(t *testing.T) {
	s := start(t, 1)
	client := redis.NewClient(&redis.Options{Addr: s.one()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	c := newCounter(t, client, Options{})
	for range 3 {
		require.NoError(t, client.ScriptFlush(context.Background()).Err())
		c.add(t, "ada", "")
	}
	require.Zero(t, c.lost(t))
	require.Equal(t, 3, c.acked["ada"])
}

// TestProcesses: callers of several processes add to the same members at once, and one closes hours meanwhile: every submission that was acknowledged is in one period, once.
func TestProcesses(t *testing.T) {
	s := start(t, 1)
	client := redis.NewClient(&redis.Options{Addr: s.one(), PoolSize: 40})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	var mu sync.Mutex
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	o := Options{Partitions: 3, Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Clock: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}}
	var callers sync.WaitGroup
	acked := make([]int, 8)
	for i := range acked {
		boards, err := Open(client, o)
		require.NoError(t, err)
		b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Hour}}))
		require.NoError(t, err)
		callers.Go(func() {
			for n := range 150 {
				counted, err := b.Apply(t.Context(), board.Submission{Member: fmt.Sprint("m", n%5), Score: board.Ints(1)})
				if err != nil && !errors.Is(err, board.ErrPeriodClosed) {
					t.Error(err)
				}
				if counted {
					acked[i]++
				}
				if n%20 == 0 {
					if _, err := boards.CloseDue(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	callers.Wait()
	want := 0
	for _, n := range acked {
		want += n
	}
	require.Positive(t, want)
	boards, err := Open(client, o)
	require.NoError(t, err)
	b, err := concrete(boards.Board(t.Context(), "arena"))
	require.NoError(t, err)
	require.Equal(t, want, total(t, b, "all"))
	require.Equal(t, want, total(t, b, "hour"))
}

// total returns the sum of all scores in all periods of a window.
func total(t *testing.T, b *clusterBoard, window string) (sum int) {
	periods, err := b.Periods(t.Context(), window)
	require.NoError(t, err)
	for _, p := range periods {
		r, err := b.Period(t.Context(), window, p.Period)
		require.NoError(t, err)
		rows, err := r.Top(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, rows, p.Members)
		for _, row := range rows {
			sum += int(row.Score.Int(0))
		}
	}
	return sum
}

// TestDropped: a process that has a board which another one has dropped, and made again, is told, and does not write to the new one.
func TestDropped(t *testing.T) {
	s := start(t, 1)
	client := redis.NewClient(&redis.Options{Addr: s.one()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	o := Options{Partitions: 2, Prefix: "test:"}
	ours, err := Open(client, o)
	require.NoError(t, err)
	others, err := Open(client, o)
	require.NoError(t, err)
	spec := board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All}}
	old, err := concrete(ours.Define(t.Context(), spec))
	require.NoError(t, err)
	_, err = old.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), Once: "k"})
	require.NoError(t, err)
	require.NoError(t, others.Drop(t.Context(), "arena"))
	_, err = ours.Board(t.Context(), "arena")
	require.ErrorIs(t, err, board.ErrNoBoard)
	_, err = others.Define(t.Context(), spec)
	require.NoError(t, err)
	for _, call := range []func() error{
		func() error {
			_, err := old.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
			return err
		},
		func() error { _, err := old.Periods(t.Context(), "all"); return err },
		func() error { _, err := old.Live(t.Context(), "all"); return err },
	} {
		require.ErrorIs(t, call(), board.ErrNoBoard)
	}
	again, err := concrete(ours.Board(t.Context(), "arena"))
	require.NoError(t, err)
	r, err := again.Live(t.Context(), "all")
	require.NoError(t, err)
	n, err := r.Len(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	c, err := again.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), Once: "k"})
	require.NoError(t, err)
	require.False(t, c.Duplicate)

	_, err = ours.Define(t.Context(), board.Spec{Name: "arena"})
	require.ErrorIs(t, err, board.ErrSpecChanged)
	o.Partitions = 3
	more, err := Open(client, o)
	require.NoError(t, err)
	_, err = more.Define(t.Context(), spec)
	require.ErrorIs(t, err, ErrPartitions)
	for _, bad := range []Options{{Partitions: -1}, {Partitions: MaxPartitions + 1}, {Replicas: -1}, {Prefix: "a{"}} {
		_, err := Open(client, bad)
		require.Error(t, err)
	}
}

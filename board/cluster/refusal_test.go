package cluster

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
)

// plainClient returns a client of a server that is no cluster.
func plainClient(t testing.TB, s *fleet) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: s.one()})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// checkStored checks CL1 in all partitions and periods, and returns how many entries there are.
func (b *clusterBoard) checkStored(t *testing.T) (n int) {
	ctx := context.Background()
	had, err := b.refresh(ctx)
	require.NoError(t, err)
	for name, periods := range had {
		for of := range periods {
			for k := range b.partitions() {
				values, err := b.client().HGetAll(ctx, b.keys.Values(k, name, of)).Result()
				require.NoError(t, err)
				texts, err := b.client().ZRange(ctx, b.keys.Ranking(k, name, of), 0, -1).Result()
				require.NoError(t, err)
				want := map[string]bool{}
				for member, stored := range values {
					v, err := layout.DecodeValue(stored, b.st.Rules.TieWidth())
					require.NoError(t, err)
					if v.IsRanked() {
						want[v.Text([]byte(member))] = true
					}
				}
				require.Len(t, texts, len(want), "%s %s, partition %d", name, of, k)
				for _, text := range texts {
					require.True(t, want[text], "%s %s, partition %d: %q", name, of, k, text)
				}
				n += len(texts)
			}
		}
	}
	return n
}

// TestOutOfMemory: a server without memory refuses a submission whole, or makes it whole; everything can be read, and submissions go on when there is memory again.
func TestOutOfMemory(t *testing.T) {
	s := start(t, 1, "--maxmemory-policy", "noeviction")
	client := plainClient(t, s)
	ctx := context.Background()
	for _, partitions := range []int{1, 3} {
		boards, err := Open(client, Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: partitions})
		require.NoError(t, err)
		b, err := concrete(boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 8, Windows: []board.Window{board.All, board.Year}}))
		require.NoError(t, err)
		want, refused := map[string]int64{}, 0
		submit := func(i int) {
			m := fmt.Sprint("m", i)
			sub := board.Submission{Member: m, Score: board.Ints(1), Meta: fmt.Append(nil, i)}
			if i%2 == 0 {
				sub.Once = fmt.Sprint("once", i, len(want), refused)
			}
			_, err := b.Submit(ctx, sub)
			if redis.IsOOMError(err) {
				require.NotErrorIs(t, err, ErrUndecided)
				refused++
				return
			}
			require.NoError(t, err)
			want[m]++
		}
		for i := range 60 {
			submit(i)
		}
		require.Zero(t, refused)
		require.NoError(t, client.ConfigSet(ctx, "maxmemory", "1").Err())
		for i := range 120 {
			submit(i)
		}
		require.GreaterOrEqual(t, refused, 60, "all who are new")
		require.NoError(t, errors.Join(b.same(want, "all"), b.same(want, "year")))
		require.NoError(t, client.ConfigSet(ctx, "maxmemory", "0").Err())
		for i := range 120 {
			submit(i)
		}
		require.NoError(t, errors.Join(b.same(want, "all"), b.same(want, "year")))
		require.Equal(t, 240, b.checkStored(t))
	}
}

// same compares the live ranking of a window with scores.
func (b *clusterBoard) same(want map[string]int64, window string) error {
	ctx := context.Background()
	r, err := b.Live(ctx, window)
	if err != nil {
		return err
	}
	rows, err := r.Top(ctx, len(want)+1)
	if err != nil || len(rows) != len(want) {
		return fmt.Errorf("%d rows, want %d: %w", len(rows), len(want), err)
	}
	for i, row := range rows {
		rank, _, err := r.Rank(ctx, row.Member)
		if err != nil || rank.Rank != i+1 || row.Score.Int(0) != want[row.Member] {
			return fmt.Errorf("place %d: %+v, rank %d, want score %d: %w", i+1, row, rank.Rank, want[row.Member], err)
		}
	}
	return nil
}

// refusals counts the calls of a client that servers have refused with a word.
type refusals struct {
	word string
	n    atomic.Int64
}

func (r *refusals) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (r *refusals) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (r *refusals) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		err := next(ctx, commands)
		if redis.HasErrorPrefix(servers.FirstError(commands, err), r.word) {
			r.n.Add(1)
		}
		return err
	}
}

// TestReplicaOnly: a client whose server is a replica reads. A submission waits until the replica is promoted, and counts once.
func TestReplicaOnly(t *testing.T) {
	s := start(t, 2, "--repl-diskless-sync-delay", "0")
	ctx := context.Background()
	replica := redis.NewClient(&redis.Options{Addr: s.addr(s.ports[1])})
	t.Cleanup(func() { _ = replica.Close() })
	c := newCounter(t, plainClient(t, s), Options{})
	c.add(t, "ada", "")
	require.NoError(t, replica.ReplicaOf(ctx, "127.0.0.1", strconv.Itoa(s.ports[0])).Err())
	require.Eventually(t, func() bool { return isReplicated(t, s, 0) }, time.Minute, 10*time.Millisecond)

	boards, err := Open(replica, Options{Prefix: strings.Split(c.keys.Records(), "{")[0]})
	require.NoError(t, err)
	there, err := concrete(boards.Board(ctx, "arena"))
	require.NoError(t, err)
	require.NoError(t, there.same(map[string]int64{"ada": 1}, "all"))
	seen := &refusals{word: "READONLY"}
	boards.servers.Single.AddHook(seen)
	done := make(chan error)
	go func() {
		_, err := there.Apply(ctx, board.Submission{Member: "ada", Score: board.Ints(1)})
		done <- err
	}()
	require.Eventually(t, func() bool { return seen.n.Load() > 0 }, time.Minute, time.Millisecond)
	require.NoError(t, replica.ReplicaOf(ctx, "no", "one").Err())
	require.NoError(t, <-done)
	require.NoError(t, there.same(map[string]int64{"ada": 2}, "all"))
}

// TestScriptKilled: while the script of another client blocks a server, calls are refused with BUSY and wait; when it has been killed, each counts once.
func TestScriptKilled(t *testing.T) {
	s := start(t, 1, "--busy-reply-threshold", "1")
	ctx := context.Background()
	admin := plainClient(t, s)
	c := newCounter(t, plainClient(t, s), Options{Partitions: 2})
	c.add(t, "ada", "")
	p, err := c.newPlan(board.Submission{Member: "ada", Score: board.Ints(1)}, nil)
	require.NoError(t, err)
	_, err = p.read(ctx)
	require.NoError(t, err)
	_, err = p.decide(ctx)
	require.NoError(t, err)
	reads, writes := &refusals{word: "BUSY"}, &refusals{word: "BUSY"}
	c.client().AddHook(reads)
	c.servers.Single.AddHook(writes)

	slow := redis.NewClient(&redis.Options{Addr: s.one(), ReadTimeout: -1, MaxRetries: -1})
	t.Cleanup(func() { _ = slow.Close() })
	ended := make(chan error)
	go func() { ended <- slow.Eval(ctx, "while true do end", nil).Err() }()
	require.Eventually(t, func() bool { return redis.HasErrorPrefix(admin.Ping(ctx).Err(), "BUSY") }, time.Minute, time.Millisecond)
	stored, submitted := make(chan error), make(chan error)
	go func() {
		made, _, err := p.store(ctx, false)
		if err == nil && !made {
			err = errors.New("others have changed it")
		}
		stored <- err
	}()
	require.Eventually(t, func() bool { return writes.n.Load() > 0 }, time.Minute, time.Millisecond)
	go func() {
		_, err := c.Apply(ctx, board.Submission{Member: "bob", Score: board.Ints(1)})
		submitted <- err
	}()
	require.Eventually(t, func() bool { return reads.n.Load() > 0 }, time.Minute, time.Millisecond)
	require.NoError(t, admin.ScriptKill(ctx).Err())
	require.ErrorContains(t, <-ended, "killed")
	require.NoError(t, <-stored)
	require.NoError(t, <-submitted)
	require.NoError(t, c.same(map[string]int64{"ada": 2, "bob": 1}, "all"))
}

// signal sends a signal to a server.
func (s *fleet) signal(t *testing.T, i int, name string) {
	require.NoError(t, exec.Command("kill", "-"+name, strconv.Itoa(s.runs[i].Process.Pid)).Run())
}

// stop stops a server as if its machine hung; it goes on at the end of the test, if not before.
func (s *fleet) stop(t *testing.T, i int) {
	if _, err := exec.LookPath("kill"); err != nil {
		t.Skip("SKIPPED: there is no program kill, so no server can be stopped")
	}
	s.signal(t, i, "STOP")
	t.Cleanup(func() { s.signal(t, i, "CONT") })
}

// TestReplicaStops: with Replicas, a submission is undecided while the replica does not answer, also when it is sent again with its Once key; it counts once.
func TestReplicaStops(t *testing.T) {
	s := start(t, 2, "--repl-diskless-sync-delay", "0")
	replica := redis.NewClient(&redis.Options{Addr: s.addr(s.ports[1])})
	t.Cleanup(func() { _ = replica.Close() })
	require.NoError(t, replica.ReplicaOf(context.Background(), "127.0.0.1", strconv.Itoa(s.ports[0])).Err())
	require.Eventually(t, func() bool { return isReplicated(t, s, 0) }, time.Minute, 10*time.Millisecond)
	c := newCounter(t, plainClient(t, s), Options{Replicas: 1, ReplicaTimeout: time.Minute})
	c.add(t, "ada", "")
	require.Equal(t, 1, c.acked["ada"])
	s.stop(t, 1)
	c.servers.Options.ReplicaTimeout = 10 * time.Millisecond
	sub := board.Submission{Member: "ada", Score: board.Ints(1), Once: "once"}
	for range 3 {
		_, err := c.Submit(t.Context(), sub)
		require.ErrorIs(t, err, ErrUndecided, "the replica does not have it")
	}
	s.signal(t, 1, "CONT")
	c.servers.Options.ReplicaTimeout = time.Minute
	change, err := c.Submit(t.Context(), sub)
	require.NoError(t, err)
	require.True(t, change.Duplicate)
	require.NoError(t, c.same(map[string]int64{"ada": 2}, "all"))
}

// TestServerStops: calls on a server that has stopped are undecided, or fail while they read; when it goes on, each counts at most once, and one with a Once key that is
// sent again exactly once.
func TestServerStops(t *testing.T) {
	s := start(t, 1)
	ctx := context.Background()
	c := newCounter(t, plainClient(t, s), Options{})
	c.add(t, "ada", "")
	usual := c.servers.Single
	for i := range 6 {
		once := []string{"", fmt.Sprint("once", i)}[i%2]
		sub := board.Submission{Member: "ada", Score: board.Ints(1), Once: once}
		p, err := c.newPlan(sub, nil)
		require.NoError(t, err)
		_, err = p.read(ctx)
		require.NoError(t, err)
		_, err = p.decide(ctx)
		require.NoError(t, err)
		hasty := redis.NewClient(&redis.Options{Addr: s.one(), MaxRetries: -1, ReadTimeout: 20 * time.Millisecond, PoolSize: 1})
		require.Eventually(t, func() bool { return hasty.Ping(ctx).Err() == nil }, time.Minute, time.Millisecond) // the connection is there
		s.stop(t, 0)
		c.servers.Single = hasty
		_, _, err = p.store(ctx, false)
		require.ErrorIs(t, err, ErrUndecided)
		c.servers.Single = usual
		s.signal(t, 0, "CONT")
		require.NoError(t, hasty.Close())
		c.undecided["ada"]++
		if once != "" {
			_, err := c.Submit(ctx, sub)
			require.NoError(t, err)
			c.undecided["ada"]--
			c.acked["ada"]++
		}
	}
	require.Zero(t, c.lost(t))
	require.Equal(t, 4, c.acked["ada"])
}

// TestMasterStops: while one master has stopped, members of the other one go on. Submissions of its own members fail, are undecided, or are made; each that is sent again with its
// Once key when the master goes on has counted once.
func TestMasterStops(t *testing.T) {
	s := startCluster(t, 2, 0)
	client := s.client(t)
	c := newCounter(t, client, Options{Partitions: 16})
	stopped, other := c.memberAt(t, s, client, 0), c.memberAt(t, s, client, 1)
	c.add(t, stopped, "")
	hastyClient := redis.NewClusterClient(&redis.ClusterOptions{Addrs: s.Addrs(), ReadTimeout: 100 * time.Millisecond, MaxRedirects: 1})
	t.Cleanup(func() { _ = hastyClient.Close() })
	boards, err := Open(hastyClient, Options{Prefix: strings.Split(c.keys.Records(), "{")[0]})
	require.NoError(t, err)
	var hasty *clusterBoard
	require.Eventually(t, func() bool { hasty, err = concrete(boards.Board(t.Context(), "arena")); return err == nil }, time.Minute, 10*time.Millisecond)
	s.stop(t, 0)
	sub := func(i int) board.Submission {
		return board.Submission{Member: stopped, Score: board.Ints(1), Once: fmt.Sprint("once", i)}
	}
	for i := range 3 {
		_, err := hasty.Apply(t.Context(), sub(i))
		require.Error(t, err)
		for range 5 {
			c.add(t, other, "")
		}
	}
	s.signal(t, 0, "CONT")
	for i := range 3 {
		_, err := c.Apply(t.Context(), sub(i))
		require.NoError(t, err)
		c.acked[stopped]++
	}
	require.Zero(t, c.lost(t))
	require.Equal(t, 4, c.acked[stopped])
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/boardtest"
)

// fleet is redis-servers of a test.
type fleet struct {
	dir   string
	ports []int
	runs  []*exec.Cmd
}

// program returns redis-server, or skips the test.
func program(t testing.TB) string {
	t.Helper()
	name := os.Getenv("ZRANK_REDIS_SERVER")
	if name == "" {
		name = "redis-server"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: there is no %s, so nothing here is tested", name)
	}
	return path
}

// nextPort is tried next. The port of the bus is 10000 more, and must not be one that the system gives to clients.
var nextPort atomic.Int64

// quiet is a logger of go-redis.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() {
	redis.SetLogger(quiet{})
	nextPort.Store(20000 + int64(os.Getpid()%200)*10)
}

// freePort returns a port that is free, and whose bus port is.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := int(20000 + (nextPort.Add(1)-20000)%2500)
		if isFree(port) && isFree(port+10000) {
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

func isFree(port int) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err == nil {
		_ = l.Close()
	}
	return err == nil
}

// start starts n servers, which stop with the test.
func start(t testing.TB, n int, arguments ...string) *fleet {
	t.Helper()
	s := &fleet{dir: t.TempDir()}
	path := program(t)
	for range n {
		port := freePort(t)
		dir := filepath.Join(s.dir, strconv.Itoa(port))
		require.NoError(t, os.Mkdir(dir, 0o777))
		args := append([]string{"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--dir", dir, "--logfile", "log"}, arguments...)
		c := exec.Command(path, args...)
		require.NoError(t, c.Start())
		s.ports, s.runs = append(s.ports, port), append(s.runs, c)
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
	}
	for _, port := range s.ports {
		c := redis.NewClient(&redis.Options{Addr: s.addr(port)})
		require.Eventually(t, func() bool { return c.Ping(context.Background()).Err() == nil }, time.Minute, 10*time.Millisecond)
		require.NoError(t, c.Close())
	}
	return s
}

// one returns the address of the first server.
func (s *fleet) one() string { return s.addr(s.ports[0]) }

func (s *fleet) addr(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// startCluster starts a cluster of some masters, each with a number of replicas.
func startCluster(t testing.TB, masters, replicas int, arguments ...string) *fleet {
	t.Helper()
	s := start(t, masters*(1+replicas), append([]string{"--cluster-enabled", "yes", "--cluster-node-timeout", "60000", "--repl-diskless-sync-delay", "0",
		"--cluster-replica-validity-factor", "0", "--cluster-allow-replica-migration", "no"}, arguments...)...)
	ctx := context.Background()
	nodes := make([]*redis.Client, len(s.ports))
	for i, port := range s.ports {
		nodes[i] = redis.NewClient(&redis.Options{Addr: s.addr(port)})
		defer nodes[i].Close()
		require.NoError(t, nodes[i].Do(ctx, "cluster", "set-config-epoch", i+1).Err())
	}
	for i, node := range nodes {
		require.NoError(t, node.ClusterMeet(ctx, "127.0.0.1", strconv.Itoa(s.ports[(i+1)%len(nodes)])).Err())
		if i < masters {
			lo, hi := 16384*i/masters, 16384*(i+1)/masters-1
			require.NoError(t, node.ClusterAddSlotsRange(ctx, lo, hi).Err())
		}
	}
	for i := masters; i < len(nodes); i++ {
		id, err := nodes[i%masters].ClusterMyID(ctx).Result()
		require.NoError(t, err)
		require.Eventually(t, func() bool { return nodes[i].ClusterReplicate(ctx, id).Err() == nil }, time.Minute, 20*time.Millisecond)
	}
	require.Eventually(t, func() bool {
		for _, node := range nodes {
			info, err := node.ClusterInfo(ctx).Result()
			if err != nil || !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, fmt.Sprint("cluster_known_nodes:", len(nodes))) {
				return false
			}
		}
		return true
	}, time.Minute, 20*time.Millisecond)
	return s
}

// client returns a client of the cluster.
func (s *fleet) client(t testing.TB) *redis.ClusterClient {
	addrs := make([]string, len(s.ports))
	for i, port := range s.ports {
		addrs[i] = s.addr(port)
	}
	c := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs, DialerRetries: 1})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// backend is boards on a cluster, for scenarios.
type backend struct {
	absentBoards
	*Boards
	client redis.UniversalClient
	o      Options
}

// scenarioBoard is a board for scenarios.
type scenarioBoard struct {
	*Board
	absentBoard
}

// absentBoard makes the calls of Board come before those that are absent.
type absentBoard struct{ absent }

func supported(b *Board, err error) (boardtest.Board, error) {
	if errors.Is(err, ErrUnsupported) {
		err = fmt.Errorf("%w: %w", boardtest.ErrUnsupported, err)
	}
	if err != nil {
		return nil, err
	}
	return scenarioBoard{Board: b}, nil
}

func (b *backend) Define(spec board.Spec) (boardtest.Board, error) {
	return supported(b.Boards.Define(spec))
}

func (b *backend) Board(name string) (boardtest.Board, error) {
	return supported(b.Boards.Board(name))
}

func (b *backend) Events(context.Context, board.Position, board.FeedFilter) iter.Seq2[board.Event, error] {
	return func(func(board.Event, error) bool) {}
}

func (b *backend) SettleDue(context.Context) (board.Settled, error) { return board.Settled{}, nil }

func (b *backend) CountDue(context.Context) error { return nil }

// Reopen makes other Boards, as another process would.
func (b *backend) Reopen(meanwhile func()) error {
	err := b.Boards.Close()
	meanwhile()
	var again error
	if b.Boards, again = Open(b.client, b.o); again == nil {
		_, again = b.CloseDue()
	}
	return errors.Join(err, again)
}

// Kill is Reopen: a process has nothing that it could lose.
func (b *backend) Kill(meanwhile func()) error { return b.Reopen(meanwhile) }

// prefixes makes the keys of each scenario others.
var prefixes atomic.Int64

func open(client redis.UniversalClient, partitions int) boardtest.Open {
	return func(now func() time.Time) (boardtest.Backend, error) {
		b := &backend{client: client, o: Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: partitions, Clock: now}}
		var err error
		b.Boards, err = Open(client, b.o)
		return b, err
	}
}

// others says why a scenario does not hold with several partitions, or at all.
var others = map[string]string{
	"batch.txt":              "SubmitAll is one commit a member",
	"batch-over-periods.txt": "SubmitAll is one commit a member",
}

// othersInParts is others with several partitions only.
var othersInParts = map[string]string{
	"at-once.txt":      "a Once key counts for the members of a partition",
	"large-values.txt": "equals in one microsecond rank by name",
	"many-members.txt": "equals in one microsecond rank by name",
	"once.txt":         "a Once key counts for the members of a partition",
	"overtaken.txt":    "equals in one microsecond rank by name",
	"ties-first.txt":   "equals in one microsecond rank by name",
	"ties-last.txt":    "equals in one microsecond rank by name",
}

// TestScenarios plays the scenarios of boards on a cluster, with one partition and with several. What Define refuses, and calls that there are not, end a scenario.
func TestScenarios(t *testing.T) {
	client := startCluster(t, 3, 1).client(t)
	names, err := fs.Glob(boardtest.Files(), "*.txt")
	require.NoError(t, err)
	for _, partitions := range []int{1, 4, 16} {
		complete, refused := 0, 0
		for _, name := range names {
			if others[name] != "" || partitions > 1 && othersInParts[name] != "" {
				continue
			}
			text, err := fs.ReadFile(boardtest.Files(), name)
			require.NoError(t, err)
			s, err := boardtest.Parse(name, string(text))
			require.NoError(t, err)
			_, err = s.Play(open(client, partitions))
			switch {
			case errors.Is(err, boardtest.ErrUnsupported):
				refused++
			case err != nil:
				t.Errorf("%d partitions: %v", partitions, err)
			default:
				complete++
			}
		}
		require.GreaterOrEqual(t, complete, 50, "of %d", len(names))
		t.Logf("%d partitions: %d scenarios in full, %d up to what there is not here", partitions, complete, refused)
	}
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/boardtest"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/internal/redistest"
)

// fleet is redis-servers of a test.
type fleet struct {
	*redistest.Servers
	ports []int
	runs  []*exec.Cmd
}

// quiet is a logger of go-redis.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quiet{}) }

// started returns servers, which stop with the test, or skips it.
func started(t testing.TB, s *redistest.Servers, err error) *fleet {
	t.Helper()
	if errors.Is(err, redistest.ErrNone) {
		t.Skipf("SKIPPED: %v, so nothing here is tested", err)
	}
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return &fleet{s, s.Ports, s.Commands}
}

// start starts n servers.
func start(t testing.TB, n int, arguments ...string) *fleet {
	t.Helper()
	s, err := redistest.Start(t.TempDir(), n, arguments...)
	return started(t, s, err)
}

// startCluster starts a cluster of some masters, each with a number of replicas.
func startCluster(t testing.TB, masters, replicas int, arguments ...string) *fleet {
	t.Helper()
	s, err := redistest.StartCluster(t.TempDir(), masters, replicas, arguments...)
	return started(t, s, err)
}

// one returns the address of the first server.
func (s *fleet) one() string { return s.addr(s.ports[0]) }

func (s *fleet) addr(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// client returns a client of the cluster.
func (s *fleet) client(t testing.TB) *redis.ClusterClient {
	c := redis.NewClusterClient(&redis.ClusterOptions{Addrs: s.Addrs(), DialerRetries: 1})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// concrete returns a board of a cluster with what only this package knows of it.
func concrete(b board.Board, err error) (*clusterBoard, error) {
	one, _ := b.(*clusterBoard)
	return one, err
}

// backend is boards on a cluster, for scenarios.
type backend struct {
	*Boards
	client redis.UniversalClient
	o      Options
}

// Local implements boardtest.Backend.
func (b *backend) Local() *local.Boards { return nil }

func (b *backend) Events(context.Context, feed.Position, feed.Filter) iter.Seq2[feed.Event, error] {
	return func(func(feed.Event, error) bool) {}
}

// Reopen makes other Boards, as another process would.
func (b *backend) Reopen(meanwhile func()) error {
	err := b.Boards.Close()
	meanwhile()
	var again error
	if b.Boards, again = Open(b.client, b.o); again == nil {
		_, again = b.CloseDue(context.Background())
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

// othersInParts says why a scenario does not hold with several partitions.
var othersInParts = map[string]string{
	"batch-over-periods.txt": "SubmitAll is one commit a member",
	"batch.txt":              "SubmitAll is one commit a member",
	"at-once.txt":            "a Once key counts for the members of a partition",
	"large-values.txt":       "equals in one microsecond rank by name",
	"many-members.txt":       "equals in one microsecond rank by name",
	"once.txt":               "a Once key counts for the members of a partition",
	"overtaken.txt":          "equals in one microsecond rank by name",
	"ties-first.txt":         "equals in one microsecond rank by name",
	"ties-last.txt":          "equals in one microsecond rank by name",
}

// TestScenarios plays the scenarios of boards on a cluster, with one partition and with several. What Define refuses, and calls that there are not, end a scenario.
func TestScenarios(t *testing.T) {
	client := startCluster(t, 3, 1).client(t)
	names, err := fs.Glob(boardtest.Files(), "*.txt")
	require.NoError(t, err)
	for _, partitions := range []int{1, 4, 16} {
		complete, refused := 0, 0
		for _, name := range names {
			if partitions > 1 && othersInParts[name] != "" {
				continue
			}
			text, err := fs.ReadFile(boardtest.Files(), name)
			require.NoError(t, err)
			s, err := boardtest.Parse(name, string(text))
			require.NoError(t, err)
			_, err = s.Play(open(client, partitions))
			switch {
			case errors.Is(err, board.ErrUnsupported):
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

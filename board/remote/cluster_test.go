package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/boardtest"
	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/internal/redistest"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/api"
)

// unsupported ends a scenario with board.ErrUnsupported when the server answers that it does not support something.
type unsupported struct{ http.RoundTripper }

func (u unsupported) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := u.RoundTripper.RoundTrip(r)
	if err == nil && response.StatusCode == http.StatusNotImplemented {
		text, _ := io.ReadAll(response.Body)
		return nil, fmt.Errorf("%w: %s", board.ErrUnsupported, text)
	}
	return response, err
}

// clusterBackend is boards of a cluster behind a server.
type clusterBackend struct {
	*Boards
	client redis.UniversalClient
	o      cluster.Options
	stored *cluster.Boards
	server *httptest.Server
}

func (b *clusterBackend) open() (err error) {
	if b.stored, err = cluster.Open(b.client, b.o); err != nil {
		return err
	}
	h, err := api.New(b.stored, api.Options{Access: access.Options{Open: true}, Clock: b.o.Clock, MaxPins: 1 << 20})
	if err != nil {
		return err
	}
	b.server = httptest.NewServer(h)
	b.Boards, err = New(b.server.URL, Options{HTTP: &http.Client{Transport: unsupported{b.server.Client().Transport}}})
	return err
}

func (b *clusterBackend) Close() error {
	b.server.Close()
	return b.stored.Close()
}

func (b *clusterBackend) Reopen(meanwhile func()) error {
	err := b.Close()
	meanwhile()
	if err = errors.Join(err, b.open()); err == nil {
		_, err = b.CloseDue(context.Background())
	}
	return err
}

func (b *clusterBackend) Kill(meanwhile func()) error { return b.Reopen(meanwhile) }

func (b *clusterBackend) CloseDue(ctx context.Context) (int, error) { return b.stored.CloseDue(ctx) }

// Local implements boardtest.Backend.
func (b *clusterBackend) Local() *local.Boards { return nil }

// TestClusterScenarios: the API over boards on a cluster passes the scenarios up to what there is not on a cluster.
func TestClusterScenarios(t *testing.T) {
	s, err := redistest.StartCluster(t.TempDir(), 3, 0)
	if errors.Is(err, redistest.ErrNone) {
		t.Skipf("SKIPPED: %v, so nothing here is tested", err)
	}
	require.NoError(t, err)
	t.Cleanup(s.Close)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: s.Addrs()})
	t.Cleanup(func() { _ = client.Close() })
	var prefixes atomic.Int64
	names, err := fs.Glob(boardtest.Files(), "*.txt")
	require.NoError(t, err)
	complete, refused := 0, 0
	for _, name := range names {
		text, err := fs.ReadFile(boardtest.ByName(boardtest.Files()), name)
		require.NoError(t, err)
		scenario, err := boardtest.Parse(name, string(text))
		require.NoError(t, err)
		_, err = scenario.Play(func(now func() time.Time) (boardtest.Backend, error) {
			b := &clusterBackend{client: client, o: cluster.Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: 1, Clock: now}}
			return b, b.open()
		})
		switch {
		case errors.Is(err, board.ErrUnsupported):
			refused++
		case err != nil:
			t.Error(err)
		default:
			complete++
		}
	}
	t.Logf("%d scenarios in full, %d up to what there is not here", complete, refused)
	require.GreaterOrEqual(t, complete, 60)
}

package fuzz

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/clusters"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/redistest"
)

// clusterConfigs returns boards in one partition on a redis-server, and in three on a cluster of two masters, all of which it starts; or it skips the test.
func clusterConfigs(t *testing.T) []machine.Config {
	one, err := redistest.Start(t.TempDir(), 1)
	if errors.Is(err, redistest.ErrNone) {
		t.Skipf("SKIPPED: %v, so nothing here is tested", err)
	}
	require.NoError(t, err)
	t.Cleanup(one.Close)
	two, err := redistest.StartCluster(t.TempDir(), 2, 0)
	require.NoError(t, err)
	t.Cleanup(two.Close)
	server, cluster := one.Client(0), redis.NewClusterClient(&redis.ClusterOptions{Addrs: two.Addrs()})
	t.Cleanup(func() { require.NoError(t, errors.Join(server.Close(), cluster.Close())) })
	return clusters.Configs(server, cluster)
}

// TestClusterScripts replays all saved scripts on boards that package cluster keeps: those of testdata/clusters were made there.
func TestClusterScripts(t *testing.T) {
	configs := clusterConfigs(t)
	names, err := filepath.Glob("testdata/scripts/*")
	require.NoError(t, err)
	more, err := filepath.Glob("testdata/clusters/*")
	require.NoError(t, err)
	for _, name := range append(more, names...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			saved, err := campaigns.ParseSaved(string(text))
			require.NoError(t, err)
			check(t, configs, saved.Script)
		})
	}
}

// TestClusterRandom runs new scripts on boards that package cluster keeps.
func TestClusterRandom(t *testing.T) {
	configs := clusterConfigs(t)
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", seed)
	scripts := uint64(matrix.Pick(6, 100))
	for i := range scripts {
		for _, c := range configs {
			check(t, []machine.Config{c}, c.Generate(seed+i, 400))
		}
	}
	t.Logf("%d scripts of 400 operations under each of %d configurations", scripts, len(configs))
}

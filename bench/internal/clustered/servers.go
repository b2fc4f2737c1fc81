package clustered

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/bench/internal/process"
	"github.com/zrankdb/zrank/internal/redistest"
)

// servers are the servers of a system, and a client of theirs.
type servers struct {
	*redistest.Servers
	client *redis.ClusterClient
}

func startServers(dir string, x shape, callers int) (*servers, error) {
	all, err := redistest.StartCluster(dir, x.masters, x.replicas)
	if err != nil {
		return nil, err
	}
	redis.SetLogger(quiet{})
	return &servers{all, redis.NewClusterClient(&redis.ClusterOptions{Addrs: all.Addrs(), PoolSize: 2 * max(callers, fillers)})}, nil
}

// quiet is a logger of go-redis.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func (s *servers) close() error {
	err := s.client.Close()
	s.Servers.Close()
	return err
}

// cpu returns the CPU time of all servers.
func (s *servers) cpu() (all time.Duration, err error) {
	for _, c := range s.Commands {
		one, err := process.CPU(c.Process.Pid)
		if all += one; err != nil {
			return 0, err
		}
	}
	return all, nil
}

// memory returns the memory that all masters report.
func (s *servers) memory() (bytes float64, err error) {
	ctx := context.Background()
	var mu sync.Mutex
	err = s.client.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
		info, err := master.Info(ctx, "memory").Result()
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(info, "used_memory:")
		text, _, _ := strings.Cut(rest, "\r\n")
		used, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("used_memory of redis: %w", err)
		}
		mu.Lock()
		defer mu.Unlock()
		bytes += used
		return nil
	})
	return bytes, err
}

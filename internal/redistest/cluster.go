package redistest

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// slots is the number of slots of a cluster.
const slots = 16384

// StartCluster starts a cluster of some masters, each with a number of replicas, and waits until it is complete. The masters come first. They notice a failure after a
// minute, so that a busy machine is none. Errors: those of Start and of the servers.
func StartCluster(dir string, masters, replicas int, arguments ...string) (*Servers, error) {
	s, err := Start(dir, masters*(1+replicas), append([]string{"--cluster-enabled", "yes", "--cluster-node-timeout", "60000", "--repl-diskless-sync-delay", "0",
		"--cluster-replica-validity-factor", "0", "--cluster-allow-replica-migration", "no"}, arguments...)...)
	if err != nil {
		return nil, err
	}
	if err := s.join(masters); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// join makes the servers a cluster.
func (s *Servers) join(masters int) error {
	ctx := context.Background()
	nodes := make([]*redis.Client, len(s.Ports))
	for i := range nodes {
		nodes[i] = s.Client(i)
		defer nodes[i].Close()
		if err := nodes[i].Do(ctx, "cluster", "set-config-epoch", i+1).Err(); err != nil {
			return err
		}
	}
	for i, node := range nodes {
		if err := node.ClusterMeet(ctx, "127.0.0.1", strconv.Itoa(s.Ports[(i+1)%len(nodes)])).Err(); err != nil {
			return err
		}
		if i >= masters {
			continue
		}
		if err := node.ClusterAddSlotsRange(ctx, slots*i/masters, slots*(i+1)/masters-1).Err(); err != nil {
			return err
		}
	}
	for i := masters; i < len(nodes); i++ {
		id, err := nodes[i%masters].ClusterMyID(ctx).Result()
		if err == nil {
			err = until(func() bool { return nodes[i].ClusterReplicate(ctx, id).Err() == nil })
		}
		if err != nil {
			return err
		}
	}
	return until(func() bool {
		for _, node := range nodes {
			info, err := node.ClusterInfo(ctx).Result()
			if err != nil || !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, fmt.Sprint("cluster_known_nodes:", len(nodes))) {
				return false
			}
		}
		return true
	})
}

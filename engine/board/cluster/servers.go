package cluster

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// servers is how the servers are reached.
type servers struct {
	client redis.UniversalClient
	single *redis.Client // of a server that is no cluster; it repeats nothing
	o      Options
}

// master returns a client of the server that has the master of a key's slot. go-redis repeats commands whose answers got lost, and a repeated change would count
// twice; this client repeats nothing.
func (b *servers) master(ctx context.Context, key string) (*redis.Client, error) {
	if c, ok := b.client.(*redis.ClusterClient); ok {
		return c.MasterForKey(ctx, key)
	}
	return b.single, nil
}

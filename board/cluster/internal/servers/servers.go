package servers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Servers is the servers of a cluster, or a single one. Its methods may be called from any goroutine.
type Servers struct {
	Client  redis.UniversalClient
	Address string        // of one of them, for errors
	Single  *redis.Client // of a server that is no cluster; it repeats nothing
	Options Options
}

// Options say how long changes wait for replicas: see those of package cluster.
type Options struct {
	Replicas       int
	ReplicaTimeout time.Duration
}

// New returns the servers of a client. Error: ErrClient.
func New(client redis.UniversalClient, o Options) (*Servers, error) {
	b := &Servers{Client: client, Address: "a cluster", Options: o}
	switch c := client.(type) {
	case *redis.ClusterClient:
		if n := c.Options().MaxRetries; n > 0 {
			return nil, fmt.Errorf("%w: its MaxRetries is %d, so it would count changes twice whose answers got lost: leave it unset", ErrClient, n)
		}
		if addrs := c.Options().Addrs; len(addrs) > 0 {
			b.Address = "redis://" + addrs[0]
		}
	case *redis.Client:
		b.Address = "redis://" + c.Options().Addr
		options := *c.Options()
		options.MaxRetries, options.PushNotificationProcessor = -1, nil                                      // which the other client has
		options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled} // the other client changes its own
		b.Single = redis.NewClient(&options)
	default:
		return nil, fmt.Errorf("%w: want a *redis.Client or a *redis.ClusterClient, not a %T", ErrClient, client)
	}
	return b, nil
}

// Close lets go of what New has made.
func (b *Servers) Close() error {
	if b.Single == nil {
		return nil
	}
	return b.Single.Close()
}

// master returns a client of the server that has the master of a key's slot. go-redis repeats commands whose answers got lost, and a repeated change would count
// twice; this client repeats nothing.
func (b *Servers) master(ctx context.Context, key string) (*redis.Client, error) {
	if c, ok := b.Client.(*redis.ClusterClient); ok {
		return c.MasterForKey(ctx, key)
	}
	return b.Single, nil
}

// The errors that package cluster describes.
var (
	ErrClient     = errors.New("cluster: the client does not fit the servers")
	ErrIncomplete = errors.New("cluster: slots belong to no server")
)

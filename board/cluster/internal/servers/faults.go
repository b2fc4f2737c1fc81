package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
)

const (
	// tries is how often is sent again what no server has run: for about ten seconds.
	tries = 45
	// LookAt is the try before which a cluster that is down is asked whether it can come back.
	LookAt = 5
)

// again waits before something is sent again, while the cluster moves a slot, elects a master, or a server is busy. It returns an error if that is in vain, or unsafe.
func (b *Servers) again(ctx context.Context, err error, try int) error {
	down := redis.IsClusterDownError(err)
	switch {
	case b.isLetGo(err) && try < LookAt:
	case !isElsewhere(err) || try == tries || b.isRedirected(err):
		return b.Explain(err)
	case down && try == LookAt:
		if missing := b.missingSlots(ctx); missing != "" {
			return fmt.Errorf("%w: %s: %w", ErrIncomplete, missing, err)
		}
		if isNotServed(err) {
			return b.Explain(err)
		}
	}
	return Pause(ctx, try)
}

// Pause waits before a try, counted from 0, the longer the more there have been. Error: that of ctx.
func Pause(ctx context.Context, try int) error {
	select {
	case <-time.After(time.Duration(try+1) * 10 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// isElsewhere reports whether a server has refused to run something for now, or another one has the slot.
func isElsewhere(err error) bool {
	if err == nil {
		return false
	}
	for _, word := range []string{"MOVED ", "ASK ", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY", "MASTERDOWN", "BUSY "} {
		if strings.HasPrefix(err.Error(), word) {
			return true
		}
	}
	dial := new(net.OpError)
	return errors.As(err, &dial) && dial.Op == "dial"
}

// isRefused reports whether an error says that a script has changed nothing: a server has refused it, or it was not sent.
func isRefused(err error) bool {
	var refused redis.Error
	return errors.As(err, &refused) || isElsewhere(err) || errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
}

// isLetGo reports whether go-redis has closed the connections to a server of a cluster, as it does when it learns that the server has no slots, and nothing was changed.
func (b *Servers) isLetGo(err error) bool {
	return b.Single == nil && (errors.Is(err, redis.ErrClosed) || errors.Is(err, net.ErrClosed)) && !errors.Is(err, board.ErrUndecided)
}

// isRedirected reports whether a server of a cluster names another one to a client that only knows this one.
func (b *Servers) isRedirected(err error) bool {
	_, moved := redis.IsMovedError(err)
	_, ask := redis.IsAskError(err)
	return b.Single != nil && (moved || ask)
}

// missingSlots asks a server how many slots the cluster has, and returns what it says of them, "" if none is missing or the server does not say.
func (b *Servers) missingSlots(ctx context.Context) string {
	info, _ := b.Client.ClusterInfo(ctx).Result()
	for line := range strings.Lines(info) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "cluster_slots_assigned:") && line != "cluster_slots_assigned:16384" {
			return line
		}
	}
	return ""
}

// isNotServed reports whether a server says that a slot belongs to none. While an election is going on the slot belongs to the master that has failed.
func isNotServed(err error) bool {
	return redis.HasErrorPrefix(err, "CLUSTERDOWN Hash slot not served")
}

// Explain says what is wrong if an error is that of a client or a cluster that was set up wrongly.
func (b *Servers) Explain(err error) error {
	switch {
	case err == nil:
		return nil
	case b.isRedirected(err):
		return fmt.Errorf("%w: the server is one of a cluster, and a redis.ClusterClient is needed: %w", ErrClient, err)
	case redis.HasErrorPrefix(err, "This instance has cluster support disabled"):
		return fmt.Errorf("%w: the server is not one of a cluster, and a redis.Client is needed: %w", ErrClient, err)
	case isNotServed(err):
		return fmt.Errorf("%w: %w", ErrIncomplete, err)
	case redis.IsAuthError(err):
		return fmt.Errorf("cluster: the password of the client: %w", err)
	}
	return err
}

// FirstError returns the first error of a pipeline that is not that of a missing key or field. Exec returns the first of any kind; that of a connection that could not be
// made is in no command.
func FirstError(commands []redis.Cmder, exec error) error {
	for _, c := range commands {
		if err := c.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	if errors.Is(exec, redis.Nil) {
		return nil
	}
	return exec
}

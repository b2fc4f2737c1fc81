package cluster

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Dial is Open with a client that it makes, and that Close closes. The URL is that of one server,
//
//	redis://USER:PASSWORD@HOST:PORT?addr=HOST2:PORT2&dial_timeout=3s
//
// or rediss for TLS; addr names further servers of a cluster, and the other parameters are those of redis.ParseURL. Dial asks the server whether it is part of a
// cluster. Errors: ErrClient for a server of zrank, of a URL that is none, of the server.
func Dial(address string, o Options) (*Boards, error) {
	client, err := dial(address)
	if err != nil {
		return nil, err
	}
	b, err := Open(client, o)
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	b.own = client
	return b, nil
}

// dial returns a client of the server or the cluster at a URL.
func dial(address string) (redis.UniversalClient, error) {
	plain, more, err := withoutAddrs(address)
	if err != nil {
		return nil, err
	}
	one, err := redis.ParseURL(plain)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	single := redis.NewClient(one)
	info, err := single.Info(context.Background()).Result()
	if err == nil && strings.Contains(info, "zrank_version:") {
		err = fmt.Errorf("it is a zrank server, which keeps its boards itself: %w", ErrClient)
	}
	if err != nil {
		_ = single.Close()
		return nil, fmt.Errorf("cluster: %s: %w", one.Addr, err)
	}
	if !strings.Contains(info, "cluster_enabled:1") {
		return single, nil
	}
	_ = single.Close()
	options, err := redis.ParseClusterURL(plain)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	options.Addrs = append(options.Addrs, more...)
	return redis.NewClusterClient(options), nil
}

// withoutAddrs returns a URL without its parameters addr, and these.
func withoutAddrs(address string) (plain string, more []string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", nil, fmt.Errorf("cluster: %w", err)
	}
	query := u.Query()
	more = query["addr"]
	query.Del("addr")
	u.RawQuery = query.Encode()
	return u.String(), more, nil
}

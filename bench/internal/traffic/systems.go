package traffic

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/bytedance/gopkg/collection/zset"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// client makes calls for one goroutine, and waits for the answers.
type client func(calls []call) error

// system is what is measured.
type system struct {
	together int // calls that a client makes at once
	fill     client
	client   func() (client, error)
	count    func() (int, error) // members in all sets
	close    func() error
	// Those that a system has no use for are nil.
	settle, halt, resume func() error
}

// open returns the system of a job, empty.
func open(ctx context.Context, o bench.Options, level subject.Level, l *load) (*system, error) {
	switch o.System {
	case bench.Zrank:
		return openZrank(o, level, l, 1)
	case batched:
		return openZrank(o, level, l, together)
	case bytedance:
		return openBytedance(l), nil
	case bench.Redis:
		return openRedis(ctx, o, level, l, 1)
	case pipelined:
		return openRedis(ctx, o, level, l, together)
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

func absent(l *load, set int, k workload.Key) error {
	return fmt.Errorf("%q is not in %s", k.Name, l.keys[set])
}

func openZrank(o bench.Options, level subject.Level, l *load, together int) (*system, error) {
	e, err := level.Open(o.Dir, level.Engine)
	if err != nil {
		return nil, err
	}
	client := func() (client, error) { return transactions(e, l), nil }
	fill, _ := client()
	return &system{together: together, fill: fill, client: client, close: e.Close,
		settle: func() error { return level.Settle(e) },
		count: func() (int, error) {
			st, err := e.Stats()
			return st.Members, err
		}}, nil
}

// transactions makes calls in one transaction: a View if all of them read.
func transactions(e *engine.Engine, l *load) client {
	var keys []string
	var calls []call
	do := func(tx *engine.Tx) error {
		for i := range calls {
			c := &calls[i]
			x, err := tx.Set(l.keys[c.set])
			if err != nil {
				return err
			}
			if c.write {
				_, err = x.Add(c.key.Raw, c.score)
			} else if _, ok := x.Rank(c.key.Raw); !ok {
				err = absent(l, c.set, c.key)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return func(next []call) error {
		calls, keys = next, keys[:0]
		writes := false
		for i := range calls {
			keys = append(keys, l.keys[calls[i].set])
			writes = writes || calls[i].write
		}
		if writes {
			return e.Update(keys, do)
		}
		return e.View(keys, do)
	}
}

// openBytedance returns sets of bytedance/gopkg, each with its own lock, in a map under a read-write lock, as their user would write it;
// for the hot set there is no map. They keep the caller's text after an update: a clone for each would cost the peer time.
func openBytedance(l *load) *system {
	var mu sync.RWMutex
	hot, sets := zset.NewFloat64(), map[string]*zset.Float64Set{}
	find := func(set int) *zset.Float64Set {
		if len(l.keys) == 1 {
			return hot
		}
		mu.RLock()
		defer mu.RUnlock()
		return sets[l.keys[set]]
	}
	for _, key := range l.keys {
		sets[key] = zset.NewFloat64()
	}
	add := func(calls []call, text func(string) string) error {
		for i := range calls {
			c := &calls[i]
			if x := find(c.set); c.write {
				x.Add(c.score, text(c.key.Name))
			} else if x.Rank(c.key.Name) < 0 {
				return absent(l, c.set, c.key)
			}
		}
		return nil
	}
	return &system{together: 1,
		fill: func(calls []call) error { return add(calls, strings.Clone) },
		client: func() (client, error) {
			return func(c []call) error { return add(c, func(s string) string { return s }) }, nil
		},
		count: func() (total int, err error) {
			for set := range l.keys {
				total += find(set).Len()
			}
			return total, nil
		},
		close: func() error { return nil }}
}

func openRedis(ctx context.Context, o bench.Options, level subject.Level, l *load, together int) (*system, error) {
	s, err := subject.StartRedis(ctx, o.Redis, o.Dir, level.Redis...)
	if err != nil {
		return nil, err
	}
	return &system{together: together, fill: commands(s.Control, l), close: s.Close, halt: s.Halt, resume: s.Resume,
		client: func() (client, error) {
			c, err := s.Connect()
			return commands(c, l), err
		},
		count: func() (total int, err error) {
			for _, key := range l.keys {
				n, err := s.Number("ZCARD", key)
				if err != nil {
					return 0, err
				}
				total += n
			}
			return total, nil
		}}, nil
}

// commands sends calls as commands, and then reads the replies.
func commands(c *redis.Conn, l *load) client {
	var text []byte
	return func(calls []call) error {
		for i := range calls {
			x := &calls[i]
			if x.write {
				text = strconv.AppendFloat(text[:0], x.score, 'f', -1, 64)
				c.Append("ZADD", l.keys[x.set], string(text), x.key.Name)
			} else {
				c.Append("ZRANK", l.keys[x.set], x.key.Name)
			}
		}
		if err := c.Flush(); err != nil {
			return err
		}
		for i := range calls {
			reply, err := c.Receive()
			if err != nil {
				return err
			}
			if reply[0] != ':' {
				return absent(l, calls[i].set, calls[i].key)
			}
		}
		return nil
	}
}

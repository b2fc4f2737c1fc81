package subject

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"sync"

	"github.com/bytedance/gopkg/collection/zset"
	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Bytedance is a map of bytedance/gopkg sets. Each set has its own lock, and a read-write lock guards the map, as an application would do it.
// A single set is used without the map. An update stores the caller's member string, not a clone: a clone would slow this peer down.
type Bytedance struct {
	Mu   sync.RWMutex
	Sets map[string]*zset.Float64Set
}

// newBytedance returns empty sets. If together is true, one lock covers all operations of a call.
func newBytedance(keys []string, together bool) *System {
	b := &Bytedance{Sets: map[string]*zset.Float64Set{}}
	for _, key := range keys {
		b.Sets[key] = zset.NewFloat64()
	}
	only := b.Sets[keys[0]]
	find := func(set int) *zset.Float64Set {
		if len(keys) == 1 {
			return only
		}
		if !together {
			b.Mu.RLock()
			defer b.Mu.RUnlock()
		}
		return b.Sets[keys[set]]
	}
	client := func(ops []Op) error {
		if together {
			b.Mu.Lock()
			defer b.Mu.Unlock()
		}
		for i := range ops {
			o := &ops[i]
			switch x := find(o.Set); o.Kind {
			case Add:
				x.Add(o.Score, o.Key.Name)
			case Incr:
				x.IncrBy(o.Score, o.Key.Name)
			case Rank:
				if x.Rank(o.Key.Name) < 0 {
					return Absent(o.Key.Name)
				}
			}
		}
		return nil
	}
	return &System{
		Bytedance: b, Client: func() (Client, error) { return client, nil },
		Fill: func(ops []Op) error {
			for i := range ops {
				ops[i].Key.Name = strings.Clone(ops[i].Key.Name)
			}
			return client(ops)
		},
		Counts: func() (list []int, err error) {
			for _, key := range keys {
				list = append(list, b.Sets[key].Len())
			}
			return list, nil
		},
		Close: func() error { return nil },
	}
}

// startRedis starts a redis-server with a key for each set. If multi is true, each call is one transaction.
func startRedis(ctx context.Context, program, dir string, l Level, keys []string, multi bool) (*System, error) {
	s, err := redis.Start(ctx, program, dir, l.Redis...)
	if err != nil {
		return nil, err
	}
	return &System{
		Redis: s, Fill: commands(s.Conn, keys, false), Close: s.Close, Halt: s.Halt, Resume: s.Resume,
		Client: func() (Client, error) {
			c, err := s.Connect()
			return commands(c, keys, multi), err
		},
		Counts: func() (list []int, err error) {
			for _, key := range keys {
				n, err := s.Number("ZCARD", key)
				if err != nil {
					return nil, err
				}
				list = append(list, n)
			}
			return list, nil
		},
	}, nil
}

// commands returns a client that sends the operations of one call in one pipeline, as a transaction if multi is true.
func commands(c redis.Conn, keys []string, multi bool) Client {
	return func(ops []Op) error {
		if multi {
			c.Queue("MULTI")
		}
		for i := range ops {
			o := &ops[i]
			switch o.Kind {
			case Add:
				c.Queue("ZADD", keys[o.Set], o.Score, o.Key.Name)
			case Incr:
				c.Queue("ZINCRBY", keys[o.Set], o.Score, o.Key.Name)
			case Rank:
				c.Queue("ZREVRANK", keys[o.Set], o.Key.Name)
			}
		}
		if multi {
			c.Queue("EXEC")
		}
		replies, err := c.Finish()
		if err == nil && multi {
			replies, _ = replies[len(replies)-1].([]any)
		}
		for i, r := range replies {
			if failed, ok := r.(error); ok {
				return failed
			}
			if r == nil {
				return Absent(ops[i].Key.Name)
			}
		}
		return err
	}
}

// OpenPebble opens Pebble without the engine, with the options that persist gives it. The key of a member is the set's name, a slash and
// the member. The system only adds members.
func OpenPebble(dir, set string, sync bool) (*System, error) {
	db, err := peers.OpenPebble(dir, 1<<20)
	if err != nil {
		return nil, err
	}
	write := pebble.NoSync
	if sync {
		write = pebble.Sync
	}
	commit := func(ops []Op) error {
		key := append(make([]byte, 0, len(set)+1+workload.MemberLen), set+"/"...)
		var score [8]byte
		b := db.NewBatch()
		for i := range ops {
			binary.BigEndian.PutUint64(score[:], math.Float64bits(ops[i].Score))
			if err := b.Set(append(key, ops[i].Key.Raw...), score[:], nil); err != nil {
				return err
			}
		}
		if err := b.Commit(write); err != nil {
			return err
		}
		return b.Close()
	}
	return &System{Fill: commit, Client: func() (Client, error) { return commit, nil }, Settle: db.Flush, Close: db.Close,
		Counts: func() ([]int, error) { return nil, nil }}, nil
}

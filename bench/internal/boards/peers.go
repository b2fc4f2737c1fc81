package boards

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/bytedance/gopkg/collection/zset"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine/board"
)

// openBytedance returns three sets of bytedance/gopkg, each with its own lock, under one of the user's. They keep the caller's text after
// an update: a clone for each would cost the peer time.
func openBytedance() *system {
	var mu sync.RWMutex
	three := []*zset.Float64Set{zset.NewFloat64(), zset.NewFloat64(), zset.NewFloat64()}
	submit := func(s *workload.Stream, lo, _ int) error {
		mu.Lock()
		defer mu.Unlock()
		name, points := s.Key(lo).Name, s.Score(lo)
		for _, x := range three {
			x.IncrBy(points, name)
			if x.Rank(name) < 0 {
				return absent(name)
			}
		}
		return nil
	}
	// card makes its calls under the user's lock, so that they are of one moment. The rank from the best is worked out: RevRank of
	// v0.1.4 counts from the worst.
	card := func(name string, _ board.Mode) error {
		mu.RLock()
		defer mu.RUnlock()
		all := three[0]
		first, rank, n := all.RevRange(0, top-1), all.Rank(name), all.Len()
		if rank < 0 || len(first) == 0 {
			return absent(name)
		}
		own := n - 1 - rank
		lo, hi := around(own, n)
		if near := all.RevRange(lo, hi-1); near[own-lo].Value != name {
			return absent(name)
		}
		return nil
	}
	nothing := func() error { return nil }
	return &system{settle: nothing, close: nothing,
		put: func(s *workload.Stream) error {
			for i := range s.Len() {
				name := strings.Clone(s.Key(i).Name)
				for _, x := range three {
					x.Add(s.Score(i), name)
				}
			}
			return nil
		},
		client:  func() (client, error) { return client{submit, card}, nil },
		players: func() ([]int, error) { return []int{three[0].Len(), three[1].Len(), three[2].Len()}, nil },
	}
}

// openRedis returns three keys of a redis-server, with a transaction for each call.
func openRedis(ctx context.Context, o bench.Options, l subject.Level) (*system, error) {
	s, err := subject.StartRedis(ctx, o.Redis, o.Dir, l.Redis...)
	if err != nil {
		return nil, err
	}
	return &system{settle: func() error { return nil }, close: s.Close, halt: s.Halt, resume: s.Resume,
		put: func(x *workload.Stream) error { return s.Add(x, keys...) },
		client: func() (client, error) {
			c, err := s.Connect()
			conn := connection{c, !many(o.System)}
			return client{conn.submit, conn.card}, err
		},
		players: func() (list []int, err error) {
			for _, key := range keys {
				n, err := s.Number("ZCARD", key)
				if err != nil {
					return nil, err
				}
				list = append(list, n)
			}
			return list, nil
		}}, nil
}

// connection is one goroutine's.
type connection struct {
	*redis.Conn
	ranks bool // submissions ask for them
}

func (c connection) submit(s *workload.Stream, lo, hi int) error {
	c.Append("MULTI")
	commands := 0
	for i := lo; i < hi; i++ {
		text := strconv.FormatInt(int64(s.Score(i)), 10)
		for _, key := range keys {
			c.Append("ZINCRBY", key, text, s.Key(i).Name)
			if commands++; c.ranks {
				c.Append("ZREVRANK", key, s.Key(i).Name)
				commands++
			}
		}
	}
	c.Append("EXEC")
	if err := c.Flush(); err != nil {
		return err
	}
	return c.ReceiveAll(1 + commands + 1 + commands) // OK, QUEUED for each, how many replies follow, and those
}

// card takes two round trips, since what is around depends on the rank.
func (c connection) card(name string, _ board.Mode) error {
	c.Append("ZREVRANGE", keys[0], "0", strconv.Itoa(top-1), "WITHSCORES")
	c.Append("ZREVRANK", keys[0], name)
	c.Append("ZCARD", keys[0])
	if err := c.Flush(); err != nil {
		return err
	}
	_, err := c.list()
	own, failed := c.number()
	n, last := c.number()
	if err := errors.Join(err, failed, last); err != nil {
		return err
	}
	if own < 0 {
		return absent(name)
	}
	lo, hi := around(own, n)
	c.Append("ZREVRANGE", keys[0], strconv.Itoa(lo), strconv.Itoa(hi-1), "WITHSCORES")
	if err := c.Flush(); err != nil {
		return err
	}
	got, err := c.list()
	return errors.Join(err, bench.Want("texts of ZREVRANGE", got, 2*(hi-lo)))
}

// list reads an array, and returns its length.
func (c connection) list() (int, error) {
	n, err := c.number()
	if err != nil {
		return 0, err
	}
	return n, c.ReceiveAll(n)
}

// number reads a number, or the length of an array; -1 is nil.
func (c connection) number() (int, error) {
	reply, err := c.Receive()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(reply[1:]))
}

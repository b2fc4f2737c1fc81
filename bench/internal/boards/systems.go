package boards

import (
	"context"

	redigo "github.com/gomodule/redigo/redis"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
)

// keys are those of the three sets by hand.
var keys = []string{"arena:all", "arena:day:2026-11-18", "arena:week:2026-W47"}

// open returns the system of a job, empty.
func open(ctx context.Context, o bench.Options, l subject.Level) (*system, error) {
	if o.System == bench.Zrank || o.System == applied {
		return openBoard(o, l)
	}
	sys, err := subject.Open(ctx, o, l, keys, true)
	if err != nil {
		return nil, err
	}
	x := &system{System: sys}
	x.put = func(s *workload.Stream) error { return x.Fill(operations(nil, s, 0, s.Len(), subject.Add, false)) }
	x.client = func() (c client, err error) {
		do, err := x.System.Client()
		if err != nil {
			return c, err
		}
		var ops []subject.Op
		c.submit = func(s *workload.Stream, lo, hi int) error {
			ops = operations(ops[:0], s, lo, hi, subject.Incr, !many(o.System))
			return do(ops)
		}
		switch {
		case x.Bytedance != nil:
			c.card = bytedanceCard(x.Bytedance)
		case x.Redis != nil:
			conn, err := x.Redis.Connect()
			c.card = redisCard(conn)
			return c, err
		}
		return c, nil
	}
	return x, nil
}

// operations appends those of [lo, hi) of a stream on the three sets, with the ranks if they are asked for.
func operations(ops []subject.Op, s *workload.Stream, lo, hi int, kind subject.Kind, ranks bool) []subject.Op {
	for set := range keys {
		for i := lo; i < hi; i++ {
			o := subject.Op{Set: set, Kind: kind, Key: s.Key(i), Score: s.Score(i)}
			if ops = append(ops, o); ranks {
				o.Kind = subject.Rank
				ops = append(ops, o)
			}
		}
	}
	return ops
}

// bytedanceCard makes the calls of a card under the user's lock, so that they see one state. It works out the rank from the best: RevRank
// of v0.1.4 counts from the worst.
func bytedanceCard(b *subject.Bytedance) func(string, board.Mode) error {
	all := b.Sets[keys[0]]
	return func(name string, _ board.Mode) error {
		b.Mu.RLock()
		defer b.Mu.RUnlock()
		first, rank, n := all.RevRange(0, top-1), all.Rank(name), all.Len()
		if rank < 0 || len(first) == 0 {
			return subject.Absent(name)
		}
		own := n - 1 - rank
		lo, hi := around(own, n)
		if near := all.RevRange(lo, hi-1); near[own-lo].Value != name {
			return subject.Absent(name)
		}
		return nil
	}
}

// redisCard takes two round trips, since the rows around a player depend on the rank.
func redisCard(c redis.Conn) func(string, board.Mode) error {
	return func(name string, _ board.Mode) error {
		c.Queue("ZREVRANGE", keys[0], 0, top-1, "WITHSCORES")
		c.Queue("ZREVRANK", keys[0], name)
		c.Queue("ZCARD", keys[0])
		replies, err := c.Finish()
		if err != nil {
			return err
		}
		own, ok := replies[1].(int64)
		if !ok {
			return subject.Absent(name)
		}
		lo, hi := around(int(own), int(replies[2].(int64)))
		near, err := redigo.Values(c.Do("ZREVRANGE", keys[0], lo, hi-1, "WITHSCORES"))
		if err != nil {
			return err
		}
		return bench.Want("texts of ZREVRANGE", len(near), 2*(hi-lo))
	}
}

func openBoard(o bench.Options, l subject.Level) (*system, error) {
	ctx := context.Background()
	dir := o.Dir
	if !l.Disk {
		dir = ""
	}
	a, err := openArena(dir, l.Engine, newClock(), windows...)
	if err != nil {
		return nil, err
	}
	all, err := a.Live(ctx, "all")
	if err != nil {
		return nil, err
	}
	modes := map[board.Mode]board.Ranking{}
	for _, k := range kinds {
		if k.card {
			modes[k.mode] = all.By(k.mode)
		}
	}
	submit := func(s *workload.Stream, lo, _ int) error {
		_, err := a.Submit(ctx, board.Submission{Member: s.Key(lo).Name, Score: board.Ints(int64(s.Score(lo)))})
		return err
	}
	if many(o.System) {
		submit = a.apply
	}
	card := func(name string, mode board.Mode) error {
		c, err := modes[mode].Card(ctx, name, top, each)
		if err == nil && !c.Ranked {
			err = subject.Absent(name)
		}
		return err
	}
	x := &subject.System{Close: a.close, Settle: func() error { return l.Settle(a.engine) }, Counts: func() (list []int, err error) {
		for _, w := range a.Spec().Windows {
			r, err := a.Live(ctx, w.Name)
			if err != nil {
				return nil, err
			}
			n, err := r.Len(ctx)
			if err != nil {
				return nil, err
			}
			list = append(list, n)
		}
		return list, nil
	}}
	return &system{System: x, put: a.put, client: func() (client, error) { return client{submit, card}, nil }}, nil
}

package clustered

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// noon is the time at which every measurement begins: far from the end of a day and of a week.
var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// clock returns a clock that begins at noon.
func clock() func() time.Time {
	begin := time.Now()
	return func() time.Time { return noon.Add(time.Since(begin)) }
}

// system is a board, or sets by hand. do makes a call, add submits points without ranks.
type system struct {
	servers *servers // nil: there are none
	do      func(c call, member string, points int64) error
	len     func() (int, error)
	close   func() error
}

// spec is the board's: points add up, and who reaches a score first is ranked first.
var spec = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day, board.Week}}

func open(o bench.Options) (s *system, err error) {
	if o.System == bench.Zrank {
		return openEngine()
	}
	x := shapeOf(o.System)
	all, err := startServers(o.Dir, x, o.Callers)
	if err != nil {
		return nil, err
	}
	if x.partitions == 0 {
		s = openSets(all)
	} else {
		s, err = openCluster(all, x)
	}
	if err != nil {
		return nil, errors.Join(err, all.close())
	}
	s.servers = all
	return s, nil
}

func openEngine() (*system, error) {
	e, err := engine.New(engine.Options{Clock: clock()})
	if err != nil {
		return nil, err
	}
	boards, err := local.Open(e, local.Options{})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	arena, err := boards.Define(context.Background(), spec)
	if err != nil {
		return nil, errors.Join(err, boards.Close(), e.Close())
	}
	return onBoard(arena, func() error { return errors.Join(boards.Close(), e.Close()) })
}

func openCluster(all *servers, x shape) (*system, error) {
	boards, err := cluster.Open(all.client, cluster.Options{Partitions: x.partitions, Replicas: x.wait, ReplicaTimeout: time.Minute, Clock: clock()})
	if err != nil {
		return nil, err
	}
	arena, err := boards.Define(context.Background(), spec)
	if err != nil {
		return nil, err
	}
	return onBoard(arena, func() error { return errors.Join(boards.Close(), all.close()) })
}

// onBoard returns the calls of a board.
func onBoard(arena board.Board, close func() error) (*system, error) {
	ctx := context.Background()
	live, err := arena.Live(ctx, "all")
	if err != nil {
		return nil, errors.Join(err, close())
	}
	return &system{len: func() (int, error) { return live.Len(ctx) }, close: close, do: func(c call, member string, points int64) (err error) {
		switch c {
		case apply:
			_, err = arena.Apply(ctx, board.Submission{Member: member, Score: board.Ints(points)})
		case submit:
			_, err = arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(points)})
		case rank:
			_, _, err = live.Rank(ctx, member)
		case top:
			_, err = live.Top(ctx, 10)
		case around:
			_, _, err = live.Around(ctx, member, 5)
		}
		return err
	}}, nil
}

// keys are the sets by hand, each in a slot of its own.
var keys = []string{"naive{all}", "naive{day}", "naive{week}"}

// openSets returns sets by hand, one for each window.
func openSets(all *servers) *system {
	ctx, client := context.Background(), all.client
	return &system{close: all.close,
		len: func() (int, error) {
			n, err := client.ZCard(ctx, keys[0]).Result()
			return int(n), err
		},
		do: func(c call, member string, points int64) error {
			switch c {
			case rank:
				_, err := client.Pipelined(ctx, func(p redis.Pipeliner) error {
					p.ZRevRank(ctx, keys[0], member)
					p.ZScore(ctx, keys[0], member)
					return nil
				})
				return err
			case top:
				return client.ZRevRangeWithScores(ctx, keys[0], 0, 9).Err()
			case around:
				at, err := client.ZRevRank(ctx, keys[0], member).Result()
				if err != nil {
					return err
				}
				return client.ZRevRangeWithScores(ctx, keys[0], max(0, at-5), at+5).Err()
			}
			_, err := client.Pipelined(ctx, func(p redis.Pipeliner) error {
				for _, key := range keys {
					if p.ZIncrBy(ctx, key, float64(points), member); c == submit {
						p.ZRevRank(ctx, key, member)
					}
				}
				return nil
			})
			return err
		}}
}

// fillers is how many goroutines insert players.
const fillers = 32

// fill inserts n players, whose points are below a million.
func (s *system) fill(n int, name func(i int) (member string, points int64)) error {
	var all sync.WaitGroup
	errs := make([]error, fillers)
	for id := range fillers {
		all.Go(func() {
			for i := id; i < n && errs[id] == nil; i += fillers {
				member, points := name(i)
				errs[id] = s.do(apply, member, points)
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("insert the players: %w", err)
	}
	return nil
}

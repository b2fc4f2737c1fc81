package served

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// launch starts the server of a system, empty.
func launch(ctx context.Context, o Options, l Level) (*redis.Server, error) {
	if o.System == Redis {
		return redis.Start(ctx, o.Program, o.Dir, l.redis...)
	}
	addr, err := redis.FreeAddr()
	if err != nil {
		return nil, err
	}
	args := append([]string{"serve", "--resp", addr}, l.zrank...)
	if !slices.Contains(l.zrank, "--memory") {
		args = append(args, "--dir", filepath.Join(o.Dir, "data"))
	}
	return redis.Launch(ctx, o.Dir, addr, o.Program, append(args, o.Flags...)...)
}

const (
	fillSize  = 100 // members of a ZADD
	fillDepth = 10  // of them before the replies are read
)

// fill puts all members in, in random order.
func fill(s *redis.Server, n int, seed uint64) (err error) {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	order := r.Perm(n)
	all := workload.NewStream(n, func(i int) int { return order[i] }, func() float64 { return float64(r.Int64N(scoreSpan)) })
	c, err := s.Dial()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	sent := 0
	for lo := 0; lo < n; lo += fillSize {
		args := []string{"ZADD", board}
		for i := lo; i < min(lo+fillSize, n); i++ {
			args = append(args, strconv.FormatFloat(all.Score(i), 'f', -1, 64), all.Key(i).Name)
		}
		c.Append(args...)
		if sent++; sent < fillDepth && lo+fillSize < n {
			continue
		}
		if err := errors.Join(c.Flush(), c.ReceiveAll(sent)); err != nil {
			return fmt.Errorf("put the members in: %w", err)
		}
		sent = 0
	}
	return nil
}

// holds makes sure that all members are there.
func holds(s *redis.Server, n int) error {
	reply, err := s.Do("ZCARD", board)
	if err == nil && reply != ":"+strconv.Itoa(n) {
		err = fmt.Errorf("%s members are there at the end, and %d were put in", reply, n)
	}
	return err
}

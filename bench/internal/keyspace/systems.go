package keyspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/bytedance/gopkg/collection/zset"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/engine"
)

const (
	// pipeline is how many commands are sent before the replies are read.
	pipeline = 50
	// reads is how many sets are read after an open.
	reads = 1000
)

// system is what is filled.
type system struct {
	put   func(s *sample) error
	flush func() error
	bytes func() (float64, error) // of memory, with all else that the process holds
	sets  func() (int, error)
	close func() error
}

// fresh returns the system of a job, empty.
func fresh(ctx context.Context, o bench.Options) (system, error) {
	switch o.System {
	case bench.Zrank, memory:
		return newZrank(o)
	case bytedance:
		return newBytedance(), nil
	case bench.Redis:
		return newRedis(ctx, o)
	}
	return system{}, fmt.Errorf("no system %q", o.System)
}

// heap weighs a system in this process.
func heap(keep any) func() (float64, error) {
	return func() (float64, error) {
		bytes := float64(measure.LiveHeap())
		runtime.KeepAlive(keep)
		return bytes, nil
	}
}

func newZrank(o bench.Options) (system, error) {
	level := subject.Level{Disk: o.System == bench.Zrank}
	eo := engine.Options{}
	if level.Disk {
		eo.Durability = engine.Interval
	}
	e, err := level.Open(o.Dir, eo)
	if err != nil {
		return system{}, err
	}
	return system{
		put: func(s *sample) error {
			return e.Update([]string{s.key}, func(tx *engine.Tx) error {
				x, err := tx.Set(s.key)
				for m := 0; m < members && err == nil; m++ {
					_, err = x.Add(s.names[m], s.scores[m])
				}
				return err
			})
		},
		flush: e.Flush, bytes: heap(e),
		sets: func() (int, error) {
			st, err := e.Stats()
			return st.Sets, err
		},
		close: func() error { return errors.Join(level.Settle(e), e.Close()) },
	}, nil
}

func newBytedance() system {
	all := map[string]*zset.Float64Set{}
	return system{
		put: func(s *sample) error {
			x := zset.NewFloat64()
			for m := range members {
				x.Add(s.scores[m], string(s.names[m]))
			}
			all[s.key] = x
			return nil
		},
		flush: func() error { return nil }, bytes: heap(all), sets: func() (int, error) { return len(all), nil },
		close: func() error { return nil },
	}
}

func newRedis(ctx context.Context, o bench.Options) (system, error) {
	s, err := redis.Start(ctx, o.Redis, o.Dir)
	if err != nil {
		return system{}, err
	}
	sent := 0
	flush := func() error {
		_, err := s.Finish()
		return err
	}
	return system{
		put: func(x *sample) error {
			args := []any{x.key}
			for m := range members {
				args = append(args, x.scores[m], string(x.names[m])) // the next set takes the place of the text
			}
			s.Queue("ZADD", args...)
			if sent++; sent%pipeline != 0 {
				return nil
			}
			return flush()
		},
		flush: flush, bytes: s.UsedMemory,
		sets: func() (int, error) { return s.Number("DBSIZE") },
		close: func() error {
			_, err := s.Do("SAVE")
			return errors.Join(err, s.Close())
		},
	}, nil
}

// open opens what was closed.
func open(ctx context.Context, o bench.Options, f figure.Figures) error {
	if o.System == bench.Redis {
		s, err := redis.Start(ctx, o.Redis, o.Dir)
		if err != nil {
			return err
		}
		f[figure.Open] = bench.Milliseconds(s.Loaded)
		found, err := s.Number("DBSIZE")
		return errors.Join(err, bench.Want("sets", found, o.N), s.Close())
	}
	before := measure.LiveHeap()
	begin := time.Now()
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.Interval})
	if err != nil {
		return err
	}
	f[figure.Open] = bench.Milliseconds(time.Since(begin))
	f[figure.SetCold] = (float64(measure.LiveHeap()) - float64(before)) / float64(o.N)
	st, err := e.Stats()
	if err == nil {
		err = errors.Join(bench.Want("sets", st.Sets, o.N), bench.Want("sets loaded by the open", st.Loaded, 0))
	}
	if err == nil {
		err = read(e, o, f)
	}
	return errors.Join(err, e.Close())
}

// read asks for a rank in sets at random, in most of them for the first time.
func read(e *engine.Engine, o bench.Options, f figure.Figures) error {
	r := rand.New(rand.NewPCG(o.Seed, 0x746f756368))
	times := latency.New()
	var x sample
	for range reads {
		x.draw(o.Seed, r.IntN(o.N))
		begin := time.Now()
		err := e.View([]string{x.key}, func(tx *engine.Tx) error {
			s, err := tx.Set(x.key)
			if err != nil {
				return err
			}
			if _, ok := s.Rank(x.names[0]); !ok || s.Len() != members {
				return fmt.Errorf("%s has %d members, want %d", x.key, s.Len(), members)
			}
			return nil
		})
		if err != nil {
			return err
		}
		times.Record(time.Since(begin))
	}
	times.Into(f)
	return nil
}

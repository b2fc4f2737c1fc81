package boards

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// open returns the system of a job, empty.
func open(ctx context.Context, o bench.Options, l subject.Level) (*system, error) {
	switch o.System {
	case bench.Zrank, applied:
		return openBoard(o, l)
	case sets, increments:
		return openSets(o, l)
	case bytedance:
		return openBytedance(), nil
	case bench.Redis, pipelined:
		return openRedis(ctx, o, l)
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

func openBoard(o bench.Options, l subject.Level) (*system, error) {
	dir := o.Dir
	if !l.Disk {
		dir = ""
	}
	a, err := openArena(dir, l.Engine, newClock(), windows...)
	if err != nil {
		return nil, err
	}
	all, err := a.Live("all")
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
		_, err := a.Submit(board.Submission{Member: s.Key(lo).Name, Score: board.Ints(int64(s.Score(lo)))})
		return err
	}
	if many(o.System) {
		submit = a.apply
	}
	card := func(name string, mode board.Mode) error {
		c, err := modes[mode].Card(name, top, each)
		if err == nil && !c.Ranked {
			err = absent(name)
		}
		return err
	}
	return &system{put: a.put, settle: func() error { return l.Settle(a.engine) }, close: a.close,
		client: func() (client, error) { return client{submit, card}, nil },
		players: func() (list []int, err error) {
			for _, w := range a.Spec().Windows {
				r, err := a.Live(w.Name)
				if err != nil {
					return nil, err
				}
				n, err := r.Len()
				if err != nil {
					return nil, err
				}
				list = append(list, n)
			}
			return list, nil
		}}, nil
}

// keys are those of the three sets by hand.
var keys = []string{"arena:all", "arena:day:2026-11-18", "arena:week:2026-W47"}

// openSets returns three plain sets of an engine.
func openSets(o bench.Options, l subject.Level) (*system, error) {
	e, err := l.Open(o.Dir, l.Engine)
	if err != nil {
		return nil, err
	}
	add := func(ranks bool) func(s *workload.Stream, lo, hi int) error {
		return func(s *workload.Stream, lo, hi int) error {
			return e.Update(keys, func(tx *engine.Tx) error {
				for _, key := range keys {
					x, err := tx.Set(key)
					for i := lo; i < hi && err == nil; i++ {
						_, err = x.IncrBy(s.Key(i).Raw, s.Score(i))
					}
					if err != nil {
						return err
					}
					if _, ok := x.Rank(s.Key(lo).Raw); ranks && !ok {
						return absent(s.Key(lo).Name)
					}
				}
				return nil
			})
		}
	}
	return &system{put: func(s *workload.Stream) error { return add(false)(s, 0, s.Len()) }, close: e.Close,
		settle: func() error { return l.Settle(e) },
		client: func() (client, error) { return client{submit: add(!many(o.System))}, nil },
		players: func() (list []int, err error) {
			return list, e.View(keys, func(tx *engine.Tx) error {
				for _, key := range keys {
					x, err := tx.Set(key)
					if err != nil {
						return err
					}
					list = append(list, x.Len())
				}
				return nil
			})
		}}, nil
}

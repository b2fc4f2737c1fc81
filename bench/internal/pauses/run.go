package pauses

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	big = "big"
	// The others are smallSets sets of smallMembers each.
	smallSets, smallMembers = 1000, 20
	// settled is how long the writers write before the event.
	settled = 500 * time.Millisecond
)

func small(i int) string { return fmt.Sprintf("small:%03d", i) }

// start fills an engine and lets the event happen among the writers.
func start(_ context.Context, o bench.Options) (bench.Session, error) {
	name, levelName, _ := strings.Cut(o.Case, "/")
	at := slices.IndexFunc(events, func(e event) bool { return e.name == name })
	if at < 0 {
		return nil, fmt.Errorf("no event %q", name)
	}
	level, err := engine.ParseDurability(levelName)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(o.Dir, engine.Options{Durability: level, SnapshotBytes: -1})
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x66696c6c))
	err = subject.Fill(e, big, o.N, score(r))
	for i := 0; i < smallSets && err == nil; i++ {
		err = subject.Fill(e, small(i), smallMembers, score(r))
	}
	runtime.GC() // what the fill leaves is not the event's
	var found bench.Once
	if err == nil {
		found, err = watch(e, events[at], levelName, o)
	}
	return found, errors.Join(err, e.Close())
}

func score(r *rand.Rand) func() float64 {
	return func() float64 { return float64(r.Int64N(workload.ScoreSpan)) }
}

// watch lets the event happen, and returns what the writers of each side waited for.
func watch(e *engine.Engine, event event, level string, o bench.Options) (found bench.Once, err error) {
	f := figure.Figures{}
	calls, err := crew.Watch(settled, o.After, func(id int) func(int) error { return writer(e, o, id) }, func() error {
		if event.do == nil {
			return nil
		}
		begin := time.Now()
		err := event.do(e)
		f[figure.Took] = bench.Milliseconds(time.Since(begin))
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, side := range sides {
		times, own := latency.New(), maps.Clone(f)
		for id := i; id < crew.Writers; id += len(sides) {
			crew.Within(times, calls.Made[id], calls.Windows)
		}
		times.Into(own)
		found = append(found, bench.Sample{Line: line(event.name, level, side), Figures: own})
	}
	return found, nil
}

// writer makes the calls of one of the crew.
func writer(e *engine.Engine, o bench.Options, id int) func(i int) error {
	r := rand.New(rand.NewPCG(o.Seed+uint64(id), 0x77726974))
	key, n := func() string { return big }, o.N
	if id%len(sides) == 1 {
		key, n = func() string { return small(r.IntN(smallSets)) }, smallMembers
	}
	next := workload.Endless(func(int) int { return r.IntN(n) }, score(r))
	return func(int) error {
		s, at := next()
		return subject.AddTo(e, []string{key()}, s, at, at+1)
	}
}

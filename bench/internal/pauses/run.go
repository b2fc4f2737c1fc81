package pauses

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// Options say what a run does.
type Options struct {
	Event string
	Level string
	Dir   string        // empty, on the disk that is measured
	N     int           // members of the big set
	Seed  uint64        // of the load
	After time.Duration // how long calls count after the event
}

const (
	big = "big"
	// The others are smallSets sets of smallMembers each.
	smallSets, smallMembers = 1000, 20
	// fillSize is how many members a commit of the fill has.
	fillSize = 10_000
	// drawn is how many updates a writer draws at a time.
	drawn = 2000
	// settled is how long the writers are left alone before the event.
	settled = 500 * time.Millisecond
	// scoreSpan is where scores come from: whole numbers in [0, 2^40).
	scoreSpan = 1 << 40
	// spread is a prime that puts neighbours far apart.
	spread = 2_654_435_761
)

// Run fills an engine, sets the writers to work, and lets the event happen.
func Run(o Options) (figure.Lines, error) {
	event, err := named(o.Event)
	if err != nil {
		return nil, err
	}
	level, err := engine.ParseDurability(o.Level)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(o.Dir, engine.Options{Durability: level, SnapshotBytes: -1})
	if err != nil {
		return nil, err
	}
	if err := fill(e, o); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	lines, err := watch(e, event, level, o)
	return lines, errors.Join(err, e.Close())
}

// fill makes the sets.
func fill(e *engine.Engine, o Options) error {
	if err := fillSet(e, big, o.N, o.Seed); err != nil {
		return err
	}
	for i := range smallSets {
		if err := fillSet(e, small(i), smallMembers, o.Seed); err != nil {
			return err
		}
	}
	runtime.GC() // what the fill leaves is not the event's
	return nil
}

func small(i int) string { return fmt.Sprintf("small:%03d", i) }

// fillSet makes one, neighbours far apart.
func fillSet(e *engine.Engine, key string, n int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	for lo := 0; lo < n; lo += fillSize {
		s := workload.NewStream(min(fillSize, n-lo), func(i int) int { return int(uint64(lo+i) * spread % uint64(n)) }, score(r))
		if err := apply(e, key, &s, 0, s.Len()); err != nil {
			return fmt.Errorf("put the members in: %w", err)
		}
	}
	return nil
}

func score(r *rand.Rand) func() float64 {
	return func() float64 { return float64(r.Int64N(scoreSpan)) }
}

// apply makes one commit of the updates [lo, hi) to a set.
func apply(e *engine.Engine, key string, s *workload.Stream, lo, hi int) error {
	return e.Update([]string{key}, func(tx *engine.Tx) error {
		set, err := tx.Set(key)
		for i := lo; i < hi && err == nil; i++ {
			_, err = set.Add(s.Key(i).Raw, s.Score(i))
		}
		return err
	})
}

// sideOf is the side of a writer.
func sideOf(id int) Side { return Sides[id%len(Sides)] }

// watch lets the event happen among the writers, and tells what each side found.
func watch(e *engine.Engine, event Event, level engine.Durability, o Options) (figure.Lines, error) {
	c := crew.Hire(func(id int) func(int) error { return writer(e, o, id) })
	crew.Pause(settled)
	from := c.Now()
	f := figure.Figures{}
	var err error
	if event.Happens() {
		err = event.do(e)
		f[figure.Took] = (c.Now() - from).Seconds() * 1000
	}
	crew.Pause(o.After)
	windows := []crew.Window{{From: from, To: c.Now()}}
	calls, writeErr := c.Dismiss()
	if err = errors.Join(err, writeErr); err != nil {
		return nil, err
	}
	lines := figure.Lines{}
	for _, side := range Sides {
		times := latency.New()
		for id, made := range calls {
			if sideOf(id) == side {
				crew.Within(times, made, windows)
			}
		}
		own := maps.Clone(f)
		times.Into(own)
		lines[event.Line(level, side)] = own
	}
	return lines, nil
}

// writer makes the calls of one of the crew.
func writer(e *engine.Engine, o Options, id int) func(i int) error {
	r := rand.New(rand.NewPCG(o.Seed+uint64(id), 0x77726974))
	key, n := func() string { return big }, o.N
	if sideOf(id) == Small {
		key, n = func() string { return small(r.IntN(smallSets)) }, smallMembers
	}
	var s workload.Stream
	return func(i int) error {
		if i%drawn == 0 {
			s = workload.NewStream(drawn, func(int) int { return r.IntN(n) }, score(r))
		}
		return apply(e, key(), &s, i%drawn, i%drawn+1)
	}
}

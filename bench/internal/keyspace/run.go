package keyspace

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
)

// Options say what a stage does.
type Options struct {
	System string
	Open   bool   // what Fill has closed; without it, Fill
	Dir    string // empty at first, on the disk that is measured
	Server string // the redis-server to start
	N      int    // sets
	Seed   uint64 // of the sets: both stages have the same one
}

// The systems.
const (
	Zrank     = "zrank"  // Interval
	Memory    = "memory" // zrank without a disk
	Bytedance = "bytedance"
	Redis     = "redis"
)

// Systems is every system, in the order of the report.
var Systems = []string{Zrank, Memory, Bytedance, Redis}

// Opens reports whether a system has a second stage.
func Opens(name string) bool { return name == Zrank || name == Redis }

// system is what is filled.
type system interface {
	put(s *sample) error
	// flush waits for what was put.
	flush() error
	// bytes returns how much memory it takes, with all else that the process holds.
	bytes() (float64, error)
	// sets returns how many there are.
	sets() (int, error)
	// close makes a clean end of it.
	close() error
}

// Run runs a stage.
func Run(ctx context.Context, o Options) (figure.Figures, error) {
	switch {
	case o.Open && o.System == Zrank:
		return openZrank(o)
	case o.Open && o.System == Redis:
		return openRedis(ctx, o)
	case o.Open:
		return nil, fmt.Errorf("%q cannot be opened", o.System)
	}
	s, err := start(ctx, o)
	if err != nil {
		return nil, err
	}
	f := figure.Figures{}
	if err := fill(s, o, f); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return f, finish(s, o, f)
}

func start(ctx context.Context, o Options) (system, error) {
	switch o.System {
	case Zrank, Memory:
		return newZrank(o)
	case Bytedance:
		return newBytedance(), nil
	case Redis:
		return startRedis(ctx, o)
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

// fill puts the sets in and weighs them.
func fill(s system, o Options, f figure.Figures) error {
	before, err := s.bytes()
	if err != nil {
		return err
	}
	var x sample
	begin := time.Now()
	for i := range o.N {
		x.draw(o.Seed, i)
		if err := s.put(&x); err != nil {
			return fmt.Errorf("put %s in: %w", x.key, err)
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	f[figure.Fill] = milliseconds(time.Since(begin))
	after, err := s.bytes()
	if err != nil {
		return err
	}
	own := 0
	for i := range o.N {
		x.draw(o.Seed, i)
		own += x.own()
	}
	n := float64(o.N)
	f[figure.SetBytes] = (after - before) / n
	f[figure.SetOwn] = float64(own) / n
	f[figure.SetOverhead] = f[figure.SetBytes] - f[figure.SetOwn]
	return has(s, o.N)
}

// has returns an error unless all sets are there.
func has(s system, n int) error {
	found, err := s.sets()
	if err == nil && found != n {
		err = fmt.Errorf("%d sets of %d are there", found, n)
	}
	return err
}

// finish closes the system, and looks at what it leaves on the disk.
func finish(s system, o Options, f figure.Figures) error {
	begin := time.Now()
	if err := s.close(); err != nil {
		return err
	}
	if !Opens(o.System) {
		return nil
	}
	f[figure.Close] = milliseconds(time.Since(begin))
	size, err := disk.Size(o.Dir)
	f[figure.SetDisk] = float64(size) / float64(o.N)
	return err
}

// heap is the part of a system that lives in this process.
func heap(keep any) (float64, error) {
	bytes := float64(measure.LiveHeap())
	runtime.KeepAlive(keep)
	return bytes, nil
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

package measure

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	minOps = 20_000
	maxOps = 250_000
	// minInserts is how many inserts a build makes at least, in boards one after the other.
	minInserts = 8000
	// smallN is the size of the board that Update1k is measured on.
	smallN = 1000
)

// run is one peer under measurement.
type run struct {
	bench.Options
	workload *workload.Workload
	peer     peers.Peer
	running  *peers.Running
	ordered  bool
	now      func() time.Duration
	core     bool // only what growth measures
	got      map[string]float64
}

// begin measures one peer with f, in this process.
func begin(o bench.Options, f func(r *run) ([]bench.Sample, error)) (found bench.Once, err error) {
	runtime.LockOSThread() // threadTime is this thread's
	defer runtime.UnlockOSThread()
	r := &run{Options: o, now: threadTime, got: map[string]float64{}, core: o.Bench == growthName}
	if r.peer, err = peers.Named(o.System); err != nil {
		return nil, err
	}
	if r.workload, err = workload.Find(o.Workload); err != nil {
		return nil, err
	}
	if r.running, err = r.peer.Start(o.Dir); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.running.Close()) }()
	r.ordered = !r.peer.Unordered
	if r.peer.Outside {
		r.now = wallTime
	}
	return f(r)
}

var began = time.Now()

func wallTime() time.Duration { return time.Since(began) }

// start is a run of compare or growth.
func start(_ context.Context, o bench.Options) (bench.Session, error) {
	return begin(o, func(r *run) (found []bench.Sample, err error) {
		load := r.workload.Draw(r.N, min(max(r.N, minOps), maxOps), r.Seed)
		if err := r.measure(load); err != nil {
			return nil, err
		}
		runtime.KeepAlive(load)
		for _, l := range Lines {
			if v, ok := r.got[l.Name]; ok && r.counts(l) {
				found = append(found, bench.Sample{Line: l.Name, Figures: figure.Figures{lineMetric(l.Name): v}})
			}
		}
		return found, nil
	})
}

// counts reports whether a line is part of the result. growth has only core lines; a peer outside this process has times and memory.
func (r *run) counts(l Line) bool {
	return (l.Core || !r.core) && (!r.peer.Outside || lineMetric(l.Name) == figure.Call || l.Name == Bytes)
}

// single is a run of latency.
func single(_ context.Context, o bench.Options) (bench.Session, error) {
	return begin(o, func(r *run) (found []bench.Sample, err error) {
		load := r.workload.Draw(r.N, maxOps, r.Seed)
		set, err := r.build(load)
		if err != nil {
			return nil, err
		}
		list := []op{{LineClock, maxOps, 1, func(int, int) {}}, lookups(set, load)}
		if r.ordered {
			list = append(list, r.ops(set, load)...)
		}
		for _, o := range list {
			if o.line == LineClock && r.System == bench.Zset {
				found = append(found, r.calls(o))
				found[0].System = LineClock
			} else if slices.Contains(timed, o.line) {
				found = append(found, r.calls(o))
			}
		}
		runtime.KeepAlive(load)
		runtime.KeepAlive(set)
		return found, nil
	})
}

// measure runs all measurements that the peer supports.
func (r *run) measure(load *workload.Load) error {
	inside := !r.peer.Outside
	if inside && !r.core {
		r.grow(load)
		r.small(&load.Build)
	}
	if r.ordered && !r.core && r.workload.N == 0 {
		l := r.workload.Draw(smallN, minOps, r.Seed)
		set := r.empty(l)
		fill(set, &l.Build)
		r.loop(updates(Update1k, set, &l.Update))
	}
	if inside {
		r.got[GCEmpty] = fullGC(r.Budget)
	}
	set, err := r.build(load)
	if err != nil {
		return err
	}
	if inside {
		r.got[GC] = fullGC(r.Budget)
	}
	r.loop(lookups(set, load))
	if r.ordered {
		before := uint64(0)
		for _, o := range r.ops(set, load) {
			if o.line == Update {
				before = LiveHeap() // with what the board keeps for its pages
			}
			if !r.core || slices.Contains([]string{Rank, Page, Update}, o.line) {
				r.loop(o)
			}
		}
		r.got[BytesUpdated] = r.got[Bytes] + perMember(before, LiveHeap(), load.N)
	}
	if inside && !r.core {
		r.removal(set, load)
	}
	return nil
}

// build builds the boards, without a warm-up or a budget. It repeats a small build and takes the mean. A replay then builds its boards again
// from its events.
func (r *run) build(l *workload.Load) ([]peers.Board, error) {
	all := make([][]peers.Board, max(1, minInserts/l.N))
	for i := range all {
		all[i] = r.empty(l)
	}
	weigh := func() (float64, error) { return float64(LiveHeap()), nil }
	if r.peer.Outside {
		weigh = r.running.Bytes
	}
	inserts := len(all) * l.N
	held, err := bytes(weigh)
	if err != nil {
		return nil, err
	}
	objects, start := mallocs(), r.now()
	for i := range all {
		if r.running.Fill == nil {
			fill(all[i], &l.Build)
		} else if err := r.running.Fill(all[i], &l.Build); err != nil {
			return nil, err
		}
	}
	if r.running.Fill == nil {
		r.got[Build] = float64(r.now()-start) / float64(inserts)
		r.got[allocs+Build] = float64(mallocs()-objects) / float64(inserts)
	}
	now, err := bytes(weigh)
	if weigh != nil {
		r.got[Bytes] = (now - held) / float64(inserts)
	}
	runtime.KeepAlive(all)
	if err == nil && l.Events.Len() > 0 && r.ordered {
		return r.replay(l)
	}
	return all[0], err
}

// bytes returns 0 for a peer that cannot tell its memory.
func bytes(weigh func() (float64, error)) (float64, error) {
	if weigh == nil {
		return 0, nil
	}
	return weigh()
}

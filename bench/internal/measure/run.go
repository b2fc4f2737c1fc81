package measure

import (
	"errors"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	minOps = 20_000
	maxOps = 250_000
	// minInserts is how many inserts a build takes at least, in boards one after the other.
	minInserts = 8000
	// batch is the number of operations between two looks at the clock.
	batch = 256
	// smallN is the size of the board that Update1k is measured on.
	smallN = 1000
)

// Options say what a run does.
type Options struct {
	Peer     peers.Peer
	Workload *workload.Workload // nil: workload.Uniform
	N        int                // members, at least 100; the workload may bring its own
	Seed     uint64             // of the load
	Budget   time.Duration      // the longest that one operation's loop may take
	Dir      string             // an empty directory for a peer that wants files
	Core     bool               // only the metrics of Core
}

// run is one peer under measurement.
type run struct {
	Options
	peer    *peers.Running
	ordered bool // the peer knows order
	now     func() time.Duration
	got     Figures
}

// sink keeps results alive, so that no call is optimized away.
var sink uint64

// Run measures the peer.
func Run(o Options) (f Figures, err error) {
	runtime.LockOSThread() // threadTime is this thread's
	defer runtime.UnlockOSThread()
	r, err := start(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.peer.Close()) }()
	load := r.draw(min(max(r.N, minOps), maxOps))
	if err := r.measure(load); err != nil {
		return nil, err
	}
	runtime.KeepAlive(load)
	return r.got, nil
}

// start starts the peer.
func start(o Options) (*run, error) {
	if o.Workload == nil {
		o.Workload = &workload.All[0]
	}
	if o.Workload.N != 0 {
		o.N = o.Workload.N
	}
	running, err := o.Peer.Start(o.Dir)
	if err != nil {
		return nil, err
	}
	r := &run{Options: o, peer: running, now: threadTime, got: Figures{}}
	_, r.ordered = running.New().(peers.Ordered)
	if o.Peer.Outside {
		r.now = wallTime
	}
	return r, nil
}

var began = time.Now()

func wallTime() time.Duration { return time.Since(began) }

func (r *run) draw(ops int) *workload.Load { return r.Workload.Draw(r.N, ops, r.Seed) }

// measure measures everything, or what is in Core and of it what the peer has.
func (r *run) measure(load *workload.Load) error {
	inside := !r.Peer.Outside
	if inside && !r.Core {
		r.grow(load)
		r.small(&load.Build)
	}
	if r.ordered && !r.Core && r.Workload.N == 0 {
		r.update1k()
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
	r.score(set, load)
	if r.ordered {
		r.reads(set.ordered(), load)
		before := LiveHeap() // with what the board keeps for its pages
		r.writes(set.ordered(), load)
		if inside && !r.Core {
			r.got[BytesUpdated] = r.got[Bytes] + perMember(before, LiveHeap(), load.N)
		}
	}
	if inside && !r.Core {
		r.removal(set, load)
	}
	r.forget()
	return nil
}

// forget drops what does not count: what is not in Core, if only that was asked for, and objects and bytes of this process if the
// members are in another or on a disk.
func (r *run) forget() {
	for m := range r.got {
		d, _ := Describe(m)
		if r.Core && !d.Core || r.Peer.Outside && d.Unit != Nanoseconds && m != Bytes {
			delete(r.got, m)
		}
	}
}

// build makes the boards, without a warm-up or a budget. Few members it puts in several times, and takes the mean. A replay's
// boards are then made anew from its events.
func (r *run) build(l *workload.Load) (boards, error) {
	all := make([]boards, max(1, minInserts/l.N))
	for i := range all {
		all[i] = r.empty(l)
	}
	inserts := len(all) * l.N
	held, weighs, err := all[0].bytes()
	if err != nil {
		return nil, err
	}
	before := LiveHeap()
	count, start := startCount(), r.now()
	queued := false
	for i := range all {
		if queued = queue(all[i], &l.Build); !queued {
			fill(all[i], &l.Build)
		}
	}
	if !queued {
		r.got[Build] = float64(r.now()-start) / float64(inserts)
		r.got[AllocsBuild] = count.perOp(inserts)
	}
	if !r.Peer.Outside {
		r.got[Bytes] = perMember(before, LiveHeap(), inserts)
	} else if weighs {
		now, _, err := all[0].bytes()
		if err != nil {
			return nil, err
		}
		r.got[Bytes] = (now - held) / float64(inserts)
	}
	set := all[0]
	runtime.KeepAlive(all)
	if l.Events.Len() > 0 && r.ordered {
		return r.replay(l)
	}
	return set, nil
}

// update1k measures updates on a board of smallN members.
func (r *run) update1k() {
	l := r.Workload.Draw(smallN, minOps, r.Seed)
	set := r.empty(l)
	fill(set, &l.Build)
	r.updates(Update1k, "", set.ordered(), &l.Update)
}

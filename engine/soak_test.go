package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

var (
	soakFor   = flag.Duration("soak", 0, "how long TestSoak runs")
	soakLimit = flag.Int64("soak-limit", 2<<20, "Options.MemoryLimit of TestSoak, in bytes; 0: none")
)

// soak is an engine on a real directory under all kinds of calls at once: points move between purses, and their sum never changes; other sets are
// changed, renamed, copied, dropped, united, popped from by calls that wait, and expire, while snapshots, eviction, checks and feeds run.
type soak struct {
	t     *testing.T
	e     *Engine
	keys  []string
	stop  chan struct{}
	wg    sync.WaitGroup
	calls map[string]*atomic.Int64
	shown [2]atomic.Int64 // commits, by feed
	fell  [2]atomic.Int64
}

// TestSoak: `go test -run TestSoak -v -timeout 40m ./engine -args -soak 10m`. With the limit its sets take many times the
// memory that they may, so calls wait for loads; -soak-limit 0 shows what they wait for besides.
func TestSoak(t *testing.T) {
	if *soakFor == 0 {
		t.Skip("needs -args -soak and a time")
	}
	o := Options{Durability: Interval, MemoryLimit: *soakLimit, SnapshotBytes: 4 << 20}
	e, err := Open(t.TempDir(), o)
	require.NoError(t, err)
	e.ops.stageBytes = 64 << 10 // so that results are staged
	s := &soak{t: t, e: e, stop: make(chan struct{}), calls: map[string]*atomic.Int64{}}
	for i := range 2000 {
		s.keys = append(s.keys, fmt.Sprintf("s%04d", i))
	}
	tr := startTraffic(e, 1)
	s.start()
	before := runtime.NumGoroutine()
	s.watch(*soakFor)
	require.LessOrEqual(t, runtime.NumGoroutine(), before+16)
	close(s.stop)
	s.wg.Wait()
	require.NoError(t, tr.end())
	s.look("end")
	require.NoError(t, e.Close())
}

// start starts the goroutines.
func (s *soak) start() {
	for range 3 {
		s.run("update", s.update)
	}
	s.run("view", s.view)
	s.run("union", func(r *rand.Rand) error {
		_, err := s.e.UnionStore(context.Background(), s.key(r), zset.Combine[float64]{}, s.key(r), s.key(r), s.key(r))
		return err
	})
	s.run("copy", func(r *rand.Rand) error { _, err := s.e.Copy(context.Background(), s.key(r), s.key(r)); return err })
	s.run("pop", func(r *rand.Rand) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(5))*time.Millisecond)
		defer cancel()
		_, _, err := s.e.PopMinWait(ctx, s.key(r), s.key(r))
		return err
	})
	s.run("list", func(r *rand.Rand) error { _, err := s.e.Glob("s*[13579]"); return err })
	for i := range s.shown {
		s.wg.Go(func() { s.follow(i) })
	}
}

func (s *soak) key(r *rand.Rand) string { return s.keys[min(r.IntN(len(s.keys)), r.IntN(len(s.keys)))] }

// run calls do until the soak ends, and counts the calls under name.
func (s *soak) run(name string, do func(*rand.Rand) error) {
	if s.calls[name] == nil {
		s.calls[name] = new(atomic.Int64)
	}
	n, seed := s.calls[name], rand.Uint64()
	s.wg.Go(func() {
		r := rand.New(rand.NewPCG(seed, 1))
		for {
			select {
			case <-s.stop:
				return
			default:
			}
			err := do(r)
			if err != nil && !errors.Is(err, ErrNoSet) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errScript) {
				s.t.Errorf("%s: %v", name, err)
				return
			}
			n.Add(1)
		}
	})
}

// update runs a random change of one or two sets.
func (s *soak) update(r *rand.Rand) error {
	a, b := s.key(r), s.key(r)
	return s.e.Update(context.Background(), func(tx *Tx) error {
		x, err := tx.Set(a)
		if err != nil {
			return err
		}
		switch p := r.IntN(100); {
		case p < 2:
			_, err = tx.Drop(a)
		case p < 6:
			err = tx.Rename(a, b)
		case p < 9:
			err = tx.Copy(a, b)
		case p < 20:
			_, err = x.ExpireIn(time.Duration(1+r.IntN(3000)) * time.Millisecond)
		case p < 30:
			_, err = x.PopMin(r.IntN(50))
		case p < 33:
			err = errScript
		default:
			for range 1 + r.IntN(20) {
				if _, err := x.Add(fmt.Appendf(nil, "member:%06d", r.IntN(5000)), float64(r.IntN(1000))); err != nil {
					return err
				}
			}
		}
		return err
	}, a, b)
}

// view reads a set in order.
func (s *soak) view(r *rand.Rand) error {
	key := s.key(r)
	return s.e.View(context.Background(), func(tx *Tx) error {
		x, err := tx.Set(key)
		if err != nil {
			return err
		}
		last, n := -1.0, 0
		for _, score := range x.Range(0, x.Len()) {
			if score < last {
				return fmt.Errorf("%q is out of order", key)
			}
			last, n = score, n+1
		}
		if n != x.Len() {
			return fmt.Errorf("%q has %d members, and shows %d", key, x.Len(), n)
		}
		return nil
	}, key)
}

// follow counts commits as they come, and checks that there are no gaps.
func (s *soak) follow(i int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { <-s.stop; cancel() }()
	at := s.e.DurableSeq()
	for ctx.Err() == nil {
		for c, err := range s.e.Feed(ctx, at) {
			if errors.Is(err, ErrFellBehind) {
				s.fell[i].Add(1)
				at = s.e.DurableSeq()
				break
			}
			if ctx.Err() != nil {
				return
			}
			if err != nil || c.Seq != at+1 {
				s.t.Errorf("feed: commit %d follows %d: %v", c.Seq, at, err)
				return
			}
			at = c.Seq
			s.shown[i].Add(1)
		}
	}
}

// watch calls look once a minute.
func (s *soak) watch(long time.Duration) {
	end := time.NewTimer(long)
	minutes := time.NewTicker(min(time.Minute, long/2))
	defer minutes.Stop()
	for n := 1; ; n++ {
		select {
		case <-end.C:
			return
		case <-minutes.C:
			s.look(fmt.Sprint("look ", n))
		}
	}
}

// look checks the sum of the points, compares memory with the disk, and prints figures.
func (s *soak) look(what string) {
	moved, err := transactionsIn(s.e)
	require.NoError(s.t, err, what)
	rep, err := s.e.Check(context.Background(), nil)
	require.NoError(s.t, err, what)
	require.Empty(s.t, rep.Problems, what)
	st, err := s.e.Stats()
	require.NoError(s.t, err, what)
	text := ""
	for _, name := range []string{"update", "view", "union", "copy", "pop", "list"} {
		text += fmt.Sprintf(" %s %d", name, s.calls[name].Load())
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.t.Logf("%s:%s; %d moves, sum as ever; %d commits, %d rolled back, %d snapshots, %d loads, %d evictions, %d expired; feeds showed %d and %d, fell behind %d and %d times; check of %d sets: nothing; %d goroutines, heap %d MiB, log %d MiB, disk %d MiB, p99.9 of an update %v",
		what, text, moved, st.Commits, st.RolledBack, st.Snapshots.Taken, st.Loads, st.Evicted, st.Expired, s.shown[0].Load(), s.shown[1].Load(),
		s.fell[0].Load(), s.fell[1].Load(), rep.Sets, runtime.NumGoroutine(), m.HeapAlloc>>20, st.Log>>20, st.Disk>>20, st.Updates.Quantile(0.999))
}

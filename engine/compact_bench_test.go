package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkCompact compacts an engine of 400,000 members and 100,000 private keys, of which every tenth was removed, while 16 callers commit at Sync.
// It reports how long a commit takes meanwhile, and, in as many commits, before.
func BenchmarkCompact(b *testing.B) {
	e, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for b.Loop() {
		b.StopTimer()
		if err := errors.Join(fillForCompact(e, 1), fillForCompact(e, 10)); err != nil {
			b.Fatal(err)
		}
		stop := make(chan struct{})
		time.AfterFunc(3*time.Second, func() { close(stop) })
		before := commitTimes(b, e, stop)
		stop = make(chan struct{})
		done := make(chan error, 1)
		b.StartTimer()
		began := time.Now()
		var sum Compaction
		go func() {
			defer close(stop)
			var err error
			sum, err = e.Compact(b.Context(), nil)
			done <- err
		}()
		during := commitTimes(b, e, stop)
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/compaction")
		b.ReportMetric(float64(sum.Bytes)/(1<<20), "MiB-of-tables")
		for name, times := range map[string][]time.Duration{"before": before, "during": during} {
			b.ReportMetric(float64(len(times)), "commits-"+name)
			for _, p := range []float64{0.5, 0.99, 0.999} {
				b.ReportMetric(times[int(p*float64(len(times)-1))].Seconds()*1e3, fmt.Sprintf("ms-p%v-%s", p*100, name))
			}
		}
	}
}

// fillForCompact adds members and keys; with a step above 1 it removes every step-th.
func fillForCompact(e *Engine, step int) error {
	rng := rand.New(rand.NewPCG(1, uint64(step)))
	for i := 0; i < 400_000; i += 4000 {
		key := fmt.Sprint("set", i/100_000)
		err := e.Update(context.Background(), func(tx *Tx) error {
			s, err := tx.Set(key)
			for j := i; j < i+4000 && err == nil; j += step {
				member, name := fmt.Appendf(nil, "player %d of the league", j), fmt.Sprint("meta of player ", j)
				switch {
				case step > 1:
					_, err = s.Remove(member)
					err = errors.Join(err, tx.Delete(name))
				case j%4 == 0:
					err = tx.Put(name, fmt.Appendf(nil, "mail%x@example.org %x", rng.Uint64(), rng.Uint64()))
					fallthrough
				default:
					_, addErr := s.Add(member, rng.Float64())
					err = errors.Join(err, addErr)
				}
			}
			return err
		}, key)
		if err != nil {
			return err
		}
	}
	return nil
}

// commitTimes returns the times of the commits of 16 callers until stop, in order.
func commitTimes(b *testing.B, e *Engine, stop <-chan struct{}) (times []time.Duration) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for c := range 16 {
		wg.Go(func() {
			key, mine := fmt.Sprint("live", c), []time.Duration(nil)
			for i := 0; ; i++ {
				select {
				case <-stop:
					mu.Lock()
					defer mu.Unlock()
					times = append(times, mine...)
					return
				default:
				}
				began := time.Now()
				err := e.Update(b.Context(), func(tx *Tx) error {
					s, err := tx.Set(key)
					if err == nil {
						_, err = s.Add(fmt.Appendf(nil, "m%d", i%1000), float64(i))
					}
					return err
				}, key)
				if err != nil {
					b.Error(err)
					return
				}
				mine = append(mine, time.Since(began))
			}
		})
	}
	wg.Wait()
	slices.Sort(times)
	return times
}

package replica

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
)

var (
	lagRate    = flag.Int("writes", 0, "TestLag: writes a second; 0: it is skipped")
	lagSeconds = flag.Int("seconds", 20, "TestLag: how long")
)

// TestLag prints how far a copy is behind a source that gets so many writes a second from 16 writers, on one machine:
//
//	go test -run TestLag -v -writes 20000
func TestLag(t *testing.T) {
	if *lagRate == 0 {
		t.Skip("a measurement: give it -writes")
	}
	s := newSource(t)
	e := newEngine(t, memfs.NewCrashable())
	defer func() { require.NoError(t, e.Close()) }()
	r := run(t, e, s.options())
	r.until("it follows", func(s Status) bool { return s.Phase == Following })
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(*lagSeconds)*time.Second)
	defer cancel()
	var written atomic.Int64
	var writers sync.WaitGroup
	const pause = 20 * time.Millisecond
	for w := range 16 {
		writers.Go(func() {
			c := s.Client(0)
			defer func() { _ = c.Close() }()
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			each := *lagRate * int(pause/time.Millisecond) / 1000 / 16
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
				p := c.Pipeline()
				for range each {
					p.ZIncrBy(ctx, fmt.Sprint("lb:", rng.IntN(100)), 1, fmt.Sprint("member", rng.IntN(10_000)))
				}
				if replies, err := p.Exec(ctx); err == nil {
					written.Add(int64(len(replies)))
				}
			}
		})
	}
	lags := s.sample(ctx, e)
	writers.Wait()
	r.stop()
	slices.Sort(lags)
	t.Logf("%d writes/s, %d samples: a write is applied after %v at the median, %v at p99, %v at the most", written.Load()/int64(*lagSeconds), len(lags), lags[len(lags)/2],
		lags[len(lags)*99/100], lags[len(lags)-1])
}

// sample writes to the source, and looks when the engine has it.
func (s *source) sample(ctx context.Context, e *engine.Engine) (lags []time.Duration) {
	c := s.Client(0)
	defer func() { _ = c.Close() }()
	for n := 1.0; ctx.Err() == nil; n++ {
		require.NoError(s.t, c.ZAdd(context.WithoutCancel(ctx), "mark", redis.Z{Member: "m", Score: n}).Err())
		began := time.Now()
		for has := 0.0; has < n; {
			require.NoError(s.t, e.View(ctx, func(tx *engine.Tx) error {
				set, err := tx.Set("mark")
				if err == nil {
					has, _ = set.Score([]byte("m"))
				}
				return err
			}, "mark"))
			<-time.After(100 * time.Microsecond)
		}
		lags = append(lags, time.Since(began).Round(10*time.Microsecond))
		<-time.After(5 * time.Millisecond)
	}
	return lags
}

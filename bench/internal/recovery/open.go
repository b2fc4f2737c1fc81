package recovery

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/process"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// zipfExponent is the skew of a zipf load: the hottest of 1 M members takes about 12 % of it.
const zipfExponent = 1.1

// random draws members and scores.
type random struct {
	pick  func(int) int
	score func() float64
}

// fewScores is the number of distinct scores in a set with few of them: loading it compares texts most of the time.
const fewScores = 1128

func newRandom(n int, seed uint64, zipf bool) random {
	r := rand.New(rand.NewPCG(seed, 0x7265636f76))
	x := random{func(int) int { return r.IntN(n) }, func() float64 { return float64(r.Int64N(workload.ScoreSpan)) }}
	if zipf {
		z := rand.NewZipf(r, zipfExponent, 1, uint64(n-1))
		x.pick = func(int) int { return workload.Spread(int(z.Uint64()), n) }
	}
	return x
}

// makeBase makes a directory with n members that was closed well.
func makeBase(o bench.Options) error {
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None})
	if err != nil {
		return err
	}
	score := newRandom(o.N, o.Seed, false).score
	if o.Case == buildFew {
		all := score
		score = func() float64 { return float64(int(all()) % fewScores) }
	}
	err = subject.Fill(e, subject.Arena, o.N, score)
	if err == nil {
		err = e.Snapshot()
	}
	return errors.Join(err, e.Close())
}

// cold is open after the kernel has forgotten the files.
func cold(o bench.Options, f figure.Figures) error {
	if err := disk.Evict(o.Dir); err != nil {
		return err
	}
	return open(o, f)
}

// open opens the directory and asks for a rank.
func open(o bench.Options, f figure.Figures) error {
	begin := time.Now()
	e, err := engine.Open(o.Dir, engine.Options{})
	if err != nil {
		return err
	}
	f[figure.Open] = bench.Milliseconds(time.Since(begin))
	resident(f, figure.MemoryOpen)
	f[figure.Commits] = float64(e.Recovery().Commits)
	err = touch(e, o, f)
	if err == nil {
		resident(f, figure.MemoryTouched)
		var st engine.Stats
		st, err = e.Stats()
		f[figure.Log] = float64(st.Log)
	}
	return errors.Join(err, e.Close())
}

// resident records the resident memory of this process and its maximum, where the system tells them.
func resident(f figure.Figures, m figure.Metric) {
	if now, most, ok := process.Resident(os.Getpid()); ok {
		f[m], f[figure.MemoryPeak] = now, most
	}
}

// touch times the rank of a member, and checks the number of members.
func touch(e *engine.Engine, o bench.Options, f figure.Figures) error {
	r := newRandom(o.N, o.Seed, false)
	s := workload.NewStream(1, r.pick, r.score)
	begin, cpu := time.Now(), measure.ProcessTime()
	return e.View(context.Background(), func(tx *engine.Tx) error {
		set, err := tx.Set(subject.Arena)
		if err != nil {
			return err
		}
		_, ok := set.Rank(s.Key(0).Raw)
		f[figure.Touch], f[figure.TouchCPU] = bench.Milliseconds(time.Since(begin)), bench.Milliseconds(measure.ProcessTime()-cpu)
		if !ok {
			return fmt.Errorf("%q is not ranked", s.Key(0).Name)
		}
		return bench.Want("members", set.Len(), o.N)
	}, subject.ArenaKey...)
}

// loadRedis times a redis-server that loads the same members from an RDB file. The first round makes the file.
func loadRedis(ctx context.Context, o bench.Options, f figure.Figures) error {
	dir := filepath.Join(o.Shared, bench.Redis)
	if _, err := os.Stat(filepath.Join(dir, "dump.rdb")); errors.Is(err, os.ErrNotExist) {
		s, err := redis.Start(ctx, o.Redis, dir)
		if err != nil {
			return err
		}
		all := workload.Apart(0, o.N, o.N, newRandom(o.N, o.Seed, false).score)
		if err = s.Add(&all, subject.Arena); err == nil {
			_, err = s.Do("SAVE")
		}
		if err = errors.Join(err, s.Close()); err != nil {
			return err
		}
	}
	s, err := redis.Start(ctx, o.Redis, dir)
	if err != nil {
		return err
	}
	f[figure.Open] = bench.Milliseconds(s.Loaded)
	n, err := s.Number("ZCARD", subject.Arena)
	return errors.Join(err, bench.Want("members", n, o.N), s.Close())
}

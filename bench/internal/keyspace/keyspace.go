package keyspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/bytedance/gopkg/collection/zset"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/listpack"
)

// The systems: zrank at Interval, zrank without a disk, and the peers.
const memory, bytedance = "memory", subject.BytedanceName

var systems = []string{bench.Zrank, memory, bytedance, bench.Redis}

// name is of the one line, and reopen of the job that opens what was closed.
const name, reopen = "sets", "reopen"

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "keyspace", Title: "A million small sets", Short: "Measure a million small sets beside bytedance and Redis",
	Long: `Keyspace makes n small sets, of 20 members each, and measures how long that takes, how many bytes of memory a set takes and how many of
them are neither its key nor its entries, how long it takes to open them again, and to read a set for the first time. Peers are a map of
bytedance's sorted sets, and a redis-server where there is one in the path. A million sets of bytedance's want about 5 GB of memory.`,
	Example: "--n 1e5",
	N:       1_000_000, NUsage: "number of `sets`", Redis: true,
	Plan: func(_ context.Context, o *bench.Options, progress io.Writer) ([]bench.Case, error) {
		err := o.FindRedis(progress)
		return []bench.Case{{Name: name, Title: name, Systems: o.WithRedis(systems)}}, err
	},
	Start: start, Tables: tables,
	Load: func(o *bench.Options) string {
		return fmt.Sprintf("%s sets of %d members of 8 to 16 bytes", bench.Comma(o.N), members)
	},
	Targets: []bench.Target{{What: "overhead of a small set", Line: name, Metric: figure.SetOverhead, Limit: 120, At: 1e6}},
	Notes: `A commit, or a ZADD, for each set. memory: zrank without a disk; zrank: at Interval. Memory: live heap, or Redis's used_memory. Entries:
as the bytes of zrank's listpack, for all alike. Close: with a snapshot, or SAVE. Redis loads everything when it opens; zrank loads a
set when it is first read. bytedance: in a map.`,
}

// tables is a row for each figure, a column for each system.
func tables(*bench.Result) []bench.Table {
	t := bench.Table{Head: systems}
	for _, f := range []struct {
		title  string
		metric figure.Metric
	}{
		{"time to fill", figure.Fill}, {"bytes of memory a set", figure.SetBytes}, {"  key and entries", figure.SetOwn},
		{"  overhead", figure.SetOverhead}, {"time to close", figure.Close}, {"bytes of files a set", figure.SetDisk},
		{"time to open", figure.Open}, {"bytes of memory a set, not loaded", figure.SetCold},
		{"first read of a set, p50", figure.P50}, {"first read of a set, p99", figure.P99},
	} {
		row := bench.Row{Title: f.title}
		for _, system := range systems {
			row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: name, System: system, Metric: f.metric}})
		}
		t.Rows = append(t.Rows, row)
	}
	return []bench.Table{t}
}

// start fills a system, measures its memory, closes it, and opens it again in another process.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	f := figure.Figures{}
	if o.Case == reopen {
		return bench.Once{{Line: name, Figures: f}}, open(ctx, o, f)
	}
	s, err := fresh(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := fill(s, o, f); err != nil {
		return nil, errors.Join(err, s.close())
	}
	begin := time.Now()
	if err := s.close(); err != nil || o.System != bench.Zrank && o.System != bench.Redis {
		return bench.Once{{Line: name, Figures: f}}, err
	}
	f[figure.Close] = bench.Milliseconds(time.Since(begin))
	size, err := disk.Size(o.Dir)
	if err != nil {
		return nil, err
	}
	f[figure.SetDisk] = float64(size) / float64(o.N)
	o.Case = reopen
	opened, err := bench.Fresh(ctx, o)
	if err == nil {
		maps.Copy(f, opened[0].Figures)
	}
	return bench.Once{{Line: name, Figures: f}}, err
}

// fill inserts the sets and measures their memory.
func fill(s system, o bench.Options, f figure.Figures) error {
	before, err := s.bytes()
	if err != nil {
		return err
	}
	var x sample
	begin := time.Now()
	for i := range o.N {
		x.draw(o.Seed, i)
		if err := s.put(&x); err != nil {
			return fmt.Errorf("insert %s: %w", x.key, err)
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	f[figure.Fill] = bench.Milliseconds(time.Since(begin))
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
	f[figure.SetBytes], f[figure.SetOwn] = (after-before)/n, float64(own)/n
	f[figure.SetOverhead] = f[figure.SetBytes] - f[figure.SetOwn]
	found, err := s.sets()
	return errors.Join(err, bench.Want("sets", found, o.N))
}

const (
	members              = 20    // of each set
	minMember, maxMember = 8, 16 // bytes
	letters              = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
)

// sample is one set. draw replaces it by another set, so the load takes no memory; a draw takes a microsecond.
type sample struct {
	key    string
	names  [members][]byte
	scores [members]float64
	text   [members * maxMember]byte
}

// draw makes the i-th set: the same one at every call.
func (s *sample) draw(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	s.key = fmt.Sprintf("board:%08d", i)
	for m := range members {
		n := minMember + r.IntN(maxMember-minMember+1)
		text := s.text[m*maxMember : m*maxMember : (m+1)*maxMember]
		text = append(text, letters[m]) // no two of a set are equal
		for bits := r.Uint64(); len(text) < n; bits >>= 4 {
			text = append(text, letters[bits%uint64(len(letters))])
		}
		s.names[m], s.scores[m] = text, float64(r.Int64N(workload.ScoreSpan))
	}
}

// own returns the bytes of the key and of the entries in a listpack.
func (s *sample) own() int {
	l := listpack.New(0)
	for m := range members {
		l.Insert(uint64(s.scores[m]), nil, s.names[m])
	}
	return len(s.key) + len(l.AppendTo(nil))
}

const (
	// pipeline is the number of commands in a pipeline.
	pipeline = 50
	// reads is the number of sets that are read after an open.
	reads = 1000
)

// system is what is filled.
type system struct {
	put   func(s *sample) error
	flush func() error
	bytes func() (float64, error) // of memory, with all else that the process holds
	sets  func() (int, error)
	close func() error
}

// fresh returns the empty system of a job.
func fresh(ctx context.Context, o bench.Options) (system, error) {
	switch o.System {
	case bench.Zrank, memory:
		return newZrank(o)
	case bytedance:
		return newBytedance(), nil
	case bench.Redis:
		return newRedis(ctx, o)
	}
	return system{}, fmt.Errorf("no system %q", o.System)
}

// heap returns a function that measures the live heap while keep is reachable.
func heap(keep any) func() (float64, error) {
	return func() (float64, error) {
		bytes := float64(measure.LiveHeap())
		runtime.KeepAlive(keep)
		return bytes, nil
	}
}

func newZrank(o bench.Options) (system, error) {
	level := subject.Level{Disk: o.System == bench.Zrank}
	eo := engine.Options{}
	if level.Disk {
		eo.Durability = engine.Interval
	}
	e, err := level.Open(o.Dir, eo)
	if err != nil {
		return system{}, err
	}
	return system{
		put: func(s *sample) error {
			return e.Update(context.Background(), func(tx *engine.Tx) error {
				x, err := tx.Set(s.key)
				for m := 0; m < members && err == nil; m++ {
					_, err = x.Add(s.names[m], s.scores[m])
				}
				return err
			}, s.key)
		},
		flush: e.Flush, bytes: heap(e),
		sets: func() (int, error) {
			st, err := e.Stats()
			return st.Sets, err
		},
		close: func() error { return errors.Join(level.Settle(e), e.Close()) },
	}, nil
}

func newBytedance() system {
	all := map[string]*zset.Float64Set{}
	return system{
		put: func(s *sample) error {
			x := zset.NewFloat64()
			for m := range members {
				x.Add(s.scores[m], string(s.names[m]))
			}
			all[s.key] = x
			return nil
		},
		flush: func() error { return nil }, bytes: heap(all), sets: func() (int, error) { return len(all), nil },
		close: func() error { return nil },
	}
}

func newRedis(ctx context.Context, o bench.Options) (system, error) {
	s, err := redis.Start(ctx, o.Redis, o.Dir)
	if err != nil {
		return system{}, err
	}
	sent := 0
	flush := func() error {
		_, err := s.Finish()
		return err
	}
	return system{
		put: func(x *sample) error {
			args := []any{x.key}
			for m := range members {
				args = append(args, x.scores[m], string(x.names[m])) // the next set takes the place of the text
			}
			s.Queue("ZADD", args...)
			if sent++; sent%pipeline != 0 {
				return nil
			}
			return flush()
		},
		flush: flush, bytes: s.UsedMemory,
		sets: func() (int, error) { return s.Number("DBSIZE") },
		close: func() error {
			_, err := s.Do("SAVE")
			return errors.Join(err, s.Close())
		},
	}, nil
}

// open opens the closed system again.
func open(ctx context.Context, o bench.Options, f figure.Figures) error {
	if o.System == bench.Redis {
		s, err := redis.Start(ctx, o.Redis, o.Dir)
		if err != nil {
			return err
		}
		f[figure.Open] = bench.Milliseconds(s.Loaded)
		found, err := s.Number("DBSIZE")
		return errors.Join(err, bench.Want("sets", found, o.N), s.Close())
	}
	before := measure.LiveHeap()
	begin := time.Now()
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.Interval})
	if err != nil {
		return err
	}
	f[figure.Open] = bench.Milliseconds(time.Since(begin))
	f[figure.SetCold] = (float64(measure.LiveHeap()) - float64(before)) / float64(o.N)
	st, err := e.Stats()
	if err == nil {
		err = errors.Join(bench.Want("sets", st.Sets, o.N), bench.Want("sets loaded by the open", st.Loaded, 0))
	}
	if err == nil {
		err = read(e, o, f)
	}
	return errors.Join(err, e.Close())
}

// read times ranks in random sets. Most sets are read for the first time.
func read(e *engine.Engine, o bench.Options, f figure.Figures) error {
	r := rand.New(rand.NewPCG(o.Seed, 0x746f756368))
	times := crew.NewRecorder()
	var x sample
	for range reads {
		x.draw(o.Seed, r.IntN(o.N))
		begin := time.Now()
		err := e.View(context.Background(), func(tx *engine.Tx) error {
			s, err := tx.Set(x.key)
			if err != nil {
				return err
			}
			if _, ok := s.Rank(x.names[0]); !ok || s.Len() != members {
				return fmt.Errorf("%s has %d members, want %d", x.key, s.Len(), members)
			}
			return nil
		}, x.key)
		if err != nil {
			return err
		}
		times.Record(time.Since(begin))
	}
	times.Into(f)
	return nil
}

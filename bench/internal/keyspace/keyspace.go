package keyspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The systems: zrank at Interval, zrank without a disk, and the peers.
const memory, bytedance = "memory", "bytedance"

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

// start fills a system and weighs it, closes it, and opens it again in another process.
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

// fill inserts the sets and weighs them.
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

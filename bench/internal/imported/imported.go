package imported

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/process"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
	"github.com/zrankdb/zrank/zset"
)

// The lines, and the job that makes the file of all of them.
const (
	makeFile = "file"
	reading  = "read"
	memory   = "memory"
	stored   = "disk"
	exported = "export"
)

// stages is every line of ours, in the order of the tables.
var stages = map[string]func(ctx context.Context, o bench.Options, f figure.Figures) error{
	reading: readFile, memory: importMemory, stored: importDisk, exported: export,
}

var lines = []string{reading, memory, stored, exported}

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "import", Title: "Redis files", Short: "Measure importing a Redis file beside redis-server loading it",
	Long: `Import makes an RDB file of n members, in one sorted set or more, as redis-server writes it, and measures how long it takes to read it, to import it into an
engine in memory and into one on the disk, with a flush at the end, and to export it again. Every figure is of a fresh process. Where there is a redis-server in the
path, it loads the same file for comparison, from the start of the process to its first answer.`,
	Example: "--n 1e6\n--n 1e7 --dir /mnt/nvme\n--n 2e6 --sets 200000",
	N:       1_000_000, Redis: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.IntVar(&o.Sets, "sets", 1, "divide the members among so many sorted sets")
	},
	Plan: func(_ context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
		if o.Sets < 1 || o.Sets > slices.Min(o.Sizes) {
			return nil, fmt.Errorf("--sets is %d, want 1 to the number of members", o.Sets)
		}
		for _, line := range lines {
			cases = append(cases, bench.Case{Name: line, Title: line, Systems: []string{bench.Zrank}})
		}
		if err = o.FindRedis(progress); o.Redis != "" {
			cases = append(cases, bench.Case{Name: bench.Redis, Title: bench.Redis, Systems: []string{bench.Redis}})
		}
		return cases, err
	},
	Start: start, Tables: tables,
	Load: func(o *bench.Options) string {
		return bench.Comma(o.N) + " members in " + bench.Comma(o.Sets) + " sorted sets"
	},
	Notes: "Members have 20 bytes, scores are random. memory: the most that the process has had.",
}

func tables(*bench.Result) []bench.Table {
	facts := bench.Table{Head: []string{"found", "over Redis"}}
	add := func(title, line string, m figure.Metric) {
		row := bench.Fact(title, line, m)
		if line == bench.Redis {
			row.Cells[0].System = bench.Redis
		} else if line != exported {
			over := row.Cells[0]
			over.Over = &bench.Ref{Line: bench.Redis, System: bench.Redis, Metric: m}
			row.Cells = append(row.Cells, over)
		}
		facts.Rows = append(facts.Rows, row)
	}
	for _, x := range []struct{ title, line string }{
		{"read the file, member by member", reading}, {"import into memory", memory}, {"import into a directory", stored}, {"export of a directory", exported}, {"Redis loads the file", bench.Redis},
	} {
		add(x.title, x.line, figure.Took)
		add("  memory, the most", x.line, figure.MemoryPeak)
	}
	return []bench.Table{facts}
}

// path is that of the file that all rounds share.
func path(o bench.Options) string { return filepath.Join(o.Shared, bench.Redis, "dump.rdb") }

// start measures a line. The first one makes the file.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	if o.Case == makeFile {
		return bench.Once{}, write(o)
	}
	if _, err := os.Stat(path(o)); errors.Is(err, os.ErrNotExist) {
		job := o
		job.Case = makeFile
		if _, err := bench.Fresh(ctx, job); err != nil {
			return nil, err
		}
	}
	f := figure.Figures{}
	run := stages[o.Case]
	if o.Case == bench.Redis {
		run = loadRedis
	}
	if run == nil {
		return nil, fmt.Errorf("no line %q", o.Case)
	}
	return bench.Once{{Line: o.Case, Figures: f}}, run(ctx, o, f)
}

// write makes the file.
func write(o bench.Options) (err error) {
	r := rand.New(rand.NewPCG(o.Seed, 0x696d706f7274))
	all := workload.Apart(0, o.N, o.N, func() float64 { return float64(r.Int64N(workload.ScoreSpan)) })
	if err := os.MkdirAll(filepath.Dir(path(o)), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path(o))
	if err != nil {
		return err
	}
	w, err := rdb.NewWriter(file, rdb.WriteOptions{})
	if err == nil {
		err = w.SelectDB(0)
	}
	for k := 0; k < o.Sets && err == nil; k++ {
		err = writeSet(w, fmt.Appendf(nil, "%s:%d", subject.Arena, k), all, k*o.N/o.Sets, (k+1)*o.N/o.Sets)
	}
	if err == nil {
		err = w.Close()
	}
	return errors.Join(err, file.Close())
}

// writeSet writes members from to to-1 as one sorted set.
func writeSet(w *rdb.Writer, key []byte, all workload.Stream, from, to int) error {
	z, _, err := zset.Build(zset.Options{}, 2, func(yield func([]byte, float64) bool) {
		for i := from; i < to && yield(all.Key(i).Raw, all.Score(i)); i++ {
		}
	})
	if err != nil {
		return err
	}
	return w.SortedSet(key, time.Time{}, z.Len(), z.RevRange(0, z.Len()))
}

// timed measures what do takes, and the memory of this process.
func timed(f figure.Figures, do func() error) error {
	begin := time.Now()
	err := do()
	f[figure.Took] = bench.Milliseconds(time.Since(begin))
	if _, most, ok := process.Resident(os.Getpid()); ok {
		f[figure.MemoryPeak] = most
	}
	return err
}

// withFile calls do with the file.
func withFile(o bench.Options, do func(*os.File) error) error {
	file, err := os.Open(path(o))
	if err != nil {
		return err
	}
	return errors.Join(do(file), file.Close())
}

// readFile reads the file and stores nothing.
func readFile(_ context.Context, o bench.Options, f figure.Figures) error {
	return withFile(o, func(file *os.File) error {
		return timed(f, func() error {
			r, err := rdb.NewReader(file, rdb.ReadOptions{})
			if err != nil {
				return err
			}
			n := 0
			for key, err := r.Next(); !errors.Is(err, io.EOF); key, err = r.Next() {
				if err == nil {
					err = key.SortedSet(func([]byte, float64) error { n++; return nil })
				}
				if err != nil {
					return err
				}
			}
			return bench.Want("members", n, o.N)
		})
	})
}

// importMemory imports the file into an engine in memory.
func importMemory(ctx context.Context, o bench.Options, f figure.Figures) error {
	e, err := engine.New(engine.Options{})
	if err != nil {
		return err
	}
	return errors.Join(importInto(ctx, o, e, f), e.Close())
}

// importDisk imports the file into a directory, and flushes it.
func importDisk(ctx context.Context, o bench.Options, f figure.Figures) error {
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None})
	if err != nil {
		return err
	}
	return errors.Join(importInto(ctx, o, e, f), e.Close())
}

func importInto(ctx context.Context, o bench.Options, e *engine.Engine, f figure.Figures) error {
	return withFile(o, func(file *os.File) error {
		return timed(f, func() error {
			r, err := rdbfile.Import(ctx, e, file, rdbfile.ImportOptions{})
			if err != nil {
				return err
			}
			return bench.Want("members", r.Stored["zset"].Members, o.N)
		})
	})
}

// export writes a directory that was imported to another file.
func export(ctx context.Context, o bench.Options, f figure.Figures) error {
	if err := importDisk(ctx, o, figure.Figures{}); err != nil {
		return err
	}
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None})
	if err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(o.Shared, "out.rdb"))
	if err == nil {
		err = timed(f, func() error {
			_, err := rdbfile.Export(ctx, e, file, rdbfile.ExportOptions{})
			return errors.Join(err, file.Sync())
		})
		err = errors.Join(err, file.Close())
	}
	return errors.Join(err, e.Close())
}

// loadRedis times a redis-server that loads the file.
func loadRedis(ctx context.Context, o bench.Options, f figure.Figures) error {
	s, err := redis.Start(ctx, o.Redis, filepath.Dir(path(o)))
	if err != nil {
		return err
	}
	f[figure.Took] = bench.Milliseconds(s.Loaded)
	if _, most, ok := process.Resident(s.PID()); ok {
		f[figure.MemoryPeak] = most
	}
	n, err := s.Number("DBSIZE")
	return errors.Join(err, bench.Want("keys", n, o.Sets), s.Close())
}

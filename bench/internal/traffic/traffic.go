package traffic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// The systems. Those of 16 make 16 calls in a transaction, or send 16 commands before they read the replies.
const (
	batched   = "zrank/16"
	pipelined = "redis/16"
	together  = 16
)

// ours is the system of ours that each peer is held against.
var ours = map[string]string{subject.BytedanceName: bench.Zrank, bench.Redis: bench.Zrank, pipelined: batched}

// keyspaces are one set of all members, and many.
var keyspaces = []struct{ name, title string }{{"hot", "one set"}, {"many", "many sets"}}

// mixes are how many of 100 calls are writes.
var mixes = []struct {
	title  string
	writes uint8
}{{"50/50", 50}, {"95/5", 5}}

// callers are the numbers of goroutines.
var callers = []int{1, 2, 4, 8}

func systems(level string) []string {
	if level == "memory" {
		return []string{bench.Zrank, subject.BytedanceName, bench.Redis, batched, pipelined}
	}
	return []string{bench.Zrank, bench.Redis, batched, pipelined}
}

func caseNames() (names []string) {
	for _, k := range keyspaces {
		for _, l := range subject.Levels {
			names = append(names, k.name+"/"+l.Name)
		}
	}
	return names
}

// Engine measures goroutines that read and write.
var Engine = bench.Benchmark{
	Name: "engine", Title: "Many goroutines", Short: "Measure calls/s of many goroutines beside bytedance and Redis",
	Long: `Engine measures goroutines that read and write sets at once: 1, 2, 4 and 8 of them, half of the calls writes and one in twenty, on one hot
set and on many small ones, in memory, at Interval and at Sync. Peers are bytedance's sorted set with its lock, in memory, and a
redis-server over loopback, one command at a time and 16, where there is one in the path.`,
	Example: "--cases hot/memory,many/memory --for 3s\n--dir /mnt/nvme",
	N:       100_000, NUsage: "number of members in the hot set", Redis: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.IntVar(&o.Sets, "sets", 10_000, "number of small sets, of 20 members each")
		f.DurationVar(&o.For, "for", time.Second, "how long the calls of each figure are counted in a round")
		f.StringSliceVar(&o.Cases, "cases", caseNames(), "what to measure")
	},
	Plan: func(_ context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
		if err := errors.Join(bench.Choose("cases", o.Cases, caseNames()), o.FindRedis(progress)); err != nil {
			return nil, err
		}
		for _, name := range o.Cases {
			_, level, _ := strings.Cut(name, "/")
			cases = append(cases, bench.Case{Name: name, Title: name, Systems: o.WithRedis(systems(level)),
				Turns: bench.Passes * len(mixes) * len(callers)})
		}
		return cases, nil
	},
	Start: start, Tables: tables,
	Load: func(o *bench.Options) string {
		return fmt.Sprintf("%s members of 20 bytes in the one set, %d in each of %d sets", bench.Comma(o.N), smallSet, o.Sets)
	},
	Notes: `Calls/s; behind a peer's, ours over it: above 1x zrank makes more. 50/50, 95/5: per cent of reads (a rank) and of writes (another
score). Redis: a process of its own over loopback, a connection for each goroutine. zrank/16: 16 calls in a transaction; redis/16: 16
commands are sent before the replies are read; these two are held against each other. Interval: a power cut takes 1 s of writes at
most, as with appendfsync everysec; Sync: none, as with always. bytedance: each set with its lock; many are in a map under another.`,
}

func line(name, mix string, n int) string { return fmt.Sprintf("%s/%s/%d", name, mix, n) }

// tables is a row for each case, mix and system, a column for each number of goroutines.
func tables(*bench.Result) []bench.Table {
	t := bench.Table{Head: []string{"1 goroutine"}}
	for _, n := range callers[1:] {
		t.Head = append(t.Head, fmt.Sprintf("%d goroutines", n))
	}
	for _, k := range keyspaces {
		for _, l := range subject.Levels {
			for _, m := range mixes {
				title := fmt.Sprintf("%s, %s, %s", k.title, l.Title, m.title)
				var lines []string
				for _, n := range callers {
					lines = append(lines, line(k.name+"/"+l.Name, m.title, n))
				}
				for _, system := range systems(l.Name) {
					t.Rows, title = append(t.Rows, bench.RateRow(title, system, ours[system], lines...)), ""
				}
			}
		}
	}
	return []bench.Table{t}
}

const (
	// smallSet is the number of members of each of many sets.
	smallSet = 20
	// maxOps is the length of the stream of calls, which callers read again and again.
	maxOps = 1 << 18
)

// load is the operations of every system of a case in a round.
type load struct {
	keys    []string // of the sets
	members int      // in each set
	calls   workload.Stream
	sets    []int32 // the set of each call
	dice    []uint8 // of each call: it is a write if this is below the writes of a mix
}

func draw(o bench.Options) *load {
	r := rand.New(rand.NewPCG(o.Seed, 0x74726166))
	l := &load{keys: subject.ArenaKey, members: o.N}
	if !strings.HasPrefix(o.Case, "hot") {
		l.keys, l.members = make([]string, o.Sets), smallSet
		for i := range l.keys {
			l.keys[i] = fmt.Sprintf("board:%06d", i)
		}
	}
	ops := min(maxOps, 4*len(l.keys)*l.members)
	l.calls = workload.NewStream(ops, func(int) int { return r.IntN(l.members) }, func() float64 { return subject.WholeScore(r) })
	l.sets, l.dice = make([]int32, ops), make([]uint8, ops)
	for i := range ops {
		l.sets[i], l.dice[i] = int32(r.IntN(len(l.keys))), uint8(r.IntN(100))
	}
	return l
}

// op returns the i-th operation in a mix.
func (l *load) op(i int, shift float64, writes uint8) subject.Op {
	o := subject.Op{Set: int(l.sets[i]), Key: l.calls.Key(i), Score: l.calls.Score(i) + shift, Kind: subject.Rank}
	if l.dice[i] < writes {
		o.Kind = subject.Add
	}
	return o
}

// start opens a system, inserts all members, and connects the callers.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	l := draw(o)
	_, level, _ := strings.Cut(o.Case, "/")
	sys, err := subject.Open(ctx, o, subject.LevelNamed(level), l.keys, false)
	if err != nil {
		return nil, err
	}
	size := 1
	if o.System == batched || o.System == pipelined {
		size = together
	}
	err = sys.FillSets(len(l.keys), l.members, o.Seed)
	var spots []bench.Spot
	for _, m := range mixes {
		call, failed := sys.Batches(slices.Max(callers), size, &l.calls, func(i int, shift float64) subject.Op { return l.op(i, shift, m.writes) })
		err = errors.Join(err, failed)
		for _, n := range callers {
			spots = append(spots, bench.Spot{Line: line(o.Case, m.title, n), Callers: n, Call: func(id int) (int, error) { return size, call(id) }})
		}
	}
	return sys.Turns(o, spots, l.members, err)
}

package boards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// hotMixes are how many of 100 calls of a goroutine submit. The others read a rank.
var hotMixes = []struct {
	title   string
	submits int
}{{"ranks", 0}, {"95/5", 5}, {"50/50", 50}, {"submits", 100}}

// hotCallers are the numbers of goroutines.
var hotCallers = []int{1, 2, 4, 8, 64}

// besides are what goes on while ranks are read on a timetable.
var besides = []struct {
	name, title string
	batch       int // submissions in a commit; 0: nothing; computes: work that takes no lock
}{{"alone", "nothing else", 0}, {"computes", "one goroutine computes", computes}, {"submits", "one goroutine submits", 1}, {"batches", "batches of 1,000 commit", 1000}}

// computes is a batch of no submissions, and of as much work as one of 1,000.
const computes = -1

func hotLine(mix string, n int) string { return fmt.Sprintf("hot/%s/%d", mix, n) }

func besideLine(name string) string { return "hot/beside/" + name }

func callLine(name string) string { return "hot/calls/" + name }

// Hot measures one board that everybody wants.
var Hot = bench.Benchmark{
	Name: "hot", Title: "A hot board", Short: "Measure one board that many goroutines read and write at once",
	Long: `Hot measures one board of three windows, in memory, from 1 to 64 goroutines that read ranks, submit, or do both: what more goroutines gain.
Then what readers on a timetable wait for while batches of submissions commit.`,
	Example: "--n 1e6 --for 3s",
	N:       300_000, NUsage: "number of players", NoDisk: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", time.Second, "how long the calls of each figure are counted in a round")
	},
	Plan: func(_ context.Context, o *bench.Options, _ io.Writer) ([]bench.Case, error) {
		return []bench.Case{{Name: "hot", Title: "a hot board", Systems: []string{bench.Zrank}, Turns: bench.Passes * (len(hotMixes)*len(hotCallers) + 2*len(besides))}}, nil
	},
	Start: startHot, Tables: hotTables,
	Load: func(o *bench.Options) string { return bench.Comma(o.N) + " players of 20 bytes in each of 3 windows" },
	Targets: []bench.Target{
		{What: "ranks, 2 goroutines over 1", Line: hotLine("ranks", 2), Metric: figure.Rate, Base: hotLine("ranks", 1), Limit: 1.9, Least: true},
		{What: "submits, 2 goroutines over 1", Line: hotLine("submits", 2), Metric: figure.Rate, Base: hotLine("submits", 1), Limit: 1.2, Least: true},
		{What: "submits, 64 goroutines over 1", Line: hotLine("submits", 64), Metric: figure.Rate, Base: hotLine("submits", 1), Limit: 1, Least: true},
		{What: "p99 of a rank while batches of 1,000 commit", Line: callLine("batches"), Metric: figure.P99, Limit: 1e6},
	},
	Notes: fmt.Sprintf(`Calls/s of all goroutines together. ranks: Ranking.Rank of a player at random; submits: Board.Submit, three windows; 95/5, 50/50: per cent of
ranks and of submits. In the second table %d readers read %d ranks a second in all, timed from when each was due; in the third, from when the
call began, so that waiting for a processor before is not counted. Batches: SubmitAll, by one goroutine, one after the other; a goroutine
that computes takes no lock, and shows what the scheduler costs. A machine of two processors cannot show more than 2x.`, crew.Writers, crew.Writers*int(time.Second/crew.Each)),
}

// hotBoard is the board, and the calls that goroutines make.
type hotBoard struct {
	*arena
	live  board.Ranking
	calls workload.Stream
}

func openHot(o bench.Options) (x *hotBoard, err error) {
	x = &hotBoard{}
	if x.arena, err = openArena("", engine.Options{}, newClock(), windows...); err != nil {
		return nil, err
	}
	if err = fill(o.N, o.Seed, x.put); err == nil {
		x.live, err = x.Live(context.Background(), "all")
	}
	if err != nil {
		return nil, errors.Join(err, x.close())
	}
	r := rand.New(rand.NewPCG(o.Seed, drawSeed))
	x.calls = workload.NewStream(maxOps, func(int) int { return r.IntN(o.N) }, func() float64 { return float64(1 + r.IntN(maxPoints)) })
	return x, nil
}

func (x *hotBoard) submission(i int) board.Submission {
	return board.Submission{Member: x.calls.Key(i).Name, Score: board.Ints(int64(x.calls.Score(i)))}
}

// call makes the i-th call of a mix.
func (x *hotBoard) call(i, submits int) (err error) {
	if i*37%100 < submits {
		_, err = x.Submit(context.Background(), x.submission(i))
	} else {
		_, _, err = x.live.Rank(context.Background(), x.calls.Key(i).Name)
	}
	return err
}

func startHot(ctx context.Context, o bench.Options) (bench.Session, error) {
	x, err := openHot(o)
	if err != nil {
		return nil, err
	}
	s := &bench.Turns{For: o.For, Finish: func(int) error {
		info, err := x.live.Len(ctx)
		return errors.Join(err, bench.Want("players", info, o.N), x.close())
	}}
	cursors := make([]workload.Cursor, slices.Max(hotCallers))
	for i := range cursors {
		cursors[i] = workload.NewCursor(&x.calls, i, len(cursors), 1)
	}
	for _, m := range hotMixes {
		for _, n := range hotCallers {
			s.Spots = append(s.Spots, bench.Spot{Line: hotLine(m.title, n), Callers: n, Call: func(id int) (int, error) {
				i, _ := cursors[id].Next()
				return 1, x.call(i, m.submits)
			}})
		}
	}
	for _, b := range besides {
		late, took := crew.NewRecorder(), crew.NewRecorder()
		s.Spots = append(s.Spots,
			bench.Spot{Line: besideLine(b.name), Run: func(int) error { return x.readBeside(o.For/bench.Passes, b.batch, late, took) }, Figures: figuresOf(late)},
			bench.Spot{Line: callLine(b.name), Run: func(int) error { return nil }, Figures: figuresOf(took)})
	}
	return s, nil
}

func figuresOf(times *crew.Recorder) func() figure.Figures {
	return func() figure.Figures {
		f := figure.Figures{}
		times.Into(f)
		return f
	}
}

// readBeside reads ranks on a timetable for a time, while one goroutine submits so many in a commit, one commit after the other, or none. It
// records the times of calls from when they were due, and from when they began.
func (x *hotBoard) readBeside(long time.Duration, batch int, late, took *crew.Recorder) error {
	subs := make([]board.Submission, max(batch, 1))
	at := 0
	c := crew.Hire(func(id int) func(i int) error {
		return func(i int) error { return x.call((i*crew.Writers+id)%x.calls.Len(), 0) }
	})
	_, err := c.During(func() (err error) {
		for until := time.Now().Add(long); err == nil && time.Now().Before(until); {
			switch batch {
			case 0:
				crew.Pause(long)
				continue
			case computes:
				for range 10_000 {
					at = int(murmur(uint64(at)))
				}
				continue
			}
			for i := range subs {
				at = (at + 1) % x.calls.Len()
				subs[i] = x.submission(at)
			}
			_, err = x.SubmitAll(context.Background(), subs)
		}
		return err
	})
	err = errors.Join(err, c.Dismiss())
	c.Times(late, crew.Call.Latency)
	c.Times(took, crew.Call.Took)
	return err
}

// murmur mixes the bits of a number.
func murmur(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func hotTables(*bench.Result) []bench.Table {
	rates := bench.Table{Head: []string{"1 goroutine"}}
	for _, n := range hotCallers[1:] {
		rates.Head = append(rates.Head, fmt.Sprintf("%d", n))
	}
	for _, m := range hotMixes {
		var lines []string
		for _, n := range hotCallers {
			lines = append(lines, hotLine(m.title, n))
		}
		rates.Rows = append(rates.Rows, bench.RateRow(m.title, bench.Zrank, "", lines...))
	}
	late, took := bench.TimesTable(), bench.TimesTable()
	for _, b := range besides {
		late.Rows = append(late.Rows, bench.TimesRow("ranks, "+b.title, besideLine(b.name), bench.Zrank, ""))
		took.Rows = append(took.Rows, bench.TimesRow("calls, "+b.title, callLine(b.name), bench.Zrank, ""))
	}
	return []bench.Table{rates, late, took}
}

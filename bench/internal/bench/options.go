package bench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/redis"
)

// MinRounds is the least number of rounds for a median and a spread.
const MinRounds = 3

// Options are the flags of a benchmark, and the job of one of its subprocesses.
type Options struct {
	Sizes  []int  `json:"-"` // --n
	Rounds int    `json:"-"`
	JSON   bool   `json:"-"`
	Dir    string // of the run, or an empty directory of the subprocess on the measured disk
	Seed   uint64 // of the first round; each round adds 1

	Bench  string
	Case   string
	System string
	N      int
	Shared string // a directory that all subprocesses of the run share

	For      time.Duration // the time in which the calls of a figure are counted
	After    time.Duration // the time after an event in which calls count
	Pause    time.Duration // before the memory of a server is read
	Budget   time.Duration // the longest loop of one operation
	Workload string
	Sets     int      // number of small sets
	LogBytes int64    // length of the log to open with
	Calls    int      // about how many calls to measure
	Callers  int      // at once
	Growth   []int    `json:"-"` // numbers of members of the cases that grow
	Cases    []string `json:"-"` // chosen
	Systems  []string `json:"-"` // chosen

	Redis     string   // the redis-server; empty: there is none
	Benchmark string   // the redis-benchmark; empty: there is none
	Program   string   // zrank
	Serve     []string // more flags of zrank serve
}

// AddFlags adds the common flags and those of b.
func (b *Benchmark) AddFlags(f *pflag.FlagSet, o *Options) {
	o.Bench, o.Sizes = b.Name, []int{b.N}
	if b.N != 0 {
		usage := "number of members in the set"
		if b.NUsage != "" {
			usage = b.NUsage
		}
		f.Var((*sizes)(&o.Sizes), "n", usage)
	}
	f.StringVar(&o.Dir, "dir", os.TempDir(), "measure on the disk of this directory; files made there are removed again")
	f.IntVar(&o.Rounds, "rounds", MinRounds, "rounds, 3 or more")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the first round's load; each further round adds 1")
	f.BoolVar(&o.JSON, "json", false, "print every raw figure as JSON instead of tables")
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "repetitions" {
			name = "rounds"
		}
		return pflag.NormalizedName(name)
	})
	if b.Flags != nil {
		b.Flags(f, o)
	}
}

// check returns an error for every flag that is out of range.
func (b *Benchmark) check(f *pflag.FlagSet, o *Options) (err error) {
	least := b.MinN
	if least == 0 {
		least = 1000
	}
	for _, n := range o.Sizes {
		if b.N != 0 && n < least {
			err = errors.Join(err, fmt.Errorf("--n is %d; it must be %d or more", n, least))
		}
	}
	f.VisitAll(func(x *pflag.Flag) {
		if kind := x.Value.Type(); kind != "duration" && !strings.HasPrefix(kind, "int") || x.Name == "pause" {
			return
		}
		if v := x.Value.String(); strings.HasPrefix(v, "-") || v == "0" || v == "0s" {
			err = errors.Join(err, fmt.Errorf("--%s is %s; it must be positive", x.Name, v))
		}
	})
	return err
}

// FindRedis looks for a redis-server in the path, and prints a line if there is none.
func (o *Options) FindRedis(progress io.Writer) (err error) {
	if o.Redis, err = redis.Find(); o.Redis == "" && err == nil {
		fmt.Fprintln(progress, "no redis-server in the path: not measured")
	}
	return err
}

// WithRedis returns the systems, without Redis if there is no server.
func (o *Options) WithRedis(systems []string) []string {
	return slices.DeleteFunc(slices.Clone(systems), func(s string) bool { return o.Redis == "" && strings.HasPrefix(s, "redis") })
}

// Choose returns an error if a value of a flag is not in all.
func Choose(flag string, chosen, all []string) error {
	for _, name := range chosen {
		if !slices.Contains(all, name) {
			return fmt.Errorf("--%s: no %q; there are %s", flag, name, strings.Join(all, ", "))
		}
	}
	return nil
}

// sizes is a flag for numbers of members: 1000000, 1e6, or several with commas.
type sizes []int

const minSize, maxSize = 100, 100_000_000

func (s *sizes) Type() string { return "members" }

func (s *sizes) String() string {
	var text []string
	for _, n := range *s {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}

func (s *sizes) Set(text string) error {
	var list []int
	for one := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(one), 64)
		if err != nil || v != math.Trunc(v) || v < minSize || v > maxSize {
			return fmt.Errorf("want a whole number from %d to %d, such as 1e6, not %q", minSize, maxSize, one)
		}
		if slices.Contains(list, int(v)) {
			return fmt.Errorf("%d is there twice", int(v))
		}
		list = append(list, int(v))
	}
	*s = list
	return nil
}

// SizesFlag makes a flag of numbers of members.
func SizesFlag(list *[]int) pflag.Value { return (*sizes)(list) }

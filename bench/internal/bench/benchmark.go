package bench

import (
	"context"
	"io"

	"github.com/spf13/pflag"
)

// Benchmark declares one benchmark: its flags, its cases, the work of a subprocess, and its tables.
type Benchmark struct {
	Name    string // of the command, and the kind of its results
	Title   string // of its section in a report
	Short   string // of the command's help, and Long
	Long    string
	Example string // the flags of a few calls, one call a line

	N      int    // default of --n; 0: the benchmark has another flag for sizes
	MinN   int    // least --n; 0: 1000
	NUsage string // of --n; empty: members in the set
	NoDisk bool   // the result names no disk

	// Flags adds the flags that only this benchmark has.
	Flags func(f *pflag.FlagSet, o *Options)
	// Plan checks the options, prepares what all subprocesses share, and returns the cases to measure.
	Plan func(ctx context.Context, o *Options, progress io.Writer) ([]Case, error)
	// Start begins one system of one case, in a subprocess.
	Start func(ctx context.Context, o Options) (Session, error)
	// Load describes the members; nil: N members of 20 bytes.
	Load func(o *Options) string

	Tables  func(r *Result) []Table
	Targets []Target
	Redis   bool   // Redis is a peer if redis-server is in the path
	Notes   string // below the tables
}

// Case is one group of rows, which its systems measure side by side.
type Case struct {
	Name    string
	Title   string // for the progress
	N       int    // members; 0: those of the options
	Systems []string
	// Turns is the number of turns of each system. The other systems are stopped during a turn. With 0 the systems run one after another.
	Turns int
}

// Session is one system under measurement in a subprocess.
type Session interface {
	// Turn measures one turn.
	Turn() error
	// End closes the system and returns a sample for each line, without system, round and seconds.
	End() ([]Sample, error)
}

// Once is a session without turns: its start has measured all figures.
type Once []Sample

// Turn does nothing.
func (Once) Turn() error { return nil }

// End returns the samples.
func (s Once) End() ([]Sample, error) { return s, nil }

// Named returns the benchmark of a name, or nil.
func Named(all []*Benchmark, name string) *Benchmark {
	for _, b := range all {
		if b.Name == name {
			return b
		}
	}
	return nil
}

package bench

import (
	"context"
	"io"

	"github.com/spf13/pflag"
)

// Benchmark declares one benchmark: its flags, its cases, what a subprocess does, and how its figures are shown.
type Benchmark struct {
	Name    string // of the command, and the kind of its results
	Title   string // of its section in a report
	Short   string // of the command's help, and Long
	Long    string
	Example string // the flags of a few calls, one call a line

	N      int    // default of --n; 0: the benchmark has sizes of its own
	MinN   int    // least --n; 0: 1000
	NUsage string // of --n; empty: members in the set
	NoDisk bool   // does not measure the disk

	// Flags adds the flags that only this benchmark has.
	Flags func(f *pflag.FlagSet, o *Options)
	// Plan checks the options, prepares what all subprocesses share, and returns the cases to measure.
	Plan func(ctx context.Context, o *Options, progress io.Writer) ([]Case, error)
	// Start begins one system of one case, in a subprocess.
	Start func(ctx context.Context, o Options) (Session, error)
	// Load says how much of what is measured; nil: N members of 20 bytes.
	Load func(o *Options) string

	Tables  func(r *Result) []Table
	Targets []Target
	Redis   bool   // Redis is a peer, where there is one
	Notes   string // below the tables
}

// Case is what the systems of a group of rows measure side by side.
type Case struct {
	Name    string
	Title   string // for the progress
	N       int    // members; 0: those of the options
	Systems []string
	// Turns is how many turns each system has, the others stopped meanwhile. With 0 one system runs after the other.
	Turns int
}

// Session is one system at work in a subprocess.
type Session interface {
	// Turn measures for a while.
	Turn() error
	// End closes the system and returns a sample for each line, without system, round and seconds.
	End() ([]Sample, error)
}

// Once is a session without turns, whose figures are known when it starts.
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

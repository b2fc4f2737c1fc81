// Package bench is what all benchmarks share: the declaration of a benchmark, the one runner, and the one format of results.
//
// A Benchmark has cases; each case has systems, ours and its peers. Run starts every system of a case in a subprocess of its own, this
// program with the hidden command "child". The systems take turns, and each round begins with another one, so that what the machine does
// meanwhile affects all alike. A figure is the median over the rounds. A ratio is taken within each round, and is the median of those.
//
// # Where things are
//
//   - benchmark.go: Benchmark, Case, Session, Table: what a benchmark declares
//   - options.go: Options, which a subprocess gets as JSON; common flags and checks
//   - run.go: Run: rounds, cases, progress
//   - child.go, child_linux.go, child_other.go, halt_unix.go, halt_other.go: subprocesses, which take turns or run once
//   - turns.go: Turns, a session whose spots are measured in closed loops
//   - result.go, compare.go: Result and its JSON, and the files of compare from before there was one format
//   - machine.go: the machine that measured
//   - stat.go: figures over the rounds, ratios, series
//   - target.go: Target, and which result decides about it
package bench

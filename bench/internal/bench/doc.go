// Package bench is what all benchmarks share: their declaration, one runner, and one format of results.
//
// A Benchmark has cases. A case has systems: ours and its peers. Run starts every system of a case in a subprocess of its own: this program
// with the hidden command "child". The systems take turns, and each round begins with another system, so that a change of the machine's
// speed affects all alike. A figure is the median over the rounds. A ratio is taken within each round; its median counts.
//
// # Where things are
//
//   - benchmark.go: Benchmark, Case, Session: the declaration
//   - tables.go: Table, Row, Cell, and what follows from them: titles, and which system a peer is compared with
//   - options.go: Options, which a subprocess gets as JSON; common flags and checks
//   - run.go: Run: rounds, cases, progress
//   - child.go: subprocesses, which take turns or run once
//   - turns.go: Turns, a session whose spots are measured in closed loops
//   - result.go: Result and its JSON
//   - machine.go: the machine that measured
//   - stat.go: figures over the rounds, ratios, series
//   - target.go: Target, and the verdict of results
package bench

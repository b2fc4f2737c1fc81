// Package measure runs one load against one peer in this process and returns plain figures.
//
// The order is fixed:
//
//  1. A board of fractional scores grows, one update to every few inserts, and is updated. The slowest single call is looked
//     for here, with the collector off: a pause of its is not the board's.
//
//  2. Small boards, and the collector without a board.
//
//  3. The board of whole scores is built: memory, the collector with the board live, reads, writes, and memory again.
//
//  4. Nine of ten members are removed at random; what is left is compared with a fresh board of the same entries.
//
// A peer whose members are outside this process has only the times of the third part, and all of them wall time. Core leaves out
// what a growth does not show. Single times single calls instead.
//
//   - Times are CPU time of the one thread that calls the peer. On a quiet machine they are the same; on a busy one a neighbour that takes the core away is not the peer's doing. What the
//     collector does on other threads is left out of an operation's time, in favour of peers that allocate, and shows in
//     the rows of the full collection, which count all threads.
//   - The first eighth of each loop warms up and does not count. A loop stops early when it exceeds its budget.
//   - Allocations are the process's count of heap objects over the counted part of the loop. The runtime now and then
//     makes a few of its own.
//   - Bytes are live heap after full collections, less the same before the build, over the members that the board has.
//
// # Where things are
//
//   - benchmarks.go: compare, growth and latency, their tables and targets
//   - lines.go: the lines of the results
//   - run.go: one peer in this process, and the order of its measurements
//   - ops.go: the loops of calls, and single calls
//   - total.go: loops of calls for other benchmarks
//   - memory.go: builds and replays, growth, memory and collections
//   - cputime.go: clocks
package measure

// Package recovery measures opening an engine, and what snapshots and other work on a big set cost (recover and pauses).
//
// Every figure of recover is of a fresh process on a fresh copy of a directory with n members in one set, which a subprocess makes first.
// A second such directory has few distinct scores, as many as a file of real results has.
//
//   - Open: until engine.Open returns. Touch: until the first rank is known. Cold: the kernel forgets the files first. Killed: another
//     process has written a log of a given length, without snapshots, and was killed while it went on writing.
//   - Periods: an engine with a board of many closed periods, each a small set. Open includes the boards; then a rank, the list of the periods,
//     and a check of the directory in a process of its own.
//   - Stall: writers while snapshots are taken (package crew). Before each snapshot a twentieth of the members change, at random, which is
//     something on every page.
//   - Amplify: the bytes that reach the files for each byte of log, over some lengths of log with a snapshot after each. Nothing is
//     written while a snapshot is taken, so what Pebble's log grows by meanwhile is pages.
//
// Pauses has a very big set, and small ones beside it: a thousand, or 20,000. Half of the writers give members of the big set another
// score, half of them members of the small ones, one commit each. Calls count from the beginning of the event until a while after its end,
// since the background work that it leaves may be what hurts. The same writers without an event show how much of it the event causes.
//
// # Where things are
//
//   - recovery.go: recover, its cases and its tables
//   - open.go: build, open, and Redis beside
//   - periods.go: a board with many closed periods
//   - pauses.go: pauses: its events, its tables, its writers
//   - writers.go: logs of a length, and writers while snapshots are taken
package recovery

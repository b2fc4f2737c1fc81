// Package recovery measures opening an engine, and what a snapshot costs while it is taken: one stage, in this process.
//
//   - Build makes a directory with n members in one set and closes it.
//   - Open opens one, in a process that has held nothing before, and asks for a rank: Open until engine.Open returns, Touch
//     until the first rank is there. Cold asks the kernel to forget the files first.
//   - Fill writes a log as long as it is told, without snapshots, says so, and goes on writing until it is killed.
//   - Stall measures writers while snapshots are taken. Each of 64 writers has a timetable, every 16 ms, and a call's
//     time counts from there, not from when the writer got round to it: a writer that is held up is late for the calls after
//     as well, and those count too. The lateness of timers, about 0.1 ms, is in the figures; the row of the same writers
//     without a snapshot shows how much. Before each snapshot a twentieth of the members change, at random, which is
//     something on every page.
//   - Amplify counts the bytes that reach the files for each byte of log, over some lengths of log with a snapshot after
//     each. Nothing is written while a snapshot is taken, so what Pebble's log grows by meanwhile is pages.
//
// The collector is on in every stage.
package recovery

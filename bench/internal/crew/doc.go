// Package crew is callers. Loop is a closed loop: each caller makes its next call when the last one has returned. A Crew is an open loop:
// writers that call at fixed times, whatever happens. A call's time counts from when it was due, not from when the writer made it: a
// writer that is delayed is late for the calls after as well, and those count too. The lateness of timers, about 0.1 ms, is in the times.
//
// # Where things are
//
//   - crew.go: Crew, and Watch, which lets something happen among the writers
//   - loop.go: Loop
package crew

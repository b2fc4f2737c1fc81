// Package crew makes concurrent calls and records their latencies. Loop is a closed loop: each caller makes its next call when the last one
// has returned. A Crew is an open loop: its writers call at fixed times. The latency of a call counts from the time it was due, not from the
// time the writer made it, so a delayed writer is late for its next calls too. Latencies include the lateness of timers, about 0.1 ms.
//
// # Where things are
//
//   - crew.go: Crew; Watch, which runs an event among the writers; Loop
//   - latency.go: Recorder, a histogram of latencies
package crew
